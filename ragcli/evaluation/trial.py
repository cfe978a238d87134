"""Predictions against gold answers: what each trial was, and what all of them come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragcli.core import metrics as compared
from ragcli.core.statistics import Measure
from ragcli.errors import QuestionError
from ragcli.evaluation.metrics import metrics_of
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


def trial(example: QAExample, prediction: Prediction, task: Task) -> Trial:
    """One prediction against its example."""
    if not example.answers:
        raise QuestionError(f"example {example.id} has no accepted answer")
    answer, passages = prediction.answer, prediction.passages
    gold = example.gold
    found = [_gold_name(evidence, gold) for evidence in passages]
    gold_recall = compared.recall_of_gold(found, gold) if gold and found else None
    score: float | None = None
    if task == "classification":
        right = answer.lower() == example.answers[0].lower()
        retrieved = None if gold_recall is None else gold_recall > 0
    else:
        right = is_right(answer, example)
        retrieved = holds(example, passages) if passages else None
        score = None if example.patterns else compared.f1(answer, example.answers)
    return Trial(example, prediction, right, score, retrieved, gold_recall)


def is_right(answer: str, example: QAExample) -> bool:
    """Whether an answer is one of those accepted, by exact match or by pattern."""
    test = compared.matches_pattern if example.patterns else compared.exact_match
    return test(answer, example.answers)


def holds(example: QAExample, passages: Sequence[Evidence]) -> bool:
    """Whether one of the passages holds an accepted answer."""
    test = compared.holds_pattern if example.patterns else compared.holds_answer
    return any(test(f"{e.title} {e.text}", example.answers) for e in passages)


def _gold_name(evidence: Evidence, gold: Sequence[str]) -> str:
    """The gold name that a passage goes by (its id, document or title), else its own id."""
    names = (evidence.id, evidence.document, evidence.title)
    return next((name for name in names if name in gold), evidence.id)


@dataclass(frozen=True, slots=True)
class Measured:
    """All trials of one top-k and what they come to, by the name of the metric."""

    task: Task
    top_k: int
    trials: tuple[Trial, ...]
    metrics: dict[str, Measure]


def measure(
    examples: Sequence[QAExample], predictions: Sequence[Prediction], task: Task, seed: int = 0
) -> Measured:
    """Every metric of the task, with its interval; predictions stand in the examples' order."""
    if not examples:
        raise QuestionError("no examples to measure")
    top_k = max(prediction.top_k for prediction in predictions)
    pairs = zip(examples, predictions, strict=True)
    trials = tuple(trial(example, prediction, task) for example, prediction in pairs)
    found = {name: metric.measure(trials, seed) for name, metric in metrics_of(task).items()}
    metrics = {name: measured for name, measured in found.items() if measured is not None}
    return Measured(task, top_k, trials, metrics)
