"""Documents → passages → d(z) → an index version, published whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ragcli.core.chunking import passages as passages_of
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import ModelError
from ragcli.indexing.assemble import Assembly, BuildProgress, SilentBuild
from ragcli.indexing.assemble import BuildReport as BuildReport
from ragcli.indexing.roots import roots_of
from ragcli.protocols import Encoder
from ragcli.records import Document, Passage
from ragcli.settings import Chunking, Indexing, OnError
from ragcli.store.store import DEFAULT_NAME, Where, store_at
from ragcli.store.vectors import faiss_factory


def build_index(
    store: Where,
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
    strict: bool = False,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Build an index version from the documents of `paths` and, unless told not to, activate it.

    A build that was interrupted goes on from the shards it had finished, if the passages, the
    encoder and the batch size are the same.
    """
    sources = as_paths(paths)
    with begun(store, name, version, encoder, indexing, progress, activate) as begin:
        read = replace(begin, sources=sources, roots=roots_of(sources))
        assembly = replace(read, chunking=chunking)
        documents = read_documents(sources, on_error, format, strict=strict)
        report = assembly.assemble(chunked(documents, assembly))
    return replace(report, left_out=documents.left_out)


@contextmanager
def begun(
    store: Where,
    name: str,
    version: str | None,
    encoder: Encoder,
    indexing: Indexing,
    progress: BuildProgress | None,
    activate: bool,
) -> Iterator[Assembly]:
    """A version to be assembled from nothing, its sources and its chunking left open."""
    started, settings = time.monotonic(), encoder.settings
    if not settings.document_digest:
        raise ModelError(
            f"{settings.query_name} encodes queries only; an index needs d(z) as well",
            hint="name an encoder that also encodes passages",
        )
    check_type(indexing, settings.dimension)
    told = progress or SilentBuild()
    with store_at(store).build(name, version) as folder:
        told.phase("reading", None)
        yield Assembly(
            folder, told, started, indexing, settings, encoder=encoder, activate=activate
        )


def chunked(documents: Iterable[Document], assembly: Assembly) -> Iterator[Passage]:
    """The passages of documents, each document reported as it goes by."""
    for document in documents:
        yield from passages_of(document, assembly.chunking)
        assembly.progress.advance(1)


def check_type(indexing: Indexing, dimension: int) -> None:
    """Refuse a bad FAISS type now, not after hours of embedding."""
    faiss_factory(indexing.type, 1_000_000, dimension)
