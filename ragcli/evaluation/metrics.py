"""The metrics of an evaluation, one line each, open to other packages.

To add one, make a `Metric` and add a line to the table; it then stands in the table for people, in
JSON, in CSV and on the page. The order of the lines is the order of the reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ragcli.core.statistics import Measure, bootstrap_mean
from ragcli.errors import RagError
from ragcli.registry import Registry
from ragcli.settings import Task

if TYPE_CHECKING:
    from ragcli.evaluation.trial import Trial


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured over the trials of a run; its name is that of its line in the table.

    `measure(trials, seed)` is None where there is nothing to measure. `percent` says that values
    are shares of 1, `at_k` that the label is followed by the number of passages, `drawn` that a
    sweep has a curve of it, and `needs` which modules of the extra `metrics` must be installed.
    """

    label: str
    tasks: tuple[Task, ...]
    measure: Callable[[Sequence[Trial], int], Measure | None]
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


METRICS: Registry[Metric] = Registry(
    "metrics",
    "metric",
    {
        "bleu1": "ragcli.evaluation.text_metrics:bleu1",
        "rouge_l": "ragcli.evaluation.text_metrics:rouge_l",
        "q_bleu1": "ragcli.evaluation.text_metrics:q_bleu1",
        "distinct_trigrams": "ragcli.evaluation.text_metrics:distinct_trigrams",
        "accuracy": "ragcli.evaluation.answer_metrics:accuracy",
        "exact_match": "ragcli.evaluation.answer_metrics:exact_match",
        "f1": "ragcli.evaluation.answer_metrics:f1",
        "answer_recall": "ragcli.evaluation.answer_metrics:answer_recall",
        "right_without_passage": "ragcli.evaluation.answer_metrics:right_without_passage",
        "gold_recall": "ragcli.evaluation.answer_metrics:gold_recall",
        "gold_log_prob": "ragcli.evaluation.answer_metrics:gold_log_prob",
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


def mean_of(
    value: Callable[[Trial], float | None],
) -> Callable[[Sequence[Trial], int], Measure | None]:
    """The mean of a value for each trial, over the trials that have one."""

    def measured(trials: Sequence[Trial], seed: int) -> Measure | None:
        values = [float(v) for v in map(value, trials) if v is not None]
        return bootstrap_mean(values, seed) if values else None

    return measured
