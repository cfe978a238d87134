"""Predictions against gold answers: trials, and their metrics, one line each.

To add a metric, make a `Metric` and add a line to the table, or to one of another package; it then
stands in the table for people, in JSON, in CSV and on the page, in the order of the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from ragcli.core import confidence as sure
from ragcli.core import generation_metrics as texts
from ragcli.core import metrics as compared
from ragcli.core import statistics
from ragcli.core.statistics import Measure
from ragcli.errors import QuestionError, RagError
from ragcli.records import Evidence, Prediction, QAExample
from ragcli.registry import Registry
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


Measuring = Callable[[Sequence[Trial], int], Measure | None]


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured over the trials of a run; its name is that of its line in the table.

    `measure(trials, seed)` is None where there is nothing to measure. `percent` says that values
    are shares of 1, `at_k` that the label is followed by the number of passages, `drawn` that a
    sweep has a curve of it, and `needs` which modules of the extra `metrics` must be installed.
    """

    label: str
    tasks: tuple[Task, ...]
    measure: Measuring
    percent: bool = True
    at_k: bool = False
    drawn: bool = True
    needs: tuple[str, ...] = ()

    def title(self, top_k: int) -> str:
        """The label for people; recall says its k."""
        return f"{self.label}@{top_k}" if self.at_k else self.label

    def text(self, value: float) -> str:
        """A value for people: shares in percent, others as they are."""
        return f"{100 * value:.1f}" if self.percent else f"{value:.2f}"

    def interval(self, measure: Measure) -> str:
        """The 95 % interval for people, `80.1 – 86.3`."""
        return f"{self.text(measure.low)} – {self.text(measure.high)}"


MAIN: dict[Task, str] = {"qa": "exact_match", "generation": "rouge_l", "classification": "accuracy"}
"""The metric of each task that says how good a run is, first of all."""


def metrics_of(task: Task) -> dict[str, Metric]:
    """The metrics of a task by name; an error if something that they need is not installed."""
    every = {name: METRICS.load(name) for name in METRICS.names()}
    metrics = {name: metric for name, metric in every.items() if task in metric.tasks}
    needed = {module: None for metric in metrics.values() for module in metric.needs}
    missing = [module for module in needed if find_spec(module) is None]
    if missing:
        raise RagError(
            f"the metrics of {task} need {' and '.join(missing)}",
            "in a clone: pip install -c constraints.txt '.[metrics]'",
        )
    return metrics


@dataclass(frozen=True, slots=True)
class Measured:
    """All trials of one top-k and what they come to, by the name of the metric."""

    top_k: int
    trials: tuple[Trial, ...]
    metrics: dict[str, Measure]


def measure_run(
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
    return Measured(top_k, trials, metrics)


def mean_of(value: Callable[[Trial], float | None]) -> Measuring:
    """The mean of a value for each trial, over the trials that have one."""

    def measured(trials: Sequence[Trial], seed: int) -> Measure | None:
        values = [float(v) for v in map(value, trials) if v is not None]
        return statistics.bootstrap_mean(values, seed) if values else None

    return measured


def _bleu1(trials: Sequence[Trial], seed: int) -> Measure:
    rows = [texts.bleu1_statistics(t.prediction.answer, t.example.answers) for t in trials]
    return statistics.bootstrap(rows, texts.bleu1, seed)


def _closeness(score: Callable[[str, Sequence[str]], float]) -> Measuring:
    """The mean of how close each answer comes to its references."""
    return mean_of(lambda t: score(t.prediction.answer, t.example.answers))


def _distinct_trigrams(trials: Sequence[Trial], seed: int) -> Measure:
    return statistics.distinct_trigrams_measure([t.prediction.answer for t in trials])


def _right_without_passage(trials: Sequence[Trial], seed: int) -> Measure | None:
    """Of the questions whose passages do not hold the answer, the share answered right anyway."""
    told = [t for t in trials if t.retrieved is not None]
    unaided = [(float(t.right and not t.retrieved), float(not t.retrieved)) for t in told]
    if not any(missing for _, missing in unaided):
        return None
    return statistics.bootstrap(unaided, statistics.ratio, seed)


def _calibration_error(trials: Sequence[Trial], seed: int) -> Measure | None:
    """How far confidence is from the share of right answers, over ten bins of equal width."""
    rows = [sure.gap_row(*each) for each in _judged(trials)]
    if not rows:
        return None
    return statistics.bootstrap(rows, lambda *gaps: sure.calibration_error(*gaps) / len(rows), seed)


def _judged(trials: Sequence[Trial]) -> list[tuple[float, bool]]:
    """Confidence, and whether the answer was right, where there is one."""
    pairs = ((t.prediction.confidence, t.right) for t in trials)
    return [(confidence, right) for confidence, right in pairs if confidence is not None]


def reliability(trials: Sequence[Trial]) -> list[sure.Bin]:
    """What a reliability diagram shows: the bins of confidence that answers fell into."""
    return sure.bins(_judged(trials))


_GENERATION: tuple[Task, ...] = ("generation",)
_WRITTEN: tuple[Task, ...] = ("qa", "generation")
_ALL: tuple[Task, ...] = (*_WRITTEN, "classification")

METRICS: Registry[Metric] = Registry(
    "metrics",
    "metric",
    {
        "bleu1": Metric("BLEU-1", _GENERATION, _bleu1, needs=("sacrebleu",)),
        "rouge_l": Metric(
            "ROUGE-L", _GENERATION, _closeness(texts.rouge_l), needs=("rouge_score",)
        ),
        "q_bleu1": Metric("Q-BLEU-1", _GENERATION, _closeness(texts.q_bleu1)),
        "distinct_trigrams": Metric("distinct tri-grams", _GENERATION, _distinct_trigrams),
        "accuracy": Metric("accuracy", ("classification",), mean_of(lambda t: t.right)),
        "exact_match": Metric("exact match", _WRITTEN, mean_of(lambda t: t.right)),
        "f1": Metric("F1", _WRITTEN, mean_of(lambda t: t.f1)),
        "answer_recall": Metric(
            "answer recall", _WRITTEN, mean_of(lambda t: t.retrieved), at_k=True
        ),
        # Of a few questions only, far below the rest: a curve of it would flatten the others.
        "right_without_passage": Metric(
            "right without a passage", _WRITTEN, _right_without_passage, drawn=False
        ),
        "gold_recall": Metric(
            "gold passage recall", _ALL, mean_of(lambda t: t.gold_recall), at_k=True
        ),
        "expected_calibration_error": Metric(
            "calibration error", _WRITTEN, _calibration_error, drawn=False
        ),
        "gold_log_prob": Metric(
            "log p of gold", _ALL, mean_of(lambda t: t.prediction.gold_log_prob), percent=False
        ),
    },
)
