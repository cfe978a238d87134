"""Org mode: headlines, tables row by row, links by their words; drawers and options are no text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragcli.corpus.marked import Marked, told_table
from ragcli.corpus.packed import all_bytes
from ragcli.corpus.readers import InputFile, Lines, Reader, decode
from ragcli.records import Document

_HEADLINE = re.compile(
    r"(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?:\[#\w\]\s+)?(.*?)(?:\s+:[\w@:]+:)?\s*$"
)
_OPTION = re.compile(r"\s*#\+(\w+):?\s*(.*)")
_DRAWER = re.compile(r"\s*:[\w-]+:\s*$")
_LINK = re.compile(r"\[\[([^][]*)\](?:\[([^][]*)\])?\]")
_MARKS = re.compile(r"(?<![\w])([*/=~+_])(?=\S)([^\n]*?\S)\1(?![\w])")
_RULE = re.compile(r"\s*\|[-+]+\|?\s*$")


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    markup = decode(all_bytes(lines, file), file.path)
    text, title, drawer = Marked(), "", False
    table: list[tuple[int, str]] = []
    for number, line in enumerate([*markup.splitlines(), ""], start=1):
        if line.lstrip().startswith("|"):
            table.append((number, line))
            continue
        _tell_table(text, table)
        table = []
        if drawer or _DRAWER.match(line):
            drawer = line.strip().lower() != ":end:"
        elif found := _HEADLINE.match(line):
            text.add_heading(len(found[1]), _plain(found[2]), line=number)
        elif option := _OPTION.match(line):
            title = option[2] if option[1].lower() == "title" else title
        elif not re.match(r"\s*# ", line):
            text.add(_plain(line), line=number)
    yield text.document(file, _plain(title))


def _tell_table(text: Marked, lines: list[tuple[int, str]]) -> None:
    rows = [(n, line.strip().strip("|").split("|")) for n, line in lines if not _RULE.match(line)]
    headed = len(lines) > 1 and bool(_RULE.match(lines[1][1]))
    told = list(told_table([[_plain(cell) for cell in row] for _, row in rows], headed))
    numbers = [number for number, row in rows if any(map(str.strip, row))]
    for number, row in zip(numbers[-len(told) :] if told else [], told, strict=True):
        text.add(row, line=number, unit=True)


def _plain(text: str) -> str:
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    return _MARKS.sub(r"\2", text)


reader = Reader(_read, (".org",))
