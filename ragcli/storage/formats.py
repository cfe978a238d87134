"""Whole-file formats: plain text, Markdown and HTML, each file one document.

A reader takes the lines of a file as bytes and yields documents; where it cannot, it yields a
`CorpusError` in the document's stead and goes on, so that the caller decides whether to stop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragcli.errors import CorpusError
from ragcli.records import Document

if TYPE_CHECKING:
    from bs4 import BeautifulSoup


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
    source = _FRONT_MATTER.sub("", source)
    heading = re.match(r"\s*# +(.+?)(?: +#+)?[ \t]*\r?(?:\n|\Z)", source)
    title = strip_markdown(heading[1]) if heading else place.title
    text = strip_markdown(source[heading.end() :] if heading else source)
    yield Document(place.id, title, text, place.source)


_FRONT_MATTER = re.compile(  # a rule at the top of a text is none: `key:` must follow
    r"\A---[ \t]*\r?\n(?=[\w-]+:[ \t\r\n]).*?^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M
)
_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_DROPPED_LINE = re.compile(
    r"""^\s{0,3}(?:
        (?:[-*_]\s*){3,}            # a rule
      | =+\s*                       # the underline of a heading
      | \|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*   # the second line of a table
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
    for line in source.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            else:
                kept.append(line)
        elif mark:
            fence = mark[1]
        elif not _DROPPED_LINE.match(line):
            kept.append(_strip_inline(_LINE_START.sub("", line, count=1)))
    return "\n".join(kept).strip()


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
    for tag in soup.find_all(_BLOCKS):
        tag.insert_before("\n")
        tag.insert_after("\n")
    text = re.sub(r"\s*\n\s*", "\n", soup.get_text()).strip()
    yield Document(place.id, " ".join(title.split()) or place.title, text, place.source)


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
