"""Questions in, answers with their evidence out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ragcli.pipeline.decode import decode
from ragcli.pipeline.retrievers import Retriever
from ragcli.protocols import Generator
from ragcli.records import Answer
from ragcli.settings import Decoding

if TYPE_CHECKING:
    from ragcli.storage.index_version import IndexVersion


def ask(
    index: IndexVersion,
    retriever: Retriever,
    generator: Generator,
    questions: Sequence[str],
    top_k: int,
    decoding: Decoding,
    batch_size: int = 8,
    explain: bool = False,
) -> Iterator[Answer]:
    """Answer `questions` in order, `batch_size` of them at a time."""
    decoding = fitting(generator, decoding)
    for start in range(0, len(questions), batch_size):
        batch = questions[start : start + batch_size]
        found = retriever.retrieve(batch, top_k)
        pairs = zip(batch, found, strict=True)
        for _, group in groupby(pairs, key=lambda pair: len(pair[1])):
            asked, retrieved = zip(*group, strict=True)
            decoded = decode(generator, asked, retrieved, decoding, explain)
            for question, passages, result in zip(asked, retrieved, decoded, strict=True):
                yield Answer(
                    question=question,
                    candidates=result.candidates,
                    passages=tuple(passages),
                    index=index.name,
                    version=index.version,
                    variant=decoding.variant,
                    decoding=decoding.mode if decoding.variant == "sequence" else "beam",
                    passes=result.passes,
                    no_answer=result.no_answer,
                )


def fitting(generator: Generator, decoding: Decoding) -> Decoding:
    """Never ask a decoder for more tokens than it has positions."""
    from dataclasses import replace

    longest = min(decoding.max_tokens, generator.max_tokens)
    if longest == decoding.max_tokens:
        return decoding
    return replace(decoding, max_tokens=longest, min_tokens=min(decoding.min_tokens, longest))
