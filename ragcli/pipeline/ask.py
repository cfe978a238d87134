"""Questions in, answers with their evidence out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragcli.errors import SettingsError
from ragcli.pipeline.decode import decode
from ragcli.pipeline.retrieve import retrieve
from ragcli.protocols import Encoder, Generator
from ragcli.records import Answer
from ragcli.settings import Decoding, Retrieval

if TYPE_CHECKING:
    from ragcli.storage.index_version import IndexVersion

_ROWS = 640
"""The most hypotheses decoded side by side: each row has its own copy of a passage's cache."""


def ask(
    index: IndexVersion,
    encoder: Encoder,
    generator: Generator,
    questions: Sequence[str],
    retrieval: Retrieval,
    decoding: Decoding,
    batch_size: int = 8,
    explain: bool = False,
) -> Iterator[Answer]:
    """Answer `questions` in order, up to `batch_size` of them at a time."""
    if decoding.max_tokens > generator.max_tokens:
        raise SettingsError(
            f"max-tokens {decoding.max_tokens} is more than {generator.name} writes "
            f"({generator.max_tokens})"
        )
    size = max(1, min(batch_size, _ROWS // (retrieval.top_k * decoding.beams)))
    for start in range(0, len(questions), size):
        batch = questions[start : start + size]
        found = retrieve(index, encoder, batch, retrieval.top_k)
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
