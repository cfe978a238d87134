"""A retriever: the score of a passage is how many different words it shares with the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ragcli.answering.retrieval import best_rows, retrieved
from ragcli.records import RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


class Overlap:
    encodes = False

    def __init__(self, session: Session) -> None:
        self._index = session.index
        self._words = [words(f"{p.title} {p.text}") for p in session.index]

    def available(self, top_k: int) -> int:
        return min(top_k, len(self._index))

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        found = []
        for question in questions:
            scores = np.array([len(words(question) & known) for known in self._words], np.float64)
            rows = best_rows(scores, self.available(top_k))
            found.append(retrieved(self._index, rows, scores[rows]))
        return found
