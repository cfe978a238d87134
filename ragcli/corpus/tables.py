"""CSV and TSV, a document on each row; DPR's psgs_w100.tsv is one.

They are read line by line, so that memory does not grow with the file.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from ragcli.corpus.readers import BOM, InputFile, Reader
from ragcli.errors import CorpusError
from ragcli.records import Document

LARGEST_FIELD = 1 << 24
"""Characters in one CSV field: a quote that is never closed must not swallow the whole corpus."""
_QUOTES = 'a field that holds quotes must be quoted and its quotes doubled: "a ""b"""'


def _read(
    delimiter: str, lines: Iterable[bytes], file: InputFile
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
            yield CorpusError(f"a row that cannot be read: {error}", file.path, number, _QUOTES)
            if not header:
                return
            continue
        if not any(field.strip() for field in row):
            continue
        if header:
            yield _document(header, row, number, file)
            continue
        header = [_column(name) for name in row]
        if problem := _header_problem(header):
            yield CorpusError(problem, file.path, number)
            return


csv_reader = Reader(partial(_read, ","), (".csv",))
tsv_reader = Reader(partial(_read, "\t"), (".tsv",))


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


def _document(
    header: list[str], row: list[str], number: int, file: InputFile
) -> Document | CorpusError:
    if len(row) != len(header):
        return CorpusError(
            f"{len(row)} fields in this row, {len(header)} in the header", file.path, number
        )
    fields: dict[str, Any] = dict(zip(header, row, strict=True))
    text, title = fields.pop("text"), fields.pop("title", "")
    identifier = fields.pop("id", "").strip() or f"{file.id}:{number}"
    return Document(identifier, " ".join(title.split()), text, file.path, number, fields)
