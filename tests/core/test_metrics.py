"""Exact match and answer recall, with the traps of the usual scripts."""

from __future__ import annotations

import pytest

from ragcli.core.metrics import (
    exact_match,
    f1,
    holds_answer,
    holds_pattern,
    matches_pattern,
    normalize,
    recall_of_gold,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("The  Eiffel Tower!", "eiffel tower"),
        ("a U.S. president", "us president"),
        ("A", "a"),
        ("The The", "the the"),
        ("?!", "?!"),
        ("Martín Vizcarra", "martín vizcarra"),
        ("Marti\u0301n “Vizcarra”", "martín vizcarra"),
        ("the 1990–1995 war’s end…", "19901995 wars end"),
        ("«?»", "«?»"),
    ],
)
def test_normalize(given: str, expected: str) -> None:
    assert normalize(given) == expected


def test_exact_match() -> None:
    assert exact_match("the Barack Obama.", ["Obama", "Barack Obama"])
    assert not exact_match("Barack", ["Barack Obama"])
    assert not exact_match("Michelle Obama", ["Obama"])
    assert not exact_match("", ["A"])  # trap: both would vanish
    assert not exact_match("the", ["A"])
    assert exact_match("a", ["A"])
    assert not exact_match("Obama", [])


def test_an_answer_must_stand_as_words() -> None:
    assert holds_answer("He came from the US.", ["us"])
    assert not holds_answer("and thus it was", ["us"])
    assert holds_answer("Since 2018, Martín Vizcarra leads", ["martín vizcarra"])
    assert not holds_answer("Martín and Vizcarra", ["Martín Vizcarra"])
    assert not holds_answer("anything", ["?"])
    assert holds_answer("Since 2018, Marti\u0301n Vizcarra leads", ["martín vizcarra"])


def test_f1_equals_the_official_script() -> None:
    """Values of SQuAD's evaluate-v1.1 for the same strings, articles and punctuation dropped."""
    # 2 words in common, 2 given, 3 gold: P 1, R 2/3.
    assert f1("the Barack Obama", ["Barack Hussein Obama"]) == pytest.approx(0.8)
    # "Saint Bernadette Soubirous" given as "to Saint Bernadette": P 2/3, R 2/3.
    assert f1("to Saint Bernadette", ["Saint Bernadette Soubirous"]) == pytest.approx(2 / 3)
    assert f1("gold", ["golden", "the gold."]) == 1.0
    assert f1("New York York", ["York York City"]) == pytest.approx(2 / 3)
    assert f1("London", ["Paris"]) == 0.0
    assert f1("London", []) == 0.0


def test_f1_of_answers_that_are_articles() -> None:
    assert f1("A", ["a"]) == 1.0  # trap: the script compares two empty lists
    assert f1("", ["A"]) == 0.0
    assert f1("the who", ["The Who"]) == 1.0
    assert f1("The The", ["the The"]) == 1.0


def test_patterns_match_as_the_curatedtrec_script_does() -> None:
    assert matches_pattern("Nov. 22, 1963", [r"Nov(ember|\.)\s+22"])
    assert matches_pattern("obama", ["Obama"])
    assert not matches_pattern("President Obama", ["Obama"])  # from the beginning, like its script
    assert holds_pattern("It was President Obama.", ["Obama"])
    assert not holds_pattern("nobody", ["^body"])


def test_recall_of_gold() -> None:
    found = ["a", "b", "c", "a"]
    assert recall_of_gold(found, ["b"]) == 1.0
    assert recall_of_gold(found, ["z"]) == 0.0
    assert recall_of_gold(found, ["a", "z"]) == 0.5
    assert recall_of_gold(found, ["a", "a", "z"]) == 0.5
    assert recall_of_gold([], ["a"]) == 0.0
