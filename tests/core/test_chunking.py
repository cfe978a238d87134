import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcli.core.chunking import content_digest, passages
from ragcli.errors import SettingsError
from ragcli.records import Document
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
    assert [word for passage in cut for word in passage.text.split(" ") if cut] == words
    assert [passage.start for passage in cut] == list(range(0, len(words), size))
    assert all(one.end == other.start for one, other in pairwise(cut))
    assert all(passage.end - passage.start == size for passage in cut[:-1])
    assert not cut or cut[-1].end == len(words)


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
