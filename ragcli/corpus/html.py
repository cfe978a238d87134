"""HTML: what a reader of the page sees, without scripts, styles and navigation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

from ragcli.corpus.readers import InputFile, Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_UNSEEN = ("script", "style", "nav", "noscript", "template", "svg", "iframe", "head", "title")
BLOCKS = (
    "address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main ol option p pre section summary "
    "table tbody td tfoot th thead tr ul"
).split()


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document]:
    soup, title = _parse(_decode(b"".join(lines), file.path), file.path)
    if not title.strip() and (heading := soup.find("h1")):
        title = heading.get_text()
        heading.decompose()
    yield Document(file.id, " ".join(title.split()) or file.title, _visible(soup), file.path)


reader = Reader(_read, (".html", ".htm"))


def html_text(markup: str, path: str) -> str:
    """What a reader sees of a piece of HTML; `path` is where it stands, for an error."""
    if not re.sub(r"<[^<>]*>", "", markup).strip():
        return ""  # tags alone, and no need for a parser
    return _visible(_parse(markup, path)[0])


def _visible(soup: BeautifulSoup) -> str:
    for table in soup.find_all("table"):
        if told := _table(table):
            table.replace_with("\n", "\n".join(told), "\n")
    for tag in soup.find_all(BLOCKS):
        tag.insert_before("\n")
        tag.insert_after("\n")
    return re.sub(r"\s*\n\s*", "\n", soup.get_text()).strip()


def _decode(data: bytes, path: str) -> str:
    """UTF-8, else the character set that the page itself declares."""
    try:
        return decode(data, path)
    except CorpusError:
        declared = re.search(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", data[:4096], re.I)
        if declared and b"\0" not in data:
            with suppress(UnicodeError, LookupError):
                return data.decode(declared[1].decode("ascii"))
        raise


def _parse(markup: str, path: str) -> tuple[BeautifulSoup, str]:
    """What can be seen of a page, and its title."""
    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of short texts that look like a file name
            soup = BeautifulSoup(markup, "html.parser")
    except (ParserRejectedMarkup, RecursionError) as error:
        raise CorpusError(f"HTML that cannot be parsed: {error}", path) from None
    title = soup.title.get_text() if soup.title else ""
    for tag in soup.find_all(_UNSEEN):
        tag.decompose()
    return soup, title


def _table(table: Tag) -> list[str]:
    """The rows of a table as lines with their headings; none where headings cannot be told.

    Headings are a first row of `th`, or a `th` before the only other cell of its row.
    """
    if table.select("table, [colspan], [rowspan]"):
        return []
    rows = [found for row in table.find_all("tr") if (found := row.find_all(["th", "td"]))]
    kinds = [[cell.name for cell in row] for row in rows]
    texts = [[" ".join(cell.get_text(" ").split()) for cell in row] for row in rows]
    caption = [table.caption.get_text(" ").strip()] if table.caption else []
    if len(rows) > 1 and len(texts[0]) > 1 and set(kinds[0]) == {"th"}:
        return caption + table_lines(texts[0], texts[1:])
    if kinds and all(kind == ["th", "td"] for kind in kinds):
        return caption + [_row_line(row[:1], row[1:]) for row in texts]
    return []


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A line a row, each cell with its column's name, so that a row can be read on its own.

    `host | role` over `osprey | mail` becomes `host: osprey; role: mail.`
    """
    return [_row_line(header, row) for row in rows] or [" ".join(header)]


def _row_line(header: Sequence[str], cells: Sequence[str]) -> str:
    pairs = zip_longest(header, cells, fillvalue="")
    line = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."
