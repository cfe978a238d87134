"""An update equals a build from nothing, and pays only for what changed."""

from __future__ import annotations

import json
import os
import random

import numpy as np
import pytest

from ragcli.errors import (
    CorpusError,
    CorruptIndexError,
    EncoderMismatchError,
    IndexNotFoundError,
    StoreError,
)
from ragcli.indexing.build import build_index
from ragcli.indexing.update import delete_documents, update_index
from ragcli.settings import Chunking, Indexing
from ragcli.store.store import Current, Store
from ragcli.store.version import BuildFolder
from tests.fakes import HashEncoder


class Counting(HashEncoder):
    """Counts the passages it embeds."""

    embedded = 0

    def encode_passages(self, passages, batch_size=32, progress=None):
        self.embedded += len(passages)
        return super().encode_passages(passages, batch_size, progress)


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "store", patience=0.2)


def write(path, documents: dict[str, str], **metadata: object) -> str:
    lines = [
        json.dumps({"id": name, "title": name, "text": text} | metadata) + "\n"
        for name, text in documents.items()
    ]
    path.write_text("".join(lines))
    return str(path)


def world(count: int, seed: int = 0) -> dict[str, str]:
    words = random.Random(seed)
    return {
        f"doc{n}": " ".join(f"word{words.randrange(500)}" for _ in range(words.randrange(1, 60)))
        for n in range(count)
    }


def changed(documents: dict[str, str], seed: int) -> dict[str, str]:
    """Some documents gone, some changed, some new, some renamed, and another order."""
    chance = random.Random(seed)
    names = list(documents)
    chance.shuffle(names)
    result = {}
    for name in names:
        fate = chance.random()
        if fate < 0.1:
            continue
        text = documents[name]
        result[f"{name}-renamed" if fate < 0.2 else name] = text + " changed" * (fate > 0.8)
    return result | {f"new{seed}-{n}": text for n, text in enumerate(world(5, seed).values())}


def assert_same(store: Store, one: str, two: str) -> None:
    with store.open(one, verify=True) as a, store.open(two, verify=True) as b:
        assert list(a.passages) == list(b.passages)
        np.testing.assert_allclose(a.embeddings[:], b.embeddings[:], atol=1e-6)
        for same in ("corpus_digest", "counts", "chunking", "encoder", "type", "factory", "seed"):
            assert getattr(a.manifest, same) == getattr(b.manifest, same), same
        queries = HashEncoder(16).encode_queries(["word1 word2", "word300", "changed"])
        for left, right in zip(a.search(queries, 4), b.search(queries, 4), strict=True):
            np.testing.assert_allclose(left, right, atol=1e-6)


