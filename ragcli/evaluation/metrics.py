"""The metrics of an evaluation, one line each, open to other packages.

To add one, make a `Metric` and add a line to the table; it then stands in the table for people, in
JSON, in CSV and on the page. The order of the lines is the order of the reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ragcli.core import generation_metrics as texts
from ragcli.core.statistics import (
    Measure,
    bootstrap,
    bootstrap_mean,
    distinct_trigrams_measure,
    ratio,
)
from ragcli.errors import RagError
from ragcli.registry import Registry
from ragcli.settings import Task

if TYPE_CHECKING:
    from ragcli.evaluation.trial import Trial

Measuring = Callable[[Sequence["Trial"], int], Measure | None]


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


MAIN: dict[Task, str] = {
    "qa": "exact_match",
    "generation": "rouge_l",
    "classification": "accuracy",
}
"""The metric of each task that says how good a run is, first of all."""

METRICS: Registry[Metric] = Registry(
    "metrics",
    "metric",
    {
        "bleu1": "ragcli.evaluation.metrics:bleu1",
        "rouge_l": "ragcli.evaluation.metrics:rouge_l",
        "q_bleu1": "ragcli.evaluation.metrics:q_bleu1",
        "distinct_trigrams": "ragcli.evaluation.metrics:distinct_trigrams",
        "accuracy": "ragcli.evaluation.metrics:accuracy",
        "exact_match": "ragcli.evaluation.metrics:exact_match",
        "f1": "ragcli.evaluation.metrics:f1",
        "answer_recall": "ragcli.evaluation.metrics:answer_recall",
        "right_without_passage": "ragcli.evaluation.metrics:right_without_passage",
        "gold_recall": "ragcli.evaluation.metrics:gold_recall",
        "gold_log_prob": "ragcli.evaluation.metrics:gold_log_prob",
    },
)


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


def mean_of(value: Callable[[Trial], float | None]) -> Measuring:
    """The mean of a value for each trial, over the trials that have one."""

    def measured(trials: Sequence[Trial], seed: int) -> Measure | None:
        values = [float(v) for v in map(value, trials) if v is not None]
        return bootstrap_mean(values, seed) if values else None

    return measured


def _bleu1(trials: Sequence[Trial], seed: int) -> Measure:
    rows = [texts.bleu1_statistics(t.prediction.answer, t.example.answers) for t in trials]
    return bootstrap(rows, texts.bleu1, seed)


def _closeness(score: Callable[[str, Sequence[str]], float]) -> Measuring:
    """The mean of how close each answer comes to its references."""
    return mean_of(lambda t: score(t.prediction.answer, t.example.answers))


def _distinct_trigrams(trials: Sequence[Trial], seed: int) -> Measure:
    return distinct_trigrams_measure([t.prediction.answer for t in trials])


def _right_without_passage(trials: Sequence[Trial], seed: int) -> Measure | None:
    """Of the questions whose passages do not hold the answer, the share answered right anyway."""
    told = [t for t in trials if t.retrieved is not None]
    unaided = [(float(t.right and not t.retrieved), float(not t.retrieved)) for t in told]
    if not any(missing for _, missing in unaided):
        return None
    return bootstrap(unaided, ratio, seed)


_GENERATION: tuple[Task, ...] = ("generation",)
_WRITTEN: tuple[Task, ...] = ("qa", "generation")
_ALL: tuple[Task, ...] = (*_WRITTEN, "classification")

bleu1 = Metric("BLEU-1", _GENERATION, _bleu1, needs=("sacrebleu",))
rouge_l = Metric("ROUGE-L", _GENERATION, _closeness(texts.rouge_l), needs=("rouge_score",))
q_bleu1 = Metric("Q-BLEU-1", _GENERATION, _closeness(texts.q_bleu1))
distinct_trigrams = Metric("distinct tri-grams", _GENERATION, _distinct_trigrams)
accuracy = Metric("accuracy", ("classification",), mean_of(lambda t: t.right))
exact_match = Metric("exact match", _WRITTEN, mean_of(lambda t: t.right))
f1 = Metric("F1", _WRITTEN, mean_of(lambda t: t.f1))
answer_recall = Metric("answer recall", _WRITTEN, mean_of(lambda t: t.retrieved), at_k=True)
# Of a few questions only, and far below the rest: a curve of it would flatten all the others.
right_without_passage = Metric(
    "right without a passage", _WRITTEN, _right_without_passage, drawn=False
)
gold_recall = Metric("gold passage recall", _ALL, mean_of(lambda t: t.gold_recall), at_k=True)
gold_log_prob = Metric(
    "log p of gold", _ALL, mean_of(lambda t: t.prediction.gold_log_prob), percent=False
)
