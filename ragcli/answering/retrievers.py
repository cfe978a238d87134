"""The retrievers: embeddings, words, both, or nothing at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.answering.retrieval import Scores, best_rows, require_questions, retrieved
from ragcli.records import Passage, RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session

_SPARE = 50
"""How many passages each side of the hybrid brings beyond the top-k."""

NOTHING = Passage("", "", "", "", "", "no passage", 1, 0, 0)

Found = tuple[NDArray[np.int64], NDArray[np.floating[Any]]]
"""The rows and scores of a question's top-k, best first."""


class OverIndex(ABC):
    """Whatever scores the passages of the session's index."""

    encodes = True

    def __init__(self, session: Session) -> None:
        self._session, self._index = session, session.index

    def available(self, top_k: int) -> int:
        return min(top_k, len(self._index))

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        found = self._find(questions, self.available(top_k)) if questions else ()
        return [retrieved(self._index, rows, scores) for rows, scores in found]

    @abstractmethod
    def _find(self, questions: Sequence[str], k: int) -> Iterable[Found]: ...


class Dense(OverIndex):
    """The paper's own: score_scale × d(z)·q(x), exact even where the search was approximate."""

    def _find(self, questions: Sequence[str], k: int) -> Iterable[Found]:
        encoder = self._session.encoder
        scores, rows = self._index.search(encoder.encode_queries(questions), k)
        return zip(rows, scores * encoder.settings.score_scale, strict=True)


class WordIndex:
    """BM25 over titles and texts: bm25s with its defaults.

    (Lucene's formula, k1 1.5, b 0.75, English stop words left out.)
    """

    def __init__(self, passages: Iterable[Passage]) -> None:
        import bm25s

        tokens = _tokens([f"{p.caption} {p.text}" for p in passages])
        self._count, self._words = len(tokens), None
        if any(tokens):  # else there are stop words only
            self._words = bm25s.BM25()
            self._words.index(tokens, show_progress=False)

    def scores(self, question: str) -> Scores:
        """The score of every passage; 0 where no word is shared."""
        [words] = _tokens([question])
        if not words or self._words is None:
            return np.zeros(self._count)
        return np.asarray(self._words.get_scores(words), dtype=np.float64)


def _tokens(texts: list[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", return_ids=False, show_progress=False
    )
    return tokens


class Bm25(OverIndex):
    """Word overlap; the word index is made when it is first needed, and kept in memory."""

    encodes = False

    @cached_property
    def _words(self) -> WordIndex:
        return WordIndex(self._index)

    def scores(self, question: str) -> Scores:
        """The score of every passage; 0 where no word is shared."""
        return self._words.scores(question)

    def _find(self, questions: Sequence[str], k: int) -> Iterator[Found]:
        for question in questions:
            scores = self.scores(question)
            rows = best_rows(scores, k)
            yield rows, scores[rows]


class Hybrid(Bm25):
    """The normalised geometric mean of the two priors, so a passage must please both.

    Each side names its best k and some more; every passage named is scored exactly by both, and
    the mean of its scores is the logit of p(z|x).
    """

    encodes = True

    def _find(self, questions: Sequence[str], k: int) -> Iterator[Found]:
        index, encoder = self._index, self._session.encoder
        wide = self.available(k + _SPARE)
        queries = encoder.encode_queries(questions)
        _, named = index.search(queries, wide)
        for question, query, near in zip(questions, queries, named, strict=True):
            sparse = self.scores(question)
            rows = np.union1d(near, best_rows(sparse, wide))
            stored = np.asarray(index.vectors(rows), dtype=np.float64)
            dense = encoder.settings.score_scale * (stored @ query.astype(np.float64))
            mean = (dense + sparse[rows]) / 2
            best = best_rows(mean, k)
            yield rows[best], mean[best]


class ClosedBook:
    """No retrieval: one empty passage of prior 1, and the generator answers from memory alone."""

    encodes = False

    def __init__(self, session: Session) -> None:
        pass

    def available(self, top_k: int) -> int:
        return 1

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        return [[RetrievedPassage(NOTHING, -1, 0.0, 0.0)] for _ in questions]
