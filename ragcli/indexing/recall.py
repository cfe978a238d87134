"""recall@k: how much of the exact top-k a search finds, measured on stored passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcli.store.manifest import Recall

if TYPE_CHECKING:
    from ragcli.store.embeddings import Floats, Rows, Vectors

RECALL_K = 5
_QUERIES = 100


def measure_recall(embeddings: Vectors, index: Any, seed: int, k: int = RECALL_K) -> Recall:
    """recall@k of a FAISS index over `embeddings`, with up to 100 of them as queries.

    The search is the one that questions get: candidates from FAISS, ranked by exact scores.
    """
    import numpy as np

    count = len(embeddings)
    drawn = np.random.default_rng(seed).choice(count, min(count, _QUERIES), replace=False)
    queries = np.array(embeddings[np.sort(drawn)])
    return Recall(k := min(k, count), len(queries), round(recall(embeddings, index, queries, k), 4))


def recall(embeddings: Vectors, index: Any, queries: Floats, k: int) -> float:
    """The share of the exact top-k of `queries` (n, d) that the search through `index` finds.

    A passage whose score equals the k-th best counts as found: between equals there is no order.
    """
    import numpy as np

    from ragcli.store import vectors
    from ragcli.store.ranking import candidates_for, rank

    _, candidates = vectors.search(index, queries, candidates_for(k, len(embeddings)))
    scores, _ = rank(embeddings, queries, candidates, k)
    exact, _ = rank(embeddings, queries, exact_rows(embeddings, queries, k), k)
    tolerance = 1e-6 * np.maximum(1.0, np.abs(exact[:, -1:]))
    return float((scores >= exact[:, -1:] - tolerance).mean())


def exact_rows(embeddings: Vectors, queries: Floats, k: int) -> Rows:
    """Rows (n, k + a few) that hold the exact top-k of each query, by scoring every row."""
    import numpy as np

    k = min(len(embeddings), k + 16)
    best_rows = np.empty((len(queries), 0), np.int64)
    best = np.empty((len(queries), 0), np.float32)
    for start in range(0, len(embeddings), _BLOCK):
        scores = queries @ embeddings[start : start + _BLOCK].T
        rows = np.broadcast_to(np.arange(start, start + scores.shape[1]), scores.shape)
        best = np.concatenate([best, scores], axis=1)
        best_rows = np.concatenate([best_rows, rows], axis=1)
        if best.shape[1] > k:
            top = np.argpartition(-best, k - 1, axis=1)[:, :k]
            best = np.take_along_axis(best, top, axis=1)
            best_rows = np.take_along_axis(best_rows, top, axis=1)
    return best_rows


_BLOCK = 16_384
