"""Embeddings and words at once: the mean of both scores, as logits of p(z|x)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ragcli.answering.bm25 import Bm25
from ragcli.answering.retrieval import best_rows, require_questions, retrieved
from ragcli.records import RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session

_SPARE = 50
"""How many passages each side brings beyond the top-k."""


class Hybrid:
    """The normalised geometric mean of the two priors, so a passage must please both.

    Each side names its best k and some more; every passage named is scored exactly by both.
    """

    encodes = True

    def __init__(self, session: Session) -> None:
        self._session, self._bm25 = session, Bm25(session)

    def available(self, top_k: int) -> int:
        return min(top_k, len(self._session.index))

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        if not questions:
            return []
        index, encoder = self._session.index, self._session.encoder
        wide = self.available(top_k + _SPARE)
        queries = encoder.encode_queries(questions)
        _, named = index.search(queries, wide)
        found = []
        for question, query, near in zip(questions, queries, named, strict=True):
            sparse = self._bm25.scores(question)
            rows = np.union1d(near, best_rows(sparse, wide))
            stored = np.asarray(index.vectors(rows), dtype=np.float64)
            dense = encoder.settings.score_scale * (stored @ query.astype(np.float64))
            mean = (dense + sparse[rows]) / 2
            best = best_rows(mean, self.available(top_k))
            found.append(retrieved(index, rows[best], mean[best]))
        return found
