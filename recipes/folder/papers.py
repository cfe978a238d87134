"""The invented papers, from their texts in `papers/` to files of every format.

A text `papers/hr/handbook.pdf.md` becomes `hr/handbook.pdf`; one without a second suffix is copied.
The texts know headings (`#`), lists, tables and, for PDF, `<!-- page -->` and `<!-- scan -->`.
"""

from __future__ import annotations

import datetime
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_string, policy
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "papers"
Cell = str | int | float | datetime.date


@dataclass(frozen=True)
class Block:
    """A part of a text: `kind` is heading, paragraph, bullet, number, table, page or scan."""

    kind: str
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def blocks(text: str) -> Iterator[Block]:
    """The parts of a text, each from one or more lines."""
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.split("\n")
        if match := re.fullmatch(r"(#+) (.*)", part):
            yield Block("heading", match[2], len(match[1]))
        elif match := re.fullmatch(r"<!-- (page|scan) -->", part):
            yield Block(match[1])
        elif part.startswith("|"):
            rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
            yield Block("table", rows=(rows[0], *rows[2:]))
        elif part.startswith("- "):
            yield from (Block("bullet", line.removeprefix("- ")) for line in lines)
        elif part.startswith("1. "):
            yield from (Block("number", line.split(". ", 1)[1]) for line in lines)
        else:
            yield Block("paragraph", " ".join(lines))


def sections(text: str) -> Iterator[tuple[str, list[Block]]]:
    """Each first-level heading with what stands below it: a sheet, a slide, a chapter."""
    below: list[Block] = []
    title = ""
    for block in blocks(text):
        if block.kind == "heading" and block.level == 1:
            if title:
                yield title, below
            title, below = block.text, []
        else:
            below.append(block)
    yield title, below


def cell(text: str) -> Cell:
    """A number or a date where a spreadsheet would have one."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return datetime.date.fromisoformat(text)
    if re.fullmatch(r"\d+(?: \d{3})*", text):
        return int(text.replace(" ", ""))
    return text


def pdf(text: str, path: Path) -> None:
    """Pages with a head and a foot, as an office program prints them; a scan is only a picture."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import HRFlowable, PageBreak, Paragraph, SimpleDocTemplate, Table

    style = getSampleStyleSheet()
    parts = list(blocks(text))
    title = next((part.text for part in parts if part.kind == "heading"), "")
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]

    def flowable(part: Block) -> Any:
        match part.kind:
            case "heading":
                return Paragraph(escape(part.text), style[f"Heading{part.level}"])
            case "table":
                cells = [[Paragraph(escape(c), style["BodyText"]) for c in r] for r in part.rows]
                return Table(cells, style=grid)
            case "page":
                return PageBreak()
            case "scan":
                return HRFlowable(width="80%", thickness=300, color=colors.lightgrey)
            case "bullet":
                return Paragraph(escape(part.text), style["BodyText"], bulletText="•")
        return Paragraph(escape(part.text), style["BodyText"])

    def around(canvas: Any, document: Any) -> None:
        if title:
            canvas.setFont("Helvetica", 8)
            canvas.drawString(72, 805, f"Fennwick Cargo Bikes · {title}")
            canvas.drawRightString(523, 30, f"page {document.page}")

    document = SimpleDocTemplate(str(path), title=title, invariant=True)
    document.build([flowable(part) for part in parts], onFirstPage=around, onLaterPages=around)


def docx(text: str, path: Path) -> None:
    from docx import Document

    document = Document()
    styles = {"paragraph": "Normal", "bullet": "List Bullet", "number": "List Number"}
    for part in blocks(text):
        if part.kind == "heading":
            document.add_heading(part.text, part.level - 1)
        elif part.kind == "table":
            table = document.add_table(0, len(part.rows[0]), "Table Grid")
            for row in part.rows:
                for place, value in zip(table.add_row().cells, row, strict=True):
                    place.text = value
        else:
            document.add_paragraph(part.text, styles[part.kind])
    document.save(str(path))


