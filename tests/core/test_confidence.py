"""Features and probabilities computed by hand, and what no weights may change."""

from __future__ import annotations

import math

import pytest

from ragcli.core.confidence import (
    FEATURES,
    Bin,
    bins,
    calibration_error,
    features,
    gap_row,
    probability,
)
from ragcli.errors import ModelError, SettingsError
from ragcli.records import Candidate, Passage, RetrievedPassage
from ragcli.settings import Confidence

LN2 = math.log(2)


def retrieved(text: str, score: float, prior: float) -> RetrievedPassage:
    passage = Passage("d#0", "d", "", text, "", "d.txt", 1, 0, 3)
    return RetrievedPassage(passage, 0, score, math.log(prior))


PASSAGES = [retrieved("It snows.", 3.0, 0.75), retrieved("It is the Rain.", 2.0, 0.25)]


def candidate(text: str = "rain") -> Candidate:
    """p(y|x) = 0.75 · 0 + 0.25 · 0.5 = 0.125, all of it from the second passage."""
    return Candidate(text, (1, 2), ("", ""), math.log(0.125), (-math.inf, -LN2), (0.0, 1.0))


def test_features_by_hand() -> None:
    found = features(candidate(), PASSAGES, 0.75)
    assert found.keys() == FEATURES.keys()
    assert found == pytest.approx(
        {
            "log_prob": -3 * LN2,
            "others": 0.0,  # 1 − 0.125 − 0.75 is left to all others: as much
            "silence": math.log(6),
            "read": -LN2,
            "best_read": -LN2,
            "prior": 0.25,
            "posterior": 1.0,
            "entropy": 0.0,
            "agreement": 0.5,
            "score": 2.0,
            "top_score": 3.0,
            "tokens": LN2,
            "stands": 1.0,
        }
    )


def test_features_of_an_answer_that_several_passages_share() -> None:
    even = Candidate("fog", (1,), ("",), -LN2, (-LN2, -LN2), (0.5, 0.5))
    found = features(even, PASSAGES, None)
    assert found["entropy"] == pytest.approx(LN2)
    assert found["agreement"] == pytest.approx(1.0)
    assert found["stands"] == 0.0
    assert found["silence"] == pytest.approx(math.log(1e-6 / 0.5))  # never says "no answer"


def test_the_probability_is_the_logistic_function_of_the_weighed_sum() -> None:
    model = Confidence({"read": 2.0, "prior": -1.0}, 0.5, 0.3)
    found = dict.fromkeys(FEATURES, 9.0) | {"read": 0.25, "prior": 1.0}
    assert probability(model, found) == pytest.approx(0.5)
    assert probability(model, found | {"read": 1.25}) == pytest.approx(1 / (1 + math.exp(-2)))


def test_it_grows_with_what_speaks_for_the_answer_and_never_leaves_0_to_1() -> None:
    model = Confidence({"read": 3.0, "silence": -2.0}, 0.0, 0.3)
    zero = dict.fromkeys(FEATURES, 0.0)
    steps = (-1e9, -5.0, -1.0, 0.0, 1.0, 5.0, 1e9)
    rising = [probability(model, zero | {"read": x}) for x in steps]
    falling = [probability(model, zero | {"silence": x}) for x in steps]
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert (rising[0], rising[3], rising[-1]) == (0.0, 0.5, 1.0)
    assert len(set(rising)) == len(steps)


def test_a_feature_that_is_not_known_is_refused() -> None:
    model = Confidence({"read": 1.0, "mood": 2.0}, 0.0, 0.3)
    with pytest.raises(ModelError, match=r"weighs mood, which this ragcli does not know"):
        probability(model, features(candidate(), PASSAGES, None))


@pytest.mark.parametrize("weight", [math.nan, math.inf, "1", None])
def test_a_weight_is_a_number(weight: float) -> None:
    with pytest.raises(SettingsError, match="the weight of read must be a number"):
        Confidence({"read": weight}, 0.0, 0.3)


JUDGED = [(0.95, True), (1.0, False), (0.62, True), (0.68, False), (0.0, False)]


def test_expected_calibration_error_by_hand() -> None:
    """Gaps: (1 + 0) − 1.95 in the last bin, (1 + 0) − 1.3 in the seventh, 0 in the first."""
    gaps = [sum(column) for column in zip(*(gap_row(*each) for each in JUDGED), strict=True)]
    assert gaps == pytest.approx([0, 0, 0, 0, 0, 0, -0.3, 0, 0, -0.95])
    assert calibration_error(*gaps) / len(JUDGED) == pytest.approx(1.25 / 5)


def test_bins_hold_what_falls_into_them() -> None:
    first, seventh, last = bins(JUDGED)
    assert first == Bin(0, 1, 0.0, 0.0)
    assert seventh == Bin(6, 2, pytest.approx(0.65), 0.5)
    assert last == Bin(9, 2, pytest.approx(0.975), 0.5)
    assert bins([]) == []
