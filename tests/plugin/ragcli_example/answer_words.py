"""A metric: how many words the answers have on average."""

from __future__ import annotations

from ragcli.evaluation.metrics import Metric, mean_of

answer_words = Metric(
    "words in the answer",
    ("qa", "generation"),
    mean_of(lambda trial: len(trial.prediction.answer.split())),
    percent=False,
)
