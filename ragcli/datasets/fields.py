"""JSON read record by record, and what stands in it; every mistake with its file and line."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragcli.errors import QuestionError

LINE = 'a line looks like {"question": "What is the capital of Peru?", "answers": ["Lima"]}'
"""What to do about a file that holds no questions."""


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each JSON object of a JSON-lines file with its place, `FILE:LINE`."""
    # Not splitlines(): a text may hold characters such as U+2028 that it would split at.
    for number, line in enumerate(_read(path).split(b"\n"), 1):
        if line.strip():
            place = f"{path}:{number}"
            yield place, _object(_parsed(line, place, LINE), place, LINE)


def json_file(path: Path) -> Any:
    """One JSON value in a file."""
    return _parsed(_read(path), str(path))


def _read(path: Path) -> bytes:
    """The whole file without a byte-order mark."""
    try:
        return path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise QuestionError(f"{path}: cannot be read: {error.strerror}") from None


def _parsed(data: bytes, place: str, hint: str | None = None) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        message = f"{place}: cannot be read: byte 0x{data[error.start]:02x} is not UTF-8"
        raise QuestionError(message, "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise QuestionError(f"{place}: not JSON, from character {error.pos + 1} on", hint) from None
    except (ValueError, RecursionError):
        raise QuestionError(f"{place}: not JSON that can be read", hint) from None


def _object(value: Any, place: str, hint: str | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise QuestionError(f"{place}: not a JSON object", hint)
    return value


def entries(data: Any, path: Path, what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list in a JSON file, placed `FILE:NUMBER`, counted from 1."""
    if not isinstance(data, list):
        raise QuestionError(f"{path}: no list of {what}")
    for number, record in enumerate(data, 1):
        place = f"{path}:{number}"
        yield place, _object(record, place)


def id_of(record: dict[str, Any], name: str, place: str) -> str:
    """The example's own id, else the number of its line."""
    value = record.get(name)
    return str(value) if value is not None else place.rpartition(":")[2]


def text_of(record: dict[str, Any], name: str, place: str) -> str:
    """A text that must be there and must not be empty."""
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise QuestionError(f"{place}: no {name}")
    return value.strip()


def texts_of(value: Any, what: str, place: str) -> tuple[str, ...]:
    """A text or a list of texts, none of them empty and at least one."""
    values = [value] if isinstance(value, str) else value
    if not values:
        raise QuestionError(f"{place}: no {what}")
    if not isinstance(values, list) or not all(isinstance(v, str) and v.strip() for v in values):
        must = "must be a text or a list of texts, none of them empty"
        raise QuestionError(f"{place}: {what} {must}")
    return tuple(values)


def require_patterns(texts: tuple[str, ...], place: str) -> None:
    """Raise unless all texts are regular expressions."""
    for text in texts:
        try:
            re.compile(text)
        except re.error as error:
            raise QuestionError(f"{place}: {text!r} is not a regular expression: {error}") from None
