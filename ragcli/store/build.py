"""A version under construction: a temporary sibling that one rename turns into a version."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, IndexNotFoundError, VersionExistsError
from ragcli.store.files import link_or_copy, replace_file, sweep, sync
from ragcli.store.manifest import MANIFEST, FileRecord, Manifest, manifest_bytes, read_manifest
from ragcli.store.version import IndexVersion, check_tables

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
        self._known: dict[str, FileRecord] = {}
        self._shelf: Path | None = None

    def link(self, parent: IndexVersion, file: str, name: str) -> None:
        """Share a file of an open version, whose bytes were verified when it was opened."""
        try:
            link_or_copy(parent.folder / file, self.path / name)
        except FileNotFoundError:
            gone = f"{parent.name}@{parent.version} was removed while it was being read"
            raise IndexNotFoundError(gone) from None
        self._known[name] = parent.manifest.files[file]

    def shelf(self, key: str) -> Path:
        """Where shards with this key are finished one by one; it outlives a build that fails."""
        self._shelf = self.path.parent.parent / UNFINISHED / key
        self._shelf.mkdir(parents=True, exist_ok=True)
        sweep(self._shelf)
        return self._shelf

    def adopt(self, path: Path, name: str) -> None:
        """Take a finished shard over; it stays on its shelf until the version is published."""
        link_or_copy(path, self.path / name)

    def tidy(self) -> None:
        """Remove the shelf, if nothing was finished on it."""
        if self._shelf is not None:
            with suppress(OSError):
                self._shelf.rmdir()
                self._shelf.parent.rmdir()

    def publish(
        self,
        manifest: Manifest,
        activate: bool = True,
        check: Callable[[IndexVersion], None] | None = None,
    ) -> Manifest:
        """Check the files, write the manifest, rename the folder to its version, activate it.

        The rename is the one moment the version comes into being; everything before it is on disk
        by then, and `check` has seen it. No file may be open here: Windows would refuse the rename.
        Returns the manifest with the digests of the files.
        """
        files = sorted(path.name for path in self.path.iterdir())
        manifest = replace(manifest, files={name: self._record(name) for name in files})
        check_tables(self.path, manifest)
        self._share(manifest)
        replace_file(self.path / MANIFEST, manifest_bytes(manifest))
        if check is not None:
            self._show(check)
        self._rename(activate)
        if self._shelf is not None:
            shutil.rmtree(self._shelf, ignore_errors=True)
            with suppress(OSError):
                self._shelf.parent.rmdir()
        return manifest

    def _show(self, check: Callable[[IndexVersion], None]) -> None:
        with IndexVersion(self.path, self.name, self.version) as index:
            check(index)

    def _record(self, name: str) -> FileRecord:
        if name in self._known:
            return self._known[name]
        sync(self.path / name)
        return FileRecord(file_digest(self.path / name), (self.path / name).stat().st_size)

    def _share(self, manifest: Manifest) -> None:
        """Store once what another version of the index has byte for byte."""
        others: dict[str, Path] = {}
        for folder in self.path.parent.iterdir():
            if not folder.name.startswith("."):
                with suppress(CorruptIndexError):
                    for name, record in read_manifest(folder).files.items():
                        others[record.sha256] = folder / name
        for name, record in manifest.files.items():
            other = others.get(record.sha256)
            if other is None or name in self._known:
                continue
            with suppress(OSError):  # a file that cannot be linked stays as it is
                if other.samefile(self.path / name):
                    continue
                if file_digest(other) == record.sha256:
                    shared = self.path / f"{name}.shared"
                    os.link(other, shared)
                    os.replace(shared, self.path / name)

    def _rename(self, activate: bool) -> None:
        target = self.path.parent / self.version
        with self._store.locked(self.name):
            self._store.check_new(self.name, self.version)
            os.rename(self.path, target)
            sync(target.parent)
            if activate:
                self._store.set_current(self.name, self.version)


def version_exists(name: str, version: str) -> VersionExistsError:
    return VersionExistsError(
        f"the version {name}@{version} exists, and versions are never overwritten",
        hint="give another --version",
    )
