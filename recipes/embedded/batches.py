"""From examples to tensors: the generator's input format, alignments and bucketed batches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import torch
from data import Example
from transformers import PreTrainedTokenizerBase

IGNORED = -100


def source_text(question: str, title: str, text: str) -> str:
    """The one string that the generator reads: `question [SEP] title / text`."""
    passage = f"{title} / {text}" if title else text
    return f"{question} [SEP] {passage}" if question else passage


@dataclass(frozen=True)
class Encoded:
    """Token ids of one example, and the source position each target token comes from.

    A passage that does not hold the answer has the target [CLS], whatever comes before it:
    `forced` may be the beginning of an answer that other passages give.  So such a passage
    adds nothing to the marginal of any answer, per sequence or per token.
    """

    source: list[int]
    forced: list[int]
    target: list[int]
    places: list[int]
    passage_start: int
    kind: str


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

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_length: int, seed: int) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.rng = random.Random(seed)

    def __call__(self, example: Example) -> Encoded | None:
        """Encode one example; None when the cut takes a part of the answer away."""
        whole = source_text(example.question, example.title, example.text)
        shift = len(whole) - len(example.text)
        encoding = self.tokenizer(
            whole, return_offsets_mapping=True, truncation=True, max_length=self.max_length
        )
        source: list[int] = encoding["input_ids"]
        end_token = self.tokenizer.sep_token_id
        passage_start = source.index(end_token) + 1 if example.question else 1
        if example.start < 0:
            return self._without_answer(source, passage_start, example)
        first, last = example.start + shift, example.end + shift
        spots = [
            spot
            for spot, (a, b) in enumerate(encoding["offset_mapping"])
            if a < last and b > first and b > a and spot >= passage_start
        ]
        if not spots or (spots[-1] >= len(source) - 2 and len(source) == self.max_length):
            return None
        target = [source[spot] for spot in spots] + [end_token]
        places = [*spots, len(source) - 1]
        if example.kind == "copy" and self.rng.random() < 0.5:
            source = self._mask_spans(source)
        return Encoded(source, target[:-1], target, places, passage_start, example.kind)

    def _without_answer(self, source: list[int], passage_start: int, example: Example) -> Encoded:
        """[CLS] as the whole answer, or at every step after a forced beginning."""
        gap, end_token = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        if self.rng.random() < 0.5:
            places = [0, len(source) - 1]
            return Encoded(source, [gap], [gap, end_token], places, passage_start, example.kind)
        if example.wanted:
            forced = self.tokenizer(example.wanted, add_special_tokens=False)["input_ids"][:8]
        else:
            begin = self.rng.randint(passage_start, max(passage_start, len(source) - 3))
            forced = source[begin : min(begin + self.rng.randint(1, 3), len(source) - 1)]
        steps = len(forced) + 1
        return Encoded(source, forced, [gap] * steps, [0] * steps, passage_start, example.kind)

    def _mask_spans(self, source: list[int]) -> list[int]:
        """Hide about a sixth of the tokens behind [MASK], in spans of one to three."""
        hidden = list(source)
        for _ in range(max(1, len(source) // 12)):
            begin = self.rng.randint(1, len(source) - 2)
            for spot in range(begin, min(begin + self.rng.randint(1, 3), len(source) - 1)):
                hidden[spot] = self.tokenizer.mask_token_id
        return hidden


def collate(items: list[Encoded], pad: int) -> Batch:
    """Pad encoded examples to the longest of them."""
    width = max(len(item.source) for item in items)
    height = max(len(item.target) for item in items)
    source = torch.full((len(items), width), pad)
    target = torch.full((len(items), height), IGNORED)
    forced = torch.full((len(items), height - 1), pad)
    places = torch.zeros((len(items), height), dtype=torch.long)
    for row, item in enumerate(items):
        source[row, : len(item.source)] = torch.tensor(item.source)
        forced[row, : len(item.forced)] = torch.tensor(item.forced, dtype=torch.long)
        target[row, : len(item.target)] = torch.tensor(item.target)
        places[row, : len(item.places)] = torch.tensor(item.places)
    passage = torch.tensor([item.passage_start for item in items])
    return Batch(source, (source != pad).long(), forced, target, places, passage)


def bucketed(
    stream: Iterator[Encoded], pad: int, tokens: int, pool: int, rng: random.Random
) -> Iterator[Batch]:
    """Endless batches of at most `tokens` source tokens, of examples of like length."""
    while True:
        items = sorted(islice(stream, pool), key=lambda item: len(item.source))
        groups: list[list[Encoded]] = [[]]
        for item in items:
            if groups[-1] and (len(groups[-1]) + 1) * len(item.source) > tokens:
                groups.append([])
            groups[-1].append(item)
        rng.shuffle(groups)
        for group in groups:
            yield collate(group, pad)
