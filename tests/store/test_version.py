"""Opening checks what is on disk; searching gives exact scores of real passages."""

import json

import numpy as np
import pytest

from ragcli.errors import CorruptIndexError, EncoderMismatchError, SettingsError
from ragcli.store.index_types import INDEX_TYPES
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
    manifest = json.loads((versions / "six/manifest.json").read_text())
    manifest["files"][name]["bytes"] = (versions / "two" / name).stat().st_size
    (versions / "six/manifest.json").write_text(json.dumps(manifest))
    (versions / "six" / name).write_bytes((versions / "two" / name).read_bytes())
    with pytest.raises(CorruptIndexError, match=problem):
        store.open("@six")


@pytest.mark.parametrize("name", ["embeddings-0.npy", "index.faiss"])
def test_vectors_of_another_dimension_are_found(tmp_path, name):
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "a", dimension=16)
    build(store, corpus(tmp_path), "b", dimension=8)
    versions = store.root / "default/versions"
    manifest = (versions / "a/manifest.json").read_text()
    sizes = [str((versions / version / name).stat().st_size) for version in ("a", "b")]
    (versions / "a/manifest.json").write_text(manifest.replace(*sizes))
    (versions / "a" / name).write_bytes((versions / "b" / name).read_bytes())
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