def pptx(text: str, path: Path) -> None:
    from pptx import Presentation

    deck = Presentation()
    for title, below in sections(text):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(part.text for part in below)
    deck.save(str(path))


def xlsx(text: str, path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, below in sections(text):
        sheet = book.create_sheet(title)
        for row in (row for part in below for row in part.rows):
            sheet.append([cell(value) for value in row])
    book.save(path)


def _odf_table(name: str, rows: tuple[tuple[str, ...], ...]) -> Any:
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    table = Table(name=name)
    for row in rows:
        table.addElement(line := TableRow())
        for value in row:
            line.addElement(place := TableCell())
            place.addElement(P(text=value))
    return table


def odt(text: str, path: Path) -> None:
    from odf.opendocument import OpenDocumentText
    from odf.text import H, P

    document = OpenDocumentText()
    for part in blocks(text):
        if part.kind == "table":
            document.text.addElement(_odf_table("table", part.rows))
        elif part.kind == "heading":
            document.text.addElement(H(outlinelevel=part.level, text=part.text))
        else:
            document.text.addElement(P(text=part.text))
    document.save(str(path))


def ods(text: str, path: Path) -> None:
    from odf.opendocument import OpenDocumentSpreadsheet

    document = OpenDocumentSpreadsheet()
    for title, below in sections(text):
        rows = tuple(row for part in below for row in part.rows)
        document.spreadsheet.addElement(_odf_table(title, rows))
    document.save(str(path))


def rtf(text: str, path: Path) -> None:
    def words(part: Block) -> str:
        size = r"\b\fs32 " if part.kind == "heading" else r"\b0\fs22 "
        coded = "".join(c if ord(c) < 128 else rf"\u{ord(c)}?" for c in part.text)
        return size + coded + r"\par"

    body = "\n".join(map(words, blocks(text)))
    path.write_text(rf"{{\rtf1\ansi\ansicpg1252{{\fonttbl\f0\fswiss Arial;}}\f0 {body}}}", "ascii")


def epub(text: str, path: Path) -> None:
    chapters = list(sections(text))
    names = [f"c{number}.xhtml" for number in range(len(chapters))]
    title = path.stem.replace("-", " ").capitalize()
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>'
            "</rootfiles></container>",
        )
        book.writestr(
            "book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{title}</dc:title></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for name, (heading, below) in zip(names, chapters, strict=True):
            paragraphs = "".join(f"<p>{escape(part.text)}</p>" for part in below)
            book.writestr(
                name,
                '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>'
                f"{escape(heading)}</title></head><body><h1>{escape(heading)}</h1>"
                f"{paragraphs}</body></html>",
            )


def eml(text: str, path: Path) -> None:
    """A message as a mail program sends it: in two forms, with an encoding of its own."""
    head, _, body = text.partition("\n\n")
    mail = message_from_string(head, policy=policy.default)
    mail.set_content(body, cte="quoted-printable")
    lines = "".join(f"<p>{escape(part)}</p>" for part in body.split("\n\n"))
    mail.add_alternative(f"<html><body>{lines}</body></html>", subtype="html", cte="base64")
    path.write_bytes(mail.as_bytes())


WRITERS: dict[str, Callable[[str, Path], None]] = {
    f".{write.__name__}": write for write in (pdf, docx, pptx, xlsx, odt, ods, rtf, epub, eml)
}


def write_papers(folder: Path) -> int:
    """Write every paper below a folder; how many there are."""
    texts = sorted(path for path in HERE.rglob("*") if path.is_file())
    for text in texts:
        path = folder / text.relative_to(HERE)
        path.parent.mkdir(parents=True, exist_ok=True)
        if write := WRITERS.get(Path(text.stem).suffix):
            write(text.read_text("utf-8"), path.with_suffix(""))
        else:
            shutil.copyfile(text, path)
    return len(texts)
