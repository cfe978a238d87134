"""DPR's passages and embeddings become an index version; what does not fit is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from ragcli.errors import CorpusError, EncoderMismatchError, RagError
from ragcli.indexing.build import build_index
from ragcli.indexing.import_dpr import import_dpr, read_dpr_embeddings
from ragcli.indexing.update import update_index
from ragcli.settings import Chunking
from ragcli.store.store import Store
from tests.fakes import HashEncoder

ROWS = [(str(n), f"city{n} is the capital of country{n}", f"Country {n}") for n in range(1, 8)]


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def passages(tmp_path) -> str:
    lines = ["id\ttext\ttitle", *('{}\t"{}"\t{}'.format(*row) for row in ROWS)]
    path = tmp_path / "psgs_w100.tsv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def vectors(store, passages):
    """What a build from nothing gives, by id."""
    build_index(store, HashEncoder(), [passages], version="whole")
    with store.open() as index:
        return {
            p.document_id: np.array(v)
            for p, v in zip(index.passages, index.embeddings[:], strict=True)
        }


def dump(path, rows, protocol=4):
    path.write_bytes(pickle.dumps(rows, protocol))
    return path


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_two_files_in_any_order(store, passages, vectors, tmp_path, protocol):
    rows = [(f"wiki:{id}", vector) for id, vector in reversed(vectors.items())]
    files = [
        dump(tmp_path / f"embeddings_{n}", part, protocol)
        for n, part in enumerate((rows[:3], rows[3:]))
    ]
    report = import_dpr(store, HashEncoder(), passages, files, version="dpr")
    assert (report.passages, report.embedded, report.manifest.origin.how) == (7, 0, "dpr")
    with store.open("@dpr", verify=True) as one, store.open("@whole") as two:
        assert list(one.passages) == list(two.passages)
        np.testing.assert_array_equal(one.embeddings[:], two.embeddings[:])
    again = update_index(store, HashEncoder(), [passages], "@dpr", version="next")
    assert (again.embedded, again.manifest.origin.changed) == (0, 0)


def test_a_long_row_is_one_passage(store, tmp_path):
    path = tmp_path / "p.tsv"
    path.write_text("id\ttext\ttitle\n1\t" + "word " * 130 + "\tT\n")
    build_index(store, HashEncoder(), [str(path)], version="b", chunking=Chunking(200))
    with store.open() as index:
        rows = [("1", np.array(index.embeddings[0]))]
    report = import_dpr(store, HashEncoder(), str(path), [dump(tmp_path / "e", rows)], version="d")
    assert (report.passages, report.manifest.chunking) == (1, Chunking(130))


def test_vectors_and_passages_must_agree(store, passages, vectors, tmp_path):
    rows = list(vectors.items())
    cases = [
        (rows[:-1], CorpusError, "no vector for the passage '7'"),
        ([*rows, ("99", rows[0][1])], CorpusError, "1 vectors without a passage"),
        ([*rows, rows[0]], CorpusError, "a second vector for the passage '1'"),
        ([(id, v[:8]) for id, v in rows], EncoderMismatchError, "8 dimensions, the encoder has 16"),
        ([(id, -v) for id, v in rows], EncoderMismatchError, "differs from its stored vector"),
        ([(id, v * np.nan) for id, v in rows], CorpusError, "not rows of finite numbers"),
        ({"1": 2}, CorpusError, "not an embedding file of DPR"),
        ([], CorpusError, "not an embedding file of DPR"),
    ]
    for content, error, message in cases:
        with pytest.raises(error, match=message):
            import_dpr(store, HashEncoder(), passages, [dump(tmp_path / "e", content)], version="x")
        assert store.versions("default") == ["whole"]


class Evil:
    def __reduce__(self):
        import os

        return (os.system, ("touch evil",))


@pytest.mark.parametrize("content", [Evil(), [("1", Evil())]])
def test_a_pickle_that_wants_to_run_something(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError, match="has no place in an embedding file"):
        read_dpr_embeddings(dump(tmp_path / "e", content))
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x80\x04."])
def test_what_is_no_pickle(tmp_path, content):
    (tmp_path / "e").write_bytes(content)
    with pytest.raises(RagError, match="not an embedding file of DPR"):
        read_dpr_embeddings(tmp_path / "e")
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        read_dpr_embeddings(tmp_path / "nothing")
