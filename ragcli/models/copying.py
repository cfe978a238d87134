"""A search that follows the passages' own words, for generators that were trained to copy.

A small reader that spells an answer piece by piece may slip from one name into another. Here a
hypothesis must be a stretch of whole words of its passage (for RAG-Token, of any passage), or one
of a few words that the generator may always say. Only the search is narrowed: p(y|x,z) of what it
finds is the generator's own.

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
        self,
        pieces: Sequence[str],
        separator: int,
        ends: Sequence[int],
        vocabulary: int,
        also: Sequence[Sequence[int]] = (),
        free: Sequence[Sequence[int]] = (),
    ) -> None:
        self.goes_on: Flags = np.zeros(vocabulary, dtype=np.bool_)
        self.goes_on[: len(pieces)] = [piece.startswith("##") for piece in pieces]
        self.separator, self.ends = separator, list(ends)
        self.also = [token for text in also for token in (*text, separator)]
        self.free = [list(tokens) for tokens in free if tokens]

    def passages(self, inputs: Sequence[Sequence[int]], width: int) -> CopyRows | None:
        """What may be copied: the passage, after an input's first separator and before its last.

        In front of it stands what may be written without standing in a passage: yes, no. None if
        anything may be written: where something else than a short answer is asked for, and where
        there is no passage at all.
        """
        if any(list(row[1 : 1 + len(begin)]) == begin for row in inputs for begin in self.free):
            return None
        first = len(self.also)
        ids = np.zeros((len(inputs), first + width), dtype=np.int64)
        inside = np.zeros_like(ids, dtype=np.bool_)
        for row, tokens in enumerate(inputs):
            ids[row, first : first + len(tokens)] = tokens
            begin = tokens.index(self.separator) + 1 if self.separator in tokens else 0
            inside[row, first + begin : first + len(tokens)] = True
        if not (inside & (ids != self.separator)).any():
            return None
        ids[:, :first], inside[:, :first] = self.also, True
        return CopyRows(self, ids, inside & (ids != self.separator))


@dataclass(frozen=True, slots=True)
class CopyRows:
    """The inputs' tokens (rows, width) and which of them belong to the passage."""

    copier: Copier
    ids: Ints
    inside: Flags

    def select(self, rows: Ints, width: int) -> CopyRows:
        """Some of the inputs, cut to `width` tokens."""
        width += len(self.copier.also)
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
            passages = self.next[:, len(self.copier.also) :]
            allowed[:, ends] |= ~passages.any(axis=1, keepdims=True)  # nothing to say
        return allowed
