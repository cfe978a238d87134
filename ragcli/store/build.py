"""A version under construction: a temporary sibling that one rename turns into a version."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.errors import CorruptIndexError, IndexNotFoundError
from ragcli.store.files import folders, link_or_copy, replace_file, sweep, sync
from ragcli.store.manifest import (
    MANIFEST,
    FileRecord,
    Manifest,
    manifest_bytes,
    read_manifest,
    shard_name,
    shard_names,
)
from ragcli.store.version import IndexVersion

if TYPE_CHECKING:
    from ragcli.store.store import Store

PREFIX = ".building-"
UNFINISHED = "unfinished"


class BuildFolder:
    """The folder that a build fills; it becomes `versions/VERSION` when it is published."""

    def __init__(self, store: Store, path: Path, name: str, version: str) -> None:
        self._store = store
        self.path = path
        self.name = name
        self.version = version
        self._linked: dict[str, FileRecord] = {}
        self._shelf: Path | None = None

    def shards(self, table: str) -> list[Path]:
        """The shards of a table so far."""
        return [self.path / name for name in shard_names(os.listdir(self.path), table)]

    def new_shard(self, table: str) -> Path:
        """Where the next shard of a table is to be written."""
        return self.path / shard_name(table, len(self.shards(table)))

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
        self._shelf.mkdir(parents=True, exist_ok=True)
        sweep(self._shelf)
        return self._shelf

    def tidy(self) -> None:
        """Remove the shelf, if nothing was finished on it."""
        if self._shelf is not None:
            with suppress(OSError):
                self._shelf.rmdir()
            with suppress(OSError):
                self._shelf.parent.rmdir()

    def publish(
        self,
        manifest: Manifest,
        activate: bool = True,
        check: Callable[[IndexVersion], None] | None = None,
    ) -> Manifest:
        """Write the manifest, check the files, rename the folder to its version, activate it.

        The rename is the one moment the version comes into being; everything before it is on disk
        by then, and `check` has seen it. No file may be open here: Windows would refuse the rename.
        Returns the manifest with the digests of the files.
        """
        files = sorted(path.name for path in self.path.iterdir())
        manifest = replace(manifest, files={name: self._record(name) for name in files})
        self._store_once(manifest)
        replace_file(self.path / MANIFEST, manifest_bytes(manifest))
        self._open(check)
        self._rename(activate)
        if self._shelf is not None:
            shutil.rmtree(self._shelf, ignore_errors=True)
        return manifest

    def _open(self, check: Callable[[IndexVersion], None] | None) -> None:
        """Open the version, which sees that its files agree; nothing is open afterwards."""
        with IndexVersion(self.path, self.name, self.version) as index:
            if check is not None:
                check(index)

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
        sync(self.path / name)
        return FileRecord.of(self.path / name)

    def _store_once(self, manifest: Manifest) -> None:
        """Link what another version of the index has byte for byte."""
        stored = stored_files(self.path.parent)
        for name in manifest.files.keys() - self._linked.keys():
            twin = find_twin(self.path / name, manifest.files[name], stored)
            if twin is not None:
                shared = self.path / f"{name}.shared"
                with suppress(OSError):  # a file that cannot be linked stays as it is
                    os.link(twin, shared)
                    os.replace(shared, self.path / name)


def stored_files(versions: Path) -> Mapping[FileRecord, Sequence[Path]]:
    """The files of all versions in a folder of them, by what their manifests say of them."""
    found = defaultdict(list)
    for version in folders(versions):
        with suppress(CorruptIndexError):
            for name, record in read_manifest(versions / version).files.items():
                found[record].append(versions / version / name)
    return found


def find_twin(
    path: Path, record: FileRecord, stored: Mapping[FileRecord, Sequence[Path]]
) -> Path | None:
    """Another file than the one at `path` that is as `record` says."""
    for twin in stored.get(record, ()):
        same = twin.exists() and path.exists() and twin.samefile(path)
        if not same and record.damage(twin) is None:
            return twin
    return None
