"""HTML: what a reader of the page sees, without scripts, styles and navigation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ragcli.corpus.marked import Marked, row_line, table_lines
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
    title, text = read_page(b"".join(lines), file.path)
    yield text.document(file, title)


reader = Reader(_read, (".html", ".htm"))


def read_page(data: bytes, path: str) -> tuple[str, Marked]:
    """The title of a page and its text, each block with its line and the headings above it."""
    soup, title = _parse(_decode(data, path), path)
    if not title.strip() and (heading := soup.find("h1")):
        title = heading.get_text()
        heading.decompose()
    return title, _marked(soup)


def html_text(markup: str, path: str) -> str:
    """What a reader sees of a piece of HTML; `path` is where it stands, for an error."""
    if not re.sub(r"<[^<>]*>", "", markup).strip():
        return ""  # tags alone, and no need for a parser
    return _marked(_parse(markup, path)[0]).whole()[0]


def _marked(soup: BeautifulSoup) -> Marked:
    """What can be seen; a NUL, which no text holds, stands before a block's number until then."""
    blocks: list[tuple[int | None, int, str]] = []  # line, level of a heading or a row's 0, heading

    def begins(line: int | None, level: int = -1, heading: str = "") -> str:
        blocks.append((line, level, heading))
        return f"\n\0{len(blocks) - 1};"

    for table in soup.find_all("table"):
        if told := _table(table):
            rows = "".join(begins(line, 0) + row for line, row in told)
            table.replace_with(rows, begins(table.sourceline))
    for tag in soup.find_all(BLOCKS):
        level = int(tag.name[1]) if re.fullmatch("h[1-6]", tag.name) else -1
        tag.insert_before(begins(tag.sourceline, level, tag.get_text() if level > 0 else ""))
        tag.insert_after("\n")
    text = Marked()
    first, *parts = soup.get_text().split("\0")
    text.add(_one_break(first), line=1)
    for part in parts:
        number, _, piece = part.partition(";")
        line, level, heading = blocks[int(number)]
        text.head(level, heading)
        text.add(_one_break(piece), line=line, unit=level == 0)
    return text


def _one_break(text: str) -> str:
    return re.sub(r"\s*\n\s*", "\n", text)


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


def _table(table: Tag) -> list[tuple[int | None, str]]:
    """The rows of a table as lines with their headings; none where headings cannot be told.

    Headings are a first row of `th`, or a `th` before the only other cell of its row.
    """
    if table.select("table, [colspan], [rowspan]"):
        return []
    rows = [(row, found) for row in table.find_all("tr") if (found := row.find_all(["th", "td"]))]
    lines = [row.sourceline for row, _ in rows]
    kinds = [[cell.name for cell in cells] for _, cells in rows]
    texts = [[" ".join(cell.get_text(" ").split()) for cell in cells] for _, cells in rows]
    caption = table.caption and table.caption.get_text(" ").strip()
    told = [(table.sourceline, caption)] if caption else []
    if len(rows) > 1 and len(texts[0]) > 1 and set(kinds[0]) == {"th"}:
        return told + list(zip(lines[1:], table_lines(texts[0], texts[1:]), strict=True))
    if kinds and all(kind == ["th", "td"] for kind in kinds):
        return told + [(n, row_line(row[:1], row[1:])) for n, row in zip(lines, texts, strict=True)]
    return []
