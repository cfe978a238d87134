"""Tags: other names for versions, kept in one file of the index and replaced whole."""

from __future__ import annotations

import json
from pathlib import Path

from ragcli.errors import CorruptIndexError, StoreError
from ragcli.store.files import replace_file, writing

TAGS = "TAGS"


def read_tags(index: Path) -> dict[str, str]:
    """tag → version of the index in the folder `index`."""
    path = index / TAGS
    try:
        tags = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError:
        tags = None
    if not isinstance(tags, dict) or not all(isinstance(tag, str) for tag in tags.values()):
        raise CorruptIndexError(f"{path}: damaged", hint="clean it with: rag doctor --repair")
    return tags


def write_tags(index: Path, tags: dict[str, str]) -> None:
    """Replace all tags; the caller holds the index's lock."""
    with writing(index):
        replace_file(index / TAGS, json.dumps(tags, sort_keys=True).encode() + b"\n")
