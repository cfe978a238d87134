"""reStructuredText, with directives and roles of Sphinx that docutils alone does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ragcli.corpus.marked import Marked, told_table
from ragcli.corpus.packed import all_bytes, parsing
from ragcli.corpus.readers import InputFile, Lines, Reader, decode
from ragcli.records import Document

if TYPE_CHECKING:
    from docutils import nodes

_LARGEST = 16 << 20
_DEEPEST = 20
_SETTINGS: dict[str, Any] = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "doctitle_xform": False,
    "smart_quotes": False,
    "_disable_config": True,
    "line_length_limit": 1_000_000,
    "syntax_highlight": "none",
}
_ROLE = re.compile(r":[\w:+.-]+:`([^`]*)`")
_TARGET = re.compile(r"^[!~]?(.*?)(?:\s*<[^<>]*>)?$", re.S)
_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]*\| +)?([\w:+.-]+)::[ \t]*(.*)")
_OPTION = re.compile(r"\s*:[\w-]+:( |$)")
_UNTOLD = (
    "toctree index highlight currentmodule module py:module raw include contents image only "
    "automodule autoclass autofunction literalinclude"
).split()


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    markup = decode(all_bytes(lines, file, _LARGEST), file.path)
    text = _Text()
    with parsing(file, "reStructuredText"):
        text.tell(markup, 1)
    yield text.marked.document(file, text.title)


class _Text:
    """What the tree of a text says; its first section is its title if it is alone at the top."""

    def __init__(self) -> None:
        self.marked, self.title = Marked(), ""
        self._level, self._nested = 0, 0

    def tell(self, markup: str, first: int) -> None:
        """A text whose first line is the line `first` of the file."""
        from docutils.core import publish_doctree

        tree = publish_doctree(markup, settings_overrides=_SETTINGS)
        for child in tree.children:
            self._visit(child, first - 1)

    def _visit(self, node: nodes.Node, before: int) -> None:
        from docutils import nodes

        line = (node.line or 1) + before if getattr(node, "line", None) else None
        if isinstance(node, nodes.section):
            self._level += 1
            for child in node.children:
                self._visit(child, before)
            self._level -= 1
        elif isinstance(node, nodes.title):
            if self._level == 1 and not self.title and not self.marked.length:
                self.title = _said(node)
            else:
                self.marked.add_heading(self._level or 9, _said(node), line=line)
        elif isinstance(node, nodes.system_message):
            self._unknown(node, before)
        elif isinstance(node, nodes.table):
            rows = [[_said(cell) for cell in row.children] for row in node.findall(nodes.row)]
            self.marked.add_rows(
                told_table(rows, node.next_node(nodes.thead) is not None), line=line
            )
        elif isinstance(node, nodes.field):
            name, body = node.children
            rest = list(body.children)
            words = _said(rest.pop(0)) if rest and isinstance(rest[0], nodes.paragraph) else ""
            self.marked.add(f"{_said(name)}: {words}".rstrip(), line=line)
            for child in rest:
                self._visit(child, before)
        elif isinstance(node, nodes.Invisible | nodes.image | nodes.raw):
            pass
        elif isinstance(node, nodes.TextElement | nodes.term):
            self.marked.add(_said(node), line=line)
        else:
            for child in node.children:
                self._visit(child, before)

    def _unknown(self, message: nodes.system_message, before: int) -> None:
        """What docutils does not understand; of a directive its words and what stands in it."""
        from docutils import nodes

        block = message.next_node(nodes.literal_block)
        if block is None:
            return
        line = (message.get("line") or 1) + before
        found = _DIRECTIVE.match(block.astext())
        if found is None or self._nested > _DEEPEST:
            self.marked.add(_said(block), line=line)
            return
        name, argument = found[1], found[2]
        if name in _UNTOLD:
            return
        self.marked.add(_plain(argument), line=line)
        body = block.astext().split("\n")[1:]
        while body and _OPTION.match(body[0]):
            body.pop(0)
            line += 1
        self._nested += 1
        self.tell(_dedented(body), line + 1)
        self._nested -= 1


def _dedented(lines: list[str]) -> str:
    from textwrap import dedent

    return dedent("\n".join(lines))


def _said(node: nodes.Node) -> str:
    return _plain(node.astext())


def _plain(text: str) -> str:
    """Without roles: :func:`~os.path.join` is os.path.join, and :ref:`text <target>` is text."""
    return _ROLE.sub(lambda role: _TARGET.sub(r"\1", role[1]), text.replace("\0", ""))


reader = Reader(_read, (".rst", ".rest"))
