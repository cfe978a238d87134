"""From documents to a published version."""

import hashlib
import json
import math

import numpy as np
import pytest

from ragcli import __version__
from ragcli.core.chunking import passages
from ragcli.corpus.read import LeftOut, read_documents
from ragcli.errors import CorpusError, ModelError, SettingsError, VersionExistsError
from ragcli.indexing.build import build_index
from ragcli.indexing.update import update_index
from ragcli.settings import Chunking, Indexing
from ragcli.store.store import Current, Store
from tests.fakes import HashEncoder


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "store", patience=0.2)


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "peru.md").write_text("# Peru\n\n" + " ".join(f"llama{n}" for n in range(25)))
    (folder / "chile.txt").write_text("Santiago is the capital of Chile.")
    (folder / "map.png").write_bytes(b"\x89PNG\0")
    return folder


class Recorder:
    def __init__(self) -> None:
        self.phases: list[tuple[str, int | None]] = []
        self.steps: list[int] = []

    def phase(self, name: str, total: int | None) -> None:
        self.phases.append((name, total))
        self.steps.append(0)

    def advance(self, count: int) -> None:
        self.steps[-1] += count


def test_a_build_from_beginning_to_end(store, docs):
    encoder, progress = HashEncoder(16), Recorder()
    report = build_index(
        store, encoder, [str(docs)], version="2018", chunking=Chunking(10), progress=progress
    )
    assert (report.name, report.version, report.active) == ("default", "2018", True)
    assert (report.documents, report.passages, report.words) == (2, 4, 31)
    assert report.left_out == LeftOut(ignored={".png": 1})
    assert report.seconds > 0
    assert progress.phases == [("reading", None), ("embedding", 4), ("indexing", 4)]
    assert progress.steps == [2, 4, 4]
    expected = [
        passage
        for document in read_documents([str(docs)])
        for passage in passages(document, Chunking(10))
    ]
    with store.open(verify=True) as index:
        assert list(index.passages) == expected
        np.testing.assert_array_equal(index.embeddings, encoder.encode_passages(expected))
        assert index.manifest == report.manifest


def test_the_manifest_says_how_it_was_built(store, docs):
    manifest = build_index(
        store,
        HashEncoder(16),
        [str(docs)],
        chunking=Chunking(10),
        indexing=Indexing("hnsw", seed=3),
    ).manifest
    assert manifest.ragcli == __version__
    assert manifest.encoder == HashEncoder(16).settings
    assert manifest.chunking == Chunking(10)
    assert (manifest.type, manifest.factory, manifest.seed) == ("hnsw", "HNSW32,Flat", 3)
    assert (manifest.dimension, manifest.metric) == (16, "inner_product")
    assert manifest.sources == (str(docs),)
    with store.open() as index:
        digest = hashlib.sha256()
        for passage in index.passages:
            digest.update(f"{passage.id}\0{passage.digest}\n".encode())
    assert manifest.corpus_digest == digest.hexdigest()


def test_equal_corpora_have_equal_digests_wherever_they_lie(store, docs, tmp_path):
    other = tmp_path / "elsewhere"
    docs.rename(tmp_path / "copy")
    (tmp_path / "copy").rename(other)
    first = build_index(store, HashEncoder(), [str(other)], version="1").manifest
    second = build_index(store, HashEncoder(), [str(other)], version="2").manifest
    (other / "chile.txt").write_text("Valparaíso is not the capital of Chile.")
    third = build_index(store, HashEncoder(), [str(other)], version="3").manifest
    assert first.corpus_digest == second.corpus_digest != third.corpus_digest
    assert first.files == second.files


def test_blocks_do_not_change_the_result(store, docs, monkeypatch):
    build_index(store, HashEncoder(), [str(docs)], version="1", chunking=Chunking(2))
    monkeypatch.setattr("ragcli.indexing.assemble._BLOCK", 3)
    build_index(store, HashEncoder(), [str(docs)], version="2", chunking=Chunking(2))
    with store.open("@1") as one, store.open("@2") as two:
        np.testing.assert_array_equal(one.embeddings, two.embeddings)
        assert len(one) == 16


