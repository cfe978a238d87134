"""A search that follows the passages' own words, for generators that were trained to copy.

A small reader that spells an answer piece by piece may slip from one name into another. Here a
hypothesis must be a stretch of whole words of its passage (for RAG-Token, of any passage). Only
the search is narrowed: p(y|x,z) of what it finds is the generator's own.

Word pieces are those of BERT: a piece that begins with `##` goes on with the word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragcli.protocols import Ints

if TYPE_CHECKING:
    import torch


class Copier:
    """What a tokenizer says about its pieces: which go on with a word, and what separates."""

    def __init__(self, tokenizer: Any, ends: Sequence[int], vocabulary: int) -> None:
        import torch

        self.goes_on = torch.zeros(vocabulary, dtype=torch.bool)
        pieces = tokenizer.convert_ids_to_tokens(range(min(vocabulary, len(tokenizer))))
        self.goes_on[: len(pieces)] = torch.tensor([p.startswith("##") for p in pieces])
        self.separator = int(tokenizer.sep_token_id)
        self.ends = list(ends)

    def passages(self, inputs: Sequence[Sequence[int]], width: int) -> CopyRows:
        """Where in each input, after its first separator and before its last, the passage is."""
        import torch

        ids = torch.zeros((len(inputs), width), dtype=torch.long)
        inside = torch.zeros((len(inputs), width), dtype=torch.bool)
        for row, tokens in enumerate(inputs):
            ids[row, : len(tokens)] = torch.tensor(tokens)
            first = tokens.index(self.separator) + 1 if self.separator in tokens else 0
            inside[row, first : len(tokens)] = True
        inside &= ids != self.separator
        return CopyRows(self, ids, inside)


@dataclass(frozen=True, slots=True)
class CopyRows:
    """The inputs' tokens (rows, width) and which of them belong to the passage."""

    copier: Copier
    ids: torch.Tensor
    inside: torch.Tensor

    def select(self, rows: Ints, width: int) -> CopyRows:
        """Some of the inputs, cut to `width` tokens."""
        return CopyRows(self.copier, self.ids[rows, :width], self.inside[rows, :width])

    def begin(self, rows: Ints) -> CopyState:
        """Nothing written yet: any word of the passage may come first."""
        ids, inside = self.ids[rows], self.inside[rows]
        return CopyState(self.copier, ids, inside, inside & ~self.copier.goes_on[ids], None)


@dataclass(frozen=True, slots=True)
class CopyState:
    """Where in its passage each hypothesis may go on (`next`) and has come to (`last`)."""

    copier: Copier
    ids: torch.Tensor
    inside: torch.Tensor
    next: torch.Tensor
    last: torch.Tensor | None

    def follow(self, tokens: Ints, parents: Ints) -> CopyState:
        """Row r is a copy of row parents[r] with tokens[r] appended."""
        import torch

        index = torch.as_tensor(parents)
        ids, inside = self.ids[index], self.inside[index]
        last = self.next[index] & (ids == torch.as_tensor(tokens)[:, None])
        ahead = torch.zeros_like(last)
        ahead[:, 1:] = last[:, :-1]
        return CopyState(self.copier, ids, inside, ahead & inside, last)

    def allowed(self) -> torch.Tensor:
        """(rows, vocabulary): the pieces that go on from here, and the end after a whole word."""
        import torch

        goes_on = self.copier.goes_on
        allowed = torch.zeros((len(self.ids), len(goes_on)), dtype=torch.bool)
        rows, places = self.next.nonzero(as_tuple=True)
        allowed[rows, self.ids[rows, places]] = True
        if self.last is not None:
            inner = torch.zeros_like(self.last)
            inner[:, :-1] = (goes_on[self.ids] & self.inside)[:, 1:]
            allowed[:, self.copier.ends] = (self.last & ~inner).any(dim=1, keepdim=True)
        else:
            empty = ~allowed.any(dim=1, keepdim=True)  # an empty passage has an empty answer
            allowed[:, self.copier.ends] |= empty
        return allowed
