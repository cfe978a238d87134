"""Where p(z|x) comes from: embeddings, BM25, both, or nothing at all (the paper's ablations).

Every retriever gives the same records, so the rest of the program does not know which one it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ragcli.answering.retrieve import require_questions, retrieve
from ragcli.core.marginalize import log_prior
from ragcli.errors import SettingsError
from ragcli.protocols import Encoder
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import RetrieverName

if TYPE_CHECKING:
    from ragcli.store.version import IndexVersion

Scores = NDArray[np.float64]
_SPARE = 50
"""How many passages each side of a hybrid brings beyond the top-k."""

NOTHING = Passage("", "", "", "", "", "no passage", 1, 0, 0)
"""The empty passage of the closed-book baseline."""


class Retriever(Protocol):
    """The top-k passages of each question, best first, with log p(z|x)."""

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]: ...


def retriever_for(name: RetrieverName, index: IndexVersion, encoder: Encoder) -> Retriever:
    """The retriever of that name over an index version."""
    if name == "dense":
        return Dense(index, encoder)
    if name == "bm25":
        return Bm25(index)
    if name == "hybrid":
        return Hybrid(index, encoder)
    if name == "none":
        return ClosedBook()
    raise SettingsError(f"no retriever {name!r}")


class Dense:
    """The paper's own: score d(z)·q(x)."""

    def __init__(self, index: IndexVersion, encoder: Encoder) -> None:
        self._index, self._encoder = index, encoder

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        return retrieve(self._index, self._encoder, questions, top_k)


class WordIndex:
    """BM25 over titles and texts: bm25s with its defaults.

    (Lucene's formula, k1 1.5, b 0.75, English stop words left out.)
    """

    def __init__(self, passages: Iterable[Passage]) -> None:
        import bm25s

        texts = [f"{p.title} {p.text}" for p in passages]
        self._count = len(texts)
        self._words = bm25s.BM25()
        self._vocabulary: dict[str, int] = {}
        tokens = _tokens(texts)
        if any(tokens):  # else there are stop words only
            self._words.index(tokens, show_progress=False)
            self._vocabulary = self._words.vocab_dict

    def scores(self, question: str) -> Scores:
        """The score of every passage; 0 where no word is shared."""
        known = [w for w in _tokens([question])[0] if w in self._vocabulary]
        if not known:
            return np.zeros(self._count)
        return np.asarray(self._words.get_scores(known), dtype=np.float64)


class Bm25:
    """Word overlap: BM25 scores over title and text, used as the logits of p(z|x).

    The word index is made from the version's passages when it is first needed and kept in memory.
    """

    def __init__(self, index: IndexVersion) -> None:
        self._index = index

    @cached_property
    def _words(self) -> WordIndex:
        return WordIndex(self._index.passages)

    def scores(self, question: str) -> Scores:
        """The score of every passage; 0 where no word is shared."""
        return self._words.scores(question)

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        found = []
        for question in questions:
            scores = self.scores(question)
            rows = best_rows(scores, min(top_k, len(self._index)))
            found.append(_retrieved(self._index, rows, scores[rows]))
        return found


class Hybrid:
    """Both at once: the mean of the dense score and the BM25 score, as logits of p(z|x).

    That is the normalised geometric mean of the two priors, so a passage must please both. Each
    side names its best k and some more; every passage named is scored exactly by both.
    """

    def __init__(self, index: IndexVersion, encoder: Encoder) -> None:
        self._index, self._encoder = index, encoder
        self._bm25 = Bm25(index)

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        if not questions:
            return []
        k = min(top_k, len(self._index))
        wide = min(k + _SPARE, len(self._index))
        queries = self._encoder.encode_queries(questions)
        _, named = self._index.search(queries, wide)
        found = []
        for question, query, near in zip(questions, queries, named, strict=True):
            sparse = self._bm25.scores(question)
            rows = np.union1d(near, best_rows(sparse, wide))
            stored = np.asarray(self._index.embeddings[rows], dtype=np.float64)
            dense = self._encoder.settings.score_scale * (stored @ query.astype(np.float64))
            mean = (dense + sparse[rows]) / 2
            best = best_rows(mean, k)
            found.append(_retrieved(self._index, rows[best], mean[best]))
        return found


class ClosedBook:
    """No retrieval: one empty passage of prior 1, so the generator answers from memory alone."""

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        return [[RetrievedPassage(NOTHING, -1, 0.0, 0.0)] for _ in questions]


def best_rows(scores: Scores, k: int) -> NDArray[np.int64]:
    """The rows of the k largest scores, largest first; equal scores in the order of their rows."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        candidates = np.flatnonzero(scores >= least)
    else:
        candidates = np.arange(len(scores))
    order = np.lexsort((candidates, -scores[candidates]))[:k]
    return np.asarray(candidates[order], dtype=np.int64)


def _retrieved(
    index: IndexVersion, rows: NDArray[np.int64], scores: Scores
) -> list[RetrievedPassage]:
    return [
        RetrievedPassage(passage, int(row), float(score), float(prior))
        for passage, row, score, prior in zip(
            index.passages.take(rows.tolist()), rows, scores, log_prior(scores), strict=True
        )
    ]


def _tokens(texts: list[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", return_ids=False, show_progress=False
    )
    return tokens
