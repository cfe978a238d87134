"""The store: a folder of indexes, each a set of immutable versions of which one is current.

    STORE/NAME/versions/VERSION/      manifest.json, index.faiss, and two tables in shards, which
                                      are hard links where versions share them (see shards.py)
    STORE/NAME/versions/.building-*   a version under construction, removed by the next build
    STORE/NAME/versions/.removed-*    a version being removed
    STORE/NAME/unfinished/KEY/        finished shards of a build that was interrupted
    STORE/NAME/CURRENT                which version is current, and which was before
    STORE/NAME/TAGS                   other names for versions
    STORE/NAME/**/.*.new              a file under way; left by a writer that was killed
    STORE/NAME/.lock                  held for a moment to publish a version or change CURRENT
    STORE/NAME/.build.lock            held while a version is built or removed

Readers never wait: versions do not change once they are there, and CURRENT is replaced whole.
Nothing here loads numpy, Arrow or FAISS until a version is opened or built.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from ragcli.errors import (
    CorruptIndexError,
    IndexNotFoundError,
    SettingsError,
    StoreBusyError,
    StoreError,
    VersionExistsError,
)
from ragcli.log import timed
from ragcli.store.files import folders, is_name, read_json, share, valid_name, write_json, writing
from ragcli.store.version import BuildFolder, IndexVersion

DEFAULT_NAME = "default"
PREFIX, REMOVED = ".building-", ".removed-"
CURRENT, TAGS = "CURRENT", "TAGS"


@dataclass(frozen=True, slots=True)
class Current:
    """The version in use and the one before it."""

    version: str
    previous: str | None = None


class Store:
    """The store of index versions in `root`: by default $RAG_STORE, else the user's data folder.

    A writer that finds another at work waits `patience` seconds before it gives up.
    """

    def __init__(self, root: os.PathLike[str] | str | None = None, patience: float = 5.0) -> None:
        self.root = Path(root) if root is not None else _default_root()
        self.patience = patience

    def names(self) -> list[str]:
        """The indexes of the store that have a version."""
        return [name for name in folders(self.root) if self.versions(name)]

    def versions(self, name: str) -> list[str]:
        """The versions of an index, in the order of their names; none if there is no such index."""
        return folders(self.versions_folder(valid_name(name, "index")))

    def current(self, name: str) -> Current | None:
        """What CURRENT says; None while no version has been activated."""
        path = self.root / valid_name(name, "index") / CURRENT
        hint = "choose a version with: rag swap-index VERSION"
        current = read_json(path, Current, hint)
        for version in (current.version, current.previous) if current else ():
            if version is not None and not is_name(version):
                raise CorruptIndexError(f"{path}: damaged: {version!r} names no version", hint)
        return current

    def known_current(self, name: str) -> Current | None:
        """What CURRENT says; None also where it is damaged."""
        with suppress(CorruptIndexError):
            return self.current(name)
        return None

    def resolve(self, reference: str | None = None) -> tuple[str, str]:
        """`NAME`, `NAME@VERSION` or `@VERSION` → (name, version); without a name, `default`.

        A tag may stand where a version does.
        """
        name, _, version = (reference or "").partition("@")
        name = valid_name(name or DEFAULT_NAME, "index")
        if version:
            return name, self.version_of(name, version)
        version, before = self._current_version(name), ""
        while version != before and version not in self.versions(name):
            version, before = self._current_version(name), version  # it may be swapped meanwhile
        return name, self.version_of(name, version)

    def version_reference(self, text: str, index: str | None = None) -> tuple[str, str]:
        """`VERSION`, `@VERSION` or `NAME@VERSION` → (name, version), where a version is asked for.

        `index` is the index that the user named beside it, None for none; a version without a name
        is one of that index, else of `default`. A tag may stand where a version does.
        """
        name, at, version = text.rpartition("@")
        if name and index and name != index:
            hint = f"leave out the index {index!r}, or name one of {self._offer(index)}"
            raise SettingsError(f"{text!r} is no version of the index {index!r}", hint)
        name = valid_name(name or index or DEFAULT_NAME, "index")
        if not version:
            raise SettingsError(f"{text!r} names no version", hint=self._offer(name))
        try:
            return name, self.version_of(name, version)
        except IndexNotFoundError as error:
            if at or version not in self.names():
                raise
            hint = f"{version!r} is an index, and a version of it is {version}@VERSION"
            raise IndexNotFoundError(error.message, hint) from None

    def version_of(self, name: str, version: str) -> str:
        """The version that a name or a tag stands for."""
        valid_name(version, "version")
        if version not in self.versions(valid_name(name, "index")):
            version = self.tags(name).get(version, version)
        self._require(name, version)
        return version

    def tags(self, name: str) -> dict[str, str]:
        """tag → version: other names for versions."""
        path = self.root / valid_name(name, "index") / TAGS
        return read_json(path, dict[str, str], "clean it with: rag doctor --repair") or {}

    def write_tags(self, name: str, tags: Mapping[str, str]) -> None:
        """Replace all tags; the caller holds the index's lock."""
        write_json(self.root / name / TAGS, dict(sorted(tags.items())))

    def tag(self, name: str, tag: str, version: str | None) -> None:
        """Give a version another name, or with None take the tag away."""
        if version is not None:
            valid_name(tag, "tag")
            version = self.version_of(name, version)
        with self.locked(name):
            tags = self.tags(name)
            if version is not None:
                self._require(name, version)
                if tag in self.versions(name):
                    taken = f"{tag!r} is a version of the index {name!r}"
                    raise StoreError(taken, "choose another tag")
                tags[tag] = version
            elif tags.pop(tag, None) is None:
                there = f"its tags: {', '.join(sorted(tags))}" if tags else "it has no tags"
                raise IndexNotFoundError(f"the index {name!r} has no tag {tag!r}", hint=there)
            self.write_tags(name, tags)

    def open(self, reference: str | None = None, verify: bool = False) -> IndexVersion:
        """Open a version for reading; see `IndexVersion` for what is checked."""
        while True:
            name, version = self.resolve(reference)
            try:
                with timed(__name__, "opened %s@%s from %s", name, version, self.root):
                    return IndexVersion(self.versions_folder(name) / version, name, version, verify)
            except CorruptIndexError:
                if version in self.versions(name):
                    raise
                # It was removed while it was being opened: another may be current by now.

    def activate(self, name: str, version: str) -> Current:
        """Make a version current by one atomic replace; the old one becomes the previous."""
        version = self.version_of(name, version)
        with self.locked(name):
            self._require(name, version)
            return self.set_current(name, version)

    def require_index(self, name: str) -> None:
        """Raise unless the index has a version."""
        if not self.versions(name):
            names = self.names()
            there = f"there are: {', '.join(names)}" if names else "the store is empty"
            if found := next(iter(self._versions_named(name)), None):
                there = f"there is a version {found}; {there}"
            hint = f"{there}; build one with: rag build-index FOLDER --index {name}"
            raise IndexNotFoundError(f"no index {name!r} in {self.root}", hint)

    def activate_previous(self, name: str) -> Current:
        """Go back to the version that was current before."""
        self.require_index(name)
        with self.locked(name):
            current = self.current(name)
            if current is None or current.previous is None:
                none = f"the index {name!r} has no previous version"
                raise IndexNotFoundError(none, self._offer(name))
            self._require(name, current.previous)
            return self.set_current(name, current.previous)

    def check_new(self, name: str, version: str) -> None:
        """Raise if a version of that name cannot be built: a bad name, or one that is taken."""
        path = self.versions_folder(valid_name(name, "index")) / valid_name(version, "version")
        if os.path.lexists(path):
            taken = f"the version {name}@{version} exists, and versions are never overwritten"
            raise VersionExistsError(taken, "give another --version")
        if (tagged := self.tags(name).get(version)) is not None:
            raise StoreError(f"{version!r} is a tag of {name}@{tagged}", "give another --version")

    @contextmanager
    def build(self, name: str = DEFAULT_NAME, version: str | None = None) -> Iterator[BuildFolder]:
        """A folder to build a version in; it is gone afterwards unless it was published.

        The default version is the date and time in UTC. What builds that were killed left behind is
        removed first, but for shards they had finished.
        """
        if version is not None:
            self.check_new(name, version)
        versions = self.versions_folder(valid_name(name, "index"))
        with writing(self.root):
            self._make(versions)
        with self.locked(name, building=True), writing(versions, only_full=True):
            for leftover in (*versions.glob(f"{PREFIX}*"), *versions.glob(f"{REMOVED}*")):
                shutil.rmtree(leftover, ignore_errors=True)
            chosen = version or self._new_version(name)
            self.check_new(name, chosen)
            with writing(versions):
                path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=versions))
            folder = BuildFolder(self, path, name, chosen)
            try:
                share(path)  # mkdtemp's is for its owner alone
                yield folder
            finally:
                folder.tidy()
                shutil.rmtree(path, ignore_errors=True)

    def _make(self, versions: Path) -> None:
        """Make the folders of an index, and a store that is its owner's alone if there is none."""
        if not self.root.exists():
            self.root.parent.mkdir(parents=True, exist_ok=True)
            self.root.mkdir(mode=0o700, exist_ok=True)
        for folder in (versions.parent, versions):
            if not folder.exists():
                folder.mkdir(exist_ok=True)
                share(folder)

    def _new_version(self, name: str) -> str:
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S")
        names = chain([stamp], (f"{stamp}-{number}" for number in count(2)))
        return next(version for version in names if version not in self.versions(name))

    def set_current(self, name: str, version: str) -> Current:
        """Make a version current; the caller holds the index's lock."""
        current = self.known_current(name)
        if current is None or current.version != version:
            current = Current(version, current.version if current else None)
            self.write_current(name, current)
        return current

    def write_current(self, name: str, current: Current) -> None:
        """Replace CURRENT whole; the caller holds the index's lock."""
        write_json(self.root / name / CURRENT, asdict(current))

    def versions_folder(self, name: str) -> Path:
        """Where the versions of an index are."""
        return self.root / name / "versions"

    def _current_version(self, name: str) -> str:
        current = self.current(name)
        if current is not None:
            return current.version
        self.require_index(name)
        none = f"no version of the index {name!r} is active"
        raise IndexNotFoundError(none, self._offer(name))

    def _require(self, name: str, version: str) -> None:
        if version not in self.versions(name):
            self.require_index(name)
            offer = self._offer(name)
            if found := next(iter(self._versions_named(version)), None):
                offer = f"{offer}; there is {found}"
            raise IndexNotFoundError(f"no version {name}@{version}", hint=offer)

    def _versions_named(self, text: str) -> Iterator[str]:
        """Versions and tags of that name in all indexes, as one can name them."""
        for name in self.names():
            with suppress(StoreError):
                if text in self.versions(name) or text in self.tags(name):
                    yield f"{'' if name == DEFAULT_NAME else name}@{text}"

    def _offer(self, name: str) -> str:
        """What the user can choose among."""
        offered = f"its versions: {', '.join(self.versions(name)) or 'none'}"
        with suppress(StoreError):  # the error at hand is the one to tell
            if tags := self.tags(name):
                offered += f"; its tags: {', '.join(sorted(tags))}"
        return offered

    @contextmanager
    def locked(self, name: str, building: bool = False) -> Iterator[None]:
        """Hold the lock under which versions appear and CURRENT changes, or the builders' lock."""
        from filelock import FileLock, Timeout

        path = self.root / name / (".build.lock" if building else ".lock")
        with writing(self.root):
            try:
                folder = path.parent
                mode = (folder.stat().st_mode if folder.exists() else 0) & 0o666 | 0o600
                held = FileLock(path, timeout=self.patience, mode=mode).acquire()
            except Timeout:
                busy = f"another process is writing to the index {name!r}"
                raise StoreBusyError(busy, "wait until it has finished, then try again") from None
        with held:
            yield


def _default_root() -> Path:
    from platformdirs import user_data_dir

    return Path(os.environ.get("RAG_STORE") or user_data_dir("ragcli"))


Where = Store | os.PathLike[str] | str
"""A store, or the folder of one."""


def store_at(where: Where | None) -> Store:
    """The store itself; by default the user's own."""
    return where if isinstance(where, Store) else Store(where)
