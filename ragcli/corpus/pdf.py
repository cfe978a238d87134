"""PDF: the text of each page as it is read, with its number."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ragcli.corpus.marked import Marked
from ragcli.corpus.packed import locked, parsing, seekable, too_large
from ragcli.corpus.readers import Found, InputFile, Lines, Omitted, Reader
from ragcli.errors import CorpusError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_SECONDS = 300
"""What a file may take; between two pages it is looked at the clock."""
_MOST_TEXT = 64 << 20
_BREAK = re.compile("[\ufffe\x02\xad]\\s*")
"""A hyphen at the end of a line that is only there because the line ends."""
_WRITER = re.compile(r"\.\w{2,4}$|^(microsoft|untitled|powerpoint|slide \d|document\d*$)", re.I)
"""The title that a program gave, not a person."""
_FEW = 3
_HEADED = (2, 4)
"""How many lines a page has from which the first line of a head or foot goes, and the second."""


def _read(lines: Lines, file: InputFile) -> Found:
    with parsing(file, "a PDF"):
        document = _open(lines, file)
        try:
            pages = list(_pages(document, file))
            told = str(document.get_metadata_value("Title") or "")
        finally:
            document.close()
    blank = [number for number, page in enumerate(pages, start=1) if not any(page)]
    if len(blank) == len(pages):
        yield Omitted("PDF without text, perhaps scanned", file.path)
        return
    for number in blank:
        yield Omitted("PDF page without text, perhaps scanned", f"{file.path}, page {number}")
    text = Marked()
    for least in _HEADED:
        furniture = _furniture(pages, least)
        pages = [_without(furniture, page) for page in pages]
    for number, page in enumerate(pages, start=1):
        text.add("\n".join(page), page=number)
    yield text.document(file, "" if _WRITER.search(told.strip()) else told)


def _open(lines: Lines, file: InputFile) -> PdfDocument:
    from pypdfium2 import PdfDocument, PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        return PdfDocument(seekable(lines, file))
    except PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise locked(file, "it is encrypted") from None
        raise


def _pages(document: Any, file: InputFile) -> Iterator[list[str]]:
    """The lines of each page."""
    until, size = time.monotonic() + _SECONDS, 0
    for number in range(len(document)):
        if time.monotonic() > until:
            message = f"takes more than {_SECONDS} s, of which {number} pages are read"
            raise CorpusError(message, file.path, hint="split it, or go on: --on-error skip")
        page = document[number]
        try:
            opened = page.get_textpage()
            try:
                text = opened.get_text_range()
            finally:
                opened.close()
        finally:
            page.close()
        if (size := size + len(text)) > _MOST_TEXT:
            raise too_large(file, _MOST_TEXT)
        text = _BREAK.sub("", text).replace("\0", "").encode("utf-8", "ignore").decode()
        yield [line for line in map(str.strip, text.splitlines()) if line]


def _where(page: Sequence[str], at: int) -> str:
    return "top" if at == 0 else "bottom" if at == len(page) - 1 else ""


def _worn(line: str) -> str:
    """A line without its numbers, in which the head of one page differs from that of the next."""
    return re.sub(r"\d+", "", line)


def _without(furniture: set[tuple[str, str]], page: Sequence[str]) -> list[str]:
    return [
        line for at, line in enumerate(page) if (_where(page, at), _worn(line)) not in furniture
    ]


def _furniture(pages: Sequence[Sequence[str]], least: int) -> set[tuple[str, str]]:
    """The first and last lines that stand on most pages: they would cut sentences in two.

    A line of several numbers and nothing else is more likely one of a table.
    """
    seen = Counter(
        (_where(page, at), _worn(page[at]))
        for page in pages
        if len(page) >= least
        for at in (0, -1 % len(page))
        if len(re.findall(r"\d+", page[at])) < _FEW or re.search(r"[^\W\d]", page[at])
    )
    return {line for line, count in seen.items() if count >= _FEW and count * 2 > len(pages)}


reader = Reader(_read, (".pdf",))
