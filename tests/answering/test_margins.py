"""What the generator reads of a passage: completed to whole sentences from the rows beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from ragcli.answering.margins import completed
from ragcli.core.chunking import passages
from ragcli.records import Document, Mark, Passage, RetrievedPassage
from ragcli.settings import Chunking, Prompting
from tests.core.test_prompting import WordTokenizer

FIRST = "It rains in Lima. Dr. Mensah will retire on 31 December 2025. Nobody follows her yet."
"""Cut after five words: `It rains in Lima. Dr.`, `Mensah will retire on 31`, and so on."""


class Rows(list[Passage]):
    """An index that counts what is taken from it."""

    taken = 0

    def take(self, rows: Sequence[int]) -> list[Passage]:
        self.taken += len(rows)
        return [self[row] for row in rows]


def index(*documents: Document, words: int = 5) -> Rows:
    return Rows(p for document in documents for p in passages(document, Chunking(words)))


def document(name: str, text: str, marks: Sequence[Mark] = ()) -> Document:
    return Document(name, name, text, f"{name}.txt", marks=marks)


def read(
    rows: Rows, which: Iterable[int], margin: int, longest: int = 300
) -> list[tuple[str, str]]:
    generator: Any = SimpleNamespace(
        prompting=Prompting(max_length=longest), tokenize_inputs=WordTokenizer(), reserved=()
    )
    found = [RetrievedPassage(rows[row], row, 0.0, 0.0) for row in which]
    given: Any = rows
    [items] = completed(given, generator, ["who ?"], [found], margin)
    assert all(
        item.text == " ".join(f"{item.before} {item.passage.text} {item.after}".split())
        for item in items
    )
    return [(item.before, item.after) for item in items]


def test_sentences_are_completed_from_the_neighbours() -> None:
    rows = index(document("a", FIRST), document("b", "Other words."))
    assert [p.text for p in rows[:3]] == [
        "It rains in Lima. Dr.",
        "Mensah will retire on 31",
        "December 2025. Nobody follows her",
    ]
    assert read(rows, [0, 1, 2], 25) == [
        ("", "Mensah will retire on 31 December 2025."),
        ("Dr.", "December 2025."),
        ("Dr. Mensah will retire on 31", "yet."),
    ]


def test_a_margin_ends_after_so_many_words_and_with_the_document() -> None:
    rows = index(document("a", "a b c d e f g h i j"), document("b", "k l m"), words=2)
    assert read(rows, [2], 3) == [("b c d", "g h i")]
    assert read(rows, [0, 4, 5], 25) == [
        ("", "c d e f g h i j"),
        ("a b c d e f g h", ""),
        ("", "m"),
    ]


def test_without_a_margin_nothing_is_read_beside_and_no_row_is_taken() -> None:
    rows = index(document("a", FIRST))
    assert read(rows, [0, 1, 2], 0) == [("", "")] * 3
    assert rows.taken == 0


def test_a_row_is_taken_once() -> None:
    rows = index(document("a", "a b c d e f"), words=2)
    read(rows, [0, 1, 2], 1)
    assert rows.taken == 3


def test_the_words_of_a_last_passage_that_overlaps_are_not_read_twice() -> None:
    words = [f"w{n}" for n in range(13)]
    rows = index(document("a", " ".join(words)), words=6)
    assert [(p.start, p.end) for p in rows] == [(0, 6), (6, 12), (7, 13)]
    assert read(rows, [1, 2], 2) == [("w4 w5", "w12"), ("w5 w6", "")]


def test_nothing_is_read_across_the_end_of_a_unit() -> None:
    text = "name: Ada year: 1815\nname: Grace year: 1906\nname: Edith year: 1883"
    marks = [Mark(n, unit=True) for n in (0, 21, 44)]
    rows = index(document("a", text, marks), words=4)
    assert [p.text for p in rows] == text.splitlines()
    assert read(rows, [0, 1, 2], 25) == [("", "")] * 3


def test_closed_book_has_no_neighbours() -> None:
    from ragcli.answering.retrievers import NOTHING

    rows = index(document("a", FIRST))
    given: Any = rows
    nothing = RetrievedPassage(NOTHING, -1, 0.0, 0.0)
    generator: Any = SimpleNamespace(prompting=Prompting(), tokenize_inputs=None, reserved=())
    assert completed(given, generator, ["who ?"], [[nothing]], 25) == [[nothing]]


@pytest.mark.parametrize(
    ("longest", "kept"),
    [(30, ("Dr.", "December 2025.")), (13, ("", "December")), (12, ("", ""))],
)
def test_what_does_not_fit_is_not_shown_as_read(longest: int, kept: tuple[str, str]) -> None:
    rows = index(document("a", FIRST))
    assert read(rows, [1], 25, longest) == [kept]
