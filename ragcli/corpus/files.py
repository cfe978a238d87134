"""Paths → documents: folders are walked, formats told by suffix or by the first line."""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath

from ragcli.corpus.readers import BOM, READERS, InputFile, formats_by_suffix
from ragcli.errors import CorpusError
from ragcli.records import Document


@dataclass(frozen=True, slots=True)
class Ignored:
    """A file or a linked folder that is left out; `kind` is its suffix, or says what it is."""

    kind: str


Item = Document | CorpusError | Ignored


def read_paths(paths: Iterable[str], format: str | None) -> Iterator[Item]:
    """What stands in `paths`, in a fixed order; `format` is for files named and for stdin (`-`)."""
    formats = formats_by_suffix()
    for path in paths:
        if path == "-":
            yield from _read_stream(sys.stdin.buffer, InputFile("stdin", "stdin"), format)
        elif os.path.isdir(path):
            yield from _read_folder(path, formats)
        else:
            name = os.path.basename(path)
            yield from _read_file(path, name, format or formats.get(_suffix(name), "txt"), format)


def pretty_title(stem: str) -> str:
    """`franco-prussian_war` → `Franco prussian war`; a stem with capitals keeps its case."""
    title = " ".join(re.split(r"[\s_-]+", stem)).strip()
    return title[:1].upper() + title[1:] if title.islower() else title


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _read_folder(folder: str, formats: Mapping[str, str]) -> Iterator[Item]:
    """Every file below `folder`; its path from there, with slashes, is its id."""
    errors: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=errors.append):
        while errors:
            yield _unreadable(errors.pop(), folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(os.path.join(where, name)):
                yield Ignored("linked folder")  # not followed: links can run in circles
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.startswith("."):
                continue
            if (format := formats.get(_suffix(name))) and not _is_special(path):
                relative = Path(os.path.relpath(path, folder)).as_posix()
                yield from _read_file(path, relative, format, format)
            else:
                yield Ignored(_suffix(name) or "no suffix")
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


def _read_file(path: str, name: str, format: str, asked: str | None) -> Iterator[Item]:
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


def _read_stream(stream: Iterable[bytes], file: InputFile, format: str | None) -> Iterator[Item]:
    """Without a name to go by, the first line that is not blank tells the format."""
    lines = iter(stream)
    first: list[bytes] = []
    for line in lines:
        first.append(line)
        if line.removeprefix(BOM).strip():
            break
    yield from _documents(format or _sniff(first), chain(first, lines), file)


def _documents(format: str, lines: Iterable[bytes], file: InputFile) -> Iterator[Item]:
    try:
        yield from READERS.load(format).read(lines, file)
    except CorpusError as error:
        yield error


def _sniff(first: list[bytes]) -> str:
    line = first[-1].removeprefix(BOM).strip() if first else b""
    if line.startswith(b"{"):
        return "jsonl"
    return "tsv" if line.split(b"\t") == [b"id", b"text", b"title"] else "txt"
