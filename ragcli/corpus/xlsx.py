"""Excel: each sheet is a heading, each row is told with the names of its columns."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from ragcli.corpus.fields import document_of
from ragcli.corpus.marked import Marked, row_line
from ragcli.corpus.packed import seekable, unzipped
from ragcli.corpus.readers import Found, InputFile, Lines, Reader
from ragcli.corpus.tables import Row, column_name
from ragcli.errors import CorpusError

_MOST_CELLS = 20_000_000
"""Cells of a workbook, those left empty between others included."""


def _read(lines: Lines, file: InputFile) -> Found:
    from openpyxl import load_workbook

    text = Marked()
    stream = seekable(lines, file)
    with unzipped(stream, file, "an Excel workbook"):
        for sheet in load_workbook(stream, read_only=True, data_only=True).worksheets:
            sheet.reset_dimensions()  # what a program says of them is often wrong
            rows = _rows(sheet, file)
            before, header = _header(rows)
            columns = [column_name(name) for name in header]
            if "text" in columns and len(set(columns)) == len(columns):
                for number, cells in rows:
                    fields: dict[str, Any] = dict(zip_longest(columns, cells, fillvalue=""))
                    fields["id"] = fields.get("id") or f"{file.id}:{sheet.title}:{number}"
                    yield document_of(fields, number, file)
                continue
            text.close(0)
            text.head(1, sheet.title)
            for number, cells in before:
                text.add(row_line((), cells), line=number)
            for number, cells in rows:
                text.add(row_line(columns, cells), line=number, unit=True)
    yield text.document(file)


def _header(rows: Iterator[Row]) -> tuple[list[Row], list[str]]:
    """The first row of several cells, which names the columns, and the rows above it."""
    above: list[Row] = []
    for number, cells in rows:
        if sum(map(bool, cells)) > 1:
            return above, cells
        above.append((number, cells))
    return above, []


def _rows(sheet: Any, file: InputFile) -> Iterator[Row]:
    """The rows that are not empty, as one sees them, with their numbers."""
    left = _MOST_CELLS
    for number, row in enumerate(sheet.iter_rows(), start=1):
        left -= len(row) + 1
        if left < 0:
            message = f"a sheet of more than {_MOST_CELLS:,} cells"
            raise CorpusError(message, file.path, hint="save the sheet as CSV")
        cells = [_shown(cell.value, cell.number_format) for cell in row]
        if any(cells):
            yield number, cells


def _shown(value: Any, format: str) -> str:
    """A cell as a spreadsheet shows it, dates and numbers in the way of no country."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        percent = "%" in (format or "")
        return f"{value * 100 if percent else value:.12g}{'%' if percent else ''}"
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
    return " ".join(str(value).split())


reader = Reader(_read, (".xlsx", ".xlsm"))
