"""How sure to be of an answer: its features, and the probability that it is right.

    p(right) = 1 / (1 + exp(−(bias + Σ_f weight_f · feature_f)))

The features are numbers that the answer has anyway; a generator's `rag.json` holds the weights,
which `recipes/embedded/confidence.py` fits on questions whose answers are known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragcli.core.surface import find_surface
from ragcli.errors import ModelError
from ragcli.records import Candidate, RetrievedPassage
from ragcli.settings import Confidence

BINS = 10
_LEAST = 1e-6
"""Probabilities below this are all the same: no question decides among so small ones."""

FEATURES = {
    "log_prob": "log p(y|x)",
    "others": "log p(y|x) / p(any other answer|x): its lead over all that it was chosen from",
    "silence": "log p(no answer|x) / p(y|x)",
    "read": "log p(y|x,z) of the winning passage, the one with the largest posterior",
    "best_read": "the largest log p(y|x,z) of any passage",
    "prior": "p(z|x) of the winning passage",
    "posterior": "p(z|x,y) of the winning passage",
    "entropy": "−Σ p(z|x,y) log p(z|x,y): how many passages the answer leans on",
    "agreement": "Σ p(y|x,z): how many passages say it, whatever their prior",
    "score": "d(z)·q(x) of the winning passage",
    "top_score": "the largest d(z)·q(x)",
    "tokens": "log of the number of tokens",
    "stands": "1 if the winning passage says it in these words, else 0",
}
"""What a model may weigh."""


def features(
    best: Candidate, passages: Sequence[RetrievedPassage], no_answer: float | None
) -> dict[str, float]:
    """Every feature of an answer, from its evidence; `no_answer` is p(no answer|x)."""
    prob, silent = math.exp(best.log_prob), no_answer or 0.0
    winner = max(range(len(passages)), key=lambda j: best.posterior[j])
    item, read = passages[winner], [math.exp(p) for p in best.log_likelihoods]
    return {
        "log_prob": _log(prob),
        "others": _log(prob) - _log(1 - prob - silent),
        "silence": _log(silent) - _log(prob),
        "read": _log(read[winner]),
        "best_read": _log(max(read)),
        "prior": math.exp(item.log_prior),
        "posterior": best.posterior[winner],
        "entropy": -sum(p * math.log(p) for p in best.posterior if p > 0),
        "agreement": sum(read),
        "score": item.score,
        "top_score": max(each.score for each in passages),
        "tokens": math.log(len(best.tokens)),
        "stands": float(find_surface(best.text, item.text) is not None),
    }


def require_known(model: Confidence | None) -> None:
    """Refuse weights of features that there are not."""
    unknown = sorted(model.features.keys() - FEATURES.keys()) if model else []
    if unknown:
        raise ModelError(
            f"the model's confidence weighs {', '.join(unknown)}, which this ragcli does not know",
            f"it knows {', '.join(FEATURES)}: fit the model's rag.json again, or update ragcli",
        )


def probability(model: Confidence, found: Mapping[str, float]) -> float:
    """The probability that an answer with these features is right."""
    require_known(model)
    total = model.bias + sum(weight * found[name] for name, weight in model.features.items())
    return 0.5 + 0.5 * math.tanh(total / 2)  # the logistic function, safe for any total


def bin_of(confidence: float) -> int:
    """Which of the ten bins of equal width a probability falls into; 1 falls into the last."""
    return min(int(confidence * BINS), BINS - 1)


class Bin(NamedTuple):
    """The answers of like confidence: how many, the mean of it, and the share that is right."""

    number: int
    answers: int
    confidence: float
    right: float


def bins(judged: Sequence[tuple[float, bool]]) -> list[Bin]:
    """Confidences and whether the answers were right, as the bins that hold any."""
    found = []
    for n in range(BINS):
        if mine := [each for each in judged if bin_of(each[0]) == n]:
            sums = (sum(column) / len(mine) for column in zip(*mine, strict=True))
            found.append(Bin(n, len(mine), *sums))
    return found


def calibration_error(*gaps: float) -> float:
    """Σ |gap| of the bins: the sum over a bin's answers of right (1 or 0) less confidence.

    Divided by the number of answers it is the expected calibration error, Σ_b n_b/n · |share of
    right answers in b − mean confidence in b|.
    """
    return sum(map(abs, gaps))


def gap_row(confidence: float, right: bool) -> tuple[float, ...]:
    """What one answer adds to the gap of each bin."""
    own = bin_of(confidence)
    return tuple((float(right) - confidence) * (n == own) for n in range(BINS))


def _log(prob: float) -> float:
    return math.log(max(prob, _LEAST))
