"""CSV and TSV (DPR's psgs_w100.tsv is one).

With a column `text` each row is a document, with perhaps `id` and `title`, and the rest kept as
metadata. Without one the table is the document, each row told as `column: value; column: value.`
"""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

from ragcli.corpus.fields import document_of
from ragcli.corpus.marked import Marked, row_line
from ragcli.corpus.readers import BOM, Found, InputFile, Lines, Reader
from ragcli.errors import CorpusError
from ragcli.records import Document

LARGEST_FIELD = 1 << 24
"""Characters in one CSV field: a quote that is never closed must not swallow the whole corpus."""
PART = 1 << 20
"""Characters in a document of told rows; the next begins with a row."""
_LIMIT = threading.RLock()
_QUOTES = 'a field that holds quotes must be quoted and its quotes doubled: "a ""b"""'

Row = tuple[int, list[str]]
"""Where a row begins, and its fields."""


def _read(delimiter: str, lines: Lines, file: InputFile) -> Found:
    """The rows below a header.

    Bytes that are not UTF-8 pass through as lone surrogates: the check that every document goes
    through refuses the row that holds them, and no other.
    """
    decoded = (
        (line.removeprefix(BOM) if number == 0 else line).decode("utf-8", "surrogateescape")
        for number, line in enumerate(lines)
    )
    first = next(decoded, "")
    if delimiter == "," and "," not in first:  # as spreadsheets write it where , is in numbers
        delimiter = max(",;\t", key=first.count)
    rows = _rows(csv.reader(chain([first], decoded), delimiter=delimiter, strict=True), file)
    header = next(rows, None)
    if not isinstance(header, tuple):
        if header:
            yield header
        return
    number, names = header
    columns = [column_name(name) for name in names]
    if "text" not in columns:
        yield from told_rows(columns, rows, file)
    elif len(set(columns)) < len(columns):
        message = f"a column name occurs twice in the header row ({', '.join(columns)})"
        yield CorpusError(message, file.path, number)
    else:
        yield from _documents(columns, rows, file)


def _rows(rows: Any, file: InputFile) -> Iterator[Row | CorpusError]:
    """The rows that are not blank, and what is wrong with those that cannot be read."""
    while True:
        number = rows.line_num + 1  # where the row begins; quoted fields run over several lines
        try:
            with _long_fields():
                row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield CorpusError(f"a row that cannot be read: {error}", file.path, number, _QUOTES)
        else:
            if any(field.strip() for field in row):
                yield number, row


def _documents(columns: Sequence[str], rows: Iterable[Row | CorpusError], file: InputFile) -> Found:
    """A document a row."""
    for row in rows:
        if isinstance(row, CorpusError):
            yield row
        elif len(row[1]) != len(columns):
            problem = f"{len(row[1])} fields in this row, {len(columns)} in the header"
            yield CorpusError(problem, file.path, row[0])
        else:
            fields: dict[str, Any] = dict(zip(columns, row[1], strict=True))
            fields["id"] = fields.get("id", "").strip() or None
            yield document_of(fields, row[0], file)


def told_rows(columns: Sequence[str], rows: Iterable[Row | CorpusError], file: InputFile) -> Found:
    """The rows told one by one, in a document, or in several if there are very many."""
    text, begun, first = Marked(), 0, True

    def told() -> Document:
        named = None if first else f"{file.id}:{begun}"
        return text.document(file, id=named, line=1 if first else begun)

    for row in rows:
        if isinstance(row, CorpusError):
            yield row
            continue
        line = row_line(columns, [" ".join(field.split()) for field in row[1]])
        if not line.isascii() and (problem := _not_utf8(line, row[0], file)):
            yield problem
            continue
        begun = begun or row[0]
        text.add(line, line=row[0], unit=True)
        if text.length > PART:
            yield told()
            text, begun, first = Marked(), 0, False
    if text.length or first:
        yield told()


def _not_utf8(line: str, number: int, file: InputFile) -> CorpusError | None:
    """What is wrong with a row that holds bytes of another encoding."""
    try:
        line.encode()
    except UnicodeEncodeError as error:
        bad = ord(line[error.start]) - 0xDC00
        hint = "convert the file to UTF-8, or go on without the row: --on-error skip"
        return CorpusError(f"byte 0x{bad:02x} is not UTF-8", file.path, number, hint)
    return None


@contextmanager
def _long_fields() -> Iterator[None]:
    """The limit is the whole process's: it is ours for one row, and then again what it was."""
    with _LIMIT:
        before = csv.field_size_limit(LARGEST_FIELD)
        try:
            yield
        finally:
            csv.field_size_limit(before)


csv_reader = Reader(partial(_read, ","), (".csv",))
tsv_reader = Reader(partial(_read, "\t"), (".tsv",))


def column_name(name: str) -> str:
    """`Text` and `TEXT` are the column `text`; other columns keep the name they have."""
    name = " ".join(name.split())
    return name.lower() if name.lower() in ("id", "title", "text") else name
