"""Read a corpus: folders, single files and standard input, one document at a time.

Memory does not grow with the corpus: files are opened one after the other, JSON lines and tables
are read line by line, the ids seen so far live in a private temporary database on disk, and of
what cannot be read only the first few are kept.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from ragcli.corpus.files import Ignored, read_paths
from ragcli.corpus.readers import READERS, formats_by_suffix
from ragcli.corpus.seen import Seen
from ragcli.errors import CorpusError, SettingsError
from ragcli.records import Document
from ragcli.settings import OnError

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
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
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
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
        with closing(Seen()) as seen:
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
