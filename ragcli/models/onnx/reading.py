"""What was read: pairs whose keys and values stay where they are, decoded or scored.

The rows of a search stand beside their pair, in slots, so that beams need no copies of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ragcli.models.copying import CopyRows, CopyState
from ragcli.models.onnx.runtime import Array
from ragcli.protocols import Doubles, Ints, TokenLogProbs

_RESCORED_ROWS = 64


@dataclass(frozen=True, slots=True)
class Past:
    """What rows have written: per layer keys and values, and which row each row continues."""

    parents: Ints
    arrays: Sequence[Array]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs that rows attend to, and where each row stands beside its own."""

    cross: Sequence[Array]
    bias: Array
    slots: Ints
    filled: Ints


class Writer(Protocol):
    """The decoder of a generator."""

    start: tuple[int, ...]
    no_answer: int | None
    vocabulary: Ints

    def no_past(self, rows: int) -> Past:
        """Nothing written yet."""
        ...

    def write(
        self, tokens: Ints, past: Past, pairs: Pairs, wanted: Ints, columns: Ints
    ) -> tuple[Array, Array, list[Array]]:
        """T more tokens (R, T): log-probabilities (n, columns), log p(answered) (n), the new past.

        `wanted` are the positions to look at, n of the R·T; see `decoder.Decoder`.
        """
        ...


class OnnxReading:
    """Pairs that were read: per layer keys and values (rows, H, width, D/H), and the mask."""

    def __init__(
        self, generator: Writer, cross: list[Array], bias: Array, copying: CopyRows | None
    ) -> None:
        self.generator, self.cross, self.bias, self.copying = generator, cross, bias, copying
        self._first: tuple[Array, Array] | None = None

    @property
    def rows(self) -> int:
        return len(self.bias)

    def select(self, rows: Ints) -> OnnxReading:
        """Some of the pairs, in the order given, with padding that none of them needs cut off."""
        bias = self.bias[rows]
        width = int((bias == 0).sum(axis=-1).max())
        copying = self.copying.select(rows, width) if self.copying else None
        cross = [part[rows][:, :, :width] for part in self.cross]
        return OnnxReading(self.generator, cross, bias[..., :width], copying)

    def stepper(self) -> OnnxStepper:
        return OnnxStepper(self)

    def begun(self, log_probs: Array, answered: Array) -> None:
        """Keep what the first step over all rows says."""
        self._first = log_probs, answered

    def silence(self) -> Doubles | None:
        """p(no answer|x,z) of each pair, for models that can say so."""
        if self.generator.no_answer is None:
            return None
        return -np.expm1(self._begin()[1].astype(np.float64))

    def first(self) -> Array:
        return self._begin()[0]

    def _begin(self) -> tuple[Array, Array]:
        """The first step over all rows: log p of every token, and log p(answered)."""
        if self._first is None:
            self.stepper().step(None, np.arange(self.rows))
        assert self._first is not None
        return self._first

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs:
        """Teacher-forced log-probabilities of each target under its pair.

        Those of the first token are known since the pairs were begun.  Targets of one pair that
        begin alike share what is computed for their common beginning.
        """
        lengths = np.array([len(target) for target in targets], dtype=np.int64)
        width = int(lengths.max(initial=0))
        mask = np.arange(width) < lengths[:, None]
        log_probs, answered = np.zeros((2, *mask.shape), dtype=np.float32)
        first, silent = self._begin()
        for n, target in enumerate(targets):
            if target:
                log_probs[n, 0], answered[n, 0] = first[rows[n], target[0]], silent[rows[n]]
        carriers = _Carriers(rows.tolist(), targets)
        for begin in range(0, len(carriers.targets), _RESCORED_ROWS):
            part = slice(begin, begin + _RESCORED_ROWS)
            asked = [ask for each in carriers.asked[part] for ask in each]
            places = np.array([[carrier - begin, spot] for carrier, spot, *_ in asked])
            numbers, spots, tokens = np.array([ask[2:] for ask in asked]).T
            found = self._forced(
                np.array(carriers.sources[part]), carriers.targets[part], places, tokens
            )
            log_probs[numbers, spots], answered[numbers, spots] = found
        silence = None if self.generator.no_answer is None else answered
        return TokenLogProbs(log_probs, mask, silence)

    def _forced(
        self, source: Ints, written: Sequence[tuple[int, ...]], places: Ints, tokens: Ints
    ) -> tuple[Array, Array]:
        """log p(token) and log p(answered) at places: after how many tokens of which row."""
        generator, start = self.generator, self.generator.start
        width = len(start) + max(map(len, written))
        inputs = np.zeros((len(written), width), dtype=np.int64)
        for row, target in zip(inputs, written, strict=True):
            row[: len(start) + len(target)] = [*start, *target]
        flat = places[:, 0] * width + places[:, 1] + len(start) - 1
        wanted, which = np.unique(flat, return_inverse=True)
        columns, column = np.unique(tokens, return_inverse=True)
        past, pairs = generator.no_past(len(written)), self.pairs(source)
        found, answered, _ = generator.write(inputs, past, pairs, wanted, columns)
        return found[which, column], answered[which]

    def pairs(self, source: Ints) -> Pairs:
        """The pairs of rows, each with as many slots as the busiest one."""
        used, place, counts = np.unique(source, return_inverse=True, return_counts=True)
        width = int(counts.max())
        order = np.argsort(place, kind="stable")
        within = np.empty_like(order)
        within[order] = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
        slots = place * width + within
        filled = np.zeros(len(used) * width, dtype=np.int64)
        filled[slots] = np.arange(len(source))
        if len(used) == self.rows:
            return Pairs(self.cross, self.bias, slots, filled)
        return Pairs([part[used] for part in self.cross], self.bias[used], slots, filled)


