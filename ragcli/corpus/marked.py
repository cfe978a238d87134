"""Text put together piece by piece, each with a mark that says where it stands in its source."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, overload

from ragcli.corpus.readers import InputFile
from ragcli.records import Document, Mark


class Marked:
    """A text that grows, with the headings it has come to."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._marks: list[Mark] = []
        self._levels: list[tuple[int, str]] = []
        self.length = 0

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings that what comes next stands under, outermost first."""
        return tuple(text for _, text in self._levels)

    def head(self, level: int, text: str) -> None:
        """Come to a heading: it ends those of its own level and below."""
        if text := " ".join(text.split()):
            self.close(level)
            self._levels.append((level, text))

    def close(self, level: int) -> None:
        """End the headings of a level and below."""
        self._levels = [(above, text) for above, text in self._levels if above < level]

    def mark(self, *, page: int | None = None, line: int | None = None, unit: bool = False) -> None:
        """Say where what comes next stands; a mark that says nothing new is left away."""
        mark = Mark(self.length, page, line, self.headings, unit)
        last = self._marks[-1] if self._marks else None
        if last and last.start == self.length:
            self._marks[-1] = mark
        elif unit or last is None or last != replace(mark, start=last.start):
            self._marks.append(mark)

    def write(self, text: str) -> None:
        """Go on with the text."""
        self._parts.append(text)
        self.length += len(text)

    def add(
        self, text: str, *, page: int | None = None, line: int | None = None, unit: bool = False
    ) -> None:
        """A piece with a line of its own."""
        if text := text.strip():
            self.mark(page=page, line=line, unit=unit)
            self.write(f"{text}\n")

    def add_heading(
        self, level: int, text: str, *, page: int | None = None, line: int | None = None
    ) -> None:
        """A heading, which stands in the text too."""
        self.head(level, text)
        self.add(" ".join(text.split()), page=page, line=line)

    def add_rows(self, rows: Iterable[str], **where: Any) -> None:
        """The rows of a table, none of which should be cut."""
        for row in rows:
            self.add(row, unit=True, **where)

    def add_text(self, text: str) -> None:
        """Plain text, with the number of each of its lines."""
        self._marks += LineMarks(text, at=self.length)
        self.write(text)

    def extend(self, other: Marked) -> None:
        """Put another text below, with its marks."""
        self._marks += [replace(mark, start=mark.start + self.length) for mark in other._marks]
        for part in other._parts:
            self.write(part)

    def below(self, heading: str) -> Marked:
        """The same text with everything under a heading, where it does not stand already."""
        heading = " ".join(heading.split())
        if heading:
            for at, mark in enumerate(self._marks):
                if mark.headings[:1] != (heading,):
                    self._marks[at] = replace(mark, headings=(heading, *mark.headings))
        return self

    def whole(self) -> tuple[str, tuple[Mark, ...]]:
        """The text without white space around it, and its marks."""
        raw = "".join(self._parts)
        text = raw.strip()
        blank = len(raw) - len(raw.lstrip())
        moved = (replace(mark, start=max(0, mark.start - blank)) for mark in self._marks)
        last = {mark.start: mark for mark in moved if mark.start < len(text)}
        return text, tuple(last.values())

    def document(
        self,
        file: InputFile,
        title: str = "",
        *,
        id: str | None = None,
        line: int = 1,
        metadata: Mapping[str, Any] | None = None,
    ) -> Document:
        """It as a document; `title` is what the text says of itself, if it does."""
        text, marks = self.whole()
        title = " ".join(title.split()) or file.title
        return Document(id or file.id, title, text, file.path, line, metadata or {}, marks)


class LineMarks(Sequence[Mark]):
    """A mark for each line of a text, in eight bytes a line."""

    def __init__(self, text: str, first: int = 1, at: int = 0) -> None:
        self._first = first
        self._starts = array("Q", [at])
        self._starts.extend(at + found.end() for found in re.finditer("\n", text))

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> Mark: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Mark]: ...
    def __getitem__(self, at: int | slice) -> Mark | Sequence[Mark]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return Mark(self._starts[at], line=self._first + at % len(self))


def table_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A line a row, each cell with its column's name, so that a row can be read on its own.

    `host | role` over `osprey | mail` becomes `host: osprey; role: mail.`
    """
    return [row_line(header, row) for row in rows] or [" ".join(header)]


def row_line(header: Sequence[str], cells: Sequence[str]) -> str:
    """One row of a table, told in a line."""
    pairs = zip_longest(header, cells, fillvalue="")
    line = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."


def told_table(rows: Sequence[Sequence[str]], headed: bool) -> Iterator[str]:
    """The rows of a table in a text; `headed` says that its first row is known to name columns.

    A first row of three cells and more is taken for names in any case, while of two columns the
    first is likely to name what stands in the second.
    """
    rows = [cells for row in rows if any(cells := [" ".join(cell.split()) for cell in row])]
    widest = max(map(len, rows), default=0)
    named = len(rows) > 1 and all(rows[0]) and len(set(rows[0])) == len(rows[0]) == widest
    if named and (headed or widest > 2) and widest > 1:
        yield from table_lines(rows[0], rows[1:])
    elif widest == 2:
        yield from (row_line(row[:1], row[1:]) if all(row) else row_line((), row) for row in rows)
    else:
        yield from (row_line((), row) for row in rows)
