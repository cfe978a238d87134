"""DPR's passages and embeddings become an index version; what does not fit is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from ragcli.errors import CorpusError, EncoderMismatchError, RagError
from ragcli.indexing.build import build_index
from ragcli.indexing.dpr_vectors import read_dpr_embeddings
from ragcli.indexing.import_dpr import import_dpr
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


def crafted(state: str) -> bytes:
    """An array with a state of one's own, as `pickle.loads` would hand it to numpy."""
    opcodes = "]cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85C\x01btR"
    return b"\x80\x02" + opcodes.encode("latin1") + state.encode("latin1") + b"ba."


def test_memory_of_our_own_cannot_be_read(tmp_path):
    """An object dtype takes eight bytes of the file for an address, and reads from there."""
    dtype = "cnumpy\ndtype\n(X\x02\0\0\0O8\x89\x88tR"
    (tmp_path / "e").write_bytes(crafted(f"(K\x01K\x01\x85{dtype}\x89C\x08AAAAAAAAt"))
    with pytest.raises(CorpusError, match="numbers of type 'O8' have no place"):
        read_dpr_embeddings(tmp_path / "e")


@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8"])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_numbers_are_read_as_pickle_reads_them(tmp_path, protocol, dtype):
    rows = [(f"wiki:{n}", np.random.default_rng(n).normal(size=5).astype(dtype)) for n in range(9)]
    ids, vectors = read_dpr_embeddings(dump(tmp_path / "e", rows, protocol))
    loaded = pickle.loads((tmp_path / "e").read_bytes())
    assert ids == [str(n) for n in range(9)]
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, np.stack([v for _, v in loaded]).astype(np.float32))


@pytest.mark.parametrize("numbers", [np.array(["a"]), np.arange(3), np.array([None]), [1.0, 2.0]])
def test_what_is_no_vector(tmp_path, numbers):
    with pytest.raises(CorpusError, match="not an embedding file of DPR"):
        read_dpr_embeddings(dump(tmp_path / "e", [("1", numbers)]))


def test_one_vector_named_over_and_over_takes_no_memory(tmp_path):
    rows = [("1", np.zeros(1000, np.float32))] * 100_000
    with pytest.raises(CorpusError, match="it names more numbers than it holds"):
        read_dpr_embeddings(dump(tmp_path / "e", rows))


def test_every_broken_file_is_one_error(tmp_path):
    whole = pickle.dumps([(f"{n}", np.ones(3, np.float32)) for n in range(3)], 4)
    rng = np.random.default_rng(0)
    for _ in range(2000):
        data = bytearray(whole)
        for at in rng.integers(len(data), size=2):
            data[at] = rng.integers(256)
        (tmp_path / "e").write_bytes(data)
        try:
            ids, vectors = read_dpr_embeddings(tmp_path / "e")
        except CorpusError:
            continue
        assert vectors.shape == (len(ids), 3)
