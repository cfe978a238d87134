"""OpenDocument: texts, spreadsheets and presentations share one XML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragcli.corpus.marked import Marked, told_table
from ragcli.corpus.packed import attribute, local, locked, outermost, parsed, unzipped
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_COLUMNS = 1000
_SPACES = {"s": " ", "tab": "\t", "line-break": "\n"}
_UNSEEN = {"annotation", "tracked-changes", "note-citation", "forms"}
_BLOCKS = ("h", "p", "table", "page", "tracked-changes", "forms")


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    text, titles = Marked(), list[str]()
    with unzipped(lines, file, "an OpenDocument file") as archive:
        if b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise locked(file, "it is encrypted")
        with archive.open("content.xml") as content:
            slides = 0
            for block in outermost(content, _BLOCKS):
                slides += local(block.tag) == "page"
                _tell(text, block, slides or None, titles)
        if not titles and "meta.xml" in archive.namelist():
            meta = parsed(archive.read("meta.xml")).find(".//{*}title")
            titles = [meta.text or ""] if meta is not None else []
    yield text.document(file, titles[0] if titles else "")


def _tell(text: Marked, block: Element, page: int | None, titles: list[str]) -> None:
    kind = local(block.tag)
    words = _words(block) if kind in ("p", "h") else ""
    if kind == "h":
        level = attribute(block, "outline-level")
        text.add_heading(int(level) if level.isdecimal() else 1, words, page=page)
    elif kind == "p" and attribute(block, "style-name") == "Title" and not text.length:
        titles.append(words)
    elif kind == "p":
        text.add(words, page=page)
    elif kind == "table":
        rows = list(_rows(block))
        sheet = attribute(block, "name")
        text.head(9, sheet)
        text.add_rows(told_table(rows, block.find("{*}table-header-rows") is not None), page=page)
        text.close(9)
    elif kind == "page":
        _tell_slide(text, block, page)


def _tell_slide(text: Marked, slide: Element, page: int | None) -> None:
    text.close(0)
    frames = slide.findall("{*}frame")
    for frame in sorted(frames, key=lambda each: attribute(each, "class") != "title"):
        if attribute(frame, "class") == "title":
            text.add_heading(1, _words(frame), page=page)
            continue
        for block in frame:
            if local(block.tag) == "table":
                text.add_rows(told_table(list(_rows(block)), True), page=page)
            else:
                text.add(_words(block), page=page)


def _rows(table: Element) -> Iterator[list[str]]:
    """The rows that are not empty; a row said to stand there many times is told once."""
    for row in table.iterfind(".//{*}table-row"):
        cells: list[str] = []
        for cell in row:
            if local(cell.tag) not in ("table-cell", "covered-table-cell"):
                continue
            times = attribute(cell, "number-columns-repeated")
            repeated = int(times) if times.isdecimal() else 1
            room = _MOST_COLUMNS - len(cells)
            cells += [_words(cell)] * min(repeated, room)
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield cells


def _words(element: Element) -> str:
    return "".join(_pieces(element)).strip()


def _pieces(element: Element) -> Iterator[str]:
    """Its text, and that of what is in it, up to the end of each."""
    yield element.text or ""
    for child in element:
        name = local(child.tag)
        if name in _SPACES:
            yield _SPACES[name]
        elif name not in _UNSEEN:
            yield from _pieces(child)
            if name in ("p", "h"):
                yield "\n"
        yield child.tail or ""


reader = Reader(_read, (".odt", ".ods", ".odp", ".ott"))
