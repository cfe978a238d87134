"""A document on each line: JSON lines, CSV and TSV, of which DPR's psgs_w100.tsv is one.

`text` must be there, `id` and `title` may be, and the rest is kept as metadata. Files are read line
by line, so that memory does not grow with them.
"""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

from ragcli.corpus.readers import BOM, InputFile, Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document

LARGEST_FIELD = 1 << 24
"""Characters in one CSV field: a quote that is never closed must not swallow the whole corpus."""
_LIMIT = threading.RLock()
_QUOTES = 'a field that holds quotes must be quoted and its quotes doubled: "a ""b"""'


def _read_json(lines: Iterable[bytes], file: InputFile) -> Iterator[Document | CorpusError]:
    for number, line in enumerate(lines, start=1):
        if line.removeprefix(BOM).strip():
            try:
                yield _json_document(line, number, file)
            except CorpusError as error:
                yield error


jsonl_reader = Reader(_read_json, (".jsonl", ".ndjson"))


def _json_document(line: bytes, number: int, file: InputFile) -> Document:
    try:
        text = decode(line.rstrip(b"\r\n"), file.path, number)
        record = json.loads(text, parse_constant=_refuse_constant)
        return _document(record, number, file)
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        reason = f"not JSON: {error}"
    raise CorpusError(reason, file.path, number)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _read_table(
    delimiter: str, lines: Iterable[bytes], file: InputFile
) -> Iterator[Document | CorpusError]:
    """A header row that names a `text` column; `id` and `title` if present; the rest is metadata.

    Bytes that are not UTF-8 pass through as lone surrogates: the check that every document goes
    through refuses the row that holds them, and no other.
    """
    decoded = (
        (line.removeprefix(BOM) if number == 0 else line).decode("utf-8", "surrogateescape")
        for number, line in enumerate(lines)
    )
    rows = csv.reader(decoded, delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        number = rows.line_num + 1  # where the row begins; quoted fields run over several lines
        try:
            with _long_fields():
                row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield CorpusError(f"a row that cannot be read: {error}", file.path, number, _QUOTES)
            if not header:
                return
            continue
        if not any(field.strip() for field in row):
            continue
        if not header:
            header = [_column(name) for name in row]
            if problem := _header_problem(header):
                yield CorpusError(problem, file.path, number)
                return
        elif len(row) != len(header):
            problem = f"{len(row)} fields in this row, {len(header)} in the header"
            yield CorpusError(problem, file.path, number)
        else:
            fields: dict[str, Any] = dict(zip(header, row, strict=True))
            fields["id"] = fields.get("id", "").strip() or None
            yield _document(fields, number, file)


@contextmanager
def _long_fields() -> Iterator[None]:
    """The limit is the whole process's: it is ours for one row, and then again what it was."""
    with _LIMIT:
        before = csv.field_size_limit(LARGEST_FIELD)
        try:
            yield
        finally:
            csv.field_size_limit(before)


csv_reader = Reader(partial(_read_table, ","), (".csv",))
tsv_reader = Reader(partial(_read_table, "\t"), (".tsv",))


def _column(name: str) -> str:
    """`Text` and `TEXT` are the column `text`; other columns keep the name they have."""
    name = name.strip()
    return name.lower() if name.lower() in ("id", "title", "text") else name


def _header_problem(header: list[str]) -> str | None:
    if "text" not in header:
        return f"no column `text` in the header row (columns: {', '.join(header)})"
    if len(set(header)) < len(header):
        return f"a column name occurs twice in the header row ({', '.join(header)})"
    return None


def _document(fields: Any, number: int, file: InputFile) -> Document:
    """The document of a line; what has no id is named after the file and the line."""

    def require(condition: bool, message: str) -> None:
        if not condition:
            raise CorpusError(message, file.path, number)

    require(isinstance(fields, dict), "a JSON object was expected")
    require("text" in fields, f"no field `text` (fields: {', '.join(fields) or 'none'})")
    text, title, id = fields.pop("text"), fields.pop("title", None), fields.pop("id", None)
    require(isinstance(text, str), "the field `text` must be a string")
    require(isinstance(title, str | None), "the field `title` must be a string")
    whole = isinstance(id, str | int | None) and not isinstance(id, bool)
    require(whole, "the field `id` must be a string or a whole number")
    name = f"{file.id}:{number}" if id is None else str(id)
    return Document(name, " ".join((title or "").split()), text, file.path, number, fields)
