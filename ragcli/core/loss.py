"""The training loss -log p(y|x), by the same marginalize that decoding uses.

Arrays are numpy arrays or torch tensors; with tensors, gradient reaches the generator through the
token log-probabilities and the query encoder through the scores.
"""

from __future__ import annotations

import math

from ragcli.core import marginalize as m
from ragcli.core.marginalize import Array
from ragcli.settings import Schedule, Variant


def loss(
    scores: Array,
    token_log_probs: Array,
    mask: Array,
    variant: Variant,
    log_answered: Array | None = None,
) -> Array:
    """-log p(y|x) of each question, the passage summed out.

    scores (..., k) = score_scale · d(z)·q(x), token_log_probs (..., k, t), mask (..., t) → (...).
    `log_answered` (..., k, t) is for RAG-Token: see `token_sequence_marginal`.
    """
    prior = m.log_prior(scores)
    if variant == "token":
        return -m.token_sequence_marginal(prior, token_log_probs, mask, log_answered)
    likelihood = m.sequence_log_likelihood(token_log_probs, mask[..., None, :])
    return -m.sequence_marginal(prior, likelihood)


def smoothed(loss: Array, evenly: Array, smoothing: float) -> Array:
    """(1-ε) · loss + ε · the loss of a token drawn evenly from the vocabulary.

    `evenly` is the loss of the mean of log p(v|x,z,y_<i) over the vocabulary in place of the
    token's own: with one passage this is label smoothing as everyone has it.
    """
    return (1 - smoothing) * loss + smoothing * evenly


def rate_factor(step: int, steps: int, warmup: float, schedule: Schedule) -> float:
    """What a learning rate is multiplied by at `step` (from 0) of `steps`.

    It rises in a line over the first `warmup` share of the steps, then stays, or falls to 0 at the
    end in a line or along a cosine. A pure function of the step, so nothing of it needs saving.
    """
    rising = math.ceil(warmup * steps)
    if step < rising:
        return (step + 1) / (rising + 1)
    done = (step - rising) / max(1, steps - rising)
    if schedule == "constant":
        return 1.0
    return 1 - done if schedule == "linear" else (1 + math.cos(math.pi * done)) / 2
