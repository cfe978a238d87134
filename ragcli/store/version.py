"""An index version: a folder that a build fills and one rename puts in place, then only read."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from ragcli.digests import file_digest
from ragcli.errors import (
    CorruptIndexError,
    EncoderMismatchError,
    IndexNotFoundError,
    SettingsError,
    StoreError,
)
from ragcli.store import manifest as names
from ragcli.store.files import folders, link_or_copy, share, sweep, sync
from ragcli.store.manifest import EMBEDDINGS, FAISS, PASSAGES, FileRecord, Manifest

if TYPE_CHECKING:
    from ragcli.protocols import Floats, Ints
    from ragcli.records import Passage
    from ragcli.settings import EncoderSettings
    from ragcli.store.passages import Passages
    from ragcli.store.shards import Embeddings
    from ragcli.store.store import Store

UNFINISHED = "unfinished"


class IndexVersion:
    """An immutable index version; its files stay open, so a swap never disturbs a reader.

    Opening checks the manifest and the small files beside the tables against their sha256, that
    every file has the size the manifest gives, and that passages, embeddings and FAISS file agree
    on count, dimension and metric; with `verify` also the sha256 of every byte. Each passage and
    each vector that is read is checked by itself. Several threads may search and read one at once.
    """

    def __init__(self, folder: Path, name: str, version: str, verify: bool = False) -> None:
        self.name, self.version, self.folder = name, version, folder
        self.manifest = Manifest.read(folder)
        for file, record in self.manifest.files.items():
            digest = file_digest if verify or file in names.SMALL else None
            if damage := record.damage(folder / file, digest):
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
        said = {"holds {} passages": passages, "has {} dimensions": dimension}
        for name, shape in shapes.items():
            for found, (what, told) in zip(shape, said.items(), strict=True):
                if found != told:
                    what = what.format(found)
                    raise CorruptIndexError(f"{name} {what}, the manifest says {told}")
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
        passage, so k must not exceed their number.
        """
        import numpy as np

        from ragcli.store.vectors import top_k

        queries = np.ascontiguousarray(queries, dtype=np.float32)
        if queries.ndim != 2 or queries.shape[1] != self.manifest.dimension:
            width = queries.shape[-1] if queries.ndim else 0
            index = f"the index {self.name}@{self.version} of {self.manifest.dimension}"
            hint = "use the encoder that the index was built with"
            raise EncoderMismatchError(f"queries of {width} dimensions for {index}", hint)
        if not np.isfinite(queries).all():
            raise EncoderMismatchError("a query holds a value that is not a finite number")
        if not 1 <= k <= len(self):
            raise SettingsError(f"k must lie between 1 and {len(self)}, not {k}")
        try:
            return top_k(self.embeddings, self._faiss, queries, k)
        except IndexError:
            wrong = f"{self.folder / FAISS}: it names passages that are not there"
            raise CorruptIndexError(wrong, "make it again with: rag doctor --repair") from None

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
    passages = Passages(paths, folder / names.ORIGINS, folder / names.rows_name(PASSAGES))
    return passages, open_embeddings(folder, manifest), open_faiss(folder / FAISS)


def open_embeddings(folder: Path, manifest: Manifest) -> Embeddings:
    """The embeddings of a version."""
    from ragcli.store.shards import Embeddings

    paths = [folder / name for name in manifest.shards(EMBEDDINGS)]
    return Embeddings(paths, folder / names.rows_name(EMBEDDINGS))


