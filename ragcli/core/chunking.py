"""Documents → passages: runs of about 100 words, the unit that is retrieved (z)."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ragcli.records import Document, Mark, Passage, caption
from ragcli.settings import Chunking

_LONGEST_UNIT = 2
"""A unit as long as more than so many passages is cut like any text: nobody could read it whole."""
_SHORTEST = 3
"""A passage has at least this part of its words, where that can be helped."""
_WORD = re.compile(r"\S*")


def content_digest(caption: str, text: str) -> str:
    """sha256 over caption, a NUL and text, in hexadecimal: equal content has an equal digest."""
    return hashlib.sha256(f"{caption}\0{text}".encode()).hexdigest()


def passages(document: Document, chunking: Chunking) -> Iterator[Passage]:
    """Cut a document into passages of `chunking.words` words; they are disjoint but for the last.

    A word is a run of characters without white space; the words of a passage are joined by single
    spaces. Passage N (from 0) has the id `DOCUMENT#N`, so ids stay the same from run to run. Units,
    such as the rows of a table, stay whole, so that a passage may be shorter or longer. If fewer
    than a third of the words are left for the last passage, it begins among those of the one before
    it. Each passage has what the last mark at or before its first word says.
    """
    text = _Words(document)
    for number, (start, end, border) in enumerate(text.cuts(chunking.words)):
        mark = text.mark(start)
        content = " ".join(text.words[start:end])
        yield Passage(
            id=f"{document.id}#{number}",
            document_id=document.id,
            title=document.title,
            text=content,
            digest=content_digest(caption(document.title, mark.headings), content),
            source=document.source,
            line=mark.line or document.line,
            start=start,
            end=end,
            metadata=document.metadata,
            headings=mark.headings,
            page=mark.page,
            apart=border in text.borders,
        )


class _Words:
    """The words of a document, and before which of them its marks and its units begin."""

    def __init__(self, document: Document) -> None:
        text, marks = document.text, [Mark(0)]
        self.words, self._places = list[str](), [0]
        done = 0
        for mark in document.marks:
            start = mark.start
            if start and not text[start - 1].isspace():  # never through a word
                start = _WORD.match(text, start).end()  # type: ignore[union-attr]
            self.words += text[done:start].split()
            done = start
            marks.append(mark)
            self._places.append(len(self.words))
        self.words += text[done:].split()
        self._marks = marks
        ends = [*self._places[1:], len(self.words)]
        spans = zip(self._places, ends, marks, strict=True)
        self._units = [(start, end) for start, end, mark in spans if mark.unit and start < end]
        self.borders = {place for unit in self._units for place in unit}

    def mark(self, word: int) -> Mark:
        """What is said of the place where a word stands."""
        return self._marks[bisect_right(self._places, word) - 1]

    def cuts(self, size: int) -> Iterator[tuple[int, int, int]]:
        """Where passages of `size` words begin and end, and where the one before has ended."""
        start, count = 0, len(self.words)
        while start < count:
            end = min(start + size, count)
            first, last = self._unit(end, size)
            if first < end:
                end = first if _SHORTEST * (first - start) >= size else last
            begin = start
            if start and _SHORTEST * (count - start) < size:
                begin = min(self._unit(count - size, size)[1], start)
            yield begin, end, start
            start = end

    def _unit(self, word: int, size: int) -> tuple[int, int]:
        """The unit that would be cut before a word; the word twice if there is none."""
        at = bisect_left(self._units, (word, 0)) - 1
        if at < 0:
            return word, word
        first, last = self._units[at]
        cut = word < last <= first + _LONGEST_UNIT * size
        return (first, last) if cut else (word, word)
