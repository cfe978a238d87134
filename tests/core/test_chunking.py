import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcli.core.chunking import content_digest, passages
from ragcli.errors import SettingsError
from ragcli.records import Document, Mark
from ragcli.settings import Chunking


def document(text: str, **fields: object) -> Document:
    return Document("peru.md", "Peru", text, "docs/peru.md", 7, {"year": 2018}, **fields)  # type: ignore[arg-type]


def test_a_worked_example():
    first, second = passages(document("Lima  is\nthe capital\tof Peru ."), Chunking(4))
    assert (first.id, first.text, first.start, first.end) == (
        "peru.md#0",
        "Lima is the capital",
        0,
        4,
    )
    assert (second.id, second.text, second.start, second.end) == ("peru.md#1", "of Peru .", 4, 7)
    assert first.digest == hashlib.sha256(b"Peru\0Lima is the capital").hexdigest()
    for passage in (first, second):
        assert passage.document_id == "peru.md"
        assert (passage.title, passage.source, passage.line) == ("Peru", "docs/peru.md", 7)
        assert passage.metadata == {"year": 2018}


def test_the_default_is_the_papers_hundred_words():
    lengths = [p.end - p.start for p in passages(document("word " * 250), Chunking())]
    assert lengths == [100, 100, 50]


def test_a_document_without_words_has_no_passages():
    assert list(passages(document(" \n\t "), Chunking())) == []


def test_zero_words_are_refused():
    with pytest.raises(SettingsError, match="words must be at least 1, not 0"):
        Chunking(0)


def test_digest_depends_on_where_title_ends():
    assert content_digest("a", "b c") != content_digest("a b", "c")


@given(st.text(), st.integers(1, 30))
def test_words_are_preserved_and_passages_disjoint(text: str, size: int):
    cut = list(passages(document(text), Chunking(size)))
    words = text.split()
    assert [p.text for p in cut] == [" ".join(words[p.start : p.end]) for p in cut]
    assert [p.end for p in cut] == [
        min(start + size, len(words)) for start in range(0, len(words), size)
    ]
    assert all(one.end == other.start for one, other in pairwise(cut[:-1]))
    assert all(p.end - p.start == size for p in cut[:-1])
    if len(cut) > 1:  # the last one is whole, or at least a third long and disjoint
        last = cut[-1]
        fresh = last.end - cut[-2].end
        assert last.end - last.start == (size if 3 * fresh < size else fresh)


def test_a_last_passage_takes_its_missing_words_from_before():
    words = [f"w{n}" for n in range(232)]
    assert spans(" ".join(words)) == [(0, 100), (100, 200), (132, 232)]
    assert spans(" ".join([*words, "w", "w"])) == [(0, 100), (100, 200), (200, 234)]
    assert spans(" ".join(words[:20])) == [(0, 20)]  # there is nothing before


def spans(text: str, *marks: Mark) -> list[tuple[int, int]]:
    return [(p.start, p.end) for p in passages(document(text, marks=marks), Chunking())]


def rows(*lengths: int) -> tuple[str, tuple[Mark, ...]]:
    """Rows of so many words, one a line, each with its mark."""
    text, marks = "", []
    for number, length in enumerate(lengths):
        marks.append(Mark(len(text), line=number + 1, unit=True))
        text += " ".join(f"r{number}w{n}" for n in range(length)) + "\n"
    return text, tuple(marks)


def test_a_unit_is_never_cut():
    text, marks = rows(60, 60, 30, 8)
    cut = list(passages(document(text, marks=marks), Chunking()))
    assert [(p.start, p.end, p.line, p.apart) for p in cut] == [
        (0, 60, 1, True),
        (60, 158, 2, True),
    ]
    # One that would leave too little before it stands with it; one that nobody could read is cut.
    for lengths, expected in (
        ((20, 95), [(0, 115)]),
        ((150, 90), [(0, 150), (150, 240)]),
        ((250,), [(0, 100), (100, 200), (200, 250)]),
    ):
        text, marks = rows(*lengths)
        assert spans(text, *marks) == expected


def test_the_missing_words_of_a_last_passage_are_whole_units():
    text, marks = rows(30, 30, 39, 10)
    assert spans(text, *marks) == [(0, 99), (30, 109)]


def test_text_after_a_table_stands_apart():
    text, marks = rows(100)
    after = Mark(len(text), line=9)
    cut = list(passages(document(text + "and so on " * 30, marks=(*marks, after)), Chunking()))
    assert [(p.start, p.line, p.apart) for p in cut] == [(0, 1, True), (100, 9, True)]


def test_a_passage_has_what_the_last_mark_before_it_says():
    text = "one two\nthree four\nfive six"
    marks = (
        Mark(0, line=1, headings=("Handbook",)),
        Mark(8, page=3, line=2, headings=("Handbook", "Travel")),
        Mark(19, page=4, line=3, headings=("Handbook", "Travel", "Meals")),
    )
    cut = list(passages(Document("h", "Handbook", text, "h.pdf", marks=marks), Chunking(3)))
    assert [(p.text, p.page, p.line) for p in cut] == [
        ("one two three", None, 1),
        ("four five six", 3, 2),
    ]
    assert [p.caption for p in cut] == ["Handbook", "Handbook › Travel"]
    assert cut[0].digest == content_digest("Handbook", "one two three")
    assert cut[1].digest == content_digest("Handbook › Travel", "four five six")


def test_a_mark_within_a_word_begins_at_the_next_one():
    marks = (Mark(2, line=5), Mark(3, line=6))
    [first, second] = passages(document("abcdef gh", marks=marks), Chunking(1))
    assert (first.text, first.line) == ("abcdef", 7)
    assert (second.text, second.line) == ("gh", 6)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(1, 30))
def test_no_unit_that_could_be_read_is_cut_and_none_is_lost(lengths: list[int], size: int):
    text, marks = rows(*lengths)
    cut = list(passages(document(text, marks=marks), Chunking(size)))
    assert {word for p in cut for word in p.text.split()} == set(text.split())
    ends, place = {0}, 0
    for length in lengths:
        if length > 2 * size:
            ends |= set(range(place, place + length))
        place += length
        ends.add(place)
    assert all({p.start, p.end} <= ends for p in cut)
    assert all(one.end >= other.start for one, other in pairwise(cut))


@given(st.lists(st.from_regex(r"[a-z]{1,5}", fullmatch=True), min_size=1), st.integers(1, 9))
def test_ids_and_digests_are_stable_and_later_text_changes_no_earlier_passage(
    words: list[str], size: int
):
    once = list(passages(document(" ".join(words)), Chunking(size)))
    again = list(passages(document("\n".join(words)), Chunking(size)))
    longer = list(passages(document(" ".join([*words, "more"])), Chunking(size)))
    assert once == again
    assert [p.id for p in once] == [f"peru.md#{n}" for n in range(len(once))]
    whole = len(words) // size
    assert once[:whole] == longer[:whole]
