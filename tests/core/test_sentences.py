import pytest

from ragcli.core.sentences import border_after, border_before, is_border, sentence_around


@pytest.mark.parametrize(
    ("before", "after", "border"),
    [
        ("Lima.", "It", True),
        ("Lima", "It", False),
        ("said.”", "“Yes", True),
        ("Lima.", "it", False),
        ("Dr.", "Smith", False),
        ("J.", "Smith", False),
        ("(e.g.", "Lima", False),
        ("2025.", "12", True),
        ("Why?", "¿Qué", True),
        ("总统。", "秘鲁", True),
    ],
)
def test_where_a_sentence_ends(before: str, after: str, border: bool) -> None:
    assert is_border(before, after) is border


def test_the_sentence_around_an_answer() -> None:
    text = "Dr. Ama Mensah leads it. She will retire on 31 December 2025. Nobody follows."
    at = text.index("2025")
    assert text[slice(*sentence_around(text, (at, at + 4)))] == (
        "She will retire on 31 December 2025."
    )
    assert sentence_around("no end", (0, 2)) == (0, 6)
    assert sentence_around(text, (0, 3)) == (0, 24)
    assert sentence_around(text, (4, at + 4)) == (0, text.index(" Nobody"))  # through both


def test_words_that_complete_the_sentence() -> None:
    before = "It rains. She will retire".split()
    assert border_before(before, "on 31 December", 25) == 3
    assert border_before(before, "on 31 December", 2) == 2  # no further than allowed
    assert border_before("It rains.".split(), "She will", 25) == 0
    assert border_before(["and", "so"], "on", 25) == 2  # the document begins there
    assert border_after("on 31 December", "2025. Nobody follows.".split(), 25) == 1
    assert border_after("It rains.", "She will".split(), 25) == 0
    assert border_after("It", ["never", "ends"], 1) == 1
    assert border_after("It", [], 25) == border_before([], "", 25) == 0
