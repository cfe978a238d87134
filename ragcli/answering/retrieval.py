"""Where p(z|x) comes from: embeddings, words, both, or nothing at all (the paper's ablations).

Every retriever (kinds.py names them) gives the same records, so the rest of the program does not
know which one it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragcli.core.marginalize import log_prior
from ragcli.errors import QuestionError
from ragcli.protocols import SearchableIndex
from ragcli.records import RetrievedPassage

Scores = NDArray[np.float64]


def require_questions(questions: Sequence[str]) -> None:
    """Refuse a question without a word in it, or with bytes that are no text."""
    for question in questions:
        if not question.strip():
            raise QuestionError("the question is empty")
        try:
            question.encode()
        except UnicodeEncodeError:
            raise QuestionError("the question is not UTF-8") from None


def best_rows(scores: Scores, k: int) -> NDArray[np.int64]:
    """The rows of the k largest scores, largest first; equal scores in the order of their rows."""
    least = np.partition(scores, -k)[-k] if k < len(scores) else -np.inf
    candidates = np.flatnonzero(scores >= least)
    return candidates[np.argsort(-scores[candidates], kind="stable")[:k]]


def retrieved(
    index: SearchableIndex, rows: NDArray[np.int64], scores: NDArray[np.floating]
) -> list[RetrievedPassage]:
    """Passages of rows (k,) with their scores; log p(z|x) is the log-softmax of the scores."""
    return [
        RetrievedPassage(passage, int(row), float(score), float(prior))
        for passage, row, score, prior in zip(
            index.take(rows.tolist()), rows, scores, log_prior(scores), strict=True
        )
    ]
