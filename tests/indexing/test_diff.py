"""What changed between two versions, by hand-made corpora."""

from __future__ import annotations

import json

import pytest

from ragcli.indexing.build import build_index
from ragcli.indexing.diff import Changes, DocumentChange, diff_index
from ragcli.settings import Chunking
from ragcli.store.store import Store
from tests.fakes import HashEncoder


def build(store: Store, tmp_path, version: str, documents: list[dict[str, object]]) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    build_index(store, HashEncoder(), [str(path)], version=version, chunking=Chunking(2))


@pytest.fixture
def store(tmp_path) -> Store:
    store = Store(tmp_path / "store")
    before = [
        {"id": "a", "title": "A", "text": "one two three four"},
        {"id": "b", "title": "B", "text": "five six"},
        {"id": "c", "title": "C", "text": "seven eight nine"},
        {"id": "d", "title": "D", "text": "ten", "year": 2016},
        {"id": "e", "title": "E", "text": "ten"},
    ]
    after = [
        {"id": "new", "title": "New", "text": "eleven"},
        {"id": "e", "title": "E", "text": "ten"},
        {"id": "c", "title": "C", "text": "seven eight"},
        {"id": "a", "title": "A", "text": "one two changed four"},
        {"id": "d", "title": "D", "text": "ten", "year": 2018},
    ]
    build(store, tmp_path, "1", before)
    build(store, tmp_path, "2", after)
    return store


def test_documents_and_passages(store):
    with store.open("@1") as older, store.open("@2") as newer:
        diff = diff_index(older, newer)
    assert (diff.index, diff.versions) == ("default", ("1", "2"))
    assert diff.documents == Changes(
        added=(DocumentChange("new", "New", (0, 1)),),
        removed=(DocumentChange("b", "B", (1, 0)),),
        changed=(
            DocumentChange("c", "C", (2, 1)),
            DocumentChange("a", "A", (2, 2)),
            DocumentChange("d", "D", (1, 1)),  # by its metadata
        ),
        unchanged=1,
    )
    # before: "one two", "three four", "five six", "seven eight", "nine", D's "ten", E's "ten"
    # after:  "eleven", E's "ten", "seven eight", "one two", "changed four", D's "ten"
    assert (diff.passages_added, diff.passages_removed, diff.passages_unchanged) == (2, 3, 4)


def test_a_version_and_itself(store):
    with store.open("@1") as one, store.open("@1") as two:
        diff = diff_index(one, two)
    assert diff.documents == Changes((), (), (), 5)
    assert (diff.passages_added, diff.passages_removed, diff.passages_unchanged) == (0, 0, 7)


def test_equal_passages_count_as_often_as_they_are(tmp_path):
    store = Store(tmp_path / "store")
    build(store, tmp_path, "1", [{"id": str(n), "text": "same"} for n in range(5)])
    build(store, tmp_path, "2", [{"id": str(n), "text": "same"} for n in range(3)])
    with store.open("@1") as older, store.open("@2") as newer:
        diff = diff_index(older, newer)
    assert (diff.passages_added, diff.passages_removed, diff.passages_unchanged) == (0, 2, 3)
    assert [change.id for change in diff.documents.removed] == ["3", "4"]
