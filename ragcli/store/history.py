"""Which versions there are, also those that are damaged, and how they are taken away.

Readers that have a version open keep it, for its files stay until they let go.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ragcli.errors import CorruptIndexError, NoSpaceError, SettingsError, StoreError
from ragcli.store.files import folders, sync, writing
from ragcli.store.manifest import Manifest
from ragcli.store.store import CURRENT, REMOVED, Current, Store


@dataclass(frozen=True, slots=True)
class Entry:
    """A version; `manifest` is the error where it cannot be read."""

    name: str
    version: str
    current: bool
    manifest: Manifest | CorruptIndexError

    @property
    def age(self) -> tuple[int, str, str]:
        """What versions are sorted by, oldest first; the clock counts only for release 0.1.0."""
        if isinstance(self.manifest, Manifest):
            return self.manifest.sequence, self.manifest.created, self.version
        return 0, "", self.version


@dataclass(frozen=True, slots=True)
class LogEntry(Entry):
    """A version in the log of its index; `own_bytes` are what removing it would free."""

    previous: bool
    tags: tuple[str, ...]
    own_bytes: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Every version of a store, and for each index that may not be read the reason."""

    entries: tuple[Entry, ...]
    unreadable: tuple[StoreError, ...]

    @property
    def manifests(self) -> list[Manifest]:
        """Those of the versions that have a readable one."""
        return [e.manifest for e in self.entries if isinstance(e.manifest, Manifest)]


def list_versions(store: Store) -> Listing:
    """Every version of every index, in the order of their names."""
    entries, unreadable = list[Entry](), list[StoreError]()
    for name in folders(store.root):
        try:
            entries += index_entries(store, name)
        except StoreError as error:
            unreadable.append(error)
    return Listing(tuple(entries), tuple(unreadable))


def index_entries(store: Store, name: str) -> Iterator[Entry]:
    """The versions of one index."""
    versions = store.versions(name)
    current = store.known_current(name)
    for version in versions:
        manifest: Manifest | CorruptIndexError
        try:
            manifest = Manifest.read(store.versions_folder(name) / version)
        except CorruptIndexError as error:
            manifest = error
        if isinstance(manifest, Manifest) or version in store.versions(name):  # not yet removed
            yield Entry(name, version, current is not None and current.version == version, manifest)


def version_log(store: Store, name: str, version: str | None = None) -> list[LogEntry]:
    """The versions of an index, newest first, damaged ones last; or the one that is named."""
    store.require_index(name)
    wanted = store.version_of(name, version) if version else None
    current, tags = store.current(name), store.tags(name)
    log = []
    for entry in index_entries(store, name):
        if wanted not in (None, entry.version):
            continue
        try:
            own = own_bytes([store.versions_folder(name) / entry.version])
        except FileNotFoundError:
            continue  # removed since it was listed
        previous = current is not None and current.previous == entry.version
        named = tuple(sorted(tag for tag, tagged in tags.items() if tagged == entry.version))
        known = (name, entry.version, entry.current, entry.manifest)
        log.append(LogEntry(*known, previous, named, own))
    return sorted(log, key=lambda entry: entry.age, reverse=True)


def own_bytes(folders: Iterable[Path]) -> int:
    """The space that only these folders take: files they share with no other folder."""
    files = [path.lstat() for folder in folders for path in folder.iterdir()]
    links = Counter((file.st_dev, file.st_ino) for file in files)
    first = {(file.st_dev, file.st_ino): file for file in files}
    return sum(file.st_size for key, file in first.items() if file.st_nlink == links[key])


def remove_version(store: Store, name: str, version: str, force: bool = False) -> int:
    """Remove a version and its tags, the current one only with `force`; returns the bytes freed.

    The previous one, if there is one, becomes current in its place.
    """
    version = store.version_of(name, version)
    with store.locked(name, building=True), store.locked(name):
        return _remove(store, name, [store.version_of(name, version)], force)


def prune_versions(store: Store, name: str, keep: int, dry_run: bool = False) -> list[str]:
    """Remove all but the `keep` newest versions; those removed, oldest first.

    The current version, tagged ones, and damaged ones (their age is not known) are kept as well.
    """
    if keep < 1:
        raise SettingsError(f"at least one version must be kept, not {keep}")
    store.require_index(name)
    with store.locked(name, building=True), store.locked(name):
        old = _prunable(store, name, keep)
        if old and not dry_run:
            _remove(store, name, old, force=False)
    return old


def _prunable(store: Store, name: str, keep: int) -> list[str]:
    current = store.current(name)
    safe = {*store.tags(name).values(), *([current.version] if current else [])}
    known = [e for e in index_entries(store, name) if isinstance(e.manifest, Manifest)]
    known.sort(key=lambda entry: entry.age)
    return [entry.version for entry in known[:-keep] if entry.version not in safe]


def _remove(store: Store, name: str, versions: list[str], force: bool) -> int:
    """First no one is sent to the versions any more, then each goes by one rename.

    On a full disk it is the other way round: room has to be made before CURRENT can be written.
    """
    current = store.known_current(name)
    if current is not None and current.version in versions and not force:
        hint = "swap to another one first, or remove it with --force"
        raise StoreError(f"{name}@{current.version} is the current version", hint)
    folder = store.versions_folder(name)
    freed = own_bytes(folder / version for version in versions)
    tags = store.tags(name)
    forget = partial(_forget, store, name, versions, current, tags)
    full = False
    try:
        forget()
    except NoSpaceError:
        full = True
    with writing(folder):
        for version in versions:
            grave = folder / f"{REMOVED}{version}"
            shutil.rmtree(grave, ignore_errors=True)
            os.rename(folder / version, grave)
        sync(folder)
    for version in versions:
        shutil.rmtree(folder / f"{REMOVED}{version}", ignore_errors=True)
    if full:
        forget()
    return freed


def _forget(
    store: Store,
    name: str,
    versions: list[str],
    current: Current | None,
    tags: Mapping[str, str],
) -> None:
    """CURRENT and TAGS no longer name the versions."""
    if current is not None:
        left = [v for v in (current.version, current.previous) if v and v not in versions]
        if current.version in versions:
            left = [version for version in left if version in store.versions(name)]
        if not left:
            (store.root / name / CURRENT).unlink(missing_ok=True)
        elif (now := Current(*left)) != current:
            store.write_current(name, now)
    kept = {tag: version for tag, version in tags.items() if version not in versions}
    if kept != tags:
        store.write_tags(name, kept)
