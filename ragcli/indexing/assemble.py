"""Passages → d(z) → FAISS file → an index version: what builds, updates and take-downs share.

Every version is assembled in the same way. What an older version, the `parent`, has already is
taken over with its vectors, and only the rest goes through the encoder; without a parent that is
everything. So an update and a build from nothing end with the same passages and vectors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import numpy as np

from ragcli import __version__
from ragcli.corpus.read import LeftOut
from ragcli.errors import ModelError, StoreError
from ragcli.indexing.diff import Changes, compare_documents
from ragcli.log import timed
from ragcli.protocols import Encoder, Floats, Ints
from ragcli.records import Passage
from ragcli.settings import Chunking, EncoderSettings, Indexing
from ragcli.store import vectors
from ragcli.store.files import require_space
from ragcli.store.manifest import FAISS, Manifest, Origin
from ragcli.store.passages import Passages
from ragcli.store.shards import Embeddings
from ragcli.store.tables import EmbeddingBuilder, PassageBuilder
from ragcli.store.version import BuildFolder, IndexVersion

_BLOCK = 256
"""Passages given to the encoder at once: even a slow one takes less than a minute for them."""
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


@dataclass(frozen=True, slots=True)
class Assembly:
    """How the version in `folder` is to be assembled; `started` is in `time.monotonic()`.

    `encoder` may be None where nothing can be missing from the parent, as when documents are
    deleted. `purge` leaves nothing of what is gone in the files of the new version. `agree` sees
    which documents changed before any passage is embedded, and may raise.
    """

    folder: BuildFolder
    progress: BuildProgress
    started: float
    indexing: Indexing
    settings: EncoderSettings
    sources: Sequence[str] = ()
    roots: Sequence[str] = ()
    chunking: Chunking = Chunking()  # noqa: RUF009 (frozen)
    encoder: Encoder | None = None
    parent: IndexVersion | None = None
    how: str = "build"
    purge: bool = False
    activate: bool = True
    agree: Callable[[Changes], None] | None = None

    def assemble(self, passages: Iterable[Passage]) -> BuildReport:
        """Fill the folder with a version that holds `passages` in their order, and publish it.

        Passages are written first, so that their number and the room they need are known before
        the first is embedded. Memory holds one block of them at a time.
        """
        table = PassageBuilder(self.folder, self.parent)
        for passage in passages:
            table.add(passage)
        written = table.finish(self.purge)
        if not len(written):
            raise StoreError("no passage would be left", "remove the index with: rag remove-index")
        origin = self._origin(written)
        builder = EmbeddingBuilder(self.folder, written, self.parent)
        missing = len(builder.missing)
        key = builder.key(self.settings, self.indexing.batch_size)
        shelf = self.folder.shelf(key) if missing else None
        self._require_room(len(written), missing, shelf)
        self.progress.phase("embedding", missing)
        with timed(__name__, "embedded %d of %d passages", missing, len(written)):
            resumed = self._embed(written, builder, shelf) if shelf else 0
            embeddings = builder.finish(shelf, self.purge)
        written.close()
        return self.finish(table, embeddings, replace(origin, embedded=missing - resumed), resumed)

    def finish(
        self,
        table: PassageBuilder,
        embeddings: Embeddings,
        origin: Origin,
        resumed: int = 0,
        check: Callable[[IndexVersion], None] | None = None,
    ) -> BuildReport:
        """Make the FAISS file of tables that are written, measure its recall, and publish them.

        It is made from all embeddings: an index that only grew would find less and less. `check`
        sees the version before anybody else does, and may raise.
        """
        seed, path = self.indexing.seed, self.folder.path / FAISS
        factory = vectors.faiss_factory(self.indexing.type, *embeddings.shape)
        self.progress.phase("indexing", len(embeddings))
        with timed(__name__, "made the FAISS file of %d vectors", len(embeddings)):
            vectors.build_faiss(embeddings, factory, seed, path, self.progress.advance)
        with timed(__name__, "measured the recall of %s", factory):
            recall = vectors.measure_recall(embeddings, vectors.open_faiss(path), seed)
        embeddings.close()  # no file of the folder may be open when it is published
        name, version = self.folder.name, self.folder.version
        manifest = Manifest(
            name=name,
            version=version,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            ragcli=__version__,
            corpus_digest=table.corpus_digest,
            sources=tuple(self.sources),
            roots=tuple(self.roots),
            chunking=self.chunking,
            encoder=self.settings,
            dimension=self.settings.dimension,
            type=self.indexing.type,
            factory=factory,
            counts=table.counts,
            seed=seed,
            files={},
            origin=origin,
            recall=recall,
        )
        manifest = self.folder.publish(manifest, self.activate, check)
        return BuildReport(
            name,
            version,
            **asdict(manifest.counts),
            seconds=time.monotonic() - self.started,
            active=self.activate,
            manifest=manifest,
            resumed=resumed,
        )

    def _require_room(self, count: int, missing: int, shelf: Path | None) -> None:
        """Refuse before the first passage is embedded what the disk could not hold at the end."""
        dimension = self.settings.dimension
        factory = vectors.faiss_factory(self.indexing.type, count, dimension)
        finished = sum(path.stat().st_size for path in shelf.iterdir()) if shelf else 0
        needed = 4 * (dimension + 1) * missing - finished + _SPARE_BYTES
        require_space(self.folder.path, needed + vectors.faiss_bytes(factory, count, dimension))

    def _embed(self, passages: Passages, builder: EmbeddingBuilder, shelf: Path) -> int:
        """Embed what is missing, and say how many of them an earlier try had finished."""
        encoder, dimension = self.encoder, self.settings.dimension
        if encoder is None:
            missing = len(builder.missing)
            raise ModelError(f"{missing} passages have no stored vector, and no encoder")

        def embed(rows: Ints) -> Floats:
            block = list(passages.at(rows))
            batch_size, progress = self.indexing.batch_size, self.progress
            embeddings = encoder.encode_passages(block, batch_size, progress.advance)
            _check_embeddings(embeddings, block, dimension)
            return embeddings

        resumed = 0
        for spared in builder.embed(shelf, dimension, _BLOCK, embed):
            resumed += spared
            self.progress.advance(spared)
        return resumed

    def _origin(self, passages: Passages) -> Origin:
        if self.parent is None:
            return Origin(self.how)
        found = compare_documents(self.parent.passages, passages)
        if self.agree is not None:
            self.agree(found)
        added, changed, removed = map(len, (found.added, found.changed, found.removed))
        return Origin(self.how, self.parent.version, added, changed, removed)


def _check_embeddings(embeddings: Floats, block: Sequence[Passage], dimension: int) -> None:
    if embeddings.shape != (len(block), dimension):
        raise ModelError(
            f"the encoder returned embeddings of shape {embeddings.shape} for {len(block)} "
            f"passages of {dimension} dimensions"
        )
    finite = np.isfinite(embeddings).all(axis=1)
    if not finite.all():
        bad = block[int(np.argmin(finite))]
        raise ModelError(f"the encoder returned a value that is not finite for passage {bad.id}")
