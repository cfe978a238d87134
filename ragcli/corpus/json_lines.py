"""JSON lines: `text`, and if present `id` and `title`; other fields are kept as metadata.

They are read line by line, so that memory does not grow with the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NoReturn

from ragcli.corpus.readers import BOM, InputFile, Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document | CorpusError]:
    for number, line in enumerate(lines, start=1):
        if not line.removeprefix(BOM).strip():
            continue
        try:
            yield _document(line, number, file)
        except CorpusError as error:
            yield error


reader = Reader(_read, (".jsonl", ".ndjson"))


def _document(line: bytes, number: int, file: InputFile) -> Document:
    def fail(message: str) -> CorpusError:
        return CorpusError(message, file.path, number)

    try:
        text = decode(line.rstrip(b"\r\n"), file.path, number)
        record = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise fail(f"not JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise fail(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise fail("a JSON object was expected")
    if "text" not in record:
        raise fail(f"no field `text` (fields: {', '.join(record) or 'none'})")
    text, title = record.pop("text"), record.pop("title", None)
    identifier = record.pop("id", None)
    if not isinstance(text, str):
        raise fail("the field `text` must be a string")
    if not isinstance(title, str | None):
        raise fail("the field `title` must be a string")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int | None):
        raise fail("the field `id` must be a string or a whole number")
    default = f"{file.id}:{number}"
    name = default if identifier is None else str(identifier)
    return Document(name, " ".join((title or "").split()), text, file.path, number, record)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
