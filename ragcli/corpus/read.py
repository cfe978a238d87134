"""Read a corpus: folders, single files and standard input, one document at a time.

Memory does not grow with the corpus: files are opened one after the other, JSON lines and tables
are read line by line, and the ids seen so far live in a private temporary database on disk.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path, PurePosixPath

from ragcli.corpus.readers import BOM, READERS, InputFile, formats_by_suffix
from ragcli.errors import CorpusError, NoSpaceError, SettingsError
from ragcli.records import Document
from ragcli.settings import OnError


def read_documents(
    paths: Sequence[str],
    on_error: OnError = "fail",
    problems: list[CorpusError] | None = None,
    format: str | None = None,
    ignored: Counter[str] | None = None,
) -> Iterator[Document]:
    """The documents of `paths` in a fixed order; `-` is standard input.

    Folders are walked recursively, in the order of their names, without hidden files. Files in a
    folder whose suffix is none of ours are left out and counted in `ignored`, by suffix. With
    `on_error="skip"` what cannot be read is added to `problems` and reading goes on; otherwise it
    raises. `format` (a name in `READERS`) overrides the suffix of files named in
    `paths` and of standard input.
    """
    if format is not None:
        READERS.load(format)
    ignored = Counter() if ignored is None else ignored
    found = failed = 0
    with closing(_Seen()) as seen:
        for item in _read_paths(paths, format, ignored):
            checked = seen.check(item) if isinstance(item, Document) else item
            if isinstance(checked, Document):
                found += 1
                yield checked
            elif on_error == "skip":
                failed += 1
                if problems is not None:
                    problems.append(checked)
            else:
                raise checked
    if not found:
        raise _empty_corpus(paths, failed, ignored)


def require_paths(paths: Sequence[str]) -> None:
    """Raise for a path that is not there, before anything slow begins."""
    for path in paths:
        if path != "-" and not os.path.lexists(path):
            raise CorpusError("no such file or folder", path)


def _empty_corpus(paths: Sequence[str], failed: int, ignored: Counter[str]) -> CorpusError:
    reasons = [f"{failed} could not be read"] if failed else []
    if ignored:
        reasons.append(f"{ignored.total()} files of other types: {', '.join(sorted(ignored))}")
    message = "no documents" + (f" ({'; '.join(reasons)})" if reasons else "")
    hint = f"a corpus is made of {', '.join(sorted(formats_by_suffix()))} files"
    return CorpusError(message, ", ".join(paths) or "corpus", hint=hint)


def _read_paths(
    paths: Sequence[str], format: str | None, ignored: Counter[str]
) -> Iterator[Document | CorpusError]:
    if list(paths).count("-") > 1:
        raise SettingsError("standard input (-) can be read only once")
    formats = formats_by_suffix()
    for path in paths:
        if path == "-":
            yield from _read_stream(sys.stdin.buffer, InputFile("stdin", "stdin"), format)
        elif os.path.isdir(path):
            yield from _read_folder(path, formats, ignored)
        else:
            name = os.path.basename(path)
            yield from _read_file(path, name, format or formats.get(_suffix(name), "txt"), format)


def pretty_title(stem: str) -> str:
    """`franco-prussian_war` → `Franco prussian war`; a stem with capitals keeps its case."""
    title = " ".join(re.split(r"[\s_-]+", stem)).strip()
    return title[:1].upper() + title[1:] if title.islower() else title


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _read_folder(
    folder: str, formats: Mapping[str, str], ignored: Counter[str]
) -> Iterator[Document | CorpusError]:
    """Every file below `folder`; its path from there, with slashes, is its id."""
    errors: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=errors.append):
        while errors:
            yield _unreadable(errors.pop(), folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(os.path.join(where, name)):
                ignored["linked folder"] += 1  # not followed: links can run in circles
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.startswith("."):
                continue
            if (format := formats.get(_suffix(name))) and not _is_special(path):
                relative = Path(os.path.relpath(path, folder)).as_posix()
                yield from _read_file(path, relative, format, format)
            else:
                ignored[_suffix(name) or "no suffix"] += 1
    while errors:
        yield _unreadable(errors.pop(), folder)


def _is_special(path: str) -> bool:
    """A pipe, socket or device: opening one inside a folder could wait forever."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # a broken link: opening it says what is wrong
    return not stat.S_ISREG(mode)


