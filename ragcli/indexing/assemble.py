"""Passages → d(z) → FAISS file → an index version: what builds, updates and take-downs share.

Every version is assembled in the same way. What an older version, the `parent`, has already is
taken over with its vectors, and only the rest goes through the encoder; without a parent that is
everything. So an update and a build from nothing end with the same passages and vectors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from ragcli import __version__
from ragcli.corpus.read import LeftOut
from ragcli.errors import ModelError, StoreError
from ragcli.log import timed
from ragcli.records import Passage
from ragcli.settings import Chunking, EncoderSettings, Indexing
from ragcli.store.files import require_space
from ragcli.store.manifest import FAISS, Manifest, Origin

if TYPE_CHECKING:
    from pathlib import Path

    from ragcli.protocols import Encoder, Floats, Ints
    from ragcli.store.passages import Passages
    from ragcli.store.shards import Embeddings
    from ragcli.store.tables import EmbeddingBuilder, PassageBuilder
    from ragcli.store.version import BuildFolder, IndexVersion

_BLOCK = 4096
_SPARE_BYTES = 1 << 22


class BuildProgress(Protocol):
    """Told how a build goes on: each phase with its total (None if unknown), then its steps."""

    def phase(self, name: str, total: int | None) -> None:
        return

    def advance(self, count: int) -> None:
        return


class SilentBuild(BuildProgress):
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a version is to be assembled; `started` is in `time.monotonic()`.

    `encoder` may be None where nothing can be missing from the parent, as when documents are
    deleted. `purge` leaves nothing of what is gone in the files of the new version.
    """

    started: float
    sources: tuple[str, ...]
    chunking: Chunking
    indexing: Indexing
    settings: EncoderSettings
    encoder: Encoder | None = None
    parent: IndexVersion | None = None
    how: str = "build"
    purge: bool = False
    activate: bool = True


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made, and what it left out.

    `embedded` counts the passages that went through the encoder now, `resumed` those that an
    interrupted build had embedded.
    """

    name: str
    version: str
    documents: int
    passages: int
    words: int
    seconds: float
    active: bool
    manifest: Manifest
    resumed: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def embedded(self) -> int:
        return self.manifest.origin.embedded


def assemble(
    folder: BuildFolder, plan: Plan, passages: Iterable[Passage], progress: BuildProgress
) -> BuildReport:
    """Fill `folder` with a version that holds `passages` in their order, and publish it.

    Passages are written first, so that their number and the room they need are known before the
    first is embedded. Memory holds one block of them at a time.
    """
    from ragcli.store.tables import EmbeddingBuilder, PassageBuilder

    table = PassageBuilder(folder, plan.parent)
    for passage in passages:
        table.add(passage)
    written = table.finish(plan.purge)
    if not len(written):
        raise StoreError("no passage would be left", hint="remove the index with: rag remove-index")
    vectors = EmbeddingBuilder(folder, written, plan.parent)
    missing = len(vectors.missing)
    key = vectors.key(plan.settings, plan.indexing.batch_size)
    shelf = folder.shelf(key) if missing else None
    _require_room(folder, plan, len(written), missing, shelf)
    progress.phase("embedding", missing)
    with timed(__name__, "embedded %d of %d passages", missing, len(written)):
        resumed = _embed(plan, written, vectors, shelf, progress) if shelf else 0
        embeddings = vectors.finish(shelf, plan.purge)
    origin = _origin(plan, written, missing - resumed)
    written.close()
    return finish(folder, plan, table, embeddings, progress, origin, resumed)


def finish(
    folder: BuildFolder,
    plan: Plan,
    table: PassageBuilder,
    embeddings: Embeddings,
    progress: BuildProgress,
    origin: Origin,
    resumed: int = 0,
    check: Callable[[IndexVersion], None] | None = None,
) -> BuildReport:
    """Make the FAISS file of tables that are written, measure its recall, and publish them.

    It is made from all embeddings: an index that only grew would find less and less. `check` sees
    the version before anybody else does, and may raise.
    """
    from ragcli.store.vectors import build_faiss, faiss_factory, measure_recall, open_faiss

    seed, path = plan.indexing.seed, folder.path / FAISS
    factory = faiss_factory(plan.indexing.type, *embeddings.shape)
    progress.phase("indexing", len(embeddings))
    with timed(__name__, "made the FAISS file of %d vectors", len(embeddings)):
        build_faiss(embeddings, factory, seed, path, progress.advance)
    with timed(__name__, "measured the recall of %s", factory):
        recall = measure_recall(embeddings, open_faiss(path), seed)
    embeddings.close()  # no file of the folder may be open when it is published
    manifest = Manifest(
        name=folder.name,
        version=folder.version,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        ragcli=__version__,
        corpus_digest=table.corpus_digest,
        sources=plan.sources,
        chunking=plan.chunking,
        encoder=plan.settings,
        dimension=plan.settings.dimension,
        type=plan.indexing.type,
        factory=factory,
        counts=table.counts,
        seed=seed,
        files={},
        origin=origin,
        recall=recall,
    )
    manifest = folder.publish(manifest, plan.activate, check)
    return BuildReport(
        name=manifest.name,
        version=manifest.version,
        documents=manifest.counts.documents,
        passages=manifest.counts.passages,
        words=manifest.counts.words,
        seconds=time.monotonic() - plan.started,
        active=plan.activate,
        manifest=manifest,
        resumed=resumed,
    )


def _require_room(
    folder: BuildFolder, plan: Plan, count: int, missing: int, shelf: Path | None
) -> None:
    """Refuse before the first passage is embedded what the disk could not hold at the end."""
    from ragcli.store.vectors import faiss_bytes, faiss_factory

    dimension = plan.settings.dimension
    factory = faiss_factory(plan.indexing.type, count, dimension)
    finished = sum(path.stat().st_size for path in shelf.iterdir()) if shelf else 0
    needed = 4 * dimension * missing - finished + faiss_bytes(factory, count, dimension)
    require_space(folder.path, needed + _SPARE_BYTES)


def _embed(
    plan: Plan, passages: Passages, table: EmbeddingBuilder, shelf: Path, progress: BuildProgress
) -> int:
    """Embed what is missing, and say how many of them an earlier try had finished."""
    encoder = plan.encoder
    if encoder is None:
        raise ModelError(f"{len(table.missing)} passages have no stored vector, and no encoder")
    batch_size, dimension = plan.indexing.batch_size, plan.settings.dimension

    def embed(rows: Ints) -> Floats:
        block = list(passages.at(rows))
        embeddings = encoder.encode_passages(block, batch_size, progress.advance)
        _check_embeddings(embeddings, block, dimension)
        return embeddings

    resumed = 0
    for spared in table.embed(shelf, dimension, _BLOCK, embed):
        resumed += spared
        progress.advance(spared)
    return resumed


def _check_embeddings(embeddings: Floats, block: Sequence[Passage], dimension: int) -> None:
    import numpy as np

    if embeddings.shape != (len(block), dimension):
        raise ModelError(
            f"the encoder returned embeddings of shape {embeddings.shape} for {len(block)} "
            f"passages of {dimension} dimensions"
        )
    finite = np.isfinite(embeddings).all(axis=1)
    if not finite.all():
        bad = block[int(np.argmin(finite))]
        raise ModelError(f"the encoder returned a value that is not finite for passage {bad.id}")


def _origin(plan: Plan, passages: Passages, embedded: int) -> Origin:
    from ragcli.indexing.diff import compare_documents

    if plan.parent is None:
        return Origin(plan.how, embedded=embedded)
    changes = compare_documents(plan.parent.passages, passages)
    return Origin(
        plan.how,
        plan.parent.version,
        added=len(changes.added),
        changed=len(changes.changed),
        removed=len(changes.removed),
        embedded=embedded,
    )
