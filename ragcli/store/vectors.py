"""The FAISS file that searches the stored embeddings, and the exact scores of what it finds.

The metric is the inner product, always. The stored embeddings stay beside the FAISS file, so that
scores are exact and ordered the same on every run, whatever the FAISS type keeps of a vector.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.errors import CorruptIndexError, SettingsError
from ragcli.protocols import Floats, Ints, Progress
from ragcli.store.files import nobody, replacing, unreadable
from ragcli.store.index_types import factory_string, type_names
from ragcli.store.manifest import Recall
from ragcli.store.shards import Embeddings

Vectors = Floats | Embeddings

_BLOCK = 16_384
TRAINING_ROWS = 131_072
_SPARE = 32
_RECALL_K = 5
_QUERIES = 100


def faiss_factory(type: str, count: int, dimension: int) -> str:
    """What `factory_string` gives, if FAISS takes it."""
    factory = factory_string(type, count, dimension)
    _make(factory, dimension)
    return factory


def faiss_bytes(factory: str, count: int, dimension: int) -> int:
    """The size of the FAISS file of a factory string, but for a few hundred bytes."""
    size, index = 0, _make(factory, dimension)  # layers live as long as the index
    for layer in _layers(index):
        size += count * int(getattr(layer, "code_size", 0))
        if hasattr(layer, "hnsw"):  # links in the ground layer and above, and two offsets
            links = layer.hnsw.nb_neighbors(1)
            size += int(count * (4 * (2 * links + links / (links - 1)) + 4 + 8))
        if hasattr(layer, "nlist"):  # an id for each passage, and the centres
            size += 8 * count + 4 * dimension * int(layer.nlist)
        if hasattr(layer, "pq"):
            size += 4 * dimension * int(layer.pq.ksub)
    return size


def _make(factory: str, dimension: int) -> Any:
    import faiss

    try:
        index = faiss.index_factory(dimension, factory, faiss.METRIC_INNER_PRODUCT)
    except RuntimeError as error:
        raise _bad_factory(factory, _reason(error)) from None
    if not uses_inner_product(index):
        raise _bad_factory(factory, "it does not search by inner product")
    return index


def _bad_factory(factory: str, reason: str) -> SettingsError:
    hint = f"one of {', '.join(type_names())}, or a FAISS factory string that adds without ids"
    return SettingsError(f"the index type {factory!r} cannot be used: {reason}", hint)


def _reason(error: Exception) -> str:
    """What FAISS says, without where in its code it stood."""
    return str(error).rsplit(": ", 1)[-1]


def _layers(index: Any) -> Iterator[Any]:
    """A FAISS index and those inside it that hold or search vectors."""
    import faiss

    index = faiss.downcast_index(index)
    yield index
    for name in ("index", "base_index", "storage"):
        inner = getattr(index, name, None)
        if isinstance(inner, faiss.Index):
            yield from _layers(inner)


def uses_inner_product(index: Any) -> bool:
    """Whether every layer of a FAISS index has the inner product as its metric."""
    import faiss

    return all(layer.metric_type == faiss.METRIC_INNER_PRODUCT for layer in _layers(index))


def build_faiss(
    embeddings: Vectors, factory: str, seed: int, path: Path, progress: Progress = nobody
) -> None:
    """Make the FAISS file from stored embeddings (count, dimension), added in blocks.

    Types that learn (IVF, PQ, SQ8) are trained on a sample drawn with `seed`. Graphs are built by
    one thread, so that the same embeddings give the same graph; NSG takes all vectors at once.
    """
    import faiss

    count, dimension = embeddings.shape
    index = _make(factory, dimension)
    _prepare(index, seed)
    threads = faiss.omp_get_max_threads()
    try:
        if not index.is_trained:
            drawn = min(count, TRAINING_ROWS)
            rows = np.random.default_rng(seed).choice(count, drawn, replace=False)
            index.train(np.ascontiguousarray(embeddings[np.sort(rows)]))
        if any(hasattr(layer, "hnsw") for layer in _layers(index)):
            faiss.omp_set_num_threads(1)
        size = count if any(hasattr(layer, "nsg") for layer in _layers(index)) else _BLOCK
        for start in range(0, count, size):
            block = np.ascontiguousarray(embeddings[start : start + size])
            index.add(block)
            progress(len(block))
    except RuntimeError as error:
        raise _bad_factory(factory, _reason(error)) from None
    finally:
        faiss.omp_set_num_threads(threads)
    library: Any = faiss  # its type stubs leave the writer out
    with replacing(path) as stream:  # FAISS's own file would only print that the disk is full
        library.write_index(index, library.PyCallbackIOWriter(stream.write))


def _prepare(index: Any, seed: int) -> None:
    """Seed every clustering, and switch off what costs time here without any use."""
    for layer in _layers(index):
        for holder in (layer, getattr(layer, "pq", None)):
            clustering = getattr(holder, "cp", None)
            if clustering is not None:
                clustering.seed = seed
                clustering.min_points_per_centroid = 1  # no warnings on stderr for small corpora
                # Candidates are ranked by exact scores, so coarser codes do and take minutes less.
                clustering.max_points_per_centroid = 64
                clustering.niter = 10
        if hasattr(layer, "do_polysemous_training"):
            layer.do_polysemous_training = False  # minutes of annealing for a search we never use
        if hasattr(layer, "hnsw"):
            layer.hnsw.efConstruction = 128


def open_faiss(path: Path) -> Any:
    """The FAISS index of a version, memory-mapped where its type allows."""
    import faiss

    flags = getattr(faiss, "IO_FLAG_MMAP_IFC", faiss.IO_FLAG_MMAP)
    try:
        open(path, "rb").close()  # FAISS does not tell why it cannot
        return faiss.read_index(str(path), flags)
    except OSError as error:
        raise unreadable(path, error) from None
    except (RuntimeError, MemoryError) as error:  # sizes in a damaged header may be any
        raise CorruptIndexError(f"{path}: FAISS cannot read it: {_reason(error)}") from None


def search(index: Any, queries: Floats, k: int) -> tuple[Floats, Ints]:
    """FAISS's own top-k, as it gives it: scores (n, k) and rows (n, k), −1 where it found none.

    Approximate types look further the larger k is. The index stays as it is: threads can share it.
    """
    # NSG takes no parameters but the number asked for, and never ends if there are not so many.
    graph = any(hasattr(layer, "nsg") for layer in _layers(index))
    size = min(index.ntotal, max(64, 2 * k)) if graph else k
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    scores, rows = index.search(queries, size, params=_parameters(index, k))
    return scores[:, :k], rows[:, :k]


def _parameters(index: Any, k: int) -> Any:
    """How far a search for k passages looks in an index and those inside it, None for all of it."""
    import faiss

    library: Any = faiss  # its type stubs leave most of them out
    index = library.downcast_index(index)
    if isinstance(index, library.IndexPreTransform):
        return library.SearchParametersPreTransform(index_params=_parameters(index.index, k))
    if isinstance(index, library.IndexRefine):
        inner = _parameters(index.base_index, k)
        return library.IndexRefineSearchParameters(k_factor=index.k_factor, base_index_params=inner)
    if isinstance(index, library.IndexHNSW):
        return library.SearchParametersHNSW(efSearch=max(64, 2 * k))
    if isinstance(index, library.IndexIVF):
        lists = index.nlist
        expected = math.ceil(4 * k * lists / max(1, index.ntotal))
        return library.SearchParametersIVF(nprobe=min(lists, max(32, lists // 16, expected)))
    inner = getattr(index, "index", None)  # of a wrapper that hands its parameters on
    return _parameters(inner, k) if isinstance(inner, library.Index) else None


def top_k(embeddings: Vectors, index: Any, queries: Floats, k: int) -> tuple[Floats, Ints]:
    """The top-k of each query: candidates from a FAISS index, ranked by exact scores."""
    _, rows = search(index, queries, candidates_for(k, len(embeddings)))
    return rank(embeddings, queries, rows, k)


def candidates_for(k: int, count: int) -> int:
    """How many candidates to ask FAISS for: more than k, as compressed vectors rank roughly."""
    return min(count, 4 * k + _SPARE)


def rank(embeddings: Vectors, queries: Floats, rows: Ints, k: int) -> tuple[Floats, Ints]:
    """The best k of each query's candidates by exact inner product d(z)·q(x).

    `embeddings` (count, d), `queries` (n, d), candidate `rows` (n, m), −1 for none; returns scores
    and rows (n, k), the largest score first and the lower row first among equals. Where fewer than
    k candidates were found, all stored embeddings are scored instead.
    """
    missing = rows < 0
    found = embeddings[np.where(missing, 0, rows)].astype(np.float64)
    scores = np.einsum("nmd,nd->nm", found, queries.astype(np.float64)).astype(np.float32)
    scores[missing] = -np.inf
    best_scores, best_rows = _best(scores, rows, k)
    if (short := (~missing).sum(axis=1) < k).any():
        best_scores[short], best_rows[short] = exact(embeddings, queries[short], k)
    return best_scores, best_rows


def exact(embeddings: Vectors, queries: Floats, k: int) -> tuple[Floats, Ints]:
    """The top-k of each query as `rank` gives it, by scoring every row, block by block."""
    kept = k + _SPARE  # these scores are rounded otherwise than those of `rank`
    scores = np.full((len(queries), kept), -np.inf, np.float32)
    rows = np.full((len(queries), kept), -1, np.int64)
    for start in range(0, len(embeddings), _BLOCK):
        block = queries @ embeddings[start : start + _BLOCK].T
        better = np.flatnonzero((block > scores[:, -1:]).any(axis=0))
        numbers = np.broadcast_to(start + better, (len(queries), len(better)))
        scores = np.concatenate([scores, block[:, better]], axis=1)
        scores, rows = _best(scores, np.concatenate([rows, numbers], axis=1), kept)
    return rank(embeddings, queries, rows, k)


def measure_recall(embeddings: Vectors, index: Any, seed: int) -> Recall:
    """recall@5 of a FAISS index over `embeddings`, with up to 100 of them as queries.

    A passage whose score equals the 5th best counts as found: between equals there is no order.
    """
    count = len(embeddings)
    k = min(_RECALL_K, count)
    drawn = np.random.default_rng(seed).choice(count, min(count, _QUERIES), replace=False)
    queries = np.array(embeddings[np.sort(drawn)])
    found, _ = top_k(embeddings, index, queries, k)
    best, _ = exact(embeddings, queries, k)
    tolerance = 1e-6 * np.maximum(1.0, np.abs(best[:, -1:]))
    share = float((found >= best[:, -1:] - tolerance).mean())
    return Recall(k, len(queries), round(share, 4))


def _best(scores: Floats, rows: Ints, k: int) -> tuple[Floats, Ints]:
    """The k largest scores of each row, and the lower row first among equals."""
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)
