"""Read a corpus: folders, single files and standard input, one document at a time.

Formats are told by suffix or by the first line. Memory does not grow with the corpus: files are
opened one after the other, the ids seen so far live in a private temporary database on disk, and of
what cannot be read only the first few are kept.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from mimetypes import MimeTypes
from pathlib import Path, PurePosixPath

from ragcli.corpus.packed import PACKED, unpacked
from ragcli.corpus.readers import BOM, READERS, InputFile, Omitted, formats_by_suffix
from ragcli.errors import CorpusError, NoSpaceError, SettingsError
from ragcli.records import Document
from ragcli.settings import OnError

_Path = str | bytes | os.PathLike[str]
Paths = _Path | Iterable[_Path]
"""One path or several."""
Item = Document | CorpusError | Omitted

PROBLEMS_KEPT = 20
NAMES_KEPT = 3
_SIGNS = {b"%PDF-": "pdf", b"{\\rtf": "rtf", b"{": "jsonl"}
"""What a file without a name begins with."""


def read_documents(
    paths: Paths,
    on_error: OnError = "fail",
    format: str | None = None,
    roots: Sequence[str] = (),
    strict: bool = False,
) -> Corpus:
    """The documents of `paths` in a fixed order; `-` is standard input.

    Folders are walked recursively, in the order of their names, without hidden files; files in
    them whose suffix no reader takes, empty files and scanned pages are left out, or raise if
    `strict`. With `on_error="skip"` documents that cannot be read are left out as well; otherwise
    they raise. `format` (a name in `READERS`) overrides the suffix of files named in `paths` and of
    standard input. `roots` are for paths that are parts of a corpus: a folder for each, from which
    the ids of its documents count.
    """
    return Corpus(as_paths(paths), on_error, format, roots, strict)


def as_paths(paths: Paths) -> tuple[str, ...]:
    """One path or several → a tuple of names."""
    several = [paths] if isinstance(paths, str | bytes | os.PathLike) else paths
    return tuple(os.fsdecode(path) for path in several)


def require_paths(paths: Paths) -> None:
    """Raise for a path that is not there, before anything slow begins."""
    for path in as_paths(paths):
        if path != "-" and not os.path.lexists(path):
            raise CorpusError("no such file or folder", path or "''")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a corpus is not among its documents.

    `skipped` counts the documents that could not be read, and `problems` says why of the first
    few. `ignored` counts what has nothing to read, such as files of other types in the folders, by
    kind, which is a suffix or says what it is; `named` has the first few of each.
    """

    skipped: int = 0
    problems: tuple[CorpusError, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)


class Corpus:
    """Documents, read while one iterates over them; `left_out` tells what was not, so far."""

    def __init__(
        self,
        paths: tuple[str, ...],
        on_error: OnError,
        format: str | None,
        roots: Sequence[str] = (),
        strict: bool = False,
    ) -> None:
        if format is not None:
            READERS.load(format)
        if paths.count("-") > 1:
            raise SettingsError("standard input (-) can be read only once")
        self._paths, self._on_error, self._format = paths, on_error, format
        self._roots = roots or paths
        self._strict = strict
        self.left_out = LeftOut()

    def __iter__(self) -> Iterator[Document]:
        self.left_out = LeftOut()
        found = 0
        with closing(_no_ids()) as seen:
            for item in read_paths(self._paths, self._format, self._roots):
                if isinstance(item, Document):
                    item = _problem(item, seen) or item
                if isinstance(item, Document):
                    found += 1
                    yield item
                elif isinstance(item, Omitted):
                    self._omit(item)
                else:
                    self._skip(item)
        if not found:
            raise self._empty()

    def _omit(self, item: Omitted) -> None:
        if self._strict:
            hint = "take it out of the folder, or go on without it: leave --strict away"
            raise CorpusError(f"not read ({item.kind})", item.source, hint=hint)
        kind, ignored, named = item.kind, dict(self.left_out.ignored), dict(self.left_out.named)
        ignored[kind] = ignored.get(kind, 0) + 1
        named[kind] = (*named.get(kind, ()), item.source)[:NAMES_KEPT]
        self.left_out = replace(self.left_out, ignored=ignored, named=named)

    def _skip(self, problem: CorpusError) -> None:
        if self._on_error == "fail":
            raise problem
        problem.__context__ = None  # it and the traceback may hold the whole file
        skipped, problems = self.left_out.skipped + 1, self.left_out.problems
        problems = (*problems, problem.with_traceback(None))[:PROBLEMS_KEPT]
        self.left_out = replace(self.left_out, skipped=skipped, problems=problems)

    def _empty(self) -> CorpusError:
        skipped, ignored = self.left_out.skipped, self.left_out.ignored
        reasons = [f"{skipped} could not be read"] if skipped else []
        if ignored:
            count = sum(ignored.values())
            reasons.append(f"{count} left out: {', '.join(sorted(ignored))}")
        message = "no documents" + (f" ({'; '.join(reasons)})" if reasons else "")
        hint = f"a corpus is made of files in these formats: {', '.join(READERS.names())}"
        return CorpusError(message, ", ".join(self._paths) or "corpus", hint=hint)


