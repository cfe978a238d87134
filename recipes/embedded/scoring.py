"""Exact match and F1 with SQuAD's normalisation, and greedy answers in batches."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from batches import source_text
from data import Example
from transformers import BartForConditionalGeneration, PreTrainedTokenizerBase

_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalise(answer: str) -> str:
    """Lower case, no accents lost, no punctuation, no articles, single spaces."""
    kept = "".join(c for c in answer.lower() if c not in string.punctuation + "–—’‘“”")
    return " ".join(_ARTICLES.sub(" ", kept).split())


def exact(answer: str, reference: str) -> float:
    """1.0 when both are the same after normalisation."""
    return float(normalise(answer) == normalise(reference))


def overlap(answer: str, reference: str) -> float:
    """F1 of the words that answer and reference share."""
    ours, theirs = normalise(answer).split(), normalise(reference).split()
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * shared / (len(ours) + len(theirs))


@dataclass(frozen=True)
class Score:
    """Means over a set of examples, in percent."""

    count: int
    em: float
    f1: float


def canonical(tokenizer: PreTrainedTokenizerBase, text: str) -> str:
    """A text as the uncased tokenizer gives it back, so that both sides look alike."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokenizer.decode(ids, skip_special_tokens=True)


def score(
    answers: Sequence[str], examples: Sequence[Example], tokenizer: PreTrainedTokenizerBase
) -> Score:
    """The best exact match and F1 over each example's references."""
    em = f1 = 0.0
    for answer, example in zip(answers, examples, strict=True):
        references = [canonical(tokenizer, reference) for reference in example.references]
        em += max(exact(answer, reference) for reference in references)
        f1 += max(overlap(answer, reference) for reference in references)
    count = len(examples)
    return Score(count, round(100 * em / count, 1), round(100 * f1 / count, 1))


@torch.no_grad()
def answer_all(
    model: BartForConditionalGeneration,
    tokenizer: PreTrainedTokenizerBase,
    examples: Sequence[Example],
    max_length: int = 256,
    batch_size: int = 24,
    abstain: bool = False,
) -> list[str]:
    """Greedy answers, batched by length, in the order of the examples.

    With `abstain` the generator may say that the passage does not hold the answer, which
    comes out as an empty string; otherwise it has to answer.
    """
    suppressed = None if abstain else [tokenizer.cls_token_id]
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].text))
    answers = [""] * len(examples)
    for begin in range(0, len(order), batch_size):
        rows = order[begin : begin + batch_size]
        sources = [
            source_text(examples[i].question, examples[i].title, examples[i].text) for i in rows
        ]
        batch = tokenizer(
            sources, return_tensors="pt", padding=True, truncation=True, max_length=max_length
        )
        written = model.generate(
            input_ids=batch["input_ids"],
            attention_mask=batch["attention_mask"],
            num_beams=1,
            do_sample=False,
            max_new_tokens=32,
            suppress_tokens=suppressed,
        )
        decoded = tokenizer.batch_decode(written, skip_special_tokens=True)
        for row, text in zip(rows, decoded, strict=True):
            answers[row] = text.strip()
    return answers
