"""The loss against numbers checked by hand, and the schedule at its corners."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragcli.core.loss import loss, rate_factor, smoothed

PRIOR = np.log([[0.6, 0.4]])
TOKENS = np.log([[[0.8, 0.9], [0.5, 0.7]]])
MASK = np.ones((1, 2), dtype=bool)


def test_the_worked_numbers() -> None:
    assert float(loss(PRIOR, TOKENS, MASK, "sequence")[0]) == pytest.approx(-math.log(0.572))
    assert float(loss(PRIOR, TOKENS, MASK, "token")[0]) == pytest.approx(0.5841, abs=5e-5)


def test_scores_need_not_be_normalised_and_padding_counts_nothing() -> None:
    padded = np.concatenate([TOKENS, np.full((1, 2, 1), -7.0)], axis=-1)
    mask = np.array([[True, True, False]])
    for variant in ("sequence", "token"):
        expected = float(loss(PRIOR, TOKENS, MASK, variant)[0])  # type: ignore[arg-type]
        found = loss(PRIOR + 5.0, padded, mask, variant)  # type: ignore[arg-type]
        assert float(found[0]) == pytest.approx(expected)


def test_label_smoothing_of_one_passage_is_the_usual_one() -> None:
    scores, tokens = np.zeros((1, 1)), np.log([[[0.7, 0.2]]])
    means = np.array([[[-2.0, -3.0]]])
    for variant in ("sequence", "token"):
        losses = [loss(scores, each, MASK, variant) for each in (tokens, means)]  # type: ignore[arg-type]
        found = smoothed(losses[0], losses[1], 0.1)
        assert float(found[0]) == pytest.approx(-0.9 * math.log(0.14) + 0.1 * 5.0)


def test_rates_rise_then_stay_or_fall() -> None:
    rising = [rate_factor(step, 10, 0.2, "linear") for step in range(11)]
    assert rising[:3] == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert rising[6] == pytest.approx(0.5)
    assert rising[10] == pytest.approx(0.0)
    assert rate_factor(6, 10, 0.2, "cosine") == pytest.approx(0.5)
    assert rate_factor(9, 10, 0.2, "constant") == 1.0
    assert rate_factor(0, 1, 0.0, "linear") == 1.0
