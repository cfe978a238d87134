"""Predictions against gold answers: every metric with its interval, and what went wrong where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragcli.core.generation_metrics import bleu1, bleu1_statistics, q_bleu1, rouge_l
from ragcli.core.metrics import (
    exact_match,
    f1,
    holds_answer,
    holds_pattern,
    matches_pattern,
    recall_of_gold,
)
from ragcli.core.statistics import (
    Measure,
    bootstrap,
    bootstrap_mean,
    distinct_trigrams_measure,
    ratio,
)
from ragcli.errors import QuestionError
from ragcli.records import Evidence, Prediction, QAExample
from ragcli.settings import Task

NOT_RETRIEVED, RETRIEVED, WRONG = "not retrieved", "retrieved and wrong", "wrong"


@dataclass(frozen=True, slots=True)
class Trial:
    """One example with its prediction and its own values of the metrics.

    `retrieved` is whether a passage holds the answer (for classification: is a gold passage), None
    where that cannot be told. `f1` is None where the answers are patterns or labels.
    """

    example: QAExample
    prediction: Prediction
    right: bool
    f1: float | None
    retrieved: bool | None
    gold_recall: float | None

    @property
    def failure(self) -> str | None:
        """What went wrong, or None if the answer is right."""
        if self.right:
            return None
        if self.retrieved is None:
            return WRONG
        return RETRIEVED if self.retrieved else NOT_RETRIEVED


@dataclass(frozen=True, slots=True)
class Measured:
    """All trials of one top-k and what they come to, by the name of the metric."""

    task: Task
    top_k: int
    trials: tuple[Trial, ...]
    metrics: dict[str, Measure]


def measure(
    examples: Sequence[QAExample],
    predictions: Sequence[Prediction],
    task: Task,
    seed: int = 0,
) -> Measured:
    """Measure predictions that stand in the order of the examples."""
    if not examples:
        raise QuestionError("no examples to measure")
    top_k = max(prediction.top_k for prediction in predictions)
    trials = tuple(
        trial(example, prediction, task)
        for example, prediction in zip(examples, predictions, strict=True)
    )
    metrics = _MEASURES[task](trials, seed) | _retrieval(trials, task, seed)
    golds = [t.prediction.gold_log_prob for t in trials]
    known = [value for value in golds if value is not None]
    if known:
        metrics["gold_log_prob"] = bootstrap_mean(known, seed)
    return Measured(task, top_k, trials, metrics)


def trial(example: QAExample, prediction: Prediction, task: Task) -> Trial:
    """One prediction against its example."""
    if not example.answers:
        raise QuestionError(f"example {example.id} has no accepted answer")
    found = [_gold_name(e, example.gold) for e in prediction.passages]
    gold_recall = None
    if example.gold and found:
        gold_recall = recall_of_gold(found, example.gold, len(found))
    if task == "classification":
        return Trial(
            example,
            prediction,
            right=prediction.answer.lower() == example.answers[0].lower(),
            f1=None,
            retrieved=None if gold_recall is None else gold_recall > 0,
            gold_recall=gold_recall,
        )
    matches = matches_pattern if example.patterns else exact_match
    return Trial(
        example,
        prediction,
        right=matches(prediction.answer, example.answers),
        f1=None if example.patterns else f1(prediction.answer, example.answers),
        retrieved=holds(example, prediction.passages) if prediction.passages else None,
        gold_recall=gold_recall,
    )


def holds(example: QAExample, passages: Sequence[Evidence]) -> bool:
    """Whether one of the passages holds an accepted answer."""
    test = holds_pattern if example.patterns else holds_answer
    return any(test(f"{e.title} {e.text}", example.answers) for e in passages)


def _gold_name(evidence: Evidence, gold: Sequence[str]) -> str:
    """The gold name that a passage goes by (its id, document or title), else its own id."""
    names = (evidence.id, evidence.document, evidence.title)
    return next((name for name in names if name in gold), evidence.id)


def _qa(trials: Sequence[Trial], seed: int) -> dict[str, Measure]:
    metrics = {"exact_match": bootstrap_mean([float(t.right) for t in trials], seed)}
    values = [t.f1 for t in trials if t.f1 is not None]
    if values:
        metrics["f1"] = bootstrap_mean(values, seed)
    return metrics


def _generation(trials: Sequence[Trial], seed: int) -> dict[str, Measure]:
    pairs = [(t.prediction.answer, t.example.answers) for t in trials]
    return {
        "bleu1": bootstrap([bleu1_statistics(*p) for p in pairs], lambda s: bleu1(*s), seed),
        "rouge_l": bootstrap_mean([rouge_l(*p) for p in pairs], seed),
        "q_bleu1": bootstrap_mean([q_bleu1(*p) for p in pairs], seed),
        "distinct_trigrams": distinct_trigrams_measure([answer for answer, _ in pairs]),
    } | _qa(trials, seed)


def _classification(trials: Sequence[Trial], seed: int) -> dict[str, Measure]:
    return {"accuracy": bootstrap_mean([float(t.right) for t in trials], seed)}


def _retrieval(trials: Sequence[Trial], task: Task, seed: int) -> dict[str, Measure]:
    """Recall by answer and by gold passage, and answers right without any passage's help."""
    metrics = {}
    told = [t for t in trials if t.retrieved is not None]
    if told and task != "classification":
        metrics["answer_recall"] = bootstrap_mean([float(bool(t.retrieved)) for t in told], seed)
        unaided = [(float(t.right and not t.retrieved), float(not t.retrieved)) for t in told]
        if any(missing for _, missing in unaided):
            metrics["right_without_passage"] = bootstrap(unaided, ratio, seed)
    golds = [t.gold_recall for t in trials if t.gold_recall is not None]
    if golds:
        metrics["gold_recall"] = bootstrap_mean(golds, seed)
    return metrics


_MEASURES: dict[Task, Callable[[Sequence[Trial], int], dict[str, Measure]]] = {
    "qa": _qa,
    "generation": _generation,
    "classification": _classification,
}
