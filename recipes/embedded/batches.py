"""From examples to tensors: the generator's input format, alignments and bucketed batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

import torch
from examples import PREFIXES, Example
from transformers import PreTrainedTokenizerBase

IGNORED = -100
SILENT, END = 101, 102
"""[CLS] says that a passage does not answer; [SEP] ends what is written."""

MAX_TARGET = 48


def source_text(example: Example) -> str:
    """The one string that the generator reads: `question [SEP] title / text`."""
    passage = f"{example.title} / {example.text}" if example.title else example.text
    return f"{PREFIXES.get(example.task, '')}{example.question} [SEP] {passage}"


@dataclass(frozen=True)
class Encoded:
    """Token ids of one example; `places`: the source position of each target token, or -1."""

    source: list[int]
    forced: list[int]
    target: list[int]
    places: list[int]
    passage_start: int


@dataclass(frozen=True)
class Batch:
    """Padded tensors of examples of like length; B examples, S source and T target tokens."""

    source: torch.Tensor
    mask: torch.Tensor
    forced: torch.Tensor
    target: torch.Tensor
    places: torch.Tensor
    passage: torch.Tensor


class Encoder:
    """Turns examples into token ids with the alignment that supervises the attention."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_length: int, rng: Random) -> None:
        self.tokenizer, self.max_length, self.rng = tokenizer, max_length, rng

    def __call__(self, example: Example) -> Encoded | None:
        """Encode one example; None when the cut takes a part of the answer away."""
        whole = source_text(example)
        shift = len(whole) - len(example.text)
        encoding = self.tokenizer(
            whole, return_offsets_mapping=True, truncation=True, max_length=self.max_length
        )
        source: list[int] = encoding["input_ids"]
        if END not in source[:-1]:
            return None
        passage_start = source.index(END) + 1
        if not example.answer:
            return self._silent(source, passage_start, example)
        if example.start < 0:
            written = self.tokenizer(example.answer, add_special_tokens=False)["input_ids"]
            target = [*written[: MAX_TARGET - 1], END]
            return Encoded(source, target[:-1], target, [-1] * len(target), passage_start)
        first, last = example.start + shift, example.end + shift
        spots = [
            spot
            for spot, (a, b) in enumerate(encoding["offset_mapping"])
            if a < last and b > first and b > a and spot >= passage_start
        ]
        cut = len(source) == self.max_length and spots and spots[-1] >= len(source) - 2
        if not spots or cut or len(spots) >= MAX_TARGET:
            return None
        target = [*(source[spot] for spot in spots), END]
        return Encoded(source, target[:-1], target, [*spots, len(source) - 1], passage_start)

    def _silent(self, source: list[int], passage_start: int, example: Example) -> Encoded:
        """[CLS] as the whole answer, or at every step after the beginning of another's answer."""
        if not example.wanted or self.rng.random() < 0.6:
            places = [0, len(source) - 1]
            return Encoded(source, [SILENT], [SILENT, END], places, passage_start)
        forced = self.tokenizer(example.wanted, add_special_tokens=False)["input_ids"][:8]
        steps = len(forced) + 1
        return Encoded(source, forced, [SILENT] * steps, [0] * steps, passage_start)


def collate(items: Sequence[Encoded]) -> Batch:
    """Pad encoded examples to the longest of them."""
    width = -(-max(len(item.source) for item in items) // 8) * 8
    height = max(len(item.target) for item in items)
    source = torch.zeros((len(items), width), dtype=torch.long)
    target = torch.full((len(items), height), IGNORED)
    forced = torch.zeros((len(items), height - 1), dtype=torch.long)
    places = torch.full((len(items), height), -1)
    for row, item in enumerate(items):
        source[row, : len(item.source)] = torch.tensor(item.source)
        forced[row, : len(item.forced)] = torch.tensor(item.forced, dtype=torch.long)
        target[row, : len(item.target)] = torch.tensor(item.target)
        places[row, : len(item.places)] = torch.tensor(item.places)
    passage = torch.tensor([item.passage_start for item in items])
    return Batch(source, (source != 0).long(), forced, target, places, passage)


def bucketed(stream: Iterator[Encoded], tokens: int, pool: int, rng: Random) -> Iterator[Batch]:
    """Endless batches of at most `tokens` source tokens, of examples of like length."""
    while True:
        items = sorted(islice(stream, pool), key=lambda item: len(item.source))
        packs: list[list[Encoded]] = [[]]
        for item in items:
            if packs[-1] and (len(packs[-1]) + 1) * len(item.source) > tokens:
                packs.append([])
            packs[-1].append(item)
        rng.shuffle(packs)
        yield from map(collate, packs)
