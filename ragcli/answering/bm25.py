"""Word overlap: BM25 scores over title and text, used as the logits of p(z|x)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ragcli.answering.retrieval import Scores, best_rows, require_questions, retrieved
from ragcli.records import Passage, RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session


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
    """The word index is made from the passages when it is first needed, and kept in memory."""

    encodes = False

    def __init__(self, session: Session) -> None:
        self._index = session.index

    @cached_property
    def _words(self) -> WordIndex:
        return WordIndex(self._index)

    def scores(self, question: str) -> Scores:
        """The score of every passage; 0 where no word is shared."""
        return self._words.scores(question)

    def available(self, top_k: int) -> int:
        return min(top_k, len(self._index))

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        found = []
        for question in questions:
            scores = self.scores(question)
            rows = best_rows(scores, self.available(top_k))
            found.append(retrieved(self._index, rows, scores[rows]))
        return found


def _tokens(texts: list[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", return_ids=False, show_progress=False
    )
    return tokens
