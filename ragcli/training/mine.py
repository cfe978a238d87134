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
class Pair:
    """A question, the row of the passage that answers it, and rows of hard negatives."""

    question: str
    positive: int
    negatives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mined:
    """The pairs, and the examples for which no passage was found that holds an answer."""

    pairs: tuple[Pair, ...]
    unmatched: tuple[QAExample, ...]


def mine(
    passages: Sequence[Passage], examples: Sequence[QAExample], negatives: int, seed: int = 0
) -> Mined:
    """Find a positive for each example, and `negatives` passages that BM25 ranks high instead.

    A `positive` that an example names must be a passage; otherwise the first passage by BM25 (of
    question and answers) that holds an answer is taken. Negatives hold no answer and are not the
    positive; where BM25 finds too few that share a word with the question, passages are drawn by
    lot, and where the corpus has too few, every pair gets as many as all can have.
    """
    words = WordIndex(passages)
    by_text = {" ".join(p.text.split()): row for row, p in reversed(list(enumerate(passages)))}
    found: list[tuple[QAExample, int]] = []
    unmatched: list[QAExample] = []
    for example in examples:
        row = _positive(example, passages, by_text, words)
        if row is None:
            unmatched.append(example)
        else:
            found.append((example, row))
    if not found:
        raise QuestionError(
            "no passage holds an answer of any of the questions",
            "train over the index that the answers come from",
        )
    lots = np.random.default_rng(seed)
    wrong = [_negatives(e, row, passages, words, negatives, lots) for e, row in found]
    count = min(map(len, wrong))
    pairs = [
        Pair(example.question, row, tuple(rows[:count]))
        for (example, row), rows in zip(found, wrong, strict=True)
    ]
    return Mined(tuple(pairs), tuple(unmatched))


def _positive(
    example: QAExample, passages: Sequence[Passage], by_text: dict[str, int], words: WordIndex
) -> int | None:
    if example.positive is not None:
        row = by_text.get(" ".join(example.positive.split()))
        if row is None:
            raise QuestionError(
                f"{example.place}: its `positive` is not a passage of the corpus",
                "give the passage's text as `rag chunk` prints it, or give `answers` instead",
            )
        return row
    asked = " ".join([example.question, *example.answers])
    for row in _ranked(words, asked):
        if _holds(passages[row], example):
            return row
    return None


def _negatives(
    example: QAExample,
    positive: int,
    passages: Sequence[Passage],
    words: WordIndex,
    count: int,
    lots: np.random.Generator,
) -> list[int]:
    chosen: list[int] = []
    drawn = (int(row) for row in lots.permutation(len(passages))[:_LOOKED_AT])
    for row in (*_ranked(words, example.question), *drawn):
        if len(chosen) == count:
            break
        same = _content(passages[row]) == _content(passages[positive])
        if row not in chosen and not same and not _holds(passages[row], example):
            chosen.append(row)
    return chosen


def _content(passage: Passage) -> tuple[str, str]:
    return passage.title, passage.text


def _holds(passage: Passage, example: QAExample) -> bool:
    return holds_answer(f"{passage.title} {passage.text}", example.answers)


def _ranked(words: WordIndex, text: str) -> list[int]:
    """Rows of the best passages that share a word with `text`, best first."""
    scores = words.scores(text)
    return [int(row) for row in best_rows(scores, _LOOKED_AT) if scores[row] > 0]