def _no_ids() -> sqlite3.Connection:
    """A temporary database for ids and where they stand, which goes to disk when it grows."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
    database.execute("BEGIN")
    return database


def _problem(document: Document, seen: sqlite3.Connection) -> CorpusError | None:
    """What is wrong with a document that does not hold UTF-8 text and an id of its own."""

    def wrong(message: str, hint: str | None = None) -> CorpusError:
        return CorpusError(message, document.source, document.line, hint)

    try:
        for text in (document.text, document.title, document.id):
            text.encode()
        if document.metadata:
            json.dumps(dict(document.metadata), ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        bad = ord(error.object[error.start])
        if 0xDC80 <= bad <= 0xDCFF:
            return wrong(f"byte 0x{bad - 0xDC00:02x} is not UTF-8", "convert the text to UTF-8")
        return wrong(f"half a character (\\u{bad:04x}), which is not text")
    except ValueError:
        return wrong("metadata with a number that is not finite, or too large")
    if "\0" in document.text:
        return wrong("binary data (a NUL character), not text")
    if not document.text.strip():
        return wrong("an empty document", "remove it, or go on without it: --on-error skip")
    if not document.id.strip():
        return wrong("an empty id")
    if other := _seen_at(document, seen):
        hint = "give each document its own id; for several folders, name the one that holds them"
        return wrong(f"the id {document.id!r} is already that of {other}", hint)
    return None


def _seen_at(document: Document, seen: sqlite3.Connection) -> str | None:
    """Remember a document's id; if it was there already, say where."""
    place = f"{document.source}:{document.line}"
    try:
        seen.execute("INSERT INTO seen VALUES (?, ?)", (document.id, place))
    except sqlite3.IntegrityError:
        row = seen.execute("SELECT place FROM seen WHERE id = ?", (document.id,)).fetchone()
        return str(row[0])
    except sqlite3.OperationalError as error:
        raise NoSpaceError(f"the ids cannot be kept in the temporary folder: {error}") from None
    return None


def read_paths(
    paths: Sequence[str], format: str | None, roots: Sequence[str] = ()
) -> Iterator[Item]:
    """What stands in `paths`, in a fixed order; `format` is for files named and for stdin (`-`)."""
    formats = formats_by_suffix()
    for path, root in zip(paths, roots or paths, strict=True):
        if path == "-":
            yield from _read_stream(sys.stdin.buffer, InputFile("stdin", "stdin"), format)
        elif os.path.isdir(path):
            yield from _read_folder(path, formats, root)
        else:
            name = os.path.basename(path) if path == root else _below(path, root)
            yield from _read_file(path, name, format or _format_of(name, formats) or "txt", format)


def pretty_title(stem: str) -> str:
    """`franco-prussian_war` → `Franco prussian war`; a stem with capitals keeps its case."""
    title = " ".join(re.split(r"[\s_-]+", stem)).strip()
    return title[:1].upper() + title[1:] if title.islower() else title


