"""Markdown: a first `# heading` is the title; light markup is taken off, words stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from ragcli.corpus.html import table_lines
from ragcli.corpus.readers import InputFile, Reader, decode
from ragcli.records import Document


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document]:
    source = decode(b"".join(lines), file.path)
    named = ""
    if front := _FRONT_MATTER.match(source):
        source = source[front.end() :]
        named = _title_of(front[0])
    heading = re.match(r"\s*# +(.+?)(?: +#+)?[ \t]*\r?(?:\n|\Z)", source)
    title = strip_markdown(heading[1]) if heading else named or file.title
    text = strip_markdown(source[heading.end() :] if heading else source)
    yield Document(file.id, title, text, file.path)


reader = Reader(_read, (".md", ".markdown"))


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


def _strip_inline(line: str) -> str:
    if line.lstrip().startswith("|"):
        line = line.strip().strip("|").replace("|", " ")
    spans = re.split(r"(`+)(.+?)\1", line)  # text, ticks, code, text, ticks, code, …, text
    for position in range(0, len(spans), 3):
        for pattern, replacement in _INLINE:
            spans[position] = pattern.sub(replacement, spans[position])
    return "".join(span for position, span in enumerate(spans) if position % 3 != 1)
