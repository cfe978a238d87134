"""Small file operations that survive a power cut: written, flushed to disk, then renamed."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragcli.errors import NoSpaceError, StoreError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV, errno.EACCES}


def sync(path: Path) -> None:
    """Have the system put a file, or the names in a folder, onto the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Write `path` so that a reader sees the old content or the new one, never a part.

    One writer at a time: callers hold a lock, and what a killed writer left is written over.
    """
    temporary = path.with_name(f".{path.name}.new")
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync(path.parent)


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
        raise NoSpaceError(
            f"not enough disk space in {folder}: {_size(needed)} needed, {_size(free)} free",
            hint="make room, or choose another store with --store",
        )


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Turn a disk that has run full into an error of ours."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # FAISS raises RuntimeError for a failed write
        number = error.errno if isinstance(error, OSError) else None
        if number in _FULL or "No space left on device" in str(error):
            raise NoSpaceError(
                f"the disk is full: {folder}", hint="make room, or choose another --store"
            ) from error
        raise


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a folder that cannot be written to, for whatever reason, into an error of ours."""
    try:
        with full_disk(folder):
            yield
    except OSError as error:
        raise StoreError(
            f"cannot write to {folder}: {error.strerror or error}",
            hint="check the folder and its permissions, or choose another store with --store",
        ) from error
