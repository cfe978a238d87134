"""Intervals and tests: bootstrap over questions, the jackknife where it fails, exact McNemar.

A metric is a function of statistics summed over the questions: a mean of their values, or a ratio
of sums such as BLEU-1. A bootstrap resample then only changes how often each question counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ragcli.core.generation_metrics import trigrams

RESAMPLES = 1000
_NUMBERS_AT_ONCE = 2_000_000
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric's value over `n` questions with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


def bootstrap(
    statistics: Sequence[Sequence[float]], combine: Callable[..., Any], seed: int = 0
) -> Measure:
    """`combine` of each column's sum over the questions (n, s), with a percentile interval.

    `combine` gets s numbers, or s arrays of one number for each resample.
    """
    columns = tuple(np.asarray(statistics, dtype=np.float64).T)
    value, n = float(combine(*(column.sum() for column in columns))), len(statistics)
    if n == 1:  # every resample is the one question there is
        return Measure(value, value, value, 1)
    rng, found = np.random.default_rng(seed), []
    at_once = max(1, _NUMBERS_AT_ONCE // n)
    for first in range(0, RESAMPLES, at_once):
        drawn = rng.integers(0, n, (min(at_once, RESAMPLES - first), n))
        found.append(combine(*(column[drawn].sum(axis=-1) for column in columns)))
    low, high = np.percentile(np.concatenate(found), (2.5, 97.5))
    return Measure(value, float(low), float(high), n)


def bootstrap_mean(values: Sequence[float], seed: int = 0) -> Measure:
    """The mean of a value for each question."""
    return bootstrap([(value,) for value in values], lambda total: total / len(values), seed)


def ratio(part: Any, whole: Any) -> Any:
    """A sum divided by a count; 0 where nothing was counted."""
    return part / np.maximum(whole, 1)


def distinct_trigrams_measure(texts: Sequence[str]) -> Measure:
    """Distinct tri-grams / all tri-grams (Table 5; 0 if there are none), the jackknife's interval.

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


def paired_bootstrap(pairs: Sequence[tuple[float, float]], seed: int = 0) -> Measure:
    """Mean of second − first on the same questions, with a percentile interval."""
    return bootstrap_mean([second - first for first, second in pairs], seed)


class McNemar(NamedTuple):
    """Questions only the first has right, only the second, and the exact two-sided p-value."""

    only_first: int
    only_second: int
    p_value: float


def mcnemar(right: Sequence[tuple[bool, bool]]) -> McNemar:
    """Could either be right as often as the other, where only one of them is?

    p = 2 Σ_{i ≤ min(a, b)} C(a+b, i) / 2^(a+b), and at most 1.
    """
    a = sum(x and not y for x, y in right)
    b = sum(y and not x for x, y in right)
    as_few = sum(math.comb(a + b, i) for i in range(min(a, b) + 1))
    return McNemar(a, b, min(1.0, 2 * as_few / 2 ** (a + b)))
