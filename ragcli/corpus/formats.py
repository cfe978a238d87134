"""Whole-file formats: plain text, Markdown and HTML, each file one document.

A reader takes the lines of a file as bytes and yields documents; where it cannot, it yields a
`CorpusError` in the document's stead and goes on, so that the caller decides whether to stop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile, zip_longest
from typing import TYPE_CHECKING

from ragcli.errors import CorpusError
from ragcli.records import Document

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag


@dataclass(frozen=True, slots=True)
class Place:
    """Where documents come from: `id` is the same on every machine, `source` is the path to open.

    `title` is the title of a whole-file document that does not name one itself.
    """

    id: str
    source: str
    title: str = ""


Reader = Callable[[Iterable[bytes], Place], Iterator[Document | CorpusError]]

BOM = b"\xef\xbb\xbf"


def pretty_title(stem: str) -> str:
    """`franco-prussian_war` → `Franco prussian war`; a stem with capitals keeps its case."""
    title = " ".join(re.split(r"[\s_-]+", stem)).strip()
    return title[:1].upper() + title[1:] if title.islower() else title


def decode(data: bytes, place: Place, line: int | None = None) -> str:
    """Bytes → text, strictly; an error names the first bad line (`line` if data is that line)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CorpusError("UTF-16 text", place.source, line or 1, hint="convert it to UTF-8")
    if (nul := data.find(b"\0")) >= 0:
        raise CorpusError(
            "binary data (a NUL byte), not text",
            place.source,
            line or data.count(b"\n", 0, nul) + 1,
            hint="remove the file from the corpus, or go on without it: --on-error skip",
        )
    try:
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        clean = data.removeprefix(BOM)
        raise CorpusError(
            f"byte 0x{clean[error.start]:02x} is not UTF-8",
            place.source,
            line or clean.count(b"\n", 0, error.start) + 1,
            hint="convert the text to UTF-8, or go on without it: --on-error skip",
        ) from None


