"""Read a corpus: folders, single files and standard input, one document at a time.

Memory does not grow with the corpus: files are opened one after the other, JSON lines and tables
are read line by line, the ids seen so far live in a private temporary database on disk, and of
what cannot be read only the first few are kept.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from ragcli.corpus.files import Ignored, read_paths
from ragcli.corpus.readers import READERS, formats_by_suffix
from ragcli.errors import CorpusError, NoSpaceError, SettingsError
from ragcli.records import Document
from ragcli.settings import OnError

_Path = str | bytes | os.PathLike[str]
Paths = _Path | Iterable[_Path]
"""One path or several."""

PROBLEMS_KEPT = 20


def read_documents(paths: Paths, on_error: OnError = "fail", format: str | None = None) -> Corpus:
    """The documents of `paths` in a fixed order; `-` is standard input.

    Folders are walked recursively, in the order of their names, without hidden files; files in
    them whose suffix no reader takes are left out. With `on_error="skip"` documents that cannot be
    read are left out as well; otherwise they raise. `format` (a name in `READERS`) overrides the
    suffix of files named in `paths` and of standard input.
    """
    return Corpus(as_paths(paths), on_error, format)


def as_paths(paths: Paths) -> tuple[str, ...]:
    """One path or several → a tuple of names."""
    several = [paths] if isinstance(paths, str | bytes | os.PathLike) else paths
    return tuple(os.fsdecode(path) for path in several)


def require_paths(paths: Paths) -> None:
    """Raise for a path that is not there, before anything slow begins."""
    for path in as_paths(paths):
        if path != "-" and not os.path.lexists(path):
            raise CorpusError("no such file or folder", path)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a corpus is not among its documents.

    `skipped` counts the documents that could not be read, and `problems` says why of the first
    few. `ignored` counts files of other types in the folders, by suffix.
    """

    skipped: int = 0
    problems: tuple[CorpusError, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)


class Corpus:
    """Documents, read while one iterates over them; `left_out` tells afterwards what was not."""

    def __init__(self, paths: tuple[str, ...], on_error: OnError, format: str | None) -> None:
        if format is not None:
            READERS.load(format)
        if paths.count("-") > 1:
            raise SettingsError("standard input (-) can be read only once")
        self._paths, self._on_error, self._format = paths, on_error, format
        self._begin()

    def _begin(self) -> None:
        self._skipped = 0
        self._problems: list[CorpusError] = []
        self._ignored: Counter[str] = Counter()

    @property
    def left_out(self) -> LeftOut:
        """What was left out so far."""
        return LeftOut(self._skipped, tuple(self._problems), dict(self._ignored))

    def __iter__(self) -> Iterator[Document]:
        self._begin()
        found = 0
        with closing(_Seen()) as seen:
            for item in read_paths(self._paths, self._format):
                if isinstance(item, Document):
                    item = seen.problem(item) or item
                if isinstance(item, Document):
                    found += 1
                    yield item
                elif isinstance(item, Ignored):
                    self._ignored[item.kind] += 1
                else:
                    self._skip(item)
        if not found:
            raise self._empty()

    def _skip(self, problem: CorpusError) -> None:
        if self._on_error == "fail":
            raise problem
        self._skipped += 1
        if len(self._problems) < PROBLEMS_KEPT:
            problem.__context__ = None  # it and the traceback may hold the whole file
            self._problems.append(problem.with_traceback(None))

    def _empty(self) -> CorpusError:
        reasons = [f"{self._skipped} could not be read"] if self._skipped else []
        if self._ignored:
            suffixes = ", ".join(sorted(self._ignored))
            reasons.append(f"{self._ignored.total()} files of other types: {suffixes}")
        message = "no documents" + (f" ({'; '.join(reasons)})" if reasons else "")
        hint = f"a corpus is made of {', '.join(sorted(formats_by_suffix()))} files"
        return CorpusError(message, ", ".join(self._paths) or "corpus", hint=hint)


class _Seen:
    """The ids seen so far and where, in a temporary database that goes to disk when it grows."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def problem(self, document: Document) -> CorpusError | None:
        """What is wrong with a document that does not hold UTF-8 text and an id of its own."""

        def wrong(message: str, hint: str | None = None) -> CorpusError:
            return CorpusError(message, document.source, document.line, hint)

        try:
            for text in (document.text, document.title, document.id):
                text.encode()
            if document.metadata:
                json.dumps(dict(document.metadata), ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            bad = ord(error.object[error.start])
            if 0xDC80 <= bad <= 0xDCFF:
                return wrong(f"byte 0x{bad - 0xDC00:02x} is not UTF-8", "convert the text to UTF-8")
            return wrong(f"half a character (\\u{bad:04x}), which is not text")
        if "\0" in document.text:
            return wrong("binary data (a NUL character), not text")
        if not document.text.strip():
            return wrong("an empty document", "remove it, or go on without it: --on-error skip")
        if not document.id.strip():
            return wrong("an empty id")
        if other := self._add(document):
            return wrong(
                f"the id {document.id!r} is already that of {other}",
                "give each document its own id; for several folders, name the one that holds them",
            )
        return None

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
