"""Which versions there are, also those that are damaged, and which indexes may not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragcli.errors import CorruptIndexError, StoreError
from ragcli.store.manifest import Manifest, read_manifest
from ragcli.store.names import folders
from ragcli.store.store import Store


@dataclass(frozen=True, slots=True)
class Entry:
    """A version; `manifest` is the error where it cannot be read."""

    name: str
    version: str
    current: bool
    manifest: Manifest | CorruptIndexError


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
    entries: list[Entry] = []
    unreadable: list[StoreError] = []
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
            manifest = read_manifest(store.versions_folder(name) / version)
        except CorruptIndexError as error:
            if version not in store.versions(name):
                continue  # removed since it was listed
            manifest = error
        yield Entry(name, version, current is not None and current.version == version, manifest)
