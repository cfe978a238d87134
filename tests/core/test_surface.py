"""An uncased answer gets back the spelling of the passage that it came from."""

from __future__ import annotations

import pytest

from ragcli.core.surface import restore_surface


@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        ("martin vizcarra", "In 2018 Martín Vizcarra took over.", "Martín Vizcarra"),
        ("andres manuel lopez obrador", "It is Andrés Manuel López Obrador.", None),
        ("o ' higgins", "named after O'Higgins", "O'Higgins"),
        ("3, 190", "a length of 3,190 km", "3,190"),
        ("washington, d. c.", "in Washington, D.C., the", "Washington, D.C."),
        ("jean - claude juncker", "and Jean-Claude Juncker said", "Jean-Claude Juncker"),
        ("duong", "the poet Dương wrote", "Dương"),
        ("us", "thus the US won", "US"),
        ("lodz", "near Łódź", "lodz"),  # Ł is a letter of its own, not an accented L
        ("nowhere", "some other text", "nowhere"),
        ("", "some text", ""),
    ],
)
def test_restored(answer: str, text: str, expected: str | None) -> None:
    expected = "Andrés Manuel López Obrador" if expected is None else expected
    assert restore_surface(answer, [text]) == expected


def test_decomposed_accents_are_kept_whole() -> None:
    text = "the writer Jose\u0301 arrived"
    assert restore_surface("jose", [text]) == "Jose\u0301"


def test_a_decomposed_accent_ends_no_word() -> None:
    text = "It was Jose\u0301s house. Jose came."
    assert restore_surface("jose", [text]) == "Jose"
    assert restore_surface("s", ["Jose\u0301s and S"]) == "S"


def test_the_likeliest_passage_wins() -> None:
    assert restore_surface("peru", ["PERU is loud", "Peru is calm"]) == "PERU"
    assert restore_surface("calm", ["PERU is loud", "Peru is Calm"]) == "Calm"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("martin vizcarra took over in lima.", "Martín Vizcarra took over in Lima."),
        ("who lives in lima?", "Who lives in Lima?"),
        ("lima, the capital", "Lima, the capital"),
        ("later he led peru", "later he led Peru"),
        ("nobody knows.", "Nobody knows."),
    ],
)
def test_words_of_its_own_are_put_together_from_what_stands_there(
    answer: str, expected: str
) -> None:
    texts = [
        "In 2018 Martín Vizcarra took over, and then he led Peru.",
        "The capital is Lima, the largest.",
    ]
    assert restore_surface(answer, texts) == expected