def _unreadable(error: OSError, path: str) -> CorpusError:
    name = error.filename if isinstance(error.filename, str) else path
    return CorpusError(f"cannot be read: {error.strerror or error}", name)


def _read_file(
    path: str, name: str, format: str, asked: str | None
) -> Iterator[Document | CorpusError]:
    """One file; a pipe given by name (`<(command)`) is read as standard input is."""
    try:
        path.encode()
    except UnicodeEncodeError:
        yield CorpusError("its name or path is not UTF-8", ascii(path), hint="rename it")
        return
    name = unicodedata.normalize("NFC", name)  # macOS and Linux write ü differently
    file = InputFile(name, path, pretty_title(PurePosixPath(name).stem))
    try:
        with open(path, "rb") as stream:
            if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
                yield from _read_stream(stream, file, asked)
            else:
                yield from _documents(format, stream, file)
    except OSError as error:
        yield _unreadable(error, path)


def _read_stream(
    stream: Iterable[bytes], file: InputFile, format: str | None
) -> Iterator[Document | CorpusError]:
    """Without a name to go by, the first line that is not blank tells the format."""
    lines = iter(stream)
    first: list[bytes] = []
    for line in lines:
        first.append(line)
        if line.removeprefix(BOM).strip():
            break
    yield from _documents(format or _sniff(first), chain(first, lines), file)


def _documents(
    format: str, lines: Iterable[bytes], file: InputFile
) -> Iterator[Document | CorpusError]:
    try:
        yield from READERS.load(format).read(lines, file)
    except CorpusError as error:
        yield error


def _sniff(first: list[bytes]) -> str:
    line = first[-1].removeprefix(BOM).strip() if first else b""
    if line.startswith(b"{"):
        return "jsonl"
    return "tsv" if line.split(b"\t") == [b"id", b"text", b"title"] else "txt"


def _problem(document: Document) -> tuple[str, str | None] | None:
    """What is wrong with the content of a document, and what to do about it."""
    try:
        for text in (document.text, document.title, document.id):
            text.encode()
        if document.metadata:
            json.dumps(dict(document.metadata), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        bad = ord(error.object[error.start])
        if 0xDC80 <= bad <= 0xDCFF:
            return f"byte 0x{bad - 0xDC00:02x} is not UTF-8", "convert the text to UTF-8"
        return f"half a character (\\u{bad:04x}), which is not text", None
    if "\0" in document.text:
        return "binary data (a NUL character), not text", None
    if not document.text.strip():
        return "an empty document", "remove it, or go on without it: --on-error skip"
    if not document.id.strip():
        return "an empty id", None
    return None


class _Seen:
    """The ids seen so far and where, in a temporary database that goes to disk when it grows."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def check(self, document: Document) -> Document | CorpusError:
        """The document, if it holds UTF-8 text and an id of its own; else what is wrong."""
        problem = _problem(document)
        if problem is None and (other := self._add(document)):
            problem = (
                f"the id {document.id!r} is already that of {other}",
                "give each document its own id; for several folders, name the one that holds them",
            )
        if problem is None:
            return document
        return CorpusError(problem[0], document.source, document.line, problem[1])

    def _add(self, document: Document) -> str | None:
        """Remember a document's id; if it was there already, say where."""
        place = f"{document.source}:{document.line}"
        try:
            self._database.execute("INSERT INTO seen VALUES (?, ?)", (document.id, place))
        except sqlite3.IntegrityError:
            row = self._database.execute("SELECT place FROM seen WHERE id = ?", (document.id,))
            return str(row.fetchone()[0])
        except sqlite3.OperationalError as error:
            raise NoSpaceError(f"the ids cannot be kept in the temporary folder: {error}") from None
        return None

    def close(self) -> None:
        self._database.close()
