"""Documents → passages → d(z) → an index version, published whole or not at all.

From an older version only what is new or changed is embedded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ragcli.answering.belonging import check_encoder
from ragcli.core.chunking import passages as passages_of
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import IndexNotFoundError, ModelError
from ragcli.indexing.assemble import Assembly, BuildProgress, SilentBuild
from ragcli.indexing.assemble import BuildReport as BuildReport
from ragcli.protocols import Encoder
from ragcli.records import Document, Passage, several
from ragcli.settings import Chunking, Indexing, OnError
from ragcli.store.store import DEFAULT_NAME, Where, store_at
from ragcli.store.vectors import faiss_factory
from ragcli.store.version import IndexVersion

_NAMED = 5


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
        assembly = replace(begin, sources=sources, chunking=chunking)
        documents = read_documents(sources, on_error, format, strict)
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
    _check_type(indexing, settings.dimension)
    told = progress or SilentBuild()
    with store_at(store).build(name, version) as folder:
        told.phase("reading", None)
        yield Assembly(
            folder, told, started, indexing, settings, encoder=encoder, activate=activate
        )


def update_index(
    store: Where,
    encoder: Encoder,
    paths: Paths,
    reference: str | None = None,
    *,
    version: str | None = None,
    type: str | None = None,
    batch_size: int = Indexing().batch_size,
    keep_missing: bool = False,
    activate: bool = True,
    on_error: OnError = "fail",
    format: str | None = None,
    strict: bool = False,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Make a version that holds the documents of `paths`, from the version `reference`.

    It equals a version built from nothing: passages whose title and text the older version knows
    come with their stored vectors, the others are embedded, and documents that are not in `paths`
    any more are gone; `keep_missing` keeps those, after the documents of `paths`. Chunking, seed
    and, unless given, the FAISS type are the older version's; an encoder that is not is refused.
    """
    sources = as_paths(paths)
    indexing = (type, batch_size)
    with _continued(store, reference, version, indexing, progress, activate) as (begin, parent):
        check_encoder(parent, encoder)
        documents = read_documents(sources, on_error, format, strict)
        passages = chunked(documents, begin)
        if keep_missing:
            passages = _with_missing(passages, parent)
            sources = tuple(dict.fromkeys((*begin.sources, *sources)))
        assembly = replace(begin, sources=sources, encoder=encoder, how="update")
        report = assembly.assemble(passages)
    return replace(report, left_out=documents.left_out)


@contextmanager
def _continued(
    store: Where,
    reference: str | None,
    version: str | None,
    indexing: tuple[str | None, int],
    progress: BuildProgress | None,
    activate: bool,
) -> Iterator[tuple[Assembly, IndexVersion]]:
    """A version to be assembled from an older one, whose settings it takes over."""
    started, told, store = time.monotonic(), progress or SilentBuild(), store_at(store)
    name, _ = store.resolve(reference)
    with store.build(name, version) as folder, store.open(reference, verify=True) as parent:
        old = parent.manifest
        type, batch_size = indexing
        chosen = Indexing(type or old.type, batch_size, old.seed)
        _check_type(chosen, old.dimension)
        told.phase("reading", None)
        assembly = Assembly(folder, told, started, chosen, old.encoder, old.sources, old.chunking)
        yield replace(assembly, parent=parent, activate=activate), parent


def _with_missing(passages: Iterator[Passage], parent: IndexVersion) -> Iterator[Passage]:
    """The passages, then those of the parent's documents that were not among them."""
    seen: set[str] = set()
    for passage in passages:
        seen.add(passage.document_id)
        yield passage
    yield from (passage for passage in parent.passages if passage.document_id not in seen)


def delete_documents(
    store: Where,
    ids: str | Sequence[str],
    reference: str | None = None,
    *,
    version: str | None = None,
    activate: bool = True,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Make a version without the documents `ids`; nothing is embedded and no encoder is needed.

    For take-downs: no file of the new version holds anything of them. Older versions do until they
    are removed.
    """
    gone, indexing = set(several(ids)), (None, Indexing().batch_size)
    with _continued(store, reference, version, indexing, progress, activate) as (begin, parent):
        _require_documents(parent, gone)
        sources = tuple(s for s in begin.sources if os.path.basename(s) not in gone)
        assembly = replace(begin, sources=sources, how="delete", purge=True)
        passages = (passage for passage in parent.passages if passage.document_id not in gone)
        return assembly.assemble(passages)


def _require_documents(parent: IndexVersion, ids: set[str]) -> None:
    unknown = ids - {row.document_id for row in parent.passages.outlines()}
    if unknown:
        named = ", ".join(repr(name) for name in sorted(unknown)[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        raise IndexNotFoundError(
            f"no such document in {parent.name}@{parent.version}: {named}{more}",
            hint="rag retrieve --json shows the `document` of a passage",
        )


def chunked(documents: Iterable[Document], assembly: Assembly) -> Iterator[Passage]:
    """The passages of documents, each document reported as it goes by."""
    for document in documents:
        yield from passages_of(document, assembly.chunking)
        assembly.progress.advance(1)


def _check_type(indexing: Indexing, dimension: int) -> None:
    """Refuse a bad FAISS type now, not after hours of embedding."""
    faiss_factory(indexing.type, 1_000_000, dimension)
