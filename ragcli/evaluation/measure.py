"""Predictions against gold answers: every metric of the task, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragcli.core.statistics import Measure
from ragcli.errors import QuestionError
from ragcli.evaluation.metrics import metrics_of
from ragcli.evaluation.trial import Trial, trial
from ragcli.records import Prediction, QAExample
from ragcli.settings import Task


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
    metrics = {}
    for name, metric in metrics_of(task).items():
        if (measured := metric.measure(trials, seed)) is not None:
            metrics[name] = measured
    return Measured(task, top_k, trials, metrics)
