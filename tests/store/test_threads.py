"""Eight threads that share a version find and read what one thread does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import faiss
import numpy as np
import pytest

from ragcli.core.chunking import passages
from ragcli.records import Document
from ragcli.settings import Chunking
from ragcli.store.passages import ORIGIN, PASSAGE, Passages, Writer, row_of
from ragcli.store.shards import Embeddings, write_shard
from ragcli.store.vectors import build_faiss, faiss_factory, open_faiss, search

THREADS, COUNT, DIMENSION = 8, 3000, 24
KS = (1, 5, 40, 52, 130, 400, 1000, COUNT)
COMPOSED = ("PCA16,HNSW16,Flat", "IVF64,PQ6x4,RFlat", "PCA16,IVF32_HNSW8,SQ8", "NSG16,Flat")


def vectors(count: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    drawn = generator.standard_normal((count, DIMENSION)).astype(np.float32)
    return drawn * generator.uniform(0.5, 2.0, (count, 1)).astype(np.float32)


def opened(folder: Path, type: str) -> Any:
    embeddings = vectors(COUNT, 1)
    build_faiss(embeddings, faiss_factory(type, *embeddings.shape), 0, folder / "index.faiss")
    return open_faiss(folder / "index.faiss")


def together(work: Callable[[int], Any]) -> list[Any]:
    """What `work` gives for 0 … 7, each in a thread of its own that begins with the others."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> Any:
        barrier.wait(30)
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


@pytest.mark.parametrize("type", ["flat", "hnsw", "ivf", "pq", "sq8", *COMPOSED])
def test_threads_search_with_different_k(tmp_path, type):
    index, queries = opened(tmp_path, type), vectors(10, 2)
    alone = [search(index, queries, k) for k in KS]

    def work(number: int) -> None:
        for turn in range(len(KS)):
            which = (number + turn) % len(KS)
            scores, rows = search(index, queries, KS[which])
            np.testing.assert_array_equal(scores, alone[which][0])
            np.testing.assert_array_equal(rows, alone[which][1])

    together(work)


def layers(index: Any) -> list[Any]:
    """An index and those inside it."""
    index = faiss.downcast_index(index)
    inner = [getattr(index, name, None) for name in ("index", "base_index")]
    return [index] + [found for layer in inner if layer is not None for found in layers(layer)]


def settings(index: Any) -> list[int]:
    """What FAISS searches by if it is told nothing else."""
    found = []
    for layer in layers(index):
        found += [layer.hnsw.efSearch] if hasattr(layer, "hnsw") else []
        found += [layer.nsg.search_L] if hasattr(layer, "nsg") else []
        found += [layer.nprobe] if hasattr(layer, "nprobe") else []
    return found


@pytest.mark.parametrize("type", ["hnsw", "ivf", *COMPOSED])
def test_a_search_looks_as_far_as_if_the_index_were_set_so_and_changes_nothing(tmp_path, type):
    index, queries = opened(tmp_path, type), vectors(10, 2)
    before = settings(index)
    found = {k: search(index, queries, k) for k in KS}
    assert before
    assert settings(index) == before
    for k in KS:
        for layer in layers(index):
            if hasattr(layer, "hnsw"):
                layer.hnsw.efSearch = max(64, 2 * k)
            if hasattr(layer, "nsg"):
                layer.nsg.search_L = min(COUNT, max(64, 2 * k))
            if hasattr(layer, "nprobe"):
                layer.nprobe = min(layer.nlist, max(32, -(-4 * k * layer.nlist // COUNT)))
        for ours, theirs in zip(found[k], index.search(queries, k), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_threads_read_passages(tmp_path):
    words = " ".join(f"wörd{number}" for number in range(8000))
    made = list(passages(Document("d", "Title", words, "d.txt", 3), Chunking(2)))
    paths = [tmp_path / "a.arrow", tmp_path / "b.arrow"]
    with closing(Writer(tmp_path / "origins", ORIGIN, "zstd")) as origins:
        for path, part in zip(paths, (made[:1500], made[1500:]), strict=True):
            with closing(Writer(path, PASSAGE)) as writer:
                for passage in part:
                    writer.add(row_of(passage))
                    origins.add(row_of(passage))
    stored = Passages(paths, tmp_path / "origins")

    def work(number: int) -> None:
        rows = np.random.default_rng(number).integers(0, len(made), 100)
        assert stored.take(rows) == [made[row] for row in rows]
        assert list(stored) == made

    together(work)


@pytest.mark.parametrize("pread", [True, False])
def test_threads_read_embeddings(tmp_path, monkeypatch, pread):
    """Also where the system cannot read by position, as on Windows."""
    if not pread:
        monkeypatch.delattr("os.pread", raising=False)
    whole = vectors(COUNT, 1)
    shards = []
    for number, part in enumerate(np.split(whole, [1000])):
        shards.append(tmp_path / f"{number}.npy")
        write_shard(shards[-1], part.shape, [part])
    stored = Embeddings(shards)

    def work(number: int) -> None:
        for turn in range(20):
            rows = np.random.default_rng(100 * number + turn).integers(0, COUNT, (5, 40))
            np.testing.assert_array_equal(stored[rows], whole[rows])

    together(work)
