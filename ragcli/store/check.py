"""Look through a store: every byte against its checksum, and what does not belong there.

What can be is put right: a FAISS file from stored embeddings, a file from its twin, leftovers.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, RagError, StoreBusyError, StoreError
from ragcli.records import Finding
from ragcli.store.files import folders, remove, replacing, unfinished, writing
from ragcli.store.history import list_versions
from ragcli.store.manifest import EMBEDDINGS, FAISS, MANIFEST, FileRecord, Manifest
from ragcli.store.store import PREFIX, REMOVED, TAGS, Store
from ragcli.store.vectors import build_faiss
from ragcli.store.version import UNFINISHED, IndexVersion, find_twin, open_embeddings, stored_files

ABOUT = "store"
_PERMISSION = "give yourself permission to read it"
_REPAIR = "rag doctor --repair"


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
                yield _problem(error.message, _PERMISSION)

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
                found = list(self._leftovers(name))
        except StoreBusyError:
            found = [Finding("note", ABOUT, f"{name}: another process is writing to it now")]
        except StoreError as error:  # nothing could be cleaned
            found = [Finding("note", ABOUT, error.message, "its owner may write to it")]
        yield from found
        yield from self._current(name)
        yield from self._tags(name)
        for version in self._store.versions(name):
            try:
                problems = list(self._version(name, version))
            except FileNotFoundError:
                problems = []
            except StoreError as error:  # it cannot be read now, and nothing says it is damaged
                problems = [_problem(error.message, error.hint or _PERMISSION)]
            if version not in self._store.versions(name):
                continue  # removed while it was looked at
            yield from problems
            if not problems:
                self.whole.append((name, version))
                yield Finding("ok", ABOUT, f"{name}@{version}: every byte is as it was written")

    def _leftovers(self, name: str) -> Iterator[Finding]:
        for path, what in leftovers(self._store.root / name):
            repair = partial(clean, self._store, name, path)
            message = f"{path}: {what} ({_size(path) / 1e6:,.1f} MB)"
            yield Finding("note", ABOUT, message, _REPAIR, repair)

    def _current(self, name: str) -> Iterator[Finding]:
        swap = f"rag swap-index VERSION -i {name}"
        try:
            current = self._store.current(name)
        except RagError as error:
            yield _problem(error.message, swap)
            return
        if current is not None and current.version not in self._store.versions(name):
            yield _problem(f"{name}: the current version {current.version} is not there", swap)

    def _tags(self, name: str) -> Iterator[Finding]:
        def empty() -> str:
            with self._store.locked(name):
                self._store.write_tags(name, {})
            return f"{self._store.root / name / TAGS}: emptied"

        def drop(tag: str) -> str:
            self._store.tag(name, tag, None)
            return f"{name}: the tag {tag} is taken away"

        try:
            tags = self._store.tags(name)
        except RagError as error:
            yield _problem(error.message, _REPAIR, empty)
            return
        versions = self._store.versions(name)
        for tag in sorted(tag for tag, to in tags.items() if to not in versions):
            message = f"{name}: the tag {tag} stands for {tags[tag]}, which is not there"
            yield _problem(message, _REPAIR, partial(drop, tag))

    def _version(self, name: str, version: str) -> Iterator[Finding]:
        """What is wrong with a version; nothing, if nothing is."""
        folder = self._store.versions_folder(name) / version
        gone = f"rag remove-index {name}@{version}, and build it again"
        try:
            manifest = Manifest.read(folder)
        except CorruptIndexError as error:
            yield _problem(error.message, _advice(folder / MANIFEST, gone))
            return
        whole = {file: r.damage(folder / file, self._digest) for file, r in manifest.files.items()}
        damaged = {file: reason for file, reason in whole.items() if reason}
        for file, reason in damaged.items():
            repair = self._repair(name, version, manifest, file, damaged)
            advice = _REPAIR if repair else _advice(folder / file, gone)
            yield _problem(f"{folder / file}: {reason}", advice, repair)
        for path in sorted(folder.iterdir()):
            if path.name not in (*manifest.files, MANIFEST) and not path.name.startswith("."):
                yield _problem(f"{path}: not a file of this version", "remove it")
        if not damaged:
            try:
                IndexVersion(folder, name, version).close()
            except CorruptIndexError as error:
                yield _problem(error.message, gone)

    def _digest(self, path: Path) -> str:
        status = path.stat()
        file = (status.st_dev, status.st_ino)
        if file not in self._digests:
            self._digests[file] = file_digest(path)
        return self._digests[file]

    def _repair(
        self, name: str, version: str, manifest: Manifest, file: str, damaged: Iterable[str]
    ) -> partial[str] | None:
        versions = self._store.versions_folder(name)
        path = versions / version / file
        if twin := find_twin(path, manifest.files[file], stored_files(versions)):
            return partial(restore_from_twin, self._store, name, path, twin)
        if file == FAISS and not any(other.startswith(EMBEDDINGS) for other in damaged):
            return partial(rebuild_faiss, self._store, name, version, manifest)
        return None


def _problem(message: str, advice: str, repair: Callable[[], str] | None = None) -> Finding:
    return Finding("problem", ABOUT, message, advice, repair)


def _advice(path: Path, otherwise: str) -> str:
    """What to do about a file: one that may not be read need not be damaged."""
    return _PERMISSION if path.exists() and not os.access(path, os.R_OK) else otherwise


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files if not file.is_dir())


def rebuild_faiss(store: Store, name: str, version: str, manifest: Manifest) -> str:
    """Make a version's FAISS file again from its embeddings, which must be whole.

    With the same libraries and one thread it comes out as it was; otherwise the manifest is
    replaced after it. A kill between the two leaves a file that the next repair makes again.
    """
    folder = store.versions_folder(name) / version
    with store.locked(name, building=True), writing(folder):
        path = folder / FAISS
        build_faiss(open_embeddings(folder, manifest), manifest.factory, manifest.seed, path)
        record = FileRecord.of(path)
        if record == manifest.files[FAISS]:
            return f"{name}@{version}: {FAISS} made again, byte for byte"
        files = dict(manifest.files) | {FAISS: record}
        # The recall was measured on another file.
        replace(manifest, files=files, recall=None).write(folder)
        return f"{name}@{version}: {FAISS} made again from the stored embeddings"


def restore_from_twin(store: Store, name: str, path: Path, twin: Path) -> str:
    """Replace a damaged file by a copy of its twin; a copy, so that damage cannot hit both."""
    with (
        store.locked(name, building=True),
        writing(path.parent),
        open(twin, "rb") as whole,
        replacing(path) as stream,
    ):
        shutil.copyfileobj(whole, stream)
    return f"{path} restored from {twin}"


def leftovers(index: Path) -> Iterator[tuple[Path, str]]:
    """What dead processes left in the folder of an index, and what it is."""
    versions = index / "versions"
    for path in sorted(versions.glob(f"{PREFIX}*")):
        yield path, "a build that did not end"
    for path in sorted(versions.glob(f"{REMOVED}*")):
        yield path, "a removal that did not end"
    for path in sorted((index / UNFINISHED).glob("*")):
        yield path, "embeddings of an interrupted build, which the same command would take up"
    for folder in (index, *(versions / name for name in folders(versions))):
        for path in unfinished(folder):
            yield path, "a file that was not written to its end"


def clean(store: Store, name: str, path: Path) -> str:
    """Remove a leftover."""
    with store.locked(name, building=True), store.locked(name), writing(path.parent):
        remove(path)
        with suppress(OSError):
            (store.root / name / UNFINISHED).rmdir()
    return f"{path} removed"