def _split(name: str) -> tuple[str, str]:
    """A name without the suffix of what it is packed in, and that suffix; `a.txt.gz` is a text."""
    stem, suffix = os.path.splitext(name)
    return (stem, suffix.lower()) if suffix.lower() in PACKED else (name, "")


def _kind(name: str) -> str:
    """The suffix of a file, with what it is packed in."""
    inner, packing = _split(name)
    return os.path.splitext(inner)[1].lower() + packing


def _format_of(name: str, formats: Mapping[str, str]) -> str | None:
    """The format of a name; `README.Debian` is a `README`, but `README.png` is a picture."""
    inner = os.path.basename(_split(name)[0]).lower()
    stem, suffix = os.path.splitext(inner)
    if format := formats.get(suffix or inner):
        return format
    format = formats.get(f"{stem}.")
    return None if format and MimeTypes().guess_type(inner)[0] else format


def _below(path: str, root: str) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


def _read_folder(folder: str, formats: Mapping[str, str], root: str) -> Iterator[Item]:
    """Every file below `folder`; its path from `root`, with slashes, is its id."""
    errors: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=errors.append):
        while errors:
            yield _unreadable(errors.pop(), folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(os.path.join(where, name)):
                # not followed: links can run in circles
                yield Omitted("linked folder", os.path.join(where, name))
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.startswith("."):
                continue
            format = _format_of(name, formats)
            # To open a pipe, a socket or a device could wait forever; a broken link is an error.
            if format and (os.path.isfile(path) or not os.path.exists(path)):
                relative = _below(path, root)
                for item in _read_file(path, relative, format, format):
                    blank = isinstance(item, Document) and not item.text.strip()
                    whole = isinstance(item, Document) and item.id == relative
                    yield Omitted("empty file", path) if blank and whole else item
            else:
                yield Omitted(_kind(name) or "no suffix", path)
    while errors:
        yield _unreadable(errors.pop(), folder)


def _unreadable(error: OSError, path: str) -> CorpusError:
    name = error.filename if isinstance(error.filename, str) else path
    return CorpusError(f"cannot be read: {error.strerror or error}", name)


def _read_file(path: str, name: str, format: str, asked: str | None) -> Iterator[Item]:
    """One file; a pipe given by name (`<(command)`) is read as standard input is."""
    try:
        path.encode()
    except UnicodeEncodeError:
        yield CorpusError("its name or path is not UTF-8", ascii(path), hint="rename it")
        return
    name = unicodedata.normalize("NFC", name)  # macOS and Linux write ü differently
    inner, packing = _split(name)
    file = InputFile(name, path, pretty_title(PurePosixPath(inner).stem))
    try:
        with open(path, "rb") as stream:
            about = os.fstat(stream.fileno())
            if stat.S_ISFIFO(about.st_mode):
                yield from _read_stream(stream, file, asked)
            elif packing:
                lines = unpacked(stream, packing, about.st_size, file)
                yield from _documents(format, lines, file)
            else:
                yield from _documents(format, stream, file)
    except OSError as error:
        yield _unreadable(error, path)


def _read_stream(stream: Iterable[bytes], file: InputFile, format: str | None) -> Iterator[Item]:
    """Without a name to go by, the first line that is not blank tells the format."""
    lines, begun, first = iter(stream), list[bytes](), b""
    for line in lines:
        begun.append(line)
        if first := line.removeprefix(BOM).strip():
            break
    is_table = first.split(b"\t") == [b"id", b"text", b"title"]
    signs = (format for sign, format in _SIGNS.items() if first.startswith(sign))
    told = next(signs, "tsv" if is_table else "txt")
    yield from _documents(format or told, chain(begun, lines), file)


def _documents(format: str, lines: Iterable[bytes], file: InputFile) -> Iterator[Item]:
    try:
        yield from READERS.load(format).read(lines, file)
    except CorpusError as error:
        yield error
