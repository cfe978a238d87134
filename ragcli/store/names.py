"""Names of indexes, versions and tags: they become folders and words of a command line."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ragcli.errors import StoreError

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_KINDS = {"index": "an index", "version": "a version", "tag": "a tag"}


def valid_name(name: str, kind: str) -> str:
    """The name, if an index, a version or a tag may have it."""
    if _NAME.fullmatch(name):
        return name
    raise StoreError(
        f"{name!r} cannot be the name of {_KINDS[kind]}",
        hint="up to 100 letters, digits, dots, dashes and underscores, no dot at the start",
    )


def folders(path: Path) -> list[str]:
    """The names of the folders in `path` that a store could have made, sorted."""
    try:
        with os.scandir(path) as entries:
            return sorted(e.name for e in entries if _NAME.fullmatch(e.name) and e.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
