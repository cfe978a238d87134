"""Exact match and answer recall, with the traps of the usual scripts."""

from __future__ import annotations

import pytest

from ragcli.core.metrics import exact_match, holds_answer, normalize


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("The  Eiffel Tower!", "eiffel tower"),
        ("a U.S. president", "us president"),
        ("A", "a"),
        ("The The", "the the"),
        ("?!", "?!"),
        ("Martín Vizcarra", "martín vizcarra"),
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
