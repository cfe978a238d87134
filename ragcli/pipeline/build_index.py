"""Documents → passages → d(z) → an index version, published whole or not at all."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ragcli import __version__
from ragcli.core.chunking import passages
from ragcli.errors import CorpusError, ModelError
from ragcli.records import Document, Passage
from ragcli.settings import Chunking, Indexing, OnError
from ragcli.storage.atomic import require_space
from ragcli.storage.corpus import read_documents
from ragcli.storage.manifest import EMBEDDINGS, FAISS, PASSAGES, Counts, Manifest
from ragcli.storage.versions import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.protocols import Encoder, Floats

_BLOCK = 4096
_SPARE_BYTES = 1 << 22


class BuildProgress(Protocol):
    """Told how a build goes on: each phase with its total (None if unknown), then its steps."""

    def phase(self, name: str, total: int | None) -> None: ...

    def advance(self, count: int) -> None: ...


class _Silent:
    def phase(self, name: str, total: int | None) -> None:
        pass

    def advance(self, count: int) -> None:
        pass


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made, and what it could not read (`problems`) or left out (`ignored`).

    `ignored` counts files of other types in the folders, by suffix.
    """

    name: str
    version: str
    documents: int
    passages: int
    words: int
    seconds: float
    active: bool
    problems: tuple[CorpusError, ...]
    ignored: Mapping[str, int]
    manifest: Manifest


def build_index(
    store: Store,
    encoder: Encoder,
    paths: Sequence[str],
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

    Passages are written first, so that their number and the room they need are known before the
    first is embedded. Memory holds one block of passages at a time.
    """
    _check_encoder(encoder)
    _check_type(indexing, encoder.settings.dimension)
    start = time.monotonic()
    report = progress or _Silent()
    problems: list[CorpusError] = []
    ignored: Counter[str] = Counter()
    with store.build(name, version) as folder:
        report.phase("reading", None)
        documents = read_documents(paths, on_error, problems, format, ignored)
        tally = _write_passages(documents, chunking, folder.path, report)
        dimension = encoder.settings.dimension
        _require_room(store, tally.passages, dimension)
        _write_embeddings(encoder, indexing, tally.passages, folder.path, report)
        factory = _write_faiss(indexing, folder.path, report)
        manifest = folder.publish(
            Manifest(
                name=name,
                version=folder.version,
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                ragcli=__version__,
                corpus_digest=tally.digest.hexdigest(),
                sources=tuple(paths),
                chunking=chunking,
                encoder=encoder.settings,
                dimension=dimension,
                type=indexing.type,
                factory=factory,
                counts=Counts(tally.documents, tally.passages, tally.words),
                seed=indexing.seed,
                files={},
            ),
            activate,
        )
    return BuildReport(
        name=name,
        version=folder.version,
        documents=tally.documents,
        passages=tally.passages,
        words=tally.words,
        seconds=time.monotonic() - start,
        active=activate,
        problems=tuple(problems),
        ignored=dict(ignored),
        manifest=manifest,
    )


def _check_encoder(encoder: Encoder) -> None:
    if not encoder.settings.document_digest:
        raise ModelError(
            f"{encoder.settings.query_name} encodes queries only; an index needs d(z) as well",
            hint="name an encoder that also encodes passages",
        )


def _check_type(indexing: Indexing, dimension: int) -> None:
    """Refuse a bad FAISS type now, not after hours of embedding."""
    from ragcli.storage.vectors import faiss_factory

    faiss_factory(indexing.type, 1_000_000, dimension)


@dataclass(slots=True)
class _Tally:
    """Counts and the corpus digest, kept while passages go by."""

    documents: int = 0
    passages: int = 0
    words: int = 0
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def add(self, passage: Passage) -> None:
        self.passages += 1
        self.words += passage.end - passage.start
        self.digest.update(f"{passage.id}\0{passage.digest}\n".encode())


def _write_passages(
    documents: Iterable[Document], chunking: Chunking, folder: Path, progress: BuildProgress
) -> _Tally:
    from ragcli.storage.passages import PassageWriter

    tally = _Tally()
    with PassageWriter(folder / PASSAGES) as writer:
        for document in documents:
            for passage in passages(document, chunking):
                writer.add(passage)
                tally.add(passage)
            tally.documents += 1
            progress.advance(1)
    return tally


def _require_room(store: Store, count: int, dimension: int) -> None:
    """Refuse before the first passage is embedded what the disk could not hold at the end."""
    from ragcli.storage.vectors import bytes_needed

    require_space(store.root, bytes_needed(count, dimension) + _SPARE_BYTES)


def _write_embeddings(
    encoder: Encoder, indexing: Indexing, count: int, folder: Path, progress: BuildProgress
) -> None:
    from ragcli.storage.vectors import EmbeddingWriter

    progress.phase("embedding", count)
    with EmbeddingWriter(folder / EMBEDDINGS, count, encoder.settings.dimension) as writer:
        for block in _blocks(folder):
            embeddings = encoder.encode_passages(block, indexing.batch_size, progress.advance)
            _check_embeddings(embeddings, block, encoder.settings.dimension)
            writer.add(embeddings)


def _blocks(folder: Path) -> Iterator[list[Passage]]:
    from ragcli.storage.passages import PassageStore

    store = PassageStore(folder / PASSAGES)
    try:
        yield from store.blocks(_BLOCK)
    finally:
        store.close()


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


def _write_faiss(indexing: Indexing, folder: Path, progress: BuildProgress) -> str:
    from ragcli.storage.vectors import build_faiss, faiss_factory, open_embeddings

    embeddings = open_embeddings(folder / EMBEDDINGS)
    count, dimension = embeddings.shape
    progress.phase("indexing", count)
    factory = faiss_factory(indexing.type, count, dimension)
    build_faiss(embeddings, factory, indexing.seed, folder / FAISS, progress.advance)
    return factory
