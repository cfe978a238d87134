"""Exact scores from stored embeddings, in an order that is the same on every run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ragcli.store import vectors
from ragcli.store.embeddings import Floats, Vectors
from ragcli.store.manifest import Recall
from ragcli.store.shards import Rows

_BLOCK = 16_384
_SPARE = 32
_RECALL_K = 5
_QUERIES = 100


def search(embeddings: Vectors, index: Any, queries: Floats, k: int) -> tuple[Floats, Rows]:
    """The top-k of each query: candidates from a FAISS index, ranked by exact scores."""
    _, rows = vectors.search(index, queries, candidates_for(k, len(embeddings)))
    return rank(embeddings, queries, rows, k)


def candidates_for(k: int, count: int) -> int:
    """How many candidates to ask FAISS for when the best k are wanted.

    More than k: types that keep a compressed vector rank roughly, and the true order is found among
    the candidates by their exact scores.
    """
    return min(count, 4 * k + _SPARE)


def rank(embeddings: Vectors, queries: Floats, rows: Rows, k: int) -> tuple[Floats, Rows]:
    """The best k of each query's candidates by exact inner product d(z)·q(x).

    `embeddings` (count, d), `queries` (n, d), candidate `rows` (n, m), −1 for none; returns scores
    and rows (n, k), the largest score first and the lower row first among equals. Where fewer than
    k candidates were found (an approximate type came back short), all stored embeddings of the
    index are scored instead, so the answer is complete.
    """
    missing = rows < 0
    found = embeddings[np.where(missing, 0, rows)].astype(np.float64)
    scores = np.einsum("nmd,nd->nm", found, queries.astype(np.float64)).astype(np.float32)
    scores[missing] = -np.inf
    best_scores, best_rows = _best(scores, rows, k)
    if (short := (~missing).sum(axis=1) < k).any():
        best_scores[short], best_rows[short] = exact(embeddings, queries[short], k)
    return best_scores, best_rows


def exact(embeddings: Vectors, queries: Floats, k: int) -> tuple[Floats, Rows]:
    """The top-k of each query as `rank` gives it, by scoring every row, block by block."""
    kept = k + _SPARE  # these scores are rounded otherwise than those of `rank`
    scores = np.full((len(queries), kept), -np.inf, np.float32)
    rows = np.full((len(queries), kept), -1, np.int64)
    for start in range(0, len(embeddings), _BLOCK):
        block = queries @ embeddings[start : start + _BLOCK].T
        better = np.flatnonzero((block > scores[:, -1:]).any(axis=0))
        numbers = np.broadcast_to(start + better, (len(queries), len(better)))
        scores, rows = _best(
            np.concatenate([scores, block[:, better]], axis=1),
            np.concatenate([rows, numbers], axis=1),
            kept,
        )
    return rank(embeddings, queries, rows, k)


def measure_recall(embeddings: Vectors, index: Any, seed: int) -> Recall:
    """recall@5 of a FAISS index over `embeddings`, with up to 100 of them as queries.

    A passage whose score equals the 5th best counts as found: between equals there is no order.
    """
    count = len(embeddings)
    k = min(_RECALL_K, count)
    drawn = np.random.default_rng(seed).choice(count, min(count, _QUERIES), replace=False)
    queries = np.array(embeddings[np.sort(drawn)])
    found, _ = search(embeddings, index, queries, k)
    best, _ = exact(embeddings, queries, k)
    tolerance = 1e-6 * np.maximum(1.0, np.abs(best[:, -1:]))
    share = float((found >= best[:, -1:] - tolerance).mean())
    return Recall(k, len(queries), round(share, 4))


def _best(scores: Floats, rows: Rows, k: int) -> tuple[Floats, Rows]:
    """The k largest scores of each row, and the lower row first among equals."""
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)
