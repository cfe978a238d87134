"""Word: headings by their styles, tables row by row, and what stands in boxes and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragcli.corpus.marked import Marked, told_table
from ragcli.corpus.packed import attribute, local, outermost, parsed, unzipped
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element
    from zipfile import ZipFile

_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml", "word/comments.xml")
_TITLE = 0
"""The level of the title of a document, above that of every heading."""
_AS_TEXT = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "noBreakHyphen": "-"}
_UNSEEN = {"Fallback", "del", "instrText", "annotation", "tracked-changes"}
_HEADERS = ("tblHeader", "firstRow")


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    text, title = Marked(), ""
    with unzipped(lines, file, "a Word document") as archive:
        levels = _levels(archive)
        with archive.open(_BODY) as body:
            for block in outermost(body, ("p", "tbl")):
                if local(block.tag) == "tbl":
                    text.add_rows(told_table(*table_cells(block)))
                    continue
                words = paragraph_text(block)
                level = levels.get(attribute(block.find("./{*}pPr/{*}pStyle"), "val"))
                if level is None:
                    text.add(words)
                elif not text.length and not title and level < 2:
                    title = words
                else:
                    text.add_heading(level, words)
        text.close(0)
        for name in set(_NOTES) & set(archive.namelist()):
            for note in outermost(archive.open(name), ("p",)):
                text.add(paragraph_text(note))
    yield text.document(file, title)


def _levels(archive: ZipFile) -> dict[str, int]:
    """The level of each style that makes a heading, from 1, or of those that come from one."""
    if "word/styles.xml" not in archive.namelist():
        return {}
    levels, bases = dict[str, int](), dict[str, str]()
    for style in parsed(archive.read("word/styles.xml")).iterfind("{*}style"):
        id, name = attribute(style, "styleId"), attribute(style.find("{*}name"), "val").lower()
        outline = attribute(style.find("./{*}pPr/{*}outlineLvl"), "val")
        if name == "title":
            levels[id] = _TITLE
        elif name.startswith("heading ") and name[8:].isdecimal():
            levels[id] = int(name[8:])
        elif outline.isdecimal() and int(outline) < 9:
            levels[id] = int(outline) + 1
        bases[id] = attribute(style.find("{*}basedOn"), "val")
    for id in bases:
        base, seen = id, {""}
        while base not in levels and base not in seen:
            seen.add(base)
            base = bases.get(base, "")
        if base in levels:
            levels[id] = levels[base]
    return levels


def paragraph_text(element: Element) -> str:
    """The words of a paragraph in the XML of Word, PowerPoint or OpenDocument."""
    return "".join(_words(element)).strip()


def _words(element: Element) -> Iterator[str]:
    for child in element:
        name = local(child.tag)
        if name == "t":
            yield child.text or ""
        elif name in _AS_TEXT:
            yield _AS_TEXT[name]
        elif name not in _UNSEEN:
            yield from _words(child)
            if name == "p":
                yield "\n"


def table_cells(table: Element) -> tuple[list[list[str]], bool]:
    """The cells of a table of Word or PowerPoint, and whether its first row is marked as names."""
    lines = table.iterfind(".//{*}tr")
    rows = [[paragraph_text(cell) for cell in line.iterfind(".//{*}tc")] for line in lines]
    marked = table.find("./{*}tr/{*}trPr/{*}tblHeader") is not None
    return rows, marked or attribute(table.find("./{*}tblPr"), "firstRow") in ("1", "true")


reader = Reader(_read, (".docx", ".docm"))
