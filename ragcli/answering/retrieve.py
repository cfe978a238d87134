"""Search an index version: the top-k passages of each question with log p(z|x)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.core.marginalize import log_prior
from ragcli.errors import QuestionError
from ragcli.protocols import Encoder
from ragcli.records import RetrievedPassage

if TYPE_CHECKING:
    from ragcli.store.version import IndexVersion


def require_questions(questions: Sequence[str]) -> None:
    """Refuse a question without a word in it, or with bytes that are no text."""
    for question in questions:
        if not question.strip():
            raise QuestionError("the question is empty")
        try:
            question.encode()
        except UnicodeEncodeError:
            raise QuestionError("the question is not UTF-8") from None


def retrieve(
    index: IndexVersion, encoder: Encoder, questions: Sequence[str], top_k: int
) -> list[list[RetrievedPassage]]:
    """The `top_k` passages of each question, best first; all of them if the index is smaller.

    The score is score_scale × d(z)·q(x), exact even where the search was approximate, and
    log p(z|x) is its log-softmax over the passages found.
    """
    require_questions(questions)
    if not questions:
        return []
    queries = encoder.encode_queries(questions)
    found, rows = index.search(queries, min(top_k, len(index)))
    scores = found * encoder.settings.score_scale
    priors = log_prior(scores)
    return [
        [
            RetrievedPassage(passage, int(row), float(score), float(prior))
            for passage, row, score, prior in zip(
                index.passages.take(rows[n]), rows[n], scores[n], priors[n], strict=True
            )
        ]
        for n in range(len(questions))
    ]
