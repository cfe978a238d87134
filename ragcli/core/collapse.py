"""Is retrieval still at work? The paper saw it collapse: the same passages whatever is asked.

The generator then learns to ignore them, and no gradient is left to tell passages apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW = 0.1
_NOTHING = 0.01


@dataclass(frozen=True, slots=True)
class RetrievalHealth:
    """What the passages of some questions tell about retrieval.

    `distinct` counts different top-1 passages, `entropy` is the mean entropy of p(z|x) as a share
    of its largest value log k, and `explained` is the share of the loss that the passages take
    away: 1 - loss with passages / loss with an empty passage.
    """

    questions: int
    passages: int
    distinct: int
    entropy: float
    explained: float


def retrieval_health(
    top_rows: NDArray[np.int64],
    log_prior: NDArray[Any],
    losses: NDArray[Any],
    empty_losses: NDArray[Any],
    passages: int,
) -> RetrievalHealth:
    """From the top-1 rows (n,), log p(z|x) (n, k) and the losses (n,) of n different questions."""
    k = log_prior.shape[1]
    entropy = -(np.exp(log_prior) * log_prior).sum(-1).mean() / np.log(k) if k > 1 else 0.0
    without = float(empty_losses.mean())
    explained = 1 - float(losses.mean()) / without if without > 0 else 0.0
    return RetrievalHealth(
        len(top_rows), passages, len(np.unique(top_rows)), float(entropy), explained
    )


def collapse(now: RetrievalHealth, start: RetrievalHealth) -> str | None:
    """Why retrieval seems to have collapsed, or None if it is well.

    Few different passages alone may be what the questions need; it is a collapse if there were
    more at the start, or if the passages also take nothing away from the loss.
    """
    enough = min(now.questions, now.passages)
    if enough < 2 or now.distinct > max(1.0, _FEW * enough):
        return None
    first = f"{now.distinct} different top-1 passages for {now.questions} questions"
    if now.distinct <= start.distinct / 2:
        return f"retrieval collapse: {first}, {start.distinct} at the start"
    if now.explained < _NOTHING:
        share = f"{100 * now.explained:.1f} %"
        return f"retrieval collapse: {first}, and the passages explain {share} of the loss"
    return None