@pytest.mark.parametrize("type", ["flat", "hnsw", "ivf"])
def test_a_chain_of_updates_equals_builds_from_nothing(store, tmp_path, type, monkeypatch):
    """Small shards, so that they are linked, copied and merged in every way."""
    monkeypatch.setattr("ragcli.store.tables.SHARD_ROWS", 32)
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    monkeypatch.setattr("ragcli.store.tables.MOST_SHARDS", 16)
    documents = world(150)
    path = tmp_path / "corpus.jsonl"
    settings = {"chunking": Chunking(10), "indexing": Indexing(type, seed=3)}
    build_index(store, HashEncoder(), [write(path, documents)], version="0", **settings)
    for number in range(1, 6):
        documents = changed(documents, number)
        write(path, documents, year=2000 + number // 3)
        made = {"version": str(number), "allow_shrink": True}
        update_index(store, HashEncoder(), [str(path)], f"@{number - 1}", **made)
        with store.open() as index:
            assert index.manifest.origin.parent == str(number - 1)
            shards = index.manifest.shards("embeddings")
            assert len(shards) <= 16
            assert index.manifest.recall.value > 0.9
    build_index(store, HashEncoder(), [str(path)], version="whole", **settings)
    assert_same(store, "@5", "@whole")


def test_only_new_and_changed_passages_are_embedded(store, tmp_path):
    path = tmp_path / "corpus.jsonl"
    documents = {f"d{n}": f"unlike{n} text" for n in range(100)}
    build_index(store, HashEncoder(), [write(path, documents)], version="1")
    documents |= {"d7": "changed text", "new": "unlike42 text"}
    del documents["d8"]
    encoder = Counting()
    report = update_index(store, encoder, [write(path, documents)], version="2")
    origin = report.manifest.origin
    # `new` has another title, so its text is embedded again; the probe takes three passages.
    assert (encoder.embedded - 3, report.embedded, origin.embedded) == (2, 2, 2)
    assert (origin.how, origin.parent) == ("update", "1")
    assert (origin.added, origin.changed, origin.removed) == (1, 1, 1)
    assert store.current("default") == Current("2", "1")


def test_lines_that_moved_and_metadata_that_changed_embed_nothing(store, tmp_path):
    path = tmp_path / "corpus.jsonl"
    documents = world(20)
    build_index(store, HashEncoder(), [write(path, documents)], version="1")
    path.write_text("\n\n" + path.read_text())
    report = update_index(store, HashEncoder(), [str(path)], version="2")
    assert (report.embedded, report.manifest.origin.changed) == (0, 0)
    with store.open() as index:
        assert index.passages[0].line == 3
    assert own_bytes(store, "2") < 4000  # a manifest and the origins
    write(path, documents, year=2018)
    report = update_index(store, HashEncoder(), [str(path)], version="3")
    assert (report.embedded, report.manifest.origin.changed) == (0, 20)
    with store.open() as index:
        assert index.passages[0].metadata == {"year": 2018}


def own_bytes(store: Store, version: str) -> int:
    folder = store.versions_folder("default") / version
    return sum(path.stat().st_size for path in folder.iterdir() if path.stat().st_nlink == 1)


def test_a_small_change_costs_little_space(store, tmp_path):
    """1 % of 2,000 documents: the new version adds its share, its rows and its FAISS file."""
    documents = {f"d{n}": f"unlike{n} " + "word " * 100 for n in range(2000)}
    path = tmp_path / "corpus.jsonl"
    encoder = HashEncoder(64)
    first = build_index(store, encoder, [write(path, documents)], version="1").manifest
    for n in range(0, 2000, 100):
        documents[f"d{n}"] += "changed"
    second = update_index(store, encoder, [write(path, documents)], version="2").manifest
    tables = second.bytes - second.files["index.faiss"].bytes
    own = own_bytes(store, "2") - second.files["index.faiss"].bytes
    assert second.bytes >= first.bytes
    assert own < 0.08 * tables, (own, tables)


def test_nothing_changed_costs_nothing_but_a_manifest(store, tmp_path):
    path = write(tmp_path / "corpus.jsonl", world(50))
    build_index(store, HashEncoder(), [path], version="1")
    update_index(store, HashEncoder(), [path], version="2")
    assert (
        own_bytes(store, "2")
        == (store.versions_folder("default") / "2/manifest.json").stat().st_size
    )
    build_index(store, HashEncoder(), [path], version="3")
    assert own_bytes(store, "3") < 3000


def test_missing_documents_are_kept_if_asked(store, tmp_path):
    build_index(store, HashEncoder(), [write(tmp_path / "a.jsonl", {"a": "old", "b": "both"})])
    path = write(tmp_path / "b.jsonl", {"b": "both changed", "c": "new"})
    report = update_index(store, HashEncoder(), [path], version="2", keep_missing=True)
    assert report.documents == 3
    with store.open() as index:
        assert [p.text for p in index.passages] == ["both changed", "new", "old"]
        assert index.manifest.sources == (str(tmp_path / "a.jsonl"), path)


def test_another_encoder_is_refused(store, tmp_path):
    path = write(tmp_path / "a.jsonl", world(5))
    build_index(store, HashEncoder(), [path], version="1")
    with pytest.raises(EncoderMismatchError, match="does not belong to the index default@1"):
        update_index(store, HashEncoder(16, "other"), [path], version="2")
    assert store.versions("default") == ["1"]


def test_a_damaged_version_is_not_built_upon(store, tmp_path):
    path = write(tmp_path / "a.jsonl", world(5))
    build_index(store, HashEncoder(), [path], version="1")
    shard = store.versions_folder("default") / "1/embeddings-0.npy"
    data = bytearray(shard.read_bytes())
    data[-1] ^= 1
    shard.write_bytes(data)
    with pytest.raises(CorruptIndexError, match=r"embeddings-0\.npy: its sha256"):
        update_index(store, HashEncoder(), [path], version="2")


def test_a_deleted_document_leaves_nothing_in_the_new_version(store, tmp_path):
    documents = world(30) | {"secret": "classified paragraph"}
    path = write(tmp_path / "a.jsonl", documents)
    build_index(store, HashEncoder(), [path], version="1", chunking=Chunking(10))
    report = delete_documents(store, "secret", version="2")
    assert (report.documents, report.embedded) == (30, 0)
    origin = report.manifest.origin
    assert (origin.how, origin.removed, origin.added, origin.changed) == ("delete", 1, 0, 0)
    for file in (store.versions_folder("default") / "2").iterdir():
        assert b"classified" not in file.read_bytes(), file
    del documents["secret"]
    write(tmp_path / "a.jsonl", documents)
    build_index(store, HashEncoder(), [path], version="whole", chunking=Chunking(10))
    assert_same(store, "@2", "@whole")
    with store.open("@1") as index:
        assert len(index.passages) > report.passages


def test_documents_that_cannot_be_deleted(store, tmp_path):
    build_index(store, HashEncoder(), [write(tmp_path / "a.jsonl", {"a": "x", "b": "y"})])
    with pytest.raises(IndexNotFoundError, match=r"no such document in default@.*: 'c', 'd'"):
        delete_documents(store, ["a", "c", "d"])
    with pytest.raises(StoreError, match="no passage would be left"):
        delete_documents(store, ["a", "b"])
    assert len(store.versions("default")) == 1


class Dying(Counting):
    """Gives up after a number of passages, as a machine that is switched off."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def encode_passages(self, passages, batch_size=32, progress=None):
        if self.embedded + len(passages) > self._after:
            raise KeyboardInterrupt
        return super().encode_passages(passages, batch_size, progress)


def test_an_interrupted_build_goes_on_from_its_shards(store, tmp_path, monkeypatch):
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(100)})
    with pytest.raises(KeyboardInterrupt):
        build_index(store, Dying(50), [path], version="1")
    assert store.names() == []
    (shelf,) = (store.root / "default/unfinished").iterdir()
    assert sorted(os.listdir(shelf)) == [f"embeddings-{n}.npy" for n in range(3)]
    encoder = Counting()
    report = build_index(store, encoder, [path], version="2")
    assert (encoder.embedded, report.embedded, report.resumed) == (52, 52, 48)
    assert not (store.root / "default/unfinished").exists()
    build_index(store, HashEncoder(), [path], version="whole")
    with store.open("@2") as one, store.open("@whole") as two:
        assert one.manifest.files == two.manifest.files


def test_an_interrupted_update_goes_on(store, tmp_path, monkeypatch):
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    path = tmp_path / "a.jsonl"
    documents = {f"d{n}": f"unlike{n}" for n in range(40)}
    build_index(store, HashEncoder(), [write(path, documents)], version="1")
    write(path, documents | {f"e{n}": f"unlike{n}" for n in range(40)})
    with pytest.raises(KeyboardInterrupt):
        update_index(store, Dying(3 + 35), [str(path)], version="2")
    encoder = Counting()
    report = update_index(store, encoder, [str(path)], version="2")
    assert (encoder.embedded - 3, report.resumed) == (8, 32)
    build_index(store, HashEncoder(), [str(path)], version="whole")
    assert_same(store, "@2", "@whole")


@pytest.mark.parametrize("change", ["corpus", "encoder", "batch"])
def test_shards_of_another_build_are_not_taken_up(store, tmp_path, monkeypatch, change):
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    documents = {f"d{n}": f"unlike{n}" for n in range(40)}
    path = write(tmp_path / "a.jsonl", documents)
    with pytest.raises(KeyboardInterrupt):
        build_index(store, Dying(35), [path], version="1")
    encoder = HashEncoder(16, "other") if change == "encoder" else HashEncoder()
    if change == "corpus":
        write(tmp_path / "a.jsonl", documents | {"d0": "another"})
    report = build_index(
        store,
        encoder,
        [path],
        version="1",
        indexing=Indexing(batch_size=8 if change == "batch" else 32),
    )
    assert (report.embedded, report.resumed) == (40, 0)
    with store.open(verify=True) as index:
        expected = encoder.encode_passages(list(index.passages))
        np.testing.assert_array_equal(index.embeddings[:], expected)


def test_a_shard_cut_short_is_embedded_again(store, tmp_path, monkeypatch):
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(40)})
    with pytest.raises(KeyboardInterrupt):
        build_index(store, Dying(35), [path], version="1")
    (shelf,) = (store.root / "default/unfinished").iterdir()
    shard = shelf / "embeddings-0.npy"
    shard.write_bytes(shard.read_bytes()[:-4])
    assert build_index(store, HashEncoder(), [path], version="1").resumed == 16


@pytest.mark.parametrize("shelved", ["embeddings-0.npy", "embeddings-0.npy.0"])
def test_a_damaged_shard_is_embedded_again(store, tmp_path, monkeypatch, shelved):
    """Of its shape, but with a bit that fell over while the build lay there."""
    monkeypatch.setattr("ragcli.store.tables.PIECE_SECONDS", 0.0)
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    monkeypatch.setattr("ragcli.indexing.assemble._BLOCK", 8)
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(40)})
    build_index(store, HashEncoder(), [path], version="whole", name="other")
    with pytest.raises(KeyboardInterrupt):
        build_index(store, Dying(35 if shelved.endswith("npy") else 10), [path], version="1")
    (shelf,) = (store.root / "default/unfinished").iterdir()
    data = bytearray((shelf / shelved).read_bytes())
    data[150] ^= 4
    (shelf / shelved).write_bytes(data)
    resumed = build_index(store, HashEncoder(), [path], version="1").resumed
    assert resumed == (16 if shelved.endswith("npy") else 0)
    with store.open("@1", verify=True) as index, store.open("other") as expected:
        np.testing.assert_array_equal(index.vectors(slice(None)), expected.vectors(slice(None)))


def test_an_empty_corpus_is_no_update(store, tmp_path):
    build_index(store, HashEncoder(), [write(tmp_path / "a.jsonl", {"a": "x"})], version="1")
    (tmp_path / "none").mkdir()
    with pytest.raises(CorpusError, match="no documents"):
        update_index(store, HashEncoder(), [str(tmp_path / "none")], version="2")
    assert store.versions("default") == ["1"]


def test_shards_left_after_publishing_are_not_linked_twice(store, tmp_path, monkeypatch):
    """A kill after the rename leaves the shelf: its files are those of the version itself."""
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(9)})
    build_index(store, HashEncoder(), [path], version="1")
    real, first = BuildFolder.shelf, store.versions_folder("default") / "1"

    def shelf(self, key):
        found = real(self, key)
        os.link(first / "embeddings-0.npy", found / "embeddings-0.npy")
        return found

    monkeypatch.setattr(BuildFolder, "shelf", shelf)
    report = build_index(store, HashEncoder(), [path], version="2")
    assert report.resumed == 9
    assert sorted(os.listdir(first)) == sorted(os.listdir(first.parent / "2"))


def test_the_name_of_a_deleted_file_is_no_longer_a_source(store, tmp_path):
    (tmp_path / "peru.txt").write_text("Lima is the capital of Peru .")
    (tmp_path / "chile.txt").write_text("Santiago is the capital of Chile .")
    paths = [str(tmp_path / "peru.txt"), str(tmp_path / "chile.txt")]
    build_index(store, HashEncoder(), paths, version="1")
    report = delete_documents(store, ["peru.txt"], version="2")
    assert report.manifest.sources == (paths[1],)


def test_passage_shards_grow_so_that_there_are_never_many(store, tmp_path, monkeypatch):
    from ragcli.store import tables as passage_table

    monkeypatch.setattr(passage_table, "SHARD_ROWS", 2)
    monkeypatch.setattr(passage_table, "_SHARDS_OF_A_SIZE", 2)
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(30)})
    build_index(store, HashEncoder(), [path], version="1")
    with store.open("@1") as index:
        assert index.passages.sizes == [2, 2, 4, 4, 8, 8, 2]
        assert [p.document_id for p in index.passages] == [f"d{n}" for n in range(30)]


class Slow(Dying):
    """Takes a while for each block, and gives up after a number of passages."""

    def encode_passages(self, passages, batch_size=32, progress=None):
        self.clock[0] += 25.0
        self.blocks.append([passage.document_id for passage in passages])
        return super().encode_passages(passages, batch_size, progress)


def test_a_slow_shard_is_finished_in_pieces_of_a_minute(store, tmp_path, monkeypatch):
    """At 10 passages in 25 seconds a minute is three blocks; the fourth was lost at passage 45."""
    monkeypatch.setattr("ragcli.indexing.assemble._BLOCK", 10)
    clock = [0.0]
    monkeypatch.setattr("ragcli.store.tables.time.monotonic", lambda: clock[0])
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(95)})

    def slow(after):
        encoder = Slow(after)
        encoder.clock, encoder.blocks = clock, []
        return encoder

    def shelved():
        (shelf,) = (store.root / "default/unfinished").iterdir()
        return sorted(os.listdir(shelf))

    with pytest.raises(KeyboardInterrupt):
        build_index(store, slow(45), [path], version="1")
    assert shelved() == ["embeddings-0.npy.0"]
    with pytest.raises(KeyboardInterrupt):
        build_index(store, slow(30), [path], version="1")
    assert shelved() == ["embeddings-0.npy.0", "embeddings-0.npy.3"]
    (shelf,) = (store.root / "default/unfinished").iterdir()
    first = shelf / "embeddings-0.npy.0"
    first.write_bytes(first.read_bytes()[:-4])  # as if the disk had lost its end
    encoder = slow(1000)
    report = build_index(store, encoder, [path], version="1")
    assert (report.resumed, report.embedded) == (30, 65)
    assert [block[0] for block in encoder.blocks] == [
        "d0",
        "d10",
        "d20",
        "d60",
        "d70",
        "d80",
        "d90",
    ]
    assert not (store.root / "default/unfinished").exists()
    monkeypatch.undo()
    monkeypatch.setattr("ragcli.indexing.assemble._BLOCK", 10)
    build_index(store, HashEncoder(), [path], version="whole")
    with store.open("@1", verify=True) as one, store.open("@whole") as two:
        assert one.manifest.files == two.manifest.files


def test_a_quick_shard_is_written_once(store, tmp_path, monkeypatch):
    written = []
    from ragcli.store import tables

    real = tables.write_shard
    monkeypatch.setattr(
        tables, "write_shard", lambda path, *a: (written.append(path), real(path, *a))
    )
    path = write(tmp_path / "a.jsonl", {f"d{n}": f"unlike{n}" for n in range(600)})
    build_index(store, HashEncoder(), [path], version="1")
    assert [path.name for path in written] == ["embeddings-0.npy"]