class _Carriers:
    """Rows that are run through the decoder for targets: one serves all that it begins with.

    A carrier is all but the last token of a target, under a pair.  `asked` holds for each carrier
    what is asked of it: (carrier, tokens written, number of the target, place in it, token).
    """

    def __init__(self, rows: Sequence[int], targets: Sequence[tuple[int, ...]]) -> None:
        self.sources: list[int] = []
        self.targets: list[tuple[int, ...]] = []
        self.asked: list[list[tuple[int, ...]]] = []
        known: dict[tuple[int, tuple[int, ...]], int] = {}
        for n in sorted(range(len(targets)), key=lambda n: -len(targets[n])):
            target = targets[n]
            for length in range(len(target) - 1, 0, -1):
                key = rows[n], target[:length]
                if key not in known:
                    if length == len(target) - 1:
                        self.sources.append(rows[n])
                        self.targets.append(target[:length])
                        self.asked.append([])
                        known[key] = len(self.targets) - 1
                    else:
                        known[key] = known[rows[n], target[: length + 1]]
                carrier = known[key]
                self.asked[carrier].append((carrier, length, n, length, target[length]))


class OnnxStepper:
    """Incremental decoding with cached keys and values; rows may multiply, move and end."""

    def __init__(self, reading: OnnxReading) -> None:
        self._reading = reading
        self.columns = reading.copying.columns if reading.copying else None
        self._source: Ints = np.zeros(0, dtype=np.int64)
        self._past: Sequence[Array] = ()
        self._pairs: Pairs | None = None
        self._copying: CopyState | None = None
        self._answered: Array | None = None

    def step(self, tokens: Ints | None, parents: Ints) -> Array:
        reading, generator = self._reading, self._reading.generator
        if tokens is None:
            self._source, self._pairs = parents, reading.pairs(parents)
            past = generator.no_past(len(parents))
            written = np.tile(np.array(generator.start, dtype=np.int64), (len(parents), 1))
            if reading.copying is not None:
                self._copying = reading.copying.begin(parents)
        else:
            source = self._source[parents]
            if self._pairs is None or not np.array_equal(source, self._source):
                self._source, self._pairs = source, reading.pairs(source)
            past, written = Past(parents, self._past), tokens[:, None]
            if self._copying is not None:
                self._copying = self._copying.follow(tokens, parents)
        last = np.arange(1, len(parents) + 1) * written.shape[1] - 1
        # The first step gives every token, for whoever bounds an answer by its first one.
        narrow = self.columns if tokens is not None else None
        columns = generator.vocabulary if narrow is None else narrow
        log_probs, answered, self._past = generator.write(written, past, self._pairs, last, columns)
        self._answered = None if generator.no_answer is None else answered
        if tokens is None:
            if len(parents) == reading.rows:
                reading.begun(log_probs, answered)
            return log_probs.copy() if self.columns is None else log_probs[:, self.columns]
        return log_probs

    def answered(self) -> Array | None:
        return self._answered

    def allowed(self) -> NDArray[np.bool_] | None:
        if self._copying is None or self.columns is None:
            return None
        return self._copying.allowed(self.columns)
