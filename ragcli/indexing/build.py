"""Documents → passages → d(z) → an index version, published whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcli.core.chunking import passages
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import ModelError
from ragcli.indexing.assemble import BuildProgress, Plan, Silent, assemble
from ragcli.indexing.assemble import BuildReport as BuildReport
from ragcli.records import Document, Passage
from ragcli.settings import Chunking, Indexing, OnError
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.protocols import Encoder


def build_index(
    store: Store,
    encoder: Encoder,
    paths: Paths,
    *,
    name: str = DEFAULT_NAME,
    version: str | None = None,
    chunking: Chunking = Chunking(),  # noqa: B008 (frozen)
    indexing: Indexing = Indexing(),  # noqa: B008 (frozen)
    activate: bool = True,
    on_error: OnError = "fail",
    format: str | None = None,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Build an index version from the documents of `paths` and, unless told not to, activate it.

    A build that was interrupted goes on from the shards it had finished, if the passages, the
    encoder and the batch size are the same.
    """
    require_passages(encoder)
    check_type(indexing, encoder.settings.dimension)
    told = progress or Silent()
    plan = Plan(
        started=time.monotonic(),
        sources=as_paths(paths),
        chunking=chunking,
        indexing=indexing,
        settings=encoder.settings,
        encoder=encoder,
        activate=activate,
    )
    with store.build(name, version) as folder:
        told.phase("reading", None)
        documents = read_documents(plan.sources, on_error, format)
        report = assemble(folder, plan, chunked(documents, chunking, told), told)
    return replace(report, left_out=documents.left_out)


def chunked(
    documents: Iterable[Document], chunking: Chunking, progress: BuildProgress
) -> Iterator[Passage]:
    """The passages of documents, each document reported as it goes by."""
    for document in documents:
        yield from passages(document, chunking)
        progress.advance(1)


def require_passages(encoder: Encoder) -> None:
    """Refuse an encoder of queries only."""
    if not encoder.settings.document_digest:
        raise ModelError(
            f"{encoder.settings.query_name} encodes queries only; an index needs d(z) as well",
            hint="name an encoder that also encodes passages",
        )


def check_type(indexing: Indexing, dimension: int) -> None:
    """Refuse a bad FAISS type now, not after hours of embedding."""
    from ragcli.store.vectors import faiss_factory

    faiss_factory(indexing.type, 1_000_000, dimension)
