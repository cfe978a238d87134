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

import numpy as np

from ragcli.answering.decode import (
    Floats,
    Table,
    first_tokens,
    read,
    require_answers,
    rescore_winners,
    written,
)
from ragcli.core import marginalize as m
from ragcli.core.beam_search import beam_search
from ragcli.protocols import Generator, Ints, Reading, TokenLogProbs
from ragcli.records import Hypothesis, RetrievedPassage
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
    """One question under way: for each passage read so far its row, beam and p(no answer)."""

    text: str
    passages: Sequence[RetrievedPassage]
    pairs: list[tuple[Reading, int]] = field(default_factory=list)
    beams: list[list[Hypothesis]] = field(default_factory=list)
    silence: list[float] = field(default_factory=list)

    @property
    def prior(self) -> Floats:
        return np.array([r.log_prior for r in self.passages])


def settle(
    generator: Generator,
    questions: Sequence[str],
    retrieved: Sequence[Sequence[RetrievedPassage]],
    settings: AnswerSettings,
) -> list[Settled]:
    """Answer questions that have the same number of passages, in one batch."""
    every = [_Question(q, found) for q, found in zip(questions, retrieved, strict=True)]
    settled: dict[int, Settled] = {}
    k = len(retrieved[0])
    start, end = 0, 1
    while len(settled) < len(every):
        pending = [n for n in range(len(every)) if n not in settled]
        _read_more(generator, [every[n] for n in pending], start, end, settings)
        tables = [Table(every[n].beams) for n in pending]
        if end == k:
            require_answers([len(table.hypotheses) for table in tables], settings)
            _finish([every[n] for n in pending], tables)
        else:
            _complete_leaders([every[n] for n in pending], tables)
        for n, table in zip(pending, tables, strict=True):
            if end == k or _is_settled(every[n], table):
                settled[n] = _settled(generator, every[n], table)
        # Twice as many each time: the later passages seldom decide, and batches stay large.
        start, end = end, min(2 * end, k)
    return [settled[n] for n in range(len(every))]


def _read_more(
    generator: Generator,
    questions: Sequence[_Question],
    start: int,
    end: int,
    settings: AnswerSettings,
) -> None:
    """Read passages start … end − 1 of each question and run their beams."""
    width = end - start
    found = [question.passages[start:end] for question in questions]
    reading = read(generator, [question.text for question in questions], found)
    beams = beam_search(reading.stepper(), reading.rows, generator.ends, settings)
    silence = reading.silence()
    for n, question in enumerate(questions):
        for row in range(n * width, n * width + width):
            question.pairs.append((reading, row))
            question.beams.append(beams[row])
            question.silence.append(0.0 if silence is None else float(silence[row]))


class _Pieces:
    """Pairs that were read at different times, to score as one: row q·k + j is passage j of q."""

    def __init__(self, questions: Sequence[_Question]) -> None:
        self._pairs = [pair for question in questions for pair in question.pairs]
        self._silence = np.array([s for question in questions for s in question.silence])

    @property
    def rows(self) -> int:
        return len(self._pairs)

    def silence(self) -> Floats:
        return self._silence

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs:
        """Each target under its pair, by the reading that the pair belongs to."""
        width = max(map(len, targets))
        log_probs = np.zeros((len(targets), width))
        mask = np.zeros((len(targets), width), dtype=bool)
        readings = {id(self._pairs[row][0]): self._pairs[row][0] for row in rows}
        for reading in readings.values():
            mine = [n for n, row in enumerate(rows) if self._pairs[row][0] is reading]
            local = np.array([self._pairs[rows[n]][1] for n in mine])
            part, part_mask, _ = reading.token_log_probs(local, [targets[n] for n in mine])
            log_probs[mine, : part.shape[1]] = np.asarray(part, dtype=np.float64)
            mask[mine, : part.shape[1]] = np.asarray(part_mask)
        return TokenLogProbs(log_probs, mask)


def _complete_leaders(questions: Sequence[_Question], tables: Sequence[Table]) -> None:
    """Score the likeliest hypothesis of each question under every passage read so far."""
    pieces = _Pieces(questions)
    rows: list[int] = []
    targets: list[tuple[int, ...]] = []
    places: list[tuple[Table, int, int]] = []
    count = len(questions[0].pairs)
    for n, (question, table) in enumerate(zip(questions, tables, strict=True)):
        if not table.hypotheses:
            continue
        best = _leader(question, table)
        for j in np.flatnonzero(np.isneginf(table.log_likelihoods[best])).tolist():
            rows.append(n * count + j)
            targets.append(table.hypotheses[best])
            places.append((table, best, j))
    if not targets:
        return
    log_probs, mask, _ = pieces.token_log_probs(np.array(rows), targets)
    sums = m.sequence_log_likelihood(log_probs, mask)
    for (table, best, j), total in zip(places, sums, strict=True):
        table.log_likelihoods[best, j] = float(total)


def _finish(questions: Sequence[_Question], tables: Sequence[Table]) -> None:
    """All passages are read: rescore whatever may still win, as `decode` does."""
    priors = np.stack([question.prior for question in questions])
    firsts = [_firsts(question, table) for question, table in zip(questions, tables, strict=True)]
    rescore_winners(_Pieces(questions), tables, priors, firsts)


def _leader(question: _Question, table: Table) -> int:
    prior = question.prior[: table.log_likelihoods.shape[1]]
    return int(np.argmax(m.sequence_marginal(prior, table.log_likelihoods)))


def _is_settled(question: _Question, table: Table) -> bool:
    """True if no other answer can have a larger p(y|x) than the leader has by now."""
    if not table.hypotheses:
        return False
    done = table.log_likelihoods.shape[1]
    prior, unread = np.exp(question.prior[:done]), float(np.exp(question.prior[done:]).sum())
    known = np.exp(table.log_likelihoods)
    left = np.clip(1 - known.sum(axis=0) - np.array(question.silence), 0, 1)
    least = known @ prior
    most = np.minimum(left, np.exp(_firsts(question, table)))
    upper = least + np.where(np.isneginf(table.log_likelihoods), most, 0) @ prior + unread
    leader = _leader(question, table)
    others = max(float(left @ prior) + unread, *np.delete(upper, leader).tolist(), 0.0)
    return bool(least[leader] > others * (1 + _ROUNDING))


def _firsts(question: _Question, table: Table) -> Floats:
    """log p(y_1|x,z) of each hypothesis under each passage read: (hypotheses, passages read)."""
    rows = [first_tokens(reading, table.hypotheses)[:, row] for reading, row in question.pairs]
    return np.stack(rows, axis=1)


def _settled(generator: Generator, question: _Question, table: Table) -> Settled:
    best = _leader(question, table)
    done = table.log_likelihoods.shape[1]
    shares = m.posterior(question.prior[:done], table.log_likelihoods[best])
    posterior = (*map(float, shares), *[0.0] * (len(question.passages) - done))
    tokens = table.hypotheses[best]
    text = written(generator, tokens, posterior, question.passages)
    return Settled(text, posterior, done)
