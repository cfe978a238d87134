"""JSON: records with `text` are documents, as in JSON lines; anything else is told in lines.

What is named by keys becomes `key: value; key: value.`, under the keys that lead there.
"""

from __future__ import annotations

import json
from typing import Any

from ragcli.corpus.fields import document_of
from ragcli.corpus.json_lines import read_lines, refuse_constant
from ragcli.corpus.marked import Marked, row_line
from ragcli.corpus.packed import all_bytes
from ragcli.corpus.readers import Found, InputFile, Lines, Reader, decode
from ragcli.errors import CorpusError

_LARGEST = 64 << 20
"""Bytes in a file; its values take ten times as many."""
_DEEPEST = 100


def _read(lines: Lines, file: InputFile) -> Found:
    data = all_bytes(lines, file, _LARGEST)
    try:
        value = json.loads(decode(data, file.path), parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and data.lstrip().startswith(b"{"):
            yield from read_lines(data.splitlines(keepends=True), file)
            return
        reason, line = f"not JSON: {error.msg} (column {error.colno})", error.lineno
        raise CorpusError(reason, file.path, line) from None
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"not JSON: {error}", file.path, 1) from None
    if isinstance(value, list) and value and all(_has_text(each) for each in value):
        for number, fields in enumerate(value, start=1):
            yield document_of(fields, number, file)
        return
    text = Marked()
    _tell(text, value, 0, file)
    yield text.document(file)


def _has_text(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _tell(text: Marked, value: Any, level: int, file: InputFile) -> None:
    """A record is a line, with what it holds below it under its key."""
    if level > _DEEPEST:
        raise CorpusError(f"nested more than {_DEEPEST} deep", file.path)
    if isinstance(value, dict):
        flat = {key: told for key, each in value.items() if (told := _flat(each)) is not None}
        text.add(row_line(list(flat), list(flat.values())), unit=True)
        for key, below in value.items():
            if key not in flat:
                text.head(level, key)
                _tell(text, below, level + 1, file)
        text.close(level)
    elif isinstance(value, list):
        for each in value:
            _tell(text, each, level + 1, file)
    elif told := _flat(value):
        text.add(told, unit=True)


def _flat(value: Any) -> str | None:
    """A value that is told in a line; None for one that holds others by name."""
    if isinstance(value, list):
        told = [_flat(each) for each in value]
        if any(
            each is None or isinstance(item, list) for each, item in zip(told, value, strict=True)
        ):
            return None
        return ", ".join(each for each in told if each)
    if isinstance(value, dict):
        return None
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())


reader = Reader(_read, (".json",))
