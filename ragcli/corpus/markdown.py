"""Markdown: a first `# heading` is the title; markup is taken off, words stay.

CommonMark with tables and ~~strikethrough~~, as markdown-it reads it. Emphasis, link targets,
comments and tags go, text in code stays as it is, and tables are told row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ragcli.corpus.html import BLOCKS, html_text
from ragcli.corpus.marked import Marked, table_lines
from ragcli.corpus.readers import InputFile, Reader, decode
from ragcli.records import Document

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_DEEPEST = 20
"""What is nested in more lists (each counts twice) and quotes is taken as lines of text."""
_BRACKETS = 6
"""Brackets nested deeper than this are no links; looking for them takes time."""
_MARKUP = re.compile(r"[\\`*_~\[<&]")
_BOX = re.compile(r"\A\[[ xX]\]\s+")
_FRONT_MATTER = re.compile(  # a rule at the top of a text is none: `key:` must follow
    r"\A---[ \t]*\r?\n(?=[\w-]+:[ \t\r\n]).*?^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M
)
_TITLE = re.compile(r"^title:[ \t]+([\"']?)(.*?)\1[ \t]*\r?$", re.M)


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document]:
    markup = decode(b"".join(lines), file.path)
    front = _FRONT_MATTER.match(markup)
    titled = _TITLE.search(front[0]) if front else None
    skipped = front.end() if front else 0
    text = _Text(markup[skipped:], file.path, markup.count("\n", 0, skipped) + 1)
    title = text.take_heading() or (titled[2] if titled else "")
    yield text.marked().document(file, title)


reader = Reader(_read, (".md", ".markdown"))


def strip_markdown(markup: str) -> str:
    """A text in Markdown without its markup; the words stay."""
    return _Text(markup, "Markdown").marked().whole()[0]


class _Text:
    """A text in Markdown, parsed into blocks at once and inside a block when it is needed."""

    def __init__(self, markup: str, path: str, first: int = 1) -> None:
        self._path, self._first = path, first
        self._lines = re.split(r"\r\n?|\n", markup)
        self._links: dict[str, Any] = {}  # where [text][name] leads, for all blocks
        self._tokens = _parser(_DEEPEST + 2).parse(markup, self._links)

    def take_heading(self) -> str:
        """Take out a first-level heading at the very beginning, and return its text."""
        if not self._tokens or self._tokens[0].tag != "h1":
            return ""
        heading, self._tokens = self._tokens[1], self._tokens[3:]
        return self._line(heading.content)

    def marked(self) -> Marked:
        """The text without its markup, each block with its line and the headings above it."""
        text, tokens = Marked(), iter(self._tokens)
        line: int | None = None
        first = False  # in a list's item, where a box to tick may stand
        level = 0
        for token in tokens:
            line = self._first + token.map[0] if token.map else line
            if token.type == "heading_open":
                level = int(token.tag[1])
            elif token.type == "list_item_open":
                first = True
                text.mark(line=line)
                text.write(f"{token.info}{token.markup} " if token.info else "")
            elif token.type == "inline":
                told = self._inline(_BOX.sub("", token.content) if first else token.content)
                if level:
                    text.head(level, told)
                    level = 0
                if not first:
                    text.mark(line=line)
                text.write(f"{told}\n")
                first = False
            elif token.type == "table_open":
                self._tell_table(text, tokens)
            elif token.type == "html_block":
                text.mark(line=line)
                text.write(html_text(token.content, self._path) + "\n")
            elif token.content:  # code; what opens and closes blocks holds nothing
                text.mark(line=line)
                text.write(token.content)
        return text

    def _tell_table(self, text: Marked, tokens: Iterator[Token]) -> None:
        numbers, (header, *rows) = self._table(tokens)
        for line, row in zip(numbers[1:] or numbers, table_lines(header, rows), strict=True):
            text.mark(line=line, unit=True)
            text.write(f"{row}\n")

    def _table(self, tokens: Iterator[Token]) -> tuple[list[int], list[list[str]]]:
        """The rows up to the end of a table, the header first, and their lines."""
        rows, numbers = list[list[str]](), list[int]()
        line, number = "", 0
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                number = token.map[0] if token.map else number
                line = self._lines[number]
                rows.append([])
                numbers.append(self._first + number)
            elif token.type == "inline":
                rows[-1].append(self._line(token.content))
            elif token.type == "tr_close" and len(rows) > 1:
                # The parser drops cells for which there is no column.
                rows[-1] += map(self._line, _cells(line)[len(rows[-1]) :])
        return numbers, rows

    def _line(self, markup: str) -> str:
        return " ".join(self._inline(markup).split())

    def _inline(self, markup: str) -> str:
        if not _MARKUP.search(markup):
            return markup  # as most cells of a table: parsing takes time and would change nothing
        parser = _parser(_BRACKETS)
        tokens: list[Token] = []
        parser.inline.parse(markup, parser, self._links, tokens)
        return "".join(map(_plain, tokens))


def _cells(row: str) -> list[str]:
    """The cells of a row of a table, in a list or in a quote too."""
    inner = re.sub(r"^[\s>]*\|?|(?<!\\)\|\s*$", "", row)
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "image":
        return "".join(map(_plain, token.children or ()))
    if token.type == "html_inline":
        tag = re.match(r"</?(\w+)", token.content)
        return "\n" if tag and tag[1].lower() in BLOCKS else ""
    return token.content


@cache
def _parser(nesting: int) -> MarkdownIt:
    from markdown_it import MarkdownIt

    class Parser(MarkdownIt):
        """Link targets are never shown, so none is encoded, or refused and left in the text."""

        def validateLink(self, url: str) -> bool:
            return True

        def normalizeLink(self, url: str) -> str:
            return url

        def normalizeLinkText(self, link: str) -> str:
            return link

    parser = Parser("commonmark", {"maxNesting": nesting})
    parser.enable(["table", "strikethrough"]).disable(["inline", "text_join"])
    parser.block.ruler.before("table", "deep_line", _deep_line)
    return parser


def _deep_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line nested too deep is text; the parser would drop it and all that follows."""
    if state.level < _DEEPEST:
        return False
    state.push("inline", "", 0).content = state.getLines(start, start + 1, 0, False).strip()
    state.line = start + 1
    return True
