"""Intervals that cover, tests with tabulated p-values, and the jackknife done the slow way."""

from __future__ import annotations

import numpy as np
import pytest

from ragcli.core.generation_metrics import bleu1, trigrams
from ragcli.core.statistics import (
    Measure,
    bootstrap,
    bootstrap_mean,
    distinct_trigrams_measure,
    mcnemar,
    paired_bootstrap,
    ratio,
)


def test_bootstrap_of_a_share_is_near_the_binomial_interval() -> None:
    """80 of 100: the standard error is 0.04, so the interval is about 0.72 to 0.88."""
    measure = bootstrap_mean([1.0] * 80 + [0.0] * 20)
    assert (measure.value, measure.n) == (pytest.approx(0.8), 100)
    assert measure.low == pytest.approx(0.72, abs=0.02)
    assert measure.high == pytest.approx(0.88, abs=0.02)
    assert bootstrap_mean([1.0] * 80 + [0.0] * 20) == measure
    assert bootstrap_mean([1.0] * 80 + [0.0] * 20, seed=1) != measure


def test_a_constant_has_no_width() -> None:
    measure = bootstrap_mean([0.5] * 10)
    assert (measure.value, measure.low, measure.high) == (0.5, 0.5, 0.5)


def test_one_question_has_no_width_either() -> None:
    assert bootstrap_mean([0.25]) == Measure(0.25, 0.25, 0.25, 1)


def test_the_interval_is_that_of_resamples_drawn_one_by_one() -> None:
    """A slow loop over other random numbers comes out within its own error, half a percent."""
    rows = [(float(n % 3 == 0), float(n % 4 > 0)) for n in range(200)]
    measure = bootstrap(rows, ratio)
    generator = np.random.default_rng(7)
    drawn = []
    for _ in range(5000):
        part, whole = np.sum([rows[n] for n in generator.integers(0, 200, 200)], axis=0)
        drawn.append(part / whole)
    assert measure.value == pytest.approx(67 / 150)
    assert (measure.low, measure.high) == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.01)


def test_nothing_counted_is_nothing_and_no_division() -> None:
    assert bootstrap([(0.0, 0.0), (0.0, 0.0)], ratio) == Measure(0.0, 0.0, 0.0, 2)


def test_95_percent_of_the_intervals_cover() -> None:
    generator = np.random.default_rng(0)
    covered = 0
    for seed in range(200):
        measure = bootstrap_mean(generator.normal(1.0, 2.0, 60).tolist(), seed)
        covered += measure.low <= 1.0 <= measure.high
    assert 180 <= covered <= 199


def test_a_ratio_of_sums_is_resampled_whole() -> None:
    measure = bootstrap([(3, 4, 4), (1, 2, 4)], bleu1, seed=0)
    assert measure.value == pytest.approx(4 / 6 * np.exp(1 - 8 / 6))
    # Resamples are only: both, twice the first, twice the second.
    assert measure.low == pytest.approx(0.5 * np.exp(1 - 8 / 4))
    assert measure.high == pytest.approx(0.75)


def distinct_trigrams(texts: list[str]) -> float:
    every = [trigram for text in texts for trigram in trigrams(text)]
    return len(set(every)) / len(every)


def test_the_jackknife_equals_leaving_out_one_by_one() -> None:
    texts = ["a b c d", "a b c e f", "x y z", "x y z a b c"]
    left = np.array([distinct_trigrams(texts[:i] + texts[i + 1 :]) for i in range(4)])
    half = 1.959964 * np.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
    measure = distinct_trigrams_measure(texts)
    assert measure.value == distinct_trigrams(texts)
    assert measure.low == pytest.approx(measure.value - half)
    assert measure.high == pytest.approx(min(1.0, measure.value + half))


def test_mcnemar_against_the_table() -> None:
    """10 against 2 discordant pairs: 2 × (1 + 12 + 66) / 4096 = 0.0386."""
    first = [True] * 10 + [False] * 2 + [True] * 5
    second = [False] * 10 + [True] * 2 + [True] * 5
    assert mcnemar(list(zip(first, second, strict=True))) == (10, 2, pytest.approx(2 * 79 / 4096))
    assert mcnemar([(True, True)]) == (0, 0, 1.0)


def test_paired_differences_are_narrower_than_separate_ones() -> None:
    measure = paired_bootstrap([(0.0, 0.1), (1.0, 1.1)] * 50)
    assert (measure.value, measure.low, measure.high) == tuple(pytest.approx(0.1) for _ in "abc")


@pytest.mark.parametrize("n", [2, 7, 500, 4001])
def test_the_interval_is_scipys(n: int) -> None:
    """scipy's own percentile bootstrap draws the same resamples from the same seed."""
    from scipy import stats

    values = np.random.default_rng(n).random(n) ** 2
    ours = bootstrap_mean(values.tolist(), seed=3)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=1000,
        batch=max(1, 2_000_000 // n),
        method="percentile",
        rng=3,
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 0), (3, 3), (0, 9), (12, 4), (179, 4), (90, 100)])
def test_mcnemar_is_the_binomial_test(a: int, b: int) -> None:
    from scipy.stats import binomtest

    found = mcnemar([(True, False)] * a + [(False, True)] * b + [(True, True)] * 5)
    expected = binomtest(a, a + b).pvalue if a + b else 1.0
    assert found == (a, b, pytest.approx(expected, rel=1e-9))
