"""A search that follows the passages' own words, for generators that were trained to copy.

A small reader that spells an answer piece by piece may slip from one name into another. Here a
hypothesis must be a stretch of whole words of its passage (for RAG-Token, of any passage). Only
the search is narrowed: p(y|x,z) of what it finds is the generator's own.

Word pieces are those of BERT: a piece that begins with `##` goes on with the word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragcli.protocols import Ints

Flags = NDArray[np.bool_]


class Copier:
    """What a vocabulary says about its pieces: which go on with a word, and what separates."""

    def __init__(
        self, pieces: Sequence[str], separator: int, ends: Sequence[int], vocabulary: int
    ) -> None:
        self.goes_on: Flags = np.zeros(vocabulary, dtype=np.bool_)
        self.goes_on[: len(pieces)] = [piece.startswith("##") for piece in pieces]
        self.separator, self.ends = separator, list(ends)

    def passages(self, inputs: Sequence[Sequence[int]], width: int) -> CopyRows:
        """Where in each input, after its first separator and before its last, the passage is."""
        ids = np.zeros((len(inputs), width), dtype=np.int64)
        inside = np.zeros((len(inputs), width), dtype=np.bool_)
        for row, tokens in enumerate(inputs):
            ids[row, : len(tokens)] = tokens
            first = tokens.index(self.separator) + 1 if self.separator in tokens else 0
            inside[row, first : len(tokens)] = True
        inside &= ids != self.separator
        return CopyRows(self, ids, inside)


@dataclass(frozen=True, slots=True)
class CopyRows:
    """The inputs' tokens (rows, width) and which of them belong to the passage."""

    copier: Copier
    ids: Ints
    inside: Flags

    def select(self, rows: Ints, width: int) -> CopyRows:
        """Some of the inputs, cut to `width` tokens."""
        return CopyRows(self.copier, self.ids[rows, :width], self.inside[rows, :width])

    @property
    def columns(self) -> Ints:
        """The tokens that a search may write: those of the passages, and the ends."""
        return np.unique(np.concatenate([self.ids[self.inside], self.copier.ends]))

    def begin(self, rows: Ints) -> CopyState:
        """Nothing written yet: any word of the passage may come first."""
        ids, inside = self.ids[rows], self.inside[rows]
        return CopyState(self.copier, ids, inside, inside & ~self.copier.goes_on[ids], None)


@dataclass(frozen=True, slots=True)
class CopyState:
    """Where in its passage each hypothesis may go on (`next`) and has come to (`last`)."""

    copier: Copier
    ids: Ints
    inside: Flags
    next: Flags
    last: Flags | None

    def follow(self, tokens: Ints, parents: Ints) -> CopyState:
        """Row r is a copy of row parents[r] with tokens[r] appended."""
        ids, inside = self.ids[parents], self.inside[parents]
        last = self.next[parents] & (ids == tokens[:, None])
        ahead = np.zeros_like(last)
        ahead[:, 1:] = last[:, :-1]
        return CopyState(self.copier, ids, inside, ahead & inside, last)

    def allowed(self, columns: Ints) -> Flags:
        """(rows, columns): the pieces that go on from here, and the end after a whole word.

        `columns` are the tokens that the search may write, in ascending order.
        """
        goes_on, ends = self.copier.goes_on, np.searchsorted(columns, self.copier.ends)
        allowed = np.zeros((len(self.ids), len(columns)), dtype=np.bool_)
        rows, spots = self.next.nonzero()
        allowed[rows, np.searchsorted(columns, self.ids[rows, spots])] = True
        if self.last is not None:
            inner = np.zeros_like(self.last)
            inner[:, :-1] = (goes_on[self.ids] & self.inside)[:, 1:]
            allowed[:, ends] = (self.last & ~inner).any(axis=1, keepdims=True)
        else:
            empty = ~allowed.any(axis=1, keepdims=True)  # an empty passage has an empty answer
            allowed[:, ends] |= empty
        return allowed
