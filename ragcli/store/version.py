"""An index version open for reading: its manifest, passages, embeddings and search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, EncoderMismatchError, SettingsError
from ragcli.store.manifest import (
    EMBEDDINGS,
    FAISS,
    ORIGINS,
    PASSAGES,
    Manifest,
    read_manifest,
    rows_name,
)

if TYPE_CHECKING:
    from ragcli.records import Passage
    from ragcli.settings import EncoderSettings
    from ragcli.store.embeddings import Embeddings, Floats, Rows
    from ragcli.store.passages import Passages

_REBUILD = "build this version again under another name, or swap to a version that is whole"


class IndexVersion:
    """An immutable index version; its files stay open, so a swap never disturbs a reader.

    Several threads may search and read one at once.
    Opening checks that every file is there with the size the manifest gives and that passages,
    embeddings and FAISS file agree on count, dimension and metric. `verify=True` also compares the
    sha256 of every byte.
    """

    def __init__(self, folder: Path, name: str, version: str, verify: bool = False) -> None:
        self.name = name
        self.version = version
        self.folder = folder
        self.manifest: Manifest = read_manifest(folder, verify)
        check_files(folder, self.manifest, verify)
        self.passages: Passages
        self.embeddings: Embeddings
        self.passages, self.embeddings, self._faiss = open_tables(folder, self.manifest)
        check_agreement(self.manifest, self.passages, self.embeddings, self._faiss)

    def __len__(self) -> int:
        return self.manifest.counts.passages

    @property
    def encoder(self) -> EncoderSettings:
        """The encoder that made the vectors."""
        return self.manifest.encoder

    @property
    def digests(self) -> dict[str, str]:
        """The digest of the corpus, and of every file."""
        files = {name: record.sha256 for name, record in self.manifest.files.items()}
        return {"corpus": self.manifest.corpus_digest} | files

    @property
    def store_root(self) -> Path:
        """The folder of the store that the version stands in."""
        return self.folder.parent.parent.parent

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    def take(self, rows: Sequence[int]) -> list[Passage]:
        """The passages of rows, in that order."""
        return self.passages.take(rows)

    def vectors(self, rows: Any) -> Floats:
        """The stored d(z) of rows (…), as (…, dimension)."""
        return self.embeddings[rows]

    def search(self, queries: Floats, k: int) -> tuple[Floats, Rows]:
        """The top-k of each query: scores (n, k), largest first, and rows (n, k).

        `queries` is (n, dimension). Scores are exact inner products with the stored embeddings,
        whatever the FAISS type, and equal scores come in the order of their rows. Every row is a
        passage: where an approximate type finds fewer than k, the rest is found by scoring all
        stored embeddings. k must not exceed the number of passages.
        """
        import numpy as np

        from ragcli.store import vectors
        from ragcli.store.ranking import candidates_for, rank

        queries = np.ascontiguousarray(queries, dtype=np.float32)
        if queries.ndim != 2 or queries.shape[1] != self.manifest.dimension:
            raise EncoderMismatchError(
                f"queries of {queries.shape[-1] if queries.ndim else 0} dimensions for the index "
                f"{self.name}@{self.version} of {self.manifest.dimension}",
                hint="use the encoder that the index was built with",
            )
        if not np.isfinite(queries).all():
            raise EncoderMismatchError("a query holds a value that is not a finite number")
        if not 1 <= k <= len(self):
            raise SettingsError(f"k must lie between 1 and {len(self)}, not {k}")
        _, rows = vectors.search(self._faiss, queries, candidates_for(k, len(self)))
        return rank(self.embeddings, queries, rows, k)

    def close(self) -> None:
        """Let go of the files; the version must not be used afterwards."""
        self.passages.close()
        self.embeddings.close()
        del self._faiss

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_tables(folder: Path, manifest: Manifest) -> tuple[Passages, Embeddings, Any]:
    """The passages, the embeddings and the FAISS file of a version."""
    from ragcli.store.embeddings import Embeddings, Shard, open_rows
    from ragcli.store.passages import Passages
    from ragcli.store.vectors import open_faiss

    paths = [folder / name for name in manifest.shards(PASSAGES)]
    passages = Passages(paths, folder / ORIGINS, folder / rows_name(PASSAGES))
    shards = [Shard(folder / name) for name in manifest.shards(EMBEDDINGS)]
    if len({shard.shape[1] for shard in shards}) > 1:
        raise CorruptIndexError(f"{folder}: embeddings of several dimensions", hint=_REBUILD)
    rows = open_rows(folder / rows_name(EMBEDDINGS), sum(map(len, shards)))
    return passages, Embeddings(shards, rows), open_faiss(folder / FAISS)


def check_files(folder: Path, manifest: Manifest, verify: bool) -> None:
    """Every file is there, of the right size, and with `verify` of the right content."""
    for name, record in manifest.files.items():
        path = folder / name
        try:
            size = path.stat().st_size
            digest = file_digest(path) if verify and size == record.bytes else record.sha256
        except OSError as error:
            raise CorruptIndexError(f"{path}: {error.strerror}", hint=_REBUILD) from None
        if size != record.bytes:
            raise CorruptIndexError(
                f"{path}: {size} bytes, the manifest says {record.bytes}", hint=_REBUILD
            )
        if digest != record.sha256:
            raise CorruptIndexError(
                f"{path}: its sha256 is not the one in the manifest", hint=_REBUILD
            )


def check_tables(folder: Path, manifest: Manifest) -> None:
    """Open the files of a version, see that they agree, and let go of them."""
    passages, embeddings, index = open_tables(folder, manifest)
    check_agreement(manifest, passages, embeddings, index)
    passages.close()
    embeddings.close()


def check_agreement(
    manifest: Manifest, passages: Passages, embeddings: Embeddings, index: Any
) -> None:
    """Passages, embeddings and FAISS file are those of one and the same index."""
    from ragcli.store.vectors import uses_inner_product

    expected = manifest.counts.passages
    counts = {PASSAGES: len(passages), EMBEDDINGS: len(embeddings), FAISS: int(index.ntotal)}
    for name, count in counts.items():
        if count != expected:
            raise CorruptIndexError(
                f"{name} holds {count} passages, the manifest says {expected}", hint=_REBUILD
            )
    dimensions = {EMBEDDINGS: embeddings.shape[1], FAISS: int(index.d)}
    for name, dimension in dimensions.items():
        if dimension != manifest.dimension:
            raise CorruptIndexError(
                f"{name} has {dimension} dimensions, the manifest says {manifest.dimension}",
                hint=_REBUILD,
            )
    if not uses_inner_product(index):
        raise CorruptIndexError(f"{FAISS} does not search by inner product", hint=_REBUILD)
