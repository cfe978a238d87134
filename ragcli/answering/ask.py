"""Questions in, answers with their evidence out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragcli.answering.decode import decode
from ragcli.answering.retrieval import Retriever
from ragcli.errors import SettingsError
from ragcli.protocols import Generator
from ragcli.records import Answer
from ragcli.settings import Decoding

if TYPE_CHECKING:
    from ragcli.store.version import IndexVersion

_ROWS = 640
"""The most hypotheses decoded side by side: each row has its own copy of a passage's cache."""


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
    """Answer `questions` in order, up to `batch_size` of them at a time."""
    require_fitting(generator, decoding)
    size = together(batch_size, top_k, decoding)
    for start in range(0, len(questions), size):
        batch = questions[start : start + size]
        found = retriever.retrieve(batch, top_k)
        decoded = decode(generator, batch, found, decoding, explain)
        for question, passages, result in zip(batch, found, decoded, strict=True):
            yield Answer(
                question=question,
                candidates=result.candidates,
                passages=tuple(passages),
                index=index.name,
                version=index.version,
                model=generator.name,
                variant=decoding.variant,
                decoding=decoding.mode if decoding.variant == "sequence" else "beam",
                passes=result.passes,
                no_answer=result.no_answer,
            )


def require_fitting(generator: Generator, decoding: Decoding) -> None:
    """Never ask a decoder for more tokens than it has positions."""
    if decoding.max_tokens > generator.max_tokens:
        raise SettingsError(
            f"max-tokens {decoding.max_tokens} is more than {generator.name} writes "
            f"({generator.max_tokens})"
        )


def together(batch_size: int, top_k: int, decoding: Decoding) -> int:
    """How many questions to decode side by side, so that memory stays bounded."""
    return max(1, min(batch_size, _ROWS // (top_k * decoding.beams)))
