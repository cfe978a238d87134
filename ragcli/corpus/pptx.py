"""PowerPoint: each slide is a page, under its title, with its tables and the speaker's notes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING
from zipfile import ZipFile

from ragcli.corpus.docx import paragraph_text, table_cells
from ragcli.corpus.marked import Marked, told_table
from ragcli.corpus.packed import attribute, parsed, unzipped
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DECK = "ppt/presentation.xml"


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    text = Marked()
    with unzipped(lines, file, "a PowerPoint file") as archive:
        slides = _related(archive, _DECK)
        order = parsed(archive.read(_DECK)).iterfind("./{*}sldIdLst/{*}sldId")
        for number, each in enumerate(order, start=1):
            id = next(value for key, value in each.attrib.items() if key.endswith("}id"))
            _tell_slide(text, archive, slides[id][1], number)
    yield text.document(file)


def _related(archive: ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """What a part refers to: kind and name, by id."""
    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return {}
    return {
        attribute(each, "Id"): (
            posixpath.basename(attribute(each, "Type")),
            posixpath.normpath(posixpath.join("/", folder, attribute(each, "Target"))).lstrip("/"),
        )
        for each in parsed(archive.read(relations))
        if attribute(each, "TargetMode") != "External"
    }


def _tell_slide(text: Marked, archive: ZipFile, part: str, number: int) -> None:
    root = parsed(archive.read(part))
    text.close(0)
    shapes = sorted(root.iterfind(".//{*}sp"), key=lambda shape: not _is_title(shape))
    for shape in shapes:
        said = [words for p in shape.iterfind(".//{*}p") if (words := paragraph_text(p))]
        if _is_title(shape):
            text.add_heading(1, " ".join(said), page=number)
        else:
            text.add("\n".join(said), page=number)
    for table in root.iterfind(".//{*}tbl"):
        text.add_rows(told_table(*table_cells(table)), page=number)
    for kind, notes in _related(archive, part).values():
        if kind == "notesSlide":
            for shape in parsed(archive.read(notes)).iterfind(".//{*}sp"):
                if _placeholder(shape) == "body":
                    text.add("\n".join(map(paragraph_text, shape.iterfind(".//{*}p"))), page=number)


def _placeholder(shape: Element) -> str:
    return attribute(shape.find(".//{*}nvPr/{*}ph"), "type")


def _is_title(shape: Element) -> bool:
    return _placeholder(shape) in ("title", "ctrTitle")


reader = Reader(_read, (".pptx", ".pptm"))
