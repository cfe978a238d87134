"""No retrieval: the generator answers from memory alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.answering.retrieval import require_questions
from ragcli.records import Passage, RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.session import Session

NOTHING = Passage("", "", "", "", "", "no passage", 1, 0, 0)


class ClosedBook:
    """One empty passage of prior 1."""

    encodes = False

    def __init__(self, session: Session) -> None:
        pass

    def available(self, top_k: int) -> int:
        return 1

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        require_questions(questions)
        return [[RetrievedPassage(NOTHING, -1, 0.0, 0.0)] for _ in questions]
