"""What can read documents: a line a format, open to other packages (group `ragcli.readers`).

A reader gets the lines of a file and yields its documents. For a document that it cannot read it
yields a `CorpusError` in its stead and goes on, so that the caller decides whether to stop; where
nothing more can be read of a file it raises one.

Plain text is read here, and what has a document on each line: JSON lines, CSV and TSV (DPR's
psgs_w100.tsv is one), with `text`, perhaps `id` and `title`, and the rest kept as metadata.
"""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from ragcli.errors import CorpusError
from ragcli.records import Document
from ragcli.registry import Registry

BOM = b"\xef\xbb\xbf"
LARGEST_FIELD = 1 << 24
"""Characters in one CSV field: a quote that is never closed must not swallow the whole corpus."""
_LIMIT = threading.RLock()
_QUOTES = 'a field that holds quotes must be quoted and its quotes doubled: "a ""b"""'

Lines = Iterable[bytes]
Found = Iterator[Document | CorpusError]


@dataclass(frozen=True, slots=True)
class InputFile:
    """The file that documents are read from: `id` is the same on every machine, `path` opens it.

    `title` is the title of a whole-file document that does not name one itself.
    """

    id: str
    path: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one format; `suffixes` (lower case, with their dot) tell its files in a folder."""

    read: Callable[[Lines, InputFile], Found]
    suffixes: tuple[str, ...]


READERS: Registry[Reader] = Registry(
    "readers",
    "document format",
    {
        "txt": "ragcli.corpus.readers:text_reader",
        "md": "ragcli.corpus.markdown:reader",
        "html": "ragcli.corpus.html:reader",
        "jsonl": "ragcli.corpus.readers:jsonl_reader",
        "csv": "ragcli.corpus.readers:csv_reader",
        "tsv": "ragcli.corpus.readers:tsv_reader",
    },
)


def formats_by_suffix() -> dict[str, str]:
    """The format of each suffix; where two readers take a suffix, ours has it."""
    formats: dict[str, str] = {}
    for name in READERS.names():
        for suffix in READERS.load(name).suffixes:
            formats.setdefault(suffix, name)
    return formats


def _read_text(lines: Lines, file: InputFile) -> Found:
    """Plain text: the whole file is one document."""
    yield Document(file.id, file.title, decode(b"".join(lines), file.path), file.path)


text_reader = Reader(_read_text, (".txt", ".text"))


def decode(data: bytes, path: str, line: int | None = None) -> str:
    """Bytes → text, strictly; an error names the first bad line (`line` if data is that line)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CorpusError("UTF-16 text", path, line or 1, hint="convert it to UTF-8")
    if (at := data.find(b"\0")) >= 0:
        message, hint = "binary data (a NUL byte), not text", "remove the file from the corpus"
    else:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            data, at = error.object, error.start
            message, hint = f"byte 0x{data[at]:02x} is not UTF-8", "convert the text to UTF-8"
    hint = f"{hint}, or go on without it: --on-error skip"
    raise CorpusError(message, path, line or data.count(b"\n", 0, at) + 1, hint)


def _read_json(lines: Lines, file: InputFile) -> Found:
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


def _read_table(delimiter: str, lines: Lines, file: InputFile) -> Found:
    """A header row, then a document a row.

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
