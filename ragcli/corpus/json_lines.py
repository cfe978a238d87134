"""JSON lines: a document on each, with `text`, perhaps `id` and `title`, the rest as metadata."""

from __future__ import annotations

import json
from typing import NoReturn

from ragcli.corpus.fields import document_of
from ragcli.corpus.readers import BOM, Found, InputFile, Lines, Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document


def read_lines(lines: Lines, file: InputFile) -> Found:
    for number, line in enumerate(lines, start=1):
        if line.removeprefix(BOM).strip():
            try:
                yield _json_document(line, number, file)
            except CorpusError as error:
                yield error


reader = Reader(read_lines, (".jsonl", ".ndjson"))


def _json_document(line: bytes, number: int, file: InputFile) -> Document:
    try:
        text = decode(line.rstrip(b"\r\n"), file.path, number)
        record = json.loads(text, parse_constant=refuse_constant)
        return document_of(record, number, file)
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        reason = f"not JSON: {error}"
    raise CorpusError(reason, file.path, number)


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
