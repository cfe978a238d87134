"""The formulas against numbers worked by hand, slow loops, and each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ragcli.core import marginalize as m


def both(*values: object) -> list[tuple[object, ...]]:
    """The same numbers as numpy arrays and as torch tensors."""
    rows = [np.asarray(v, dtype=np.float64) for v in values]
    return [tuple(rows), tuple(torch.tensor(r) for r in rows)]


def test_prior_of_three_passages() -> None:
    q = np.array([0.3, 0.8, 0.1])
    d = np.array([[0.4, 0.7, 0.2], [0.3, 0.5, 0.6], [0.1, 0.2, 0.8]])
    for (scores,) in both(d @ q):
        assert np.allclose(np.asarray(scores), [0.70, 0.55, 0.27])
        unnormalised = np.exp(m.log_prior(scores) + m.logsumexp(scores, axis=-1))
        assert np.asarray(unnormalised) == pytest.approx([2.0138, 1.7333, 1.3100], abs=5e-5)
        prior = np.exp(np.asarray(m.log_prior(scores)))
        assert prior == pytest.approx([0.3982, 0.3427, 0.2590], abs=5e-5)


WORKED = [
    # prior, p(y_i|x,z) by passage, RAG-Sequence, RAG-Token
    ([0.6, 0.4], [[0.80, 0.90], [0.50, 0.70]], 0.572, 0.5576),
    ([0.6, 0.4], [[0.70, 0.60, 0.85], [0.40, 0.30, 0.90]], 0.2574, 0.242208),
]


@pytest.mark.parametrize(("prior", "probs", "sequence", "token"), WORKED)
def test_worked_examples(
    prior: list[float], probs: list[list[float]], sequence: float, token: float
) -> None:
    for log_prior, log_probs in both(np.log(prior), np.log(probs)):
        mask = np.ones(len(probs[0]), dtype=bool)
        if isinstance(log_probs, torch.Tensor):
            mask = torch.tensor(mask)  # type: ignore[assignment]
        likelihood = m.sequence_log_likelihood(log_probs, mask)
        assert math.exp(m.sequence_marginal(log_prior, likelihood)) == pytest.approx(sequence)
        assert math.exp(m.token_sequence_marginal(log_prior, log_probs, mask)) == pytest.approx(
            token
        )


def test_four_tokens_and_a_loss() -> None:
    log_prior = np.log([0.65, 0.35])
    log_probs = np.log([[0.85, 0.92, 0.95, 0.80], [0.70, 0.88, 0.91, 0.75]])
    total = m.token_sequence_marginal(log_prior, log_probs, np.ones(4, dtype=bool))
    assert math.exp(total) == pytest.approx(0.5292, abs=5e-5)
    two = np.log([[0.80, 0.90], [0.50, 0.70]])
    loss = -m.token_sequence_marginal(np.log([0.6, 0.4]), two, np.ones(2, dtype=bool))
    assert loss == pytest.approx(0.5841, abs=5e-5)


def test_no_answer_is_decided_once_by_the_first_token() -> None:
    """(0.6·0.8 + 0.4·0.1) · (0.6·0.9 + 0.4·0.05) / (0.6·0.95 + 0.4·0.1) = 0.52 · 0.56 / 0.61."""
    given = (
        np.log([0.6, 0.4]),
        np.log([[0.8, 0.9], [0.1, 0.05]]),
        np.log([[0.9, 0.95], [0.2, 0.1]]),
    )
    for log_prior, log_probs, answered in both(*given):
        mask = answered == answered
        total = m.token_sequence_marginal(log_prior, log_probs, mask[0], answered)
        assert math.exp(total) == pytest.approx(0.4773770)
        first = m.token_sequence_marginal(log_prior, log_probs[:, :1], mask[0, :1], answered[:, :1])
        assert math.exp(first) == pytest.approx(0.52)


def test_the_toy_corpus_of_the_course() -> None:
    q = np.array([0.8, 0.2, 0.1, 0.3])
    d = np.array([[0.9, 0.3, 0.1, 0.2], [0.8, 0.1, 0.1, 0.4], [0.7, 0.2, 0.0, 0.5]])
    scores = d @ q
    assert scores == pytest.approx([0.85, 0.79, 0.75])
    prior = m.log_prior(scores)
    assert np.exp(prior) == pytest.approx([0.3513, 0.3308, 0.3179], abs=5e-5)
    log_probs = np.log([[0.75, 0.85], [0.60, 0.80], [0.45, 0.75]])
    mask = np.ones(2, dtype=bool)
    sequence = m.sequence_marginal(prior, m.sequence_log_likelihood(log_probs, mask))
    assert math.exp(sequence) == pytest.approx(0.4900, abs=5e-5)
    token = m.token_sequence_marginal(prior, log_probs, mask)
    assert math.exp(token) == pytest.approx(0.4850, abs=5e-5)


def test_posterior_by_hand() -> None:
    prior, likelihood = np.log([0.6, 0.4]), np.log([0.72, 0.35])
    assert m.posterior(prior, likelihood) == pytest.approx([0.432 / 0.572, 0.14 / 0.572])
    by_token = m.token_posterior(prior, np.log([[0.8, 0.9], [0.5, 0.7]]))
    assert by_token[:, 0] == pytest.approx([0.48 / 0.68, 0.20 / 0.68])
    assert by_token[:, 1] == pytest.approx([0.54 / 0.82, 0.28 / 0.82])


def test_a_passage_that_was_not_scored_adds_nothing() -> None:
    for prior, likelihood in both(np.log([0.6, 0.4]), [math.log(0.72), -math.inf]):
        assert math.exp(m.sequence_marginal(prior, likelihood)) == pytest.approx(0.432)
        assert np.asarray(m.posterior(prior, likelihood)) == pytest.approx([1.0, 0.0])
    nothing = np.array([-np.inf, -np.inf])
    assert m.logsumexp(nothing, axis=-1) == -np.inf
    assert m.posterior(np.log([0.5, 0.5]), nothing) == pytest.approx([0.0, 0.0])


def test_logsumexp_keeps_large_numbers() -> None:
    for (x,) in both([[1000.0, 1000.0], [-1000.0, -1000.0]]):
        assert np.asarray(m.logsumexp(x, axis=-1)) == pytest.approx(
            [1000 + math.log(2), -1000 + math.log(2)]
        )


def test_gradients_equal_finite_differences() -> None:
    torch.manual_seed(0)
    scores = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    logits = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([[True, True, True, False], [True] * 4])

    def sequence(s: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        likelihood = m.sequence_log_likelihood(-x.exp(), mask[:, None])
        return m.sequence_marginal(m.log_prior(s), likelihood)

    def token(s: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return m.token_sequence_marginal(m.log_prior(s), -x.exp(), mask)

    assert torch.autograd.gradcheck(sequence, (scores, logits))
    assert torch.autograd.gradcheck(token, (scores, logits))


finite = st.floats(-20, 0, allow_nan=False)


@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(-50, 50)))
def test_the_prior_sums_to_one(scores: np.ndarray) -> None:
    assert np.exp(m.log_prior(scores)).sum() == pytest.approx(1)


@given(st.data(), st.integers(1, 6), st.integers(1, 5), st.randoms(use_true_random=False))
def test_passage_order_is_irrelevant(data: st.DataObject, k: int, t: int, random: object) -> None:
    scores = data.draw(arrays(np.float64, k, elements=st.floats(-5, 5)))
    log_probs = data.draw(arrays(np.float64, (k, t), elements=finite))
    mask = np.ones(t, dtype=bool)
    order = np.array(random.sample(range(k), k))  # type: ignore[attr-defined]
    prior = m.log_prior(scores)
    one = m.token_sequence_marginal(prior, log_probs, mask)
    assert m.token_sequence_marginal(prior[order], log_probs[order], mask) == pytest.approx(one)
    likelihood = m.sequence_log_likelihood(log_probs, mask)
    two = m.sequence_marginal(prior, likelihood)
    assert m.sequence_marginal(prior[order], likelihood[order]) == pytest.approx(two)


@given(st.data(), st.integers(1, 6))
def test_one_passage_or_one_token_makes_the_variants_equal(data: st.DataObject, n: int) -> None:
    one_passage = data.draw(arrays(np.float64, (1, n), elements=finite))
    one_token = data.draw(arrays(np.float64, (n, 1), elements=finite))
    for log_probs in (one_passage, one_token):
        k, t = log_probs.shape
        prior = m.log_prior(np.arange(k, dtype=np.float64))
        mask = np.ones(t, dtype=bool)
        sequence = m.sequence_marginal(prior, m.sequence_log_likelihood(log_probs, mask))
        assert m.token_sequence_marginal(prior, log_probs, mask) == pytest.approx(sequence)


@given(st.data(), st.integers(1, 6))
def test_thorough_is_never_below_fast(data: st.DataObject, k: int) -> None:
    prior = m.log_prior(data.draw(arrays(np.float64, k, elements=st.floats(-5, 5))))
    thorough = data.draw(arrays(np.float64, k, elements=finite))
    seen = data.draw(arrays(np.bool_, k))
    fast = np.where(seen, thorough, -np.inf)
    assert m.sequence_marginal(prior, thorough) >= m.sequence_marginal(prior, fast)


def test_what_may_still_be_best() -> None:
    """Prior .6/.4. z1 gave A .9, B .05; z2 gave B .5, C .3. So z1 leaves .05 and z2 leaves .2.

    A has at least .54, B exactly .23, and C at most .12 + .6 × .05 = .15.
    """
    prior, quiet = np.log([0.6, 0.4]), np.zeros(2)

    def may(scores: list[list[float]], silence: np.ndarray, first: np.ndarray, n: int = 1) -> Any:
        with np.errstate(divide="ignore"):
            return m.bounds(prior, np.log(scores), silence, first).may_be_among(n).tolist()

    three, ones = [[0.9, 0.0], [0.05, 0.5], [0.0, 0.3]], np.ones((3, 2))
    assert may(three, quiet, ones) == [True, False, False]
    # C cannot be among the best two either, but it is among the best three.
    assert may(three, quiet, ones, 2) == [True, True, False]
    assert may(three, quiet, ones, 3) == [True, True, True]
    assert may(three, quiet, ones, 9) == [True, True, True]
    # Unsure beams leave room: D has .15 from z2, and z1 may give it up to .45 × .6 = .27.
    unsure, ones = [[0.55, 0.0], [0.0, 0.38]], np.ones((2, 2))
    assert may(unsure, quiet, ones) == [True, True]
    # Unless the passage says that it holds no answer at all.
    assert may(unsure, np.array([0.45, 0.0]), ones) == [True, False]
    # Or gives the answer's first token too little: .152 + .6 × .1 is less than .33.
    assert may(unsure, quiet, np.array([[1.0, 1.0], [0.1, 1.0]])) == [True, False]
