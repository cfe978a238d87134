"""An older version → a newer one: of another corpus, with a part refreshed, or without documents.

Only what is new or changed is embedded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from heapq import merge

from ragcli.answering.belonging import check_encoder
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import CorpusError, IndexNotFoundError, ShrinkError
from ragcli.indexing.assemble import Assembly, BuildProgress, BuildReport, SilentBuild
from ragcli.indexing.build import check_type, chunked
from ragcli.indexing.diff import Changes
from ragcli.indexing.roots import Part, Place, Roots
from ragcli.protocols import Encoder
from ragcli.records import Passage, several
from ragcli.settings import Indexing, OnError
from ragcli.store.store import Where, store_at
from ragcli.store.version import IndexVersion

Allow = bool | Callable[[str], bool]
"""Whether a version may lose many documents, or who is asked when it is about to."""
_SHARE = 10
"""More than one document in so many are many."""


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
    allow_shrink: Allow = False,
    activate: bool = True,
    on_error: OnError = "fail",
    format: str | None = None,
    strict: bool = False,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Make a version from the version `reference` and what stands in `paths` now.

    It equals a version built from nothing: passages whose title and text the older version knows
    come with their stored vectors, and the others are embedded. If a path is one of the roots that
    the older version was built from, or lies in one, then only that part is read again, and paths
    outside of the roots are added to them. Otherwise `paths` are the whole corpus. Documents that
    are no longer there are gone; `keep_missing` keeps them, after the documents of `paths`.

    If more than a tenth of the documents would be gone, nothing is made and `ShrinkError` says
    which; `allow_shrink` allows it, or is a function that is told so and decides. Chunking, seed
    and, unless given, the FAISS type are the older version's; an encoder that is not is refused.
    """
    named = as_paths(paths)
    indexing = (type, batch_size)
    with _continued(store, reference, version, indexing, progress, activate) as (begin, parent):
        check_encoder(parent, encoder)
        roots = Roots.of(parent.manifest)
        outside = [path for path in named if not roots.parts(path)]
        whole = len(outside) == len(named) and not keep_missing
        roots = Roots(named) if whole else roots.with_more(outside)
        parts = roots.in_order(part for path in named for part in roots.parts(path))
        spelled = [roots.spelled(part) for part in parts]
        read, bases = [path for path, _ in spelled], [base for _, base in spelled]
        documents = read_documents(read, on_error, format, bases, strict)
        passages = chunked(documents, begin)
        if keep_missing:
            passages = _with_missing(passages, parent)
        elif not whole:
            passages = _merged(passages, _others(parent, roots, parts), roots)
        assembly = replace(begin, sources=roots.sources, roots=roots.paths, encoder=encoder)
        agree = partial(_agree, parent, allow_shrink)
        report = replace(assembly, how="update", agree=agree).assemble(passages)
    return replace(report, left_out=documents.left_out)


def _others(parent: IndexVersion, roots: Roots, parts: Sequence[Part]) -> Iterator[Passage]:
    """The older version's passages from outside of the parts; single files that are gone go."""

    @lru_cache(1)
    def goes(source: str) -> bool:
        part = roots.find(source)
        read = part is not None and any(each.holds(part) for each in parts)
        return read or (part is not None and roots.is_gone(part))

    return (passage for passage in parent.passages if not goes(passage.source))


def _merged(new: Iterator[Passage], kept: Iterator[Passage], roots: Roots) -> Iterator[Passage]:
    """What was read and what was kept, in the order in which a build would come by them."""

    def place(passage: Passage) -> Place:
        part = roots.find(passage.source)
        return (-1, ()) if part is None else part.place

    sources: dict[str, str] = {}
    for passage in merge(kept, new, key=place):
        other = sources.setdefault(passage.document_id, passage.source)
        if other != passage.source:
            taken = f"the id {passage.document_id!r} is already that of a document in {other}"
            hint = "if it has moved, name both places in one update"
            raise CorpusError(taken, passage.source, passage.line, hint)
        yield passage


def _with_missing(passages: Iterator[Passage], parent: IndexVersion) -> Iterator[Passage]:
    """The passages, then those of the parent's documents that were not among them."""
    seen: set[str] = set()
    for passage in passages:
        seen.add(passage.document_id)
        yield passage
    yield from (passage for passage in parent.passages if passage.document_id not in seen)


def _agree(parent: IndexVersion, allow: Allow, changes: Changes) -> None:
    """Raise if too many documents would be gone, unless somebody allows it."""
    lost, count = changes.removed, parent.manifest.counts.documents
    if _SHARE * len(lost) <= count or allow is True:
        return
    names = _listed([document.id for document in lost], 3)
    built = (
        f" (built from {_listed(parent.manifest.sources, 3)})" if parent.manifest.sources else ""
    )
    reference = f"{parent.name}@{parent.version}{built}"
    loss = f"{reference} would lose {len(lost):,} of its {count:,} documents: {names}"
    if not (allow and allow(loss)):
        raise ShrinkError(loss)


def _listed(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


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
        check_type(chosen, old.dimension)
        told.phase("reading", None)
        assembly = Assembly(folder, told, started, chosen, old.encoder, chunking=old.chunking)
        yield replace(assembly, parent=parent, activate=activate), parent


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
        roots = Roots.of(parent.manifest)
        both = zip(roots.sources, roots.paths, strict=True)
        left = [(name, path) for name, path in both if os.path.basename(name) not in gone]
        assembly = replace(begin, how="delete", purge=True)
        assembly = replace(assembly, sources=[n for n, _ in left], roots=[p for _, p in left])
        passages = (passage for passage in parent.passages if passage.document_id not in gone)
        return assembly.assemble(passages)


def _require_documents(parent: IndexVersion, ids: set[str]) -> None:
    unknown = ids - {row.document_id for row in parent.passages.outlines()}
    if unknown:
        named = _listed([repr(name) for name in sorted(unknown)], 5)
        raise IndexNotFoundError(
            f"no such document in {parent.name}@{parent.version}: {named}",
            hint="rag retrieve --json shows the `document` of a passage",
        )
