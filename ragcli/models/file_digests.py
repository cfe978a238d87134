"""Digests of large files, computed once for each state of a file.

To hash a model's weights takes longer than to answer a question with them, so what was found is
kept in the user's cache folder, with the size, the time of the last change and the inode that the
file had. `rag doctor` computes every digest anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ragcli.digests import file_digest


def known_digest(path: Path, compute: Callable[[Path], str] = file_digest) -> str:
    """`compute(path)`, remembered for as long as the file stays as it is."""
    found = path.resolve()
    stat = found.stat()
    key = f"{compute.__module__}.{compute.__qualname__}:{found}"
    state = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
    remembered = _read()
    if isinstance(entry := remembered.get(key), list) and entry[:3] == state:
        return str(entry[3])
    digest = compute(found)
    _write(remembered | {key: [*state, digest]})
    return digest


def _file() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("ragcli") / "digests.json"


def _read() -> dict[str, object]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(entries: dict[str, object]) -> None:
    """Keep the entries; whoever cannot write here computes digests every time."""
    path = _file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(entries, stream)
        os.replace(name, path)