def test_not_activated_and_then_activated(store, docs):
    build_index(store, HashEncoder(), [str(docs)], version="1")
    build_index(store, HashEncoder(), [str(docs)], version="2", activate=False)
    assert store.current("default") == Current("1")
    build_index(store, HashEncoder(), [str(docs)], version="3")
    assert store.current("default") == Current("3", "1")


def test_a_bad_document_stops_the_build_or_is_reported(store, docs):
    (docs / "bad.txt").write_bytes(b"caf\xe9")
    with pytest.raises(CorpusError, match=r"bad\.txt:1: byte 0xe9"):
        build_index(store, HashEncoder(), [str(docs)])
    assert store.names() == []
    report = build_index(store, HashEncoder(), [str(docs)], on_error="skip")
    assert report.documents == 2
    assert [problem.line for problem in report.left_out.problems] == [1]


def test_a_path_may_be_a_string_a_path_or_several(store, docs):
    for version, paths in {"1": str(docs), "2": docs, "3": iter([docs])}.items():
        report = build_index(store, HashEncoder(), paths, version=version)
        assert (report.documents, report.manifest.sources) == (2, (str(docs),))
    report = update_index(store, HashEncoder(), docs, version="4")
    assert (report.embedded, report.manifest.sources) == (0, (str(docs),))


def test_an_empty_corpus_leaves_no_version(store, tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(CorpusError, match="no documents"):
        build_index(store, HashEncoder(), [str(tmp_path / "none")])
    assert store.names() == []


def test_bad_settings_are_found_before_any_work(store, docs, monkeypatch):
    monkeypatch.setattr("ragcli.indexing.build.read_documents", None)  # must not be called
    with pytest.raises(SettingsError, match="the index type 'bogus' cannot be used"):
        build_index(store, HashEncoder(), [str(docs)], indexing=Indexing("bogus"))
    with pytest.raises(ModelError, match="encodes queries only"):
        build_index(store, HashEncoder(document_digest=""), [str(docs)])
    assert not store.root.exists()


def test_a_version_that_exists_is_found_before_any_work(store, docs, monkeypatch):
    build_index(store, HashEncoder(), [str(docs)], version="1")
    monkeypatch.setattr("ragcli.indexing.build.read_documents", None)  # must not be called
    with pytest.raises(VersionExistsError):
        build_index(store, HashEncoder(), [str(docs)], version="1")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.zeros((2, 8), np.float32), r"embeddings of shape \(2, 8\) for 2 passages of 16"),
        (np.zeros((1, 16), np.float32), r"embeddings of shape \(1, 16\) for 2 passages"),
        (
            np.array([[0.0] * 16, [math.nan] + [0.0] * 15], np.float32),
            r"not finite for passage peru\.md#0",
        ),
    ],
)
def test_an_encoder_that_returns_nonsense(store, docs, monkeypatch, returned, message):
    monkeypatch.setattr(HashEncoder, "encode_passages", lambda *_: returned)
    with pytest.raises(ModelError, match=message):
        build_index(store, HashEncoder(), [str(docs)])
    assert store.names() == []


@pytest.mark.parametrize("type", ["flat", "hnsw", "sq8", "ivf", "pq", "PCA8,Flat"])
def test_every_type_answers_alike(store, tmp_path, type):
    path = tmp_path / "facts.jsonl"
    lines = [{"text": f"fact number{n} of topic{n % 7}"} for n in range(400)]
    path.write_text("\n".join(map(json.dumps, lines)))
    encoder = HashEncoder(32)
    build_index(store, encoder, [str(path)], indexing=Indexing(type))
    queries = encoder.encode_queries([f"number{n} topic{n % 7}" for n in range(0, 400, 25)])
    with store.open() as index:
        scores, rows = index.search(queries, 1)
        exact = queries @ np.asarray(index.embeddings).T
    assert rows[:, 0].tolist() == exact.argmax(axis=1).tolist()
    np.testing.assert_allclose(scores[:, 0], exact.max(axis=1), rtol=1e-5)