class BuildFolder:
    """The folder that a build fills; it becomes `versions/VERSION` when it is published."""

    def __init__(self, store: Store, path: Path, name: str, version: str) -> None:
        self._store, self.path, self.name, self.version = store, path, name, version
        self._linked: dict[str, FileRecord] = {}
        self._shelf: Path | None = None

    def shards(self, table: str) -> list[Path]:
        """The shards of a table so far."""
        return [self.path / name for name in names.shard_names(os.listdir(self.path), table)]

    def new_shard(self, table: str) -> Path:
        """Where the next shard of a table is to be written."""
        return self.path / names.shard_name(table, len(self.shards(table)))

    def link(self, parent: IndexVersion, file: str, path: Path) -> None:
        """Share a file of an open version, whose bytes were verified when it was opened."""
        try:
            link_or_copy(parent.folder / file, path)
        except FileNotFoundError:
            gone = f"{parent.name}@{parent.version} was removed while it was being read"
            raise IndexNotFoundError(gone) from None
        self._linked[path.name] = parent.manifest.files[file]

    def shelf(self, key: str) -> Path:
        """Where shards with this key are finished one by one; it outlives a build that fails."""
        self._shelf = self.path.parent.parent / UNFINISHED / key
        for folder in (self._shelf.parent, self._shelf):
            if not folder.exists():
                folder.mkdir()
                share(folder)
        sweep(self._shelf)
        return self._shelf

    def tidy(self) -> None:
        """Remove the shelf, if nothing was finished on it."""
        for folder in (self._shelf, self._shelf.parent) if self._shelf else ():
            with suppress(OSError):
                folder.rmdir()

    def publish(
        self,
        manifest: Manifest,
        activate: bool = True,
        check: Callable[[IndexVersion], None] | None = None,
    ) -> Manifest:
        """Write the manifest, check the files, rename the folder to its version, activate it.

        The rename is the one moment the version comes into being; everything before it is on disk
        by then, and `check` has seen it. No file may be open here: Windows would refuse the rename.
        """
        files = sorted(path.name for path in self.path.iterdir())
        records = {name: self._record(name) for name in files}
        manifest = replace(manifest, files=records, sequence=_next(self.path.parent))
        self._store_once(manifest)
        manifest.write(self.path)
        share(self.path / names.MANIFEST)
        with IndexVersion(self.path, self.name, self.version) as index:  # which sees that all agree
            if check is not None:
                check(index)
        self._rename(activate)
        if self._shelf is not None:
            shutil.rmtree(self._shelf, ignore_errors=True)
        return manifest

    def _rename(self, activate: bool) -> None:
        target = self.path.parent / self.version
        with self._store.locked(self.name):
            self._store.check_new(self.name, self.version)
            os.rename(self.path, target)
            sync(target.parent)
            if activate:
                self._store.set_current(self.name, self.version)

    def _record(self, name: str) -> FileRecord:
        if name in self._linked:
            return self._linked[name]
        share(self.path / name)
        sync(self.path / name)
        return FileRecord.of(self.path / name)

    def _store_once(self, manifest: Manifest) -> None:
        """Link what another version of the index has byte for byte."""
        stored = stored_files(self.path.parent)
        for name in manifest.files.keys() - self._linked.keys():
            if twin := find_twin(self.path / name, manifest.files[name], stored):
                shared = self.path / f"{name}.shared"
                with suppress(OSError):  # a file that cannot be linked stays as it is
                    os.link(twin, shared)
                    os.replace(shared, self.path / name)


Stored = Mapping[FileRecord, Sequence[Path]]


def _manifests(versions: Path) -> Iterator[tuple[Path, Manifest]]:
    """The versions in a folder of them, but for damaged ones."""
    for version in folders(versions):
        with suppress(CorruptIndexError):
            yield versions / version, Manifest.read(versions / version)


def _next(versions: Path) -> int:
    """The number of the version that comes next; its builder holds the lock."""
    return 1 + max((manifest.sequence for _, manifest in _manifests(versions)), default=0)


def stored_files(versions: Path) -> Stored:
    """The files of all versions in a folder of them, by what their manifests say of them."""
    found = defaultdict(list)
    for folder, manifest in _manifests(versions):
        for name, record in manifest.files.items():
            found[record].append(folder / name)
    return found


def find_twin(path: Path, record: FileRecord, stored: Stored) -> Path | None:
    """Another file than the one at `path` that is as `record` says."""
    for twin in stored.get(record, ()):
        same = twin.exists() and path.exists() and twin.samefile(path)
        if not same and record.damage(twin) is None:
            return twin
    return None
