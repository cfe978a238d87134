"""Exact scores from stored embeddings, in an order that is the same on every run."""

from __future__ import annotations

import numpy as np

from ragcli.store.embeddings import Floats, Rows, Vectors

_BLOCK = 65_536
_SPARE = 32


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
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    best_scores = np.take_along_axis(scores, order, axis=1)
    best_rows = np.take_along_axis(rows, order, axis=1)
    short = (~missing).sum(axis=1) < k
    for position in np.flatnonzero(short):
        query = queries[position : position + 1]
        candidates = scan(embeddings, query[0], min(len(embeddings), k + _SPARE))[None, :]
        best_scores[position], best_rows[position] = (
            values[0] for values in rank(embeddings, query, candidates, k)
        )
    return best_scores, best_rows


def scan(embeddings: Vectors, query: Floats, k: int) -> Rows:
    """The k rows (k,) with the largest inner product, by scoring every row, block by block."""
    rows = np.empty(0, dtype=np.int64)
    scores = np.empty(0, dtype=np.float32)
    for start in range(0, len(embeddings), _BLOCK):
        block = embeddings[start : start + _BLOCK]
        rows = np.concatenate([rows, np.arange(start, start + len(block))])
        scores = np.concatenate([scores, block @ query])
        best = np.lexsort((rows, -scores))[:k]
        rows, scores = rows[best], scores[best]
    return rows
