"""How close generated texts come to their references, and how much they repeat themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ragcli.core import generation_metrics
from ragcli.core.statistics import Measure, bootstrap, distinct_trigrams_measure
from ragcli.evaluation.metrics import Metric, mean_of
from ragcli.evaluation.trial import Trial
from ragcli.settings import Task

_GENERATION: tuple[Task, ...] = ("generation",)


def _bleu1(trials: Sequence[Trial], seed: int) -> Measure:
    rows = [
        generation_metrics.bleu1_statistics(t.prediction.answer, t.example.answers) for t in trials
    ]
    return bootstrap(rows, generation_metrics.bleu1, seed)


def _rouge_l(trial: Trial) -> float:
    return generation_metrics.rouge_l(trial.prediction.answer, trial.example.answers)


def _q_bleu1(trial: Trial) -> float:
    return generation_metrics.q_bleu1(trial.prediction.answer, trial.example.answers)


def _distinct_trigrams(trials: Sequence[Trial], seed: int) -> Measure:
    return distinct_trigrams_measure([t.prediction.answer for t in trials])


bleu1 = Metric("BLEU-1", _GENERATION, _bleu1, needs=("sacrebleu",))
rouge_l = Metric("ROUGE-L", _GENERATION, mean_of(_rouge_l), needs=("rouge_score",))
q_bleu1 = Metric("Q-BLEU-1", _GENERATION, mean_of(_q_bleu1))
distinct_trigrams = Metric("distinct tri-grams", _GENERATION, _distinct_trigrams)
