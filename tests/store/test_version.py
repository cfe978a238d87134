"""Opening checks what is on disk; searching gives exact scores of real passages."""

import builtins
import errno
import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragcli.errors import (
    SYSTEM_HINTS,
    CorruptIndexError,
    EncoderMismatchError,
    SettingsError,
    StoreError,
)
from ragcli.store.index_types import INDEX_TYPES
from ragcli.store.manifest import MANIFEST, SMALL, FileRecord, Manifest
from ragcli.store.store import Store
from tests.fakes import HashEncoder
from tests.store.helpers import CAPITALS, FILES, build, corpus


@pytest.fixture
def store(tmp_path) -> Store:
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "1")
    return store


@pytest.mark.parametrize("type", INDEX_TYPES.names())
def test_search_finds_the_passage_with_the_words(tmp_path, type):
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "1", type=type, dimension=64)
    encoder = HashEncoder(64)
    with store.open(verify=True) as index:
        for name, capital in CAPITALS.items():
            queries = encoder.encode_queries([f"{name} {capital}"])
            scores, rows = index.search(queries, 3)
            assert index.passages[rows[0, 0]].document_id == name
            np.testing.assert_allclose(scores[0], index.embeddings[rows[0]] @ queries[0], atol=1e-6)
            assert (np.diff(scores[0]) <= 0).all()


@pytest.mark.parametrize("type", INDEX_TYPES.names())
def test_all_passages_can_be_asked_for(tmp_path, type):
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "1", type=type)
    with store.open() as index:
        _, rows = index.search(HashEncoder(16).encode_queries(["Peru", "Chile"]), len(index))
        assert [sorted(row) for row in rows] == [list(range(6))] * 2


def test_k_beyond_the_index_is_the_callers_to_clamp(store):
    with store.open() as index:
        query = HashEncoder(16).encode_queries(["Peru"])
        for k in (0, 7):
            with pytest.raises(SettingsError, match=f"k must lie between 1 and 6, not {k}"):
                index.search(query, k)


def test_queries_of_another_dimension_name_both(store):
    with store.open() as index:
        with pytest.raises(
            EncoderMismatchError, match="queries of 8 dimensions for the index default@1 of 16"
        ):
            index.search(np.zeros((1, 8), np.float32), 1)
        with pytest.raises(EncoderMismatchError):
            index.search(np.zeros(8, np.float32), 1)


def test_a_query_that_is_not_a_number(store):
    with store.open() as index, pytest.raises(EncoderMismatchError, match="not a finite number"):
        index.search(np.full((1, 16), np.nan, np.float32), 1)


def test_equal_passages_come_in_the_order_of_rows(tmp_path):
    path = tmp_path / "same.jsonl"
    path.write_text("".join('{"text": "Lima is the capital"}\n' for _ in range(9)))
    store = Store(tmp_path / "store")
    build(store, str(path), "1")
    with store.open() as index:
        _, rows = index.search(HashEncoder(16).encode_queries(["capital"]), 4)
        assert rows.tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(store, name):
    (store.root / "default/versions/1" / name).unlink()
    with pytest.raises(
        CorruptIndexError, match=rf"{name}: No such file .*build this version again"
    ):
        store.open()


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_short_is_named(store, name):
    path = store.root / "default/versions/1" / name
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(
        CorruptIndexError, match=rf"{name}: {len(data) - 1} bytes, the manifest says {len(data)}"
    ):
        store.open()


def put_in(folder: Path, name: str, other: Path) -> None:
    """Another file in place of one, and a manifest that says so."""
    (folder / name).write_bytes(other.read_bytes())
    manifest = Manifest.read(folder)
    replace(manifest, files=dict(manifest.files) | {name: FileRecord.of(other)}).write(folder)


@pytest.mark.parametrize("name", FILES)
def test_one_altered_bit_is_found_by_verify(store, name):
    path = store.root / "default/versions/1" / name
    data = bytearray(path.read_bytes())
    data[-30] ^= 1
    path.write_bytes(data)
    with pytest.raises(CorruptIndexError, match=rf"{name}: its sha256 is not the one"):
        store.open(verify=True)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("passages-0.arrow", r"passages\.rows\.npy: a row outside of the 2 in the shards"),
        ("embeddings-0.npy", r"embeddings\.rows\.npy: a row outside of the 2 in the shards"),
        ("passages.rows.npy", r"places\.arrow holds 6 origins for 2 passages"),
        ("places.arrow", r"places\.arrow holds 2 origins for 6 passages"),
        ("embeddings.rows.npy", "embeddings holds 2 passages, the manifest says 6"),
        ("index.faiss", r"index\.faiss holds 2 passages, the manifest says 6"),
    ],
)
def test_a_file_of_another_version_is_found_without_verify(tmp_path, name, problem):
    """Same size on disk or not: counts and dimensions must agree between all files."""
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "six")
    build(store, corpus(tmp_path, ["Peru", "Chile"], "b"), "two")
    versions = store.root / "default/versions"
    put_in(versions / "six", name, versions / "two" / name)
    with pytest.raises(CorruptIndexError, match=problem):
        store.open("@six")


