"""Files of every format, written by the libraries of others, each with a fact of its own."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import zstandard

FACT = "The {} was bought in {} for the harbour."
"""What is found again: a thing and a year."""


def pdf(path: Path, pages: Sequence[Sequence[str]], **options: Any) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), **options)
    for page in pages:
        for number, line in enumerate(page):
            canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()


def docx(path: Path, fact: str) -> None:
    from docx import Document

    document = Document()
    document.add_heading("Staff handbook", 0)
    document.add_heading("Travel", 1)
    document.add_paragraph("Trips are booked early.")
    document.add_heading("Boats", 2)
    document.add_paragraph(fact)
    document.add_heading("Meals", 1)
    table = document.add_table(2, 3)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells],
        ["meal", "place", "euros", "lunch", "Lima", "14"],
        strict=True,
    ):
        cell.text = text
    document.save(str(path))


def pptx(path: Path, fact: str) -> None:
    from pptx import Presentation

    deck = Presentation()
    for title, body in (("Welcome", "Hello."), ("Boats", fact)):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
    deck.slides[1].notes_slide.notes_text_frame.text = "Say it slowly."
    deck.save(str(path))


def xlsx(path: Path, fact: str) -> None:
    import datetime

    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Costs"
    book.active.append(["Costs of the year"])
    book.active.append(["what", "when", "share", "sum", "note"])
    book.active.append(["paint", datetime.date(2018, 3, 1), 0.25, 12.0, None])
    book.active["C3"].number_format = "0%"
    sheet = book.create_sheet("Boats")
    sheet.append(["boat", "remark"])
    sheet.append(["ferry", fact])
    book.save(path)


def odt(path: Path, fact: str) -> None:
    from odf.opendocument import OpenDocumentText
    from odf.text import H, P

    document = OpenDocumentText()
    document.text.addElement(H(outlinelevel=1, text="Travel"))
    document.text.addElement(P(text="Trips are booked early."))
    document.text.addElement(H(outlinelevel=2, text="Boats"))
    document.text.addElement(P(text=fact))
    document.save(str(path))


def ods(path: Path, fact: str) -> None:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    sheet = Table(name="Boats")
    for cells in (["boat", "built", "remark"], ["ferry", "1999", fact]):
        row = TableRow()
        for text in cells:
            cell = TableCell()
            cell.addElement(P(text=text))
            row.addElement(cell)
        row.addElement(TableCell(numbercolumnsrepeated=16000))
        sheet.addElement(row)
    sheet.addElement(TableRow(numberrowsrepeated=1_000_000))
    document.spreadsheet.addElement(sheet)
    document.save(str(path))


def odp(path: Path, fact: str) -> None:
    from odf.draw import Frame, Page, TextBox
    from odf.opendocument import OpenDocumentPresentation
    from odf.style import MasterPage, PageLayout
    from odf.text import P

    document = OpenDocumentPresentation()
    layout = PageLayout(name="layout")
    document.automaticstyles.addElement(layout)
    document.masterstyles.addElement(master := MasterPage(name="master", pagelayoutname=layout))
    for title, body in (("Welcome", "Hello."), ("Boats", fact)):
        page = Page(masterpagename=master)
        for kind, text in (("outline", body), ("title", title)):
            frame = Frame(width="9cm", height="3cm", attributes={"class": kind})
            box = TextBox()
            box.addElement(P(text=text))
            frame.addElement(box)
            page.addElement(frame)
        document.presentation.addElement(page)
    document.save(str(path))


EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A harbour</dc:title>'
    '</metadata><manifest><item id="b" href="b%20b.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="c" href="c.css" media-type="text/css"/></manifest>'
    '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>',
    "OPS/a.xhtml": "<html><head><title>A harbour</title></head><body><p>Once.</p></body></html>",
    "OPS/b b.xhtml": "<html><head><title>Boats</title></head><body><h2>Ferries</h2>"
    "<p>{fact}</p></body></html>",
    "OPS/c.css": "p {{}}",
}


def zipped(path: Path, parts: dict[str, str | bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def epub(path: Path, fact: str) -> None:
    zipped(path, {name: data.replace("{fact}", fact) for name, data in EPUB.items()})


def message(fact: str, subject: str = "The boats") -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "Zoë <zoe@lima.pe>", "all@lima.pe"
    mail.set_content(f"Dear all,\n\n{fact}\n")
    mail.add_alternative(f"<p>Dear all,</p><p>{fact}</p>", subtype="html")
    mail.add_attachment(b"\0", maintype="image", subtype="png", filename="map.png")
    return mail


def mbox(path: Path, fact: str) -> None:
    import mailbox

    box = mailbox.mbox(path)
    box.add(message("Nothing new.", "No news"))
    box.add(message(fact))
    box.close()


RST = """Handbook
========

