"""Pairs for contrastive training: each question's passage, and passages that only look like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragcli.answering.retrieval import best_rows
from ragcli.answering.retrievers import WordIndex
from ragcli.core.metrics import holds_answer
from ragcli.errors import QuestionError
from ragcli.records import Passage, QAExample

_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """A question, the row of the passage that answers it, and rows of hard negatives."""

    question: str
    positive: int
    negatives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mined:
    """The pairs, and the examples for which no passage was found that holds an answer."""

    pairs: tuple[TrainingPair, ...]
    unmatched: tuple[QAExample, ...]

    @property
    def negatives(self) -> int:
        """How many every pair has."""
        return len(self.pairs[0].negatives)


def mine(
    passages: Sequence[Passage], examples: Sequence[QAExample], negatives: int, seed: int = 0
) -> Mined:
    """Find a positive for each example, and `negatives` passages that BM25 ranks high instead.

    A `positive` that an example names must be a passage; otherwise the first passage by BM25 (of
    question and answers) that holds an answer is taken. Negatives hold no answer and are not the
    positive; where BM25 finds too few that share a word with the question, passages are drawn by
    lot, and where the corpus has too few, every pair gets as many as all can have.
    """
    pool = _Pool(passages)
    rows = [pool.positive(example) for example in examples]
    found = [(e, row) for e, row in zip(examples, rows, strict=True) if row is not None]
    if not found:
        raise QuestionError(
            "no passage holds an answer of any of the questions",
            "train over the index that the answers come from",
        )
    lots = np.random.default_rng(seed)
    wrong = [pool.negatives(example, row, negatives, lots) for example, row in found]
    count = min(map(len, wrong))
    pairs = [
        TrainingPair(example.question, row, tuple(others[:count]))
        for (example, row), others in zip(found, wrong, strict=True)
    ]
    unmatched = [e for e, row in zip(examples, rows, strict=True) if row is None]
    return Mined(tuple(pairs), tuple(unmatched))


class _Pool:
    """Passages to look for positives and negatives in."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages, self._words = passages, WordIndex(passages)
        rows = reversed(list(enumerate(passages)))  # of equal texts the first row is taken
        self._by_text = {" ".join(p.text.split()): row for row, p in rows}

    def positive(self, example: QAExample) -> int | None:
        if example.positive is None:
            asked = " ".join([example.question, *example.answers])
            return next((row for row in self._ranked(asked) if self._holds(row, example)), None)
        row = self._by_text.get(" ".join(example.positive.split()))
        if row is None:
            raise QuestionError(
                f"{example.place}: its `positive` is not a passage of the corpus",
                "give the passage's text as `rag chunk` prints it, or give `answers` instead",
            )
        return row

    def negatives(
        self, example: QAExample, positive: int, count: int, lots: np.random.Generator
    ) -> list[int]:
        chosen: list[int] = []
        drawn = lots.permutation(len(self._passages))[:_LOOKED_AT].tolist()
        for row in (*self._ranked(example.question), *drawn):
            if len(chosen) == count:
                break
            same = self._content(row) == self._content(positive)
            if row not in chosen and not same and not self._holds(row, example):
                chosen.append(row)
        return chosen

    def _content(self, row: int) -> str:
        return f"{self._passages[row].caption} {self._passages[row].text}"

    def _holds(self, row: int, example: QAExample) -> bool:
        return holds_answer(self._content(row), example.answers)

    def _ranked(self, text: str) -> list[int]:
        """Rows of the best passages that share a word with `text`, best first."""
        scores = self._words.scores(text)
        return [row for row in best_rows(scores, _LOOKED_AT).tolist() if scores[row] > 0]