@pytest.mark.parametrize("name", ["embeddings-0.npy", "index.faiss"])
def test_vectors_of_another_dimension_are_found(tmp_path, name):
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "a", dimension=16)
    build(store, corpus(tmp_path), "b", dimension=8)
    versions = store.root / "default/versions"
    put_in(versions / "a", name, versions / "b" / name)
    table = name.removesuffix("-0.npy")
    with pytest.raises(CorruptIndexError, match=rf"{table} has 8 dimensions, the manifest says 16"):
        store.open("@a")


def test_a_file_of_another_metric_is_found(store):
    import faiss

    path = store.root / "default/versions/1/index.faiss"
    index = faiss.IndexFlatL2(16)
    index.add(np.zeros((6, 16), np.float32))
    size = path.stat().st_size
    faiss.write_index(index, str(path))
    assert path.stat().st_size == size
    with pytest.raises(CorruptIndexError, match="does not search by inner product"):
        store.open()


def test_a_reader_keeps_its_files_even_if_they_are_deleted(store):
    import shutil

    with store.open() as index:
        shutil.rmtree(store.root / "default/versions/1")
        _, rows = index.search(HashEncoder(16).encode_queries(["Peru Lima"]), 6)
        assert {index.passages[row].document_id for row in rows[0]} == set(CAPITALS)


def flipped(path: Path, at: int) -> bytes:
    """Flip one bit of a file; returns what it was."""
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
    return whole


@pytest.mark.parametrize("name", [MANIFEST, *SMALL])
def test_an_ordinary_open_sees_every_bit_of_the_small_files(store, name):
    path = store.root / "default/versions/1" / name
    for at in range(0, path.stat().st_size, 37):
        whole = flipped(path, at)
        with pytest.raises(CorruptIndexError, match=name):
            store.open()
        path.write_bytes(whole)
    store.open().close()


@pytest.mark.parametrize("name", ["passages-0.arrow", "embeddings-0.npy"])
def test_what_is_read_is_what_was_written_or_an_error(store, name):
    """A bit anywhere in a shard: whoever reads all rows is told, or reads them as they were."""
    path = store.root / "default/versions/1" / name
    with store.open() as index:
        passages, vectors = list(index), index.vectors(slice(None))
    told = []
    for at in range(0, path.stat().st_size, 29):
        whole = flipped(path, at)
        try:
            with store.open() as index:
                assert list(index) == passages
                np.testing.assert_array_equal(index.vectors(slice(None)), vectors)
        except CorruptIndexError as error:
            told.append(error.message)
        path.write_bytes(whole)
    assert len(told) > 15
    assert all(name in message for message in told)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.ENOMEM])
def test_a_file_that_cannot_be_opened_now_is_not_corrupt(store, monkeypatch, number):
    """Each file in turn, however it is opened; doctor does not call it damaged either."""
    real = builtins.open

    def fail(path, *arguments, **options):
        if str(path).endswith(failing):
            raise OSError(number, os.strerror(number))
        return real(path, *arguments, **options)

    for failing in ("embeddings-0.npy", "index.faiss", "places.arrow", "manifest.json"):
        monkeypatch.setattr(builtins, "open", fail)
        monkeypatch.setattr(io, "open", fail)
        with pytest.raises(StoreError, match=f"{failing}: cannot be read: ") as caught:
            store.open()
        assert not isinstance(caught.value, CorruptIndexError)
        assert caught.value.hint == SYSTEM_HINTS[number]
        monkeypatch.undo()
    store.open().close()


def test_rows_that_a_damaged_search_file_names(store, monkeypatch):
    with store.open() as index:
        wrong = np.array([[0, 10**6]]), np.ones((1, 2), np.float32)
        monkeypatch.setattr("ragcli.store.vectors.search", lambda *_: wrong[::-1])
        with pytest.raises(CorruptIndexError, match=r"index\.faiss: it names passages"):
            index.search(HashEncoder(16).encode_queries(["x"]), 2)


def test_headers_that_are_damaged_in_any_way(store):
    """The text of an npy header is a Python literal: whatever it says, there is one error."""
    for name in ("embeddings-0.npy", "embeddings.rows.npy"):
        path = store.root / "default/versions/1" / name
        whole = path.read_bytes()
        for header in (b"(" * 60, b"{'descr': 1}", b"\xff" * 9, b"0x", b"{1: 2}", b"[" * 100):
            path.write_bytes(whole[:10] + header + whole[10 + len(header) :])
            put_in(path.parent, name, path)
            with pytest.raises(CorruptIndexError, match="that cannot be read"):
                store.open()
        path.write_bytes(whole)
        put_in(path.parent, name, path)