def read_text(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """Plain text: the whole file is one document."""
    try:
        text = decode(b"".join(lines), place)
    except CorpusError as error:
        yield error
        return
    yield Document(place.id, place.title, text, place.source)


def read_markdown(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """Markdown: a first `# heading` is the title; light markup is taken off, words stay."""
    try:
        source = decode(b"".join(lines), place)
    except CorpusError as error:
        yield error
        return
    named = ""
    if front := _FRONT_MATTER.match(source):
        source = source[front.end() :]
        named = _title_of(front[0])
    heading = re.match(r"\s*# +(.+?)(?: +#+)?[ \t]*\r?(?:\n|\Z)", source)
    title = strip_markdown(heading[1]) if heading else named or place.title
    text = strip_markdown(source[heading.end() :] if heading else source)
    yield Document(place.id, title, text, place.source)


_FRONT_MATTER = re.compile(  # a rule at the top of a text is none: `key:` must follow
    r"\A---[ \t]*\r?\n(?=[\w-]+:[ \t\r\n]).*?^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M
)


def _title_of(front: str) -> str:
    """The `title:` of a front matter, or an empty string."""
    found = re.search(r"^title:[ \t]+(.+?)[ \t]*\r?$", front, re.M)
    value = found[1] if found else ""
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_TABLE_RULE = re.compile(r"^\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
_DROPPED_LINE = re.compile(
    r"""^\s{0,3}(?:
        (?:[-*_]\s*){3,}            # a rule
      | =+\s*                       # the underline of a heading
      | \[[^\]]+\]:\s+\S.*          # where a reference link leads
    )$""",
    re.X,
)
_LINE_START = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?")
_INLINE = (
    (re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[^()]*)?\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]"), r"\1"),
    (re.compile(r"<((?:https?|mailto|ftp):[^\s>]*)>"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>"), " "),
    (re.compile(r"(?<!\\)(\*{1,3})(?=\S)(.+?)(?<=[^\s\\])\1"), r"\2"),
    (re.compile(r"(?<![\w\\])(_{1,3})(?=\S)(.+?)(?<=[^\s\\])\1(?!\w)"), r"\2"),
    (re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"), r"\1"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def strip_markdown(source: str) -> str:
    """Take headings' hashes, emphasis, link targets and the like off; text in code stays as is."""
    source = re.sub(r"<!--.*?-->", " ", source, flags=re.S)
    kept: list[str] = []
    fence = ""
    lines = source.splitlines()
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            else:
                kept.append(line)
        elif mark:
            fence = mark[1]
        elif "|" in line and position < len(lines) and _TABLE_RULE.match(lines[position]):
            rows = list(takewhile(lambda row: "|" in row, islice(lines, position + 1, None)))
            kept += table_lines(_cells(line), [_cells(row) for row in rows])
            position += 1 + len(rows)
        elif not (_DROPPED_LINE.match(line) or _TABLE_RULE.match(line)):
            kept.append(_strip_inline(_LINE_START.sub("", line, count=1)))
    return "\n".join(kept).strip()


def _cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table."""
    inner = re.sub(r"^\s*\||(?<!\\)\|\s*$", "", line)
    return [_strip_inline(cell).strip() for cell in re.split(r"(?<!\\)\|", inner)]


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A line a row, each cell with its column's name, so that a row can be read on its own.

    `host | role` over `osprey | mail` becomes `host: osprey; role: mail.`
    """
    if not rows:
        return [" ".join(header)]
    return [_table_row(header, row) for row in rows]


def _table_row(header: Sequence[str], cells: Sequence[str]) -> str:
    pairs = zip_longest(header, cells, fillvalue="")
    line = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."


def _strip_inline(line: str) -> str:
    if line.lstrip().startswith("|"):
        line = line.strip().strip("|").replace("|", " ")
    spans = re.split(r"(`+)(.+?)\1", line)  # text, ticks, code, text, ticks, code, …, text
    for position in range(0, len(spans), 3):
        for pattern, replacement in _INLINE:
            spans[position] = pattern.sub(replacement, spans[position])
    return "".join(span for position, span in enumerate(spans) if position % 3 != 1)


_UNSEEN = ("script", "style", "nav", "noscript", "template", "svg", "iframe", "head", "title")
_BLOCKS = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "legend",
    "li",
    "main",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
]


def read_html(lines: Iterable[bytes], place: Place) -> Iterator[Document | CorpusError]:
    """HTML: what a reader of the page sees, without scripts, styles and navigation."""
    data = b"".join(lines)
    try:
        soup = _parse_html(data, place)
    except CorpusError as error:
        yield error
        return
    title = soup.title.get_text() if soup.title else ""
    for tag in soup.find_all(_UNSEEN):
        tag.decompose()
    if not title.strip() and (heading := soup.find("h1")):
        title = heading.get_text()
        heading.decompose()
    for table in soup.find_all("table"):
        if told := _html_table(table):
            table.replace_with("\n", "\n".join(told), "\n")
    for tag in soup.find_all(_BLOCKS):
        tag.insert_before("\n")
        tag.insert_after("\n")
    text = re.sub(r"\s*\n\s*", "\n", soup.get_text()).strip()
    yield Document(place.id, " ".join(title.split()) or place.title, text, place.source)


def _html_table(table: Tag) -> list[str]:
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
        return caption + [_table_row(row[:1], row[1:]) for row in texts]
    return []


def _parse_html(data: bytes, place: Place) -> BeautifulSoup:
    import warnings

    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of short texts that look like a file name
            return BeautifulSoup(_decode_html(data, place), "html.parser")
    except (ParserRejectedMarkup, RecursionError) as error:
        raise CorpusError(f"HTML that cannot be parsed: {error}", place.source) from None


def _decode_html(data: bytes, place: Place) -> str:
    """UTF-8, else the character set that the page itself declares."""
    try:
        return decode(data, place)
    except CorpusError:
        declared = re.search(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", data[:4096], re.I)
        if not declared or b"\0" in data:
            raise
        try:
            return data.decode(declared[1].decode("ascii"))
        except (UnicodeError, LookupError):
            pass
        raise
