"""The retrieved passage as a latent variable, summed out in log space.

One implementation serves decoding and training: every function takes numpy arrays or torch tensors
(anything array-api-compat knows) and returns the same kind, so gradients pass through.

Shapes: k passages, t tokens, `...` any leading axes (questions, hypotheses).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any
"""A numpy array or a torch tensor."""

_ROUNDING = 1e-6


def array_namespace(x: Array) -> Any:
    """The functions for arrays of x's kind: numpy's own, or what array-api-compat knows."""
    if isinstance(x, np.ndarray | np.generic):
        return np
    from array_api_compat import array_namespace

    return array_namespace(x)


def logsumexp(x: Array, axis: int) -> Array:
    """log Σ exp(x) along `axis`, safe for large values and for −inf (a sum of nothing is −inf)."""
    xp = array_namespace(x)
    top = xp.max(x, axis=axis, keepdims=True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    total = xp.sum(xp.exp(x - top), axis=axis, keepdims=True)
    empty = total == 0
    log = xp.where(empty, -xp.inf, xp.log(xp.where(empty, xp.ones_like(total), total)))
    return xp.squeeze(log + top, axis=axis)


def log_prior(scores: Array) -> Array:
    """log p(z|x) = d(z)·q(x) − log Σ_z' exp(d(z')·q(x)), over the top-k.

    scores (..., k) → (..., k).
    """
    xp = array_namespace(scores)
    return scores - xp.expand_dims(logsumexp(scores, axis=-1), axis=-1)


def sequence_log_likelihood(token_log_probs: Array, mask: Array) -> Array:
    """log p(y|x,z) = Σ_i log p(y_i|x,z,y_<i), padding left out.

    token_log_probs (..., t), mask (..., t) true where a token stands → (...).
    """
    xp = array_namespace(token_log_probs)
    return xp.sum(xp.where(mask, token_log_probs, xp.zeros_like(token_log_probs)), axis=-1)


def sequence_marginal(log_prior: Array, log_likelihood: Array) -> Array:
    """RAG-Sequence: log p(y|x) = log Σ_z p(z|x) p(y|x,z).

    Both (..., k) → (...). A passage that did not score y (fast decoding) has log-likelihood −inf.
    """
    return logsumexp(log_prior + log_likelihood, axis=-1)


def token_marginal(log_prior: Array, token_log_probs: Array) -> Array:
    """RAG-Token, one position: log p(y_i|x,y_<i) = log Σ_z p(z|x) p(y_i|x,z,y_<i).

    log_prior (..., k), token_log_probs (..., k, n) → (..., n), where n is tokens of a sequence or
    the whole vocabulary.
    """
    xp = array_namespace(token_log_probs)
    return logsumexp(xp.expand_dims(log_prior, axis=-1) + token_log_probs, axis=-2)


def token_sequence_marginal(
    log_prior: Array, token_log_probs: Array, mask: Array, log_answered: Array | None = None
) -> Array:
    """RAG-Token, a whole sequence: log p(y|x) = Σ_i log Σ_z p(z|x) p(y_i|x,z,y_<i).

    log_prior (..., k), token_log_probs (..., k, t), mask (..., t) → (...).

    `log_answered` (..., k, t) comes from generators that may say "no answer" in place of any token:
    log p(y_i is not that|x,z,y_<i). Whether there is an answer is then decided once, by the first
    token; every later one is given that the answer goes on: Σ_z p(z|x) p(y_i|x,z,y_<i) divided by
    Σ_z p(z|x) p(answered|x,z,y_<i). Without the division a passage that has nothing to say would
    lower each token anew, and the shortest answer would win.
    """
    marginal = token_marginal(log_prior, token_log_probs)
    if log_answered is not None:
        xp = array_namespace(marginal)
        goes_on = token_marginal(log_prior, log_answered)
        later = xp.arange(marginal.shape[-1], device=marginal.device) > 0
        marginal = marginal - xp.where(later, goes_on, xp.zeros_like(goes_on))
    return sequence_log_likelihood(marginal, mask)


def posterior(log_prior: Array, log_likelihood: Array) -> Array:
    """RAG-Sequence: p(z|x,y) ∝ p(z|x) p(y|x,z). Both (..., k) → (..., k)."""
    return _normalize(log_prior + log_likelihood, axis=-1)


def token_posterior(log_prior: Array, token_log_probs: Array) -> Array:
    """RAG-Token: p(z|x,y_≤i) ∝ p(z|x) p(y_i|x,z,y_<i), for each token (the paper's Figure 2).

    log_prior (..., k), token_log_probs (..., k, t) → (..., k, t).
    """
    xp = array_namespace(token_log_probs)
    return _normalize(xp.expand_dims(log_prior, axis=-1) + token_log_probs, axis=-2)


class Bounds(NamedTuple):
    """Where p(y|x) of each answer lies (answers), and what a passage leaves to others (k)."""

    lower: Array
    upper: Array
    left: Array

    def may_be_among(self, best: int) -> Array:
        """Which answers may be among the `best` likeliest: not those below `best` lower bounds."""
        least = np.sort(self.lower)[-min(best, len(self.lower))]
        return self.upper >= least * (1 - _ROUNDING)


def bounds(log_prior: Array, log_likelihood: Array, silence: Array, first_token: Array) -> Bounds:
    """The least and the most that p(y|x) can be, whatever the missing scores are.

    The answers of a passage have probabilities that sum to at most 1, so one that was not scored
    (−inf) has at most what the scored ones and p(no answer|x,z) leave, and at most p(y_1|x,z), the
    probability of its first token.

    log_prior (k), log_likelihood (answers, k), silence (k), first_token (answers, k).
    """
    known, prior = np.exp(log_likelihood), np.exp(log_prior)
    left = np.clip(1 - known.sum(axis=0) - silence, 0, 1)
    lower = known @ prior
    missing = np.where(np.isneginf(log_likelihood), np.minimum(first_token, left), 0)
    return Bounds(lower, lower + missing @ prior, left)


def _normalize(joint: Array, axis: int) -> Array:
    """exp(joint) / Σ exp(joint); all zeros where every entry is −inf."""
    xp = array_namespace(joint)
    total = xp.expand_dims(logsumexp(joint, axis=axis), axis=axis)
    return xp.exp(joint - xp.where(xp.isfinite(total), total, xp.zeros_like(total)))
