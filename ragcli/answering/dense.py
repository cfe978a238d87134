"""The paper's own retriever: score d(z)·q(x)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.answering.retrieval import require_questions, retrieved
from ragcli.records import RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session


class Dense:
    """The score is score_scale × d(z)·q(x), exact even where the search was approximate."""

    encodes = True

    def __init__(self, session: Session) -> None:
        self._session = session

    def available(self, top_k: int) -> int:
        return min(top_k, len(self._session.index))

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        if not questions:
            return []
        index, encoder = self._session.index, self._session.encoder
        found, rows = index.search(encoder.encode_queries(questions), self.available(top_k))
        scores = found * encoder.settings.score_scale
        return [retrieved(index, *each) for each in zip(rows, scores, strict=True)]
