"""Intervals and tests: bootstrap over questions, the jackknife where it fails, exact McNemar.

A metric is a function of statistics summed over the questions: a mean of their values, or a ratio
of sums such as BLEU-1. A bootstrap resample then only changes how often each question counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragcli.core.generation_metrics import trigrams

Floats = NDArray[np.float64]
RESAMPLES = 1000
_COUNTS_AT_ONCE = 2_000_000
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric's value over `n` questions with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


def bootstrap(
    statistics: Sequence[Sequence[float]],
    combine: Callable[[Sequence[float]], float],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Measure:
    """`combine` of the summed statistics (questions, s), with a percentile interval."""
    rows = np.asarray(statistics, dtype=np.float64)
    values = sorted(combine(total) for total in _resampled(rows, seed, resamples).tolist())
    low, high = np.percentile(values, [2.5, 97.5])
    return Measure(combine(rows.sum(axis=0).tolist()), float(low), float(high), len(rows))


def bootstrap_mean(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> Measure:
    """The mean of a value for each question."""
    return bootstrap([(value, 1.0) for value in values], ratio, seed, resamples)


def ratio(totals: Sequence[float]) -> float:
    """A sum divided by a count or by another sum; 0 where there is nothing to divide by."""
    return totals[0] / totals[1] if totals[1] else 0.0


def _resampled(rows: Floats, seed: int, resamples: int) -> Floats:
    """Summed statistics of each resample of the questions, with replacement: (resamples, s)."""
    generator = np.random.default_rng(seed)
    n = len(rows)
    block = max(1, _COUNTS_AT_ONCE // n)
    totals = []
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        totals.append(generator.multinomial(n, np.full(n, 1 / n), size=size) @ rows)
    return np.concatenate(totals)


def distinct_trigrams_measure(texts: Sequence[str]) -> Measure:
    """Distinct tri-gram ratio, with the jackknife's interval.

    A bootstrap repeats questions, and a repeated answer has no new tri-gram: it would always come
    out too low. The jackknife leaves one question out at a time instead.
    """
    found = [trigrams(text) for text in texts]
    counts = Counter(trigram for each in found for trigram in each)
    total = counts.total()
    value = len(counts) / total if total else 0.0
    left = []
    for each in found:
        mine = Counter(each)
        gone = sum(counts[trigram] == times for trigram, times in mine.items())
        rest = total - len(each)
        left.append((len(counts) - gone) / rest if rest else 0.0)
    n = len(left)
    error = float(np.sqrt((n - 1) / n * ((np.array(left) - np.mean(left)) ** 2).sum()))
    half = _NORMAL_95 * error
    return Measure(value, max(0.0, value - half), min(1.0, value + half), n)


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], seed: int = 0, resamples: int = RESAMPLES
) -> Measure:
    """Mean of second − first on the same questions, with a percentile interval."""
    return bootstrap_mean([b - a for a, b in zip(first, second, strict=True)], seed, resamples)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> tuple[int, int, float]:
    """Questions only the first has right, only the second, and the exact two-sided p-value."""
    from scipy.stats import binomtest

    pairs = list(zip(first, second, strict=True))
    a = sum(x and not y for x, y in pairs)
    b = sum(y and not x for x, y in pairs)
    return a, b, float(binomtest(a, a + b).pvalue) if a + b else 1.0
