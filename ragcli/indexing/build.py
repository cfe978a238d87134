"""Documents → passages → d(z) → an index version, published whole or not at all.

From an older version only what is new or changed is embedded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcli.answering.belonging import check_encoder
from ragcli.core.chunking import passages as passages_of
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import IndexNotFoundError, ModelError
from ragcli.indexing.assemble import BuildProgress, Plan, SilentBuild, assemble
from ragcli.indexing.assemble import BuildReport as BuildReport
from ragcli.records import Document, Passage, several
from ragcli.settings import Chunking, Indexing, OnError
from ragcli.store.store import DEFAULT_NAME, Where, store_at

if TYPE_CHECKING:
    from ragcli.protocols import Encoder
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
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Build an index version from the documents of `paths` and, unless told not to, activate it.

    A build that was interrupted goes on from the shards it had finished, if the passages, the
    encoder and the batch size are the same.
    """
    require_passages(encoder)
    check_type(indexing, encoder.settings.dimension)
    told = progress or SilentBuild()
    plan = Plan(
        started=time.monotonic(),
        sources=as_paths(paths),
        chunking=chunking,
        indexing=indexing,
        settings=encoder.settings,
        encoder=encoder,
        activate=activate,
    )
    store = store_at(store)
    with store.build(name, version) as folder:
        told.phase("reading", None)
        documents = read_documents(plan.sources, on_error, format)
        report = assemble(folder, plan, chunked(documents, chunking, told), told)
    return replace(report, left_out=documents.left_out)


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
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Make a version that holds the documents of `paths`, from the version `reference`.

    It equals a version built from nothing: passages whose title and text the older version knows
    come with their stored vectors, the others are embedded, and documents that are not in `paths`
    any more are gone; `keep_missing` keeps those, after the documents of `paths`. Chunking, seed
    and, unless given, the FAISS type are the older version's; an encoder that is not is refused.
    """
    start = time.monotonic()
    told = progress or SilentBuild()
    sources = as_paths(paths)
    store = store_at(store)
    name, _ = store.resolve(reference)
    with store.build(name, version) as folder, store.open(reference, verify=True) as parent:
        check_encoder(parent, encoder)
        indexing = _indexing(parent, type, batch_size)
        told.phase("reading", None)
        documents = read_documents(sources, on_error, format)
        passages = chunked(documents, parent.manifest.chunking, told)
        if keep_missing:
            passages = _with_missing(passages, parent)
        kept = parent.manifest.sources if keep_missing else ()
        plan = Plan(
            started=start,
            sources=tuple(dict.fromkeys((*kept, *sources))),
            chunking=parent.manifest.chunking,
            indexing=indexing,
            settings=parent.manifest.encoder,
            encoder=encoder,
            parent=parent,
            how="update",
            activate=activate,
        )
        report = assemble(folder, plan, passages, told)
    return replace(report, left_out=documents.left_out)


def _indexing(parent: IndexVersion, type: str | None, batch_size: int) -> Indexing:
    manifest = parent.manifest
    indexing = Indexing(type or manifest.type, batch_size, manifest.seed)
    check_type(indexing, manifest.dimension)
    return indexing


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
    start = time.monotonic()
    told = progress or SilentBuild()
    store = store_at(store)
    name, _ = store.resolve(reference)
    with store.build(name, version) as folder, store.open(reference, verify=True) as parent:
        gone = set(several(ids))
        _require_documents(parent, gone)
        manifest = parent.manifest
        plan = Plan(
            started=start,
            sources=tuple(s for s in manifest.sources if os.path.basename(s) not in gone),
            chunking=manifest.chunking,
            indexing=_indexing(parent, None, Indexing().batch_size),
            settings=manifest.encoder,
            parent=parent,
            how="delete",
            purge=True,
            activate=activate,
        )
        told.phase("reading", None)
        passages = (passage for passage in parent.passages if passage.document_id not in gone)
        return assemble(folder, plan, passages, told)


def _require_documents(parent: IndexVersion, ids: set[str]) -> None:
    unknown = ids - {row.document_id for row in parent.passages.outlines()}
    if unknown:
        named = ", ".join(repr(name) for name in sorted(unknown)[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        raise IndexNotFoundError(
            f"no such document in {parent.name}@{parent.version}: {named}{more}",
            hint="rag retrieve --json shows the `document` of a passage",
        )


def chunked(
    documents: Iterable[Document], chunking: Chunking, progress: BuildProgress
) -> Iterator[Passage]:
    """The passages of documents, each document reported as it goes by."""
    for document in documents:
        yield from passages_of(document, chunking)
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