Trips are booked early; see :ref:`the plan <plan>` and :func:`~os.path.join`.

.. versionadded:: 3.2
   With :class:`Boat` too.

Boats
-----

{fact}

.. code-block:: python

   sail(1)

=====  =====
boat   built
=====  =====
ferry  1999
=====  =====
"""
ORG = """#+TITLE: Handbook
#+OPTIONS: toc:nil
* Travel :trips:
:PROPERTIES:
:ID: 7
:END:
Trips are *booked* [[https://lima.pe][early]].
** TODO Boats
{fact}
| boat  | built |
|-------+-------|
| ferry |  1999 |
"""
PYTHON = '''"""Boats."""


class Ferry:
    def sail(self):
        # {fact}
        return 1


def other():
    return 2
'''
XML = """<?xml version="1.0"?>
<!DOCTYPE fleet>
<fleet year="2018"><!-- none --><boat id="7"><name>ferry</name><remark>{fact}</remark></boat>
<note>Paint it <em>all</em> blue.</note></fleet>"""
RTF = r"{\rtf1\ansi\ansicpg1252{\fonttbl\f0\fswiss Helvetica;}\f0\pard Z\'fcrich.\par %s\par}"


def _text(template: str) -> Callable[[Path, str], None]:
    return lambda path, fact: path.write_text(template.replace("{fact}", fact), "utf-8") and None


MAKE: dict[str, Callable[[Path, str], None]] = {
    "report.pdf": lambda path, fact: pdf(path, [["A first page."], ["A second.", fact]]),
    "handbook.docx": docx,
    "deck.pptx": pptx,
    "costs.xlsx": xlsx,
    "travel.odt": odt,
    "sheet.ods": ods,
    "show.odp": odp,
    "book.epub": epub,
    "letter.rtf": lambda path, fact: path.write_text(RTF % fact) and None,
    "news.eml": lambda path, fact: path.write_bytes(message(fact).as_bytes()) and None,
    "box.mbox": mbox,
    "guide.rst": _text(RST),
    "notes.org": _text(ORG),
    "fleet.json": lambda path, fact: (
        path.write_text(
            json.dumps({"fleet": {"boats": [{"name": "ferry", "old": True, "remark": fact}]}})
        )
        and None
    ),
    "fleet.xml": _text(XML),
    "ferry.py": _text(PYTHON),
    "boats.csv": _text('boat;remark\nferry;"{fact}"\n'),
    "page.html": _text("<title>Harbour</title><h2>Boats</h2>\n<p>{fact}</p>"),
    "plan.md": _text("# Plan\n\n## Boats\n\nFirst.\n\n{fact}\n"),
    "LICENSE": _text("Free.\n\n{fact}\n"),
    "old.txt.gz": lambda path, fact: (
        path.write_bytes(gzip.compress(f"Old.\n{fact}".encode())) and None
    ),
    "new.md.zst": lambda path, fact: (
        path.write_bytes(zstandard.compress(f"# New\n\n## Boats\n\n{fact}".encode())) and None
    ),
}


def bomb(size: int) -> bytes:
    """Many zeros in a few bytes."""
    stream = io.BytesIO()
    with gzip.open(stream, "wb") as packed:
        for _ in range(size >> 20):
            packed.write(bytes(1 << 20))
    return stream.getvalue()
