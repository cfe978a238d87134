"""XML that is no document we know: each record in a line, under the names that lead there.

An element whose parts hold nothing below them is a record, `name: value; name: value.`, with its
attributes. Where words and elements are mixed they are read as one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragcli.corpus.marked import Marked, row_line
from ragcli.corpus.packed import local, parsing, seekable, too_large
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.errors import CorpusError
from ragcli.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DEEPEST = 200
_LARGEST = 64 << 20
_MOST_PARTS = 1000
"""Of a record; what has more is a list, whose parts are told one by one."""
_SAME = 3
"""What has more parts of one name is a list as well."""


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    from defusedxml.ElementTree import iterparse

    text = Marked()
    opened: list[Element] = []
    told: Element | None = None
    with parsing(file, "XML"):
        for event, element in iterparse(seekable(lines, file), ("start", "end")):
            if told is not None:  # what follows it is known only now
                text.add(_one_line(told.tail))
                told = None
            if event == "start":
                opened.append(element)
                if len(opened) > _DEEPEST:
                    raise CorpusError(f"nested more than {_DEEPEST} deep", file.path)
                continue
            opened.pop()
            if opened and _belongs(element, opened[-1]):
                continue
            text.close(0)
            for level, each in enumerate([*opened, element][1:], start=1):
                text.head(level, local(each.tag))
            text.add_rows(_told(element))
            if text.length > _LARGEST:
                raise too_large(file, _LARGEST)
            if opened:
                opened[-1].remove(element)
                told = element
    yield text.document(file)


def _belongs(element: Element, above: Element) -> bool:
    """Whether it is told with what it stands in, as a part of a record or of a sentence."""
    bare = _one_line(element.text) or not element.attrib
    return _has_words(above) or (not len(element) and bool(bare) and len(above) < _MOST_PARTS)


def _has_words(element: Element) -> bool:
    """Whether words stand between its parts."""
    return bool(_one_line(element.text)) or any(_one_line(each.tail) for each in element)


def _told(element: Element) -> Iterator[str]:
    """An element as a line, or as a line for each of its parts."""
    names = [local(name) for name in element.attrib]
    values = [_one_line(value) for value in element.attrib.values()]
    if not len(element) or _has_words(element):
        yield row_line([*names, ""], [*values, _one_line("".join(element.itertext()))])
        return
    parts = [local(part.tag) for part in element]
    words = [_part(part) for part in element]
    if Counter(parts).most_common(1)[0][1] > _SAME:
        yield row_line(names, values)
        for name, value in zip(parts, words, strict=True):
            yield row_line([name], [value])
    else:
        yield row_line(names + parts, values + words)


def _part(element: Element) -> str:
    """What a part says, and its attributes in brackets."""
    more = "; ".join(f"{local(name)}: {value}" for name, value in element.attrib.items())
    return " ".join(filter(None, [_one_line("".join(element.itertext())), more and f"({more})"]))


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


reader = Reader(_read, (".xml",))
