"""Files and folders that appear whole: written beside their name, put on the disk, then renamed.

A writer that is killed leaves its temporary name behind, which `unfinished` finds. Names of
indexes, versions and tags become folders and words of a command line.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from ragcli.errors import (
    SYSTEM_HINTS,
    CorruptIndexError,
    NoSpaceError,
    SettingsError,
    StoreError,
)

Record = TypeVar("Record")

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_WINDOWS = os.name == "nt"
_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV, errno.EACCES}


def share(path: Path, folder: Path | None = None) -> None:
    """Let those into a file or folder who are let into the folder it stands in, or into `folder`.

    So a store is as private, or as open to a group, as its own folder, whatever the umask.
    """
    mode = (folder or path.parent).stat().st_mode & 0o7777
    path.chmod(mode if path.is_dir() else mode & 0o666)


def sync(path: Path) -> None:
    """Have the system put a file, or the names in a folder, onto the disk.

    Windows does so with files that are open for writing, and not at all with folders.
    """
    if _WINDOWS and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if _WINDOWS else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content stands at `path` once the block has ended without an error.

    A reader sees the old content or the new one, never a part. Links are followed, and what is no
    file, such as a pipe or /dev/stdout, is written to as it is.
    """
    if path.exists() and not path.is_file():
        with open(path, "wb") as stream:
            yield stream
        return
    path = path.resolve()
    temporary = _temporary(path)
    stream = open(temporary, "xb")  # noqa: SIM115 (what is not ours must not be removed below)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
        sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def nobody(count: int) -> None:
    """Whom progress is told where no one asked."""


def replace_file(path: Path, data: bytes) -> None:
    """Write `path` whole; see `replacing`."""
    with replacing(path) as stream:
        stream.write(data)


def write_json(path: Path, value: object) -> None:
    """Write a small JSON file whole: a line of JSON, and a line with its sha256."""
    with writing(path.parent):
        new = not path.exists()
        replace_file(path, _with_digest(json.dumps(value).encode()))
        if new:
            share(path)


def _with_digest(line: bytes) -> bytes:
    return b"%s\n%s\n" % (line, hashlib.sha256(line).hexdigest().encode())


def read_json(path: Path, type: type[Record], hint: str) -> Record | None:
    """What `write_json` wrote, None if there is no such file; `hint` is for a damaged one.

    Releases up to 0.1.0 wrote the first line only.
    """
    import msgspec

    try:
        data = path.read_bytes()
        line, _, digest = data.partition(b"\n")
        if digest and data != _with_digest(line):
            raise CorruptIndexError(f"{path}: damaged: its sha256 is not the one it gives", hint)
        return msgspec.json.decode(line, type=type)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError:
        raise CorruptIndexError(f"{path}: damaged", hint) from None


def unreadable(path: Path, error: Exception, what: str = "cannot be read") -> StoreError:
    """The error for a file of a version: it is damaged, unless the system could not read it."""
    if isinstance(error, OSError):
        if hint := SYSTEM_HINTS.get(error.errno or 0):
            return StoreError(f"{path}: cannot be read: {error.strerror}", hint)
        return CorruptIndexError(f"{path}: {what}: {error.strerror or error}")
    return CorruptIndexError(f"{path}: {what}: {error}")


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which is at `path` once the block has ended without an error."""
    _require_new(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    temporary.mkdir()
    try:
        yield temporary
        for inner in (*temporary.rglob("*"), temporary):
            sync(inner)
        _require_new(path)  # a rename would replace an empty folder
        os.rename(temporary, path)
        sync(path.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _require_new(path: Path) -> None:
    if os.path.lexists(path):
        raise StoreError(f"{path} exists, and nothing is written over", hint="name another folder")


def _temporary(path: Path) -> Path:
    """A name beside `path` that nobody can guess and that no other writer has."""
    return path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.new")


def unfinished(folder: Path) -> list[Path]:
    """What writers that were killed left in a folder."""
    return sorted(folder.glob(".*.new"))


def remove(path: Path) -> None:
    """Remove a file, or a folder with what is in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what writers that were killed left in a folder; nobody else may be writing there."""
    for path in unfinished(folder):
        with suppress(OSError):
            remove(path)


def link_or_copy(path: Path, name: Path) -> None:
    """Give the file at `path` a second name; on a disk without hard links, make a copy."""
    try:
        os.link(path, name)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        shutil.copyfile(path, name)
        sync(name)


def require_space(folder: Path, needed: int) -> None:
    """Refuse work that the disk has no room for, before it begins."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        sizes = [f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:.1f} MB" for n in (needed, free)]
        raise NoSpaceError(
            f"not enough disk space in {folder}: {sizes[0]} needed, {sizes[1]} free",
            hint="make room, or choose another store with --store",
        )


@contextmanager
def writing(folder: Path, only_full: bool = False) -> Iterator[None]:
    """Turn a folder that cannot be written to, or only a full disk, into an error of ours."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # FAISS raises RuntimeError for a failed write
        number = error.errno if isinstance(error, OSError) else None
        if number in _FULL or "No space left on device" in str(error):
            room = "make room, or choose another --store"
            raise NoSpaceError(f"the disk is full: {folder}", room) from error
        if only_full or not isinstance(error, OSError):
            raise
        usual = "check the folder and its permissions, or choose another store with --store"
        hint = SYSTEM_HINTS.get(number or 0, usual)
        raise StoreError(f"cannot write to {folder}: {error.strerror or error}", hint) from error


def is_name(name: str) -> bool:
    """Whether an index, a version or a tag may have that name."""
    return _NAME.fullmatch(name) is not None


def valid_name(name: str, kind: str) -> str:
    """The name, if an index, a version or a tag may have it."""
    if is_name(name):
        return name
    hint = "up to 100 letters, digits, dots, dashes and underscores, no dot at the start"
    article = "an" if kind == "index" else "a"
    raise SettingsError(f"{name!r} cannot be the name of {article} {kind}", hint)


def folders(path: Path) -> list[str]:
    """The names of the folders in `path` that a store could have made, sorted."""
    try:
        with os.scandir(path) as entries:
            return sorted(e.name for e in entries if _NAME.fullmatch(e.name) and e.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
