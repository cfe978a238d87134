"""An index version open for reading: its manifest, passages, embeddings and search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, EncoderMismatchError, SettingsError, StoreError
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
    from ragcli.protocols import Floats, Ints
    from ragcli.records import Passage
    from ragcli.settings import EncoderSettings
    from ragcli.store.passages import Passages
    from ragcli.store.shards import Embeddings


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
        for file, record in self.manifest.files.items():
            if damage := record.damage(folder / file, file_digest if verify else None):
                raise CorruptIndexError(f"{folder / file}: {damage}")
        self.passages: Passages
        self.embeddings: Embeddings
        self.passages, self.embeddings, self._faiss = open_tables(folder, self.manifest)
        self._check_agreement()

    def _check_agreement(self) -> None:
        """Passages, embeddings and FAISS file are those of one and the same index."""
        from ragcli.store.vectors import uses_inner_product

        passages, dimension = len(self), self.manifest.dimension
        shapes = {
            PASSAGES: (len(self.passages), dimension),
            EMBEDDINGS: self.embeddings.shape,
            FAISS: (int(self._faiss.ntotal), int(self._faiss.d)),
        }
        for name, (count, width) in shapes.items():
            if count != passages:
                told = f"{name} holds {count} passages, the manifest says {passages}"
                raise CorruptIndexError(told)
            if width != dimension:
                told = f"{name} has {width} dimensions, the manifest says {dimension}"
                raise CorruptIndexError(told)
        if not uses_inner_product(self._faiss):
            raise CorruptIndexError(f"{FAISS} does not search by inner product")

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

    def search(self, queries: Floats, k: int) -> tuple[Floats, Ints]:
        """The top-k of each query: scores (n, k), largest first, and rows (n, k).

        `queries` is (n, dimension). Scores are exact inner products with the stored embeddings,
        whatever the FAISS type, and equal scores come in the order of their rows. Every row is a
        passage: where an approximate type finds fewer than k, the rest is found by scoring all
        stored embeddings. k must not exceed the number of passages.
        """
        import numpy as np

        from ragcli.store.vectors import top_k

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
        return top_k(self.embeddings, self._faiss, queries, k)

    def close(self) -> None:
        """Let go of the files; the version must not be used afterwards."""
        if "_faiss" in vars(self):
            self.passages.close()
            self.embeddings.close()
            del self.passages, self.embeddings, self._faiss

    if not TYPE_CHECKING:  # which would take any name for an attribute

        def __getattr__(self, name: str) -> NoReturn:
            """Called for what is not there: `close` has taken it away."""
            if name in ("passages", "embeddings", "_faiss"):
                raise StoreError(f"{self.name}@{self.version} is closed", "open it again")
            raise AttributeError(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_tables(folder: Path, manifest: Manifest) -> tuple[Passages, Embeddings, Any]:
    """The passages, the embeddings and the FAISS file of a version."""
    from ragcli.store.passages import Passages
    from ragcli.store.vectors import open_faiss

    paths = [folder / name for name in manifest.shards(PASSAGES)]
    passages = Passages(paths, folder / ORIGINS, folder / rows_name(PASSAGES))
    return passages, open_embeddings(folder, manifest), open_faiss(folder / FAISS)


def open_embeddings(folder: Path, manifest: Manifest) -> Embeddings:
    """The embeddings of a version."""
    from ragcli.store.shards import Embeddings

    paths = [folder / name for name in manifest.shards(EMBEDDINGS)]
    return Embeddings(paths, folder / rows_name(EMBEDDINGS))
