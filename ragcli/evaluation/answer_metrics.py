"""Whether answers are right, and whether the passages behind them could have told."""

from __future__ import annotations

from collections.abc import Sequence

from ragcli.core.statistics import Measure, bootstrap, ratio
from ragcli.evaluation.metrics import Metric, mean_of
from ragcli.evaluation.trial import Trial
from ragcli.settings import Task

_WRITTEN: tuple[Task, ...] = ("qa", "generation")
_ALL: tuple[Task, ...] = (*_WRITTEN, "classification")


def _right_without_passage(trials: Sequence[Trial], seed: int) -> Measure | None:
    """Of the questions whose passages do not hold the answer, the share answered right anyway."""
    told = [t for t in trials if t.retrieved is not None]
    unaided = [(float(t.right and not t.retrieved), float(not t.retrieved)) for t in told]
    if not any(missing for _, missing in unaided):
        return None
    return bootstrap(unaided, ratio, seed)


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
