"""The best answer of RAG-Sequence, thorough, from as few passages as settle it.

Passages are read in the order of p(z|x). An answer y is settled as soon as no other can win,
whatever the passages not yet read say. All answers of a passage have probabilities that sum to at
most 1, so what its beam and p(no answer|x,z) leave bounds everything the beam lacks. An answer
that no beam holds so far has then at most

    Σ_read p(z|x) left(z) + Σ_unread p(z|x),

and one that some beam holds at most its known scores, what is open, and the passages not read.
Where nothing is settled early all passages are read, and the result is that of `decode`. Only the
answer is the same, in the spelling of the passages that were read: log p(y|x) would need every
passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ragcli.answering import decode as decoding
from ragcli.core import marginalize as m
from ragcli.core.beam_search import beam_search
from ragcli.protocols import Doubles, Generator, Ints, Reading
from ragcli.records import Hypothesis
from ragcli.settings import AnswerSettings

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Settled:
    """An answer, how much each passage that was read adds to it, and 0 for those that were not."""

    text: str
    posterior: tuple[float, ...]
    read: int


@dataclass(slots=True)
class _Question:
    """One question under way: of each passage read so far its row, beam, p(no answer), first step.

    `settled` is its answer, once there is one.
    """

    text: str
    passages: decoding.Retrieved
    pairs: list[tuple[Reading, int]] = field(default_factory=list)
    beams: list[list[Hypothesis]] = field(default_factory=list)
    silence: list[float] = field(default_factory=list)
    firsts: list[Any] = field(default_factory=list)
    settled: Settled | None = None

    @property
    def table(self) -> decoding.Table:
        """What its beams found so far."""
        prior = np.array([r.log_prior for r in self.passages[: len(self.beams)]])
        return decoding.Table(self.beams, prior, np.array(self.silence), self.firsts)


def settle(
    generator: Generator,
    questions: Sequence[str],
    retrieved: Sequence[decoding.Retrieved],
    settings: AnswerSettings,
) -> list[Settled]:
    """Answer questions that have the same number of passages, in one batch."""
    every = [_Question(q, found) for q, found in zip(questions, retrieved, strict=True)]
    k = len(retrieved[0])
    start, end = 0, 1
    while pending := [question for question in every if question.settled is None]:
        _read_more(generator, pending, start, end, settings)
        tables = [question.table for question in pending]
        score = partial(_score, [pair for question in pending for pair in question.pairs])
        if end == k:  # all are read: whatever may still win is scored, as `decode` does
            decoding.require_answers(tables, settings)
            decoding.rescore(score, tables)
        else:
            decoding.complete_leaders(score, tables)
        for question, table in zip(pending, tables, strict=True):
            if end == k or _is_settled(question, table):
                question.settled = _answer(generator, question, table)
        # Twice as many each time: the later passages seldom decide, and batches stay large.
        start, end = end, min(2 * end, k)
    return [question.settled for question in every if question.settled]


def _read_more(
    generator: Generator,
    questions: Sequence[_Question],
    start: int,
    end: int,
    settings: AnswerSettings,
) -> None:
    """Read passages start … end − 1 of each question and run their beams."""
    found = [question.passages[start:end] for question in questions]
    reading = decoding.read(generator, [question.text for question in questions], found)
    beams = beam_search(reading.stepper(), reading.rows, generator.ends, settings)
    silence, first = decoding.quiet(reading), reading.first()
    for row, beam in enumerate(beams):
        question = questions[row // (end - start)]
        question.pairs.append((reading, row))
        question.beams.append(beam)
        question.silence.append(float(silence[row]))
        question.firsts.append(first[row])


def _score(
    pairs: Sequence[tuple[Reading, int]], rows: Ints, targets: list[decoding.Tokens]
) -> Doubles:
    """log p(y|x,z) of each target, by the reading that its pair belongs to."""
    sums = np.zeros(len(targets))
    owners = [id(pairs[row][0]) for row in rows]
    for owner in dict.fromkeys(owners):
        mine = [n for n, other in enumerate(owners) if other == owner]
        reading = pairs[rows[mine[0]]][0]
        local = np.array([pairs[rows[n]][1] for n in mine])
        sums[mine] = decoding.likelihoods(reading, local, [targets[n] for n in mine])
    return sums


def _is_settled(question: _Question, table: decoding.Table) -> bool:
    """True if no other answer can have a larger p(y|x) than the leader has by now."""
    if not len(table):
        return False
    unread = sum(np.exp(r.log_prior) for r in question.passages[len(table.prior) :])
    lower, upper, left = table.bounds()
    leader = int(np.argmax(lower))
    new = float(left @ np.exp(table.prior))
    others = unread + max(new, *np.delete(upper, leader).tolist(), 0.0)
    return bool(lower[leader] > others * (1 + _ROUNDING))


def _answer(generator: Generator, question: _Question, table: decoding.Table) -> Settled:
    best = int(np.argmax(table.marginals()))
    shares = m.posterior(table.prior, table.log_likelihoods[best])
    read, unread = len(shares), len(question.passages) - len(shares)
    text = decoding.written(generator, question.passages, table.hypotheses[best], shares)
    return Settled(text, (*shares.tolist(), *[0.0] * unread), read)
