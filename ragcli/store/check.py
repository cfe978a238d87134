"""Look through a store: every byte against its checksum, and what does not belong there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, RagError, StoreBusyError, StoreError
from ragcli.findings import Finding
from ragcli.store.listing import list_versions
from ragcli.store.manifest import FAISS, MANIFEST, FileRecord, Manifest, read_manifest
from ragcli.store.names import folders
from ragcli.store.repair import (
    clean,
    find_twin,
    leftovers,
    rebuild_faiss,
    restore_from_twin,
)
from ragcli.store.store import Store
from ragcli.store.tags import TAGS, write_tags
from ragcli.store.version import check_tables

ABOUT = "store"
_PERMISSION = "give yourself permission to read it"


class Checkup:
    """Looks through a store; files that versions share are read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._digests: dict[tuple[int, int], str] = {}
        self.whole: list[tuple[str, str]] = []
        """The versions that are in order, as (name, version)."""

    def run(self) -> Iterator[Finding]:
        """Everything about the store, index by index."""
        root = self._store.root
        if not root.is_dir():
            yield Finding("note", ABOUT, f"no store at {root}", "rag build-index FOLDER")
            return
        if not os.access(root, os.W_OK | os.X_OK):
            yield Finding("note", ABOUT, f"{root} can be read but not written to")
        yield self._disk(root)
        for name in folders(root):
            try:
                self._store.versions(name)  # raises where it may not be read
                if self._store.versions_folder(name).is_dir():
                    yield from self._index(name)
            except StoreError as error:
                yield Finding("problem", ABOUT, error.message, _PERMISSION)

    def _disk(self, root: Path) -> Finding:
        free = shutil.disk_usage(root).free
        largest = max((m.bytes for m in list_versions(self._store).manifests), default=0)
        message = f"{root}: {free / 1e9:,.1f} GB free"
        if free < largest:
            said = f"{message}, less than the largest version takes"
            return Finding("note", ABOUT, said, "make room, or: rag prune-index --keep 3")
        return Finding("ok", ABOUT, message)

    def _index(self, name: str) -> Iterator[Finding]:
        try:
            with Store(self._store.root, patience=0).locked(name, building=True):
                index = self._store.root / name
                found = [(path, what, _size(path)) for path, what in leftovers(index)]
        except StoreBusyError:
            found = []
            yield Finding("note", ABOUT, f"{name}: another process is writing to it now")
        except StoreError as error:
            found = []  # nothing could be cleaned
            yield Finding("note", ABOUT, error.message, "its owner may write to it")
        for path, what, size in found:
            repair = partial(clean, self._store, name, path)
            message = f"{path}: {what} ({size / 1e6:,.1f} MB)"
            yield Finding("note", ABOUT, message, "rag doctor --repair", repair)
        yield from self._current(name)
        yield from self._tags(name)
        for version in self._store.versions(name):
            try:
                problems = list(self._version(name, version))
            except FileNotFoundError:
                problems = []
            if version not in self._store.versions(name):
                continue  # removed while it was looked at
            yield from problems
            if not problems:
                self.whole.append((name, version))
                yield Finding("ok", ABOUT, f"{name}@{version}: every byte is as it was written")

    def _current(self, name: str) -> Iterator[Finding]:
        try:
            current = self._store.current(name)
        except RagError as error:
            yield Finding("problem", ABOUT, error.message, f"rag swap-index VERSION -i {name}")
            return
        if current is not None and current.version not in self._store.versions(name):
            message = f"{name}: the current version {current.version} is not there"
            yield Finding("problem", ABOUT, message, f"rag swap-index VERSION -i {name}")

    def _tags(self, name: str) -> Iterator[Finding]:
        index = self._store.root / name

        def empty() -> str:
            with self._store.locked(name):
                write_tags(index, {})
            return f"{index / TAGS}: emptied"

        def drop(tag: str) -> str:
            with self._store.locked(name):
                tags = self._store.tags(name)
                write_tags(index, {other: to for other, to in tags.items() if other != tag})
            return f"{name}: the tag {tag} is taken away"

        try:
            tags = self._store.tags(name)
        except RagError as error:
            yield Finding("problem", ABOUT, error.message, "rag doctor --repair", empty)
            return
        versions = self._store.versions(name)
        for tag in sorted(tag for tag, to in tags.items() if to not in versions):
            repair = partial(drop, tag)
            message = f"{name}: the tag {tag} stands for {tags[tag]}, which is not there"
            yield Finding("problem", ABOUT, message, "rag doctor --repair", repair)

    def _version(self, name: str, version: str) -> Iterator[Finding]:
        """What is wrong with a version; nothing, if nothing is."""
        folder = self._store.versions_folder(name) / version
        gone = f"rag remove-index {name}@{version}, and build it again"
        try:
            manifest = read_manifest(folder, verify=True)
        except CorruptIndexError as error:
            yield Finding("problem", ABOUT, error.message, _advice(folder / MANIFEST, gone))
            return
        damaged = {}
        for file, record in manifest.files.items():
            if reason := self._damage(folder / file, record):
                damaged[file] = reason
        for file, reason in damaged.items():
            repair = self._repair(name, version, manifest, file, set(damaged))
            advice = "rag doctor --repair" if repair else _advice(folder / file, gone)
            yield Finding("problem", ABOUT, f"{folder / file}: {reason}", advice, repair)
        for path in sorted(folder.iterdir()):
            if path.name not in (*manifest.files, MANIFEST) and not path.name.startswith("."):
                yield Finding("problem", ABOUT, f"{path}: not a file of this version", "remove it")
        if not damaged:
            try:
                check_tables(folder, manifest)
            except CorruptIndexError as error:
                yield Finding("problem", ABOUT, error.message, gone)

    def _damage(self, path: Path, record: FileRecord) -> str | None:
        try:
            status = path.stat()
            if status.st_size != record.bytes:
                return f"{status.st_size} bytes, the manifest says {record.bytes}"
            file = (status.st_dev, status.st_ino)
            if file not in self._digests:
                self._digests[file] = file_digest(path)
        except OSError as error:
            return error.strerror or str(error)
        same = self._digests[file] == record.sha256
        return None if same else "its sha256 is not the one in the manifest"

    def _repair(
        self, name: str, version: str, manifest: Manifest, file: str, damaged: set[str]
    ) -> partial[str] | None:
        path = self._store.versions_folder(name) / version / file
        if twin := find_twin(self._store, name, path, manifest.files[file]):
            return partial(restore_from_twin, self._store, name, path, twin)
        others = {other for other in damaged if other.startswith("embeddings")}
        if file == FAISS and not others:
            return partial(rebuild_faiss, self._store, name, version, manifest)
        return None


def _advice(path: Path, otherwise: str) -> str:
    """What to do about a file: one that may not be read need not be damaged."""
    return _PERMISSION if path.exists() and not os.access(path, os.R_OK) else otherwise


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.lstat().st_size for file in path.rglob("*") if file.is_file())
    return path.lstat().st_size
