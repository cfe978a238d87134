"""Formats with a document on each line or row: JSON lines, CSV and TSV (DPR's psgs_w100.tsv too).

They are read line by line, so memory does not grow with the corpus. As in `formats`, a reader
yields a `CorpusError` in the stead of a document it cannot read, and goes on.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from ragcli.corpus.formats import BOM, Place, decode
from ragcli.errors import CorpusError
from ragcli.records import Document

LARGEST_FIELD = 1 << 24
"""Characters in one CSV field: a quote that is never closed must not swallow the whole corpus."""


def read_jsonl(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """JSON lines: `text`, and if present `id` and `title`; other fields are kept as metadata."""
    for number, line in enumerate(lines, start=1):
        if not line.removeprefix(BOM).strip():
            continue
        try:
            yield _json_document(line, number, place)
        except CorpusError as error:
            yield error


def _json_document(line: bytes, number: int, place: Place) -> Document:
    def fail(message: str) -> CorpusError:
        return CorpusError(message, place.source, number)

    try:
        text = decode(line.rstrip(b"\r\n"), place, number)
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
    default = f"{place.id}:{number}"
    name = default if identifier is None else str(identifier)
    return Document(name, " ".join((title or "").split()), text, place.source, number, record)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def read_csv(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """Comma-separated values with a header row."""
    return _read_table(lines, place, ",")


def read_tsv(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """Tab-separated values with a header row, quoted as in CSV; DPR's psgs_w100.tsv is one."""
    return _read_table(lines, place, "\t")


def _read_table(
    lines: Iterable[bytes], place: Place, delimiter: str
) -> Iterator[Document | CorpusError]:
    """A header row that names a `text` column; `id` and `title` if present; the rest is metadata.

    Bytes that are not UTF-8 pass through as lone surrogates: the check that every document goes
    through refuses the row that holds them, and no other.
    """
    csv.field_size_limit(LARGEST_FIELD)
    decoded = (
        (line.removeprefix(BOM) if number == 0 else line).decode("utf-8", "surrogateescape")
        for number, line in enumerate(lines)
    )
    rows = csv.reader(decoded, delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        number = rows.line_num + 1  # where the row begins; quoted fields run over several lines
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield _row_error(error, number, place)
            if not header:
                return
            continue
        if not any(field.strip() for field in row):
            continue
        if header:
            yield _table_document(header, row, number, place)
            continue
        header = [_column(name) for name in row]
        if problem := _header_problem(header):
            yield CorpusError(problem, place.source, number)
            return


def _row_error(error: csv.Error, number: int, place: Place) -> CorpusError:
    return CorpusError(
        f"a row that cannot be read: {error}",
        place.source,
        number,
        hint='a field that holds quotes must be quoted and its quotes doubled: "a ""b"""',
    )


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


def _table_document(
    header: list[str], row: list[str], number: int, place: Place
) -> Document | CorpusError:
    if len(row) != len(header):
        return CorpusError(
            f"{len(row)} fields in this row, {len(header)} in the header", place.source, number
        )
    fields: dict[str, Any] = dict(zip(header, row, strict=True))
    text, title = fields.pop("text"), fields.pop("title", "")
    identifier = fields.pop("id", "").strip() or f"{place.id}:{number}"
    return Document(identifier, " ".join(title.split()), text, place.source, number, fields)
