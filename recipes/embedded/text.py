"""Plain text from Wikipedia markup and from Penn-style tokens, and sentences from plain text."""

from __future__ import annotations

import bz2
import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

_NO_SPACE_BEFORE = frozenset(
    [
        ".",
        ",",
        ";",
        ":",
        "?",
        "!",
        ")",
        "]",
        "}",
        "%",
        "'",
        "'s",
        "'S",
        "n't",
        "'re",
        "'ve",
        "'ll",
        "'d",
        "'m",
        "''",
    ]
)
_NO_SPACE_AFTER = frozenset(["(", "[", "{", "$", "£", "€", "``"])
_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"', "--": "–",
}  # fmt: skip


def join_tokens(tokens: Sequence[str], detokenise: bool) -> tuple[str, list[tuple[int, int]]]:
    """Join Penn-style tokens and say where each one stands in the joined text.

    With `detokenise`, spaces before punctuation go away and brackets and quotes become
    ordinary characters; without it, tokens are joined by single spaces as they are.
    """
    text = ""
    places: list[tuple[int, int]] = []
    glue = True
    for token in tokens:
        shown = _BRACKETS.get(token, token) if detokenise else token
        tight = detokenise and (glue or token in _NO_SPACE_BEFORE or token == "-RRB-")
        if text and not tight:
            text += " "
        places.append((len(text), len(text) + len(shown)))
        text += shown
        glue = detokenise and (token in _NO_SPACE_AFTER or token in ("-LRB-", "-LSB-"))
    return text, places


_COMMENT = re.compile(r"<!--.*?-->", re.S)
_REFERENCE = re.compile(r"<ref[^>/]*/>|<ref[^>]*>.*?</ref>", re.S | re.I)
_BLOCK = re.compile(r"<(gallery|math|timeline|table|code|pre|nowiki|score)[^>]*>.*?</\1>", re.S)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}", re.S)
_FILE = re.compile(r"\[\[(?:File|Image|Category)[^\[\]]*(?:\[\[[^\[\]]*\]\][^\[\]]*)*\]\]", re.I)
_LINK = re.compile(r"\[\[(?:[^|\[\]]*\|)?([^|\[\]]*)\]\]")
_EXTERNAL = re.compile(r"\[https?://\S+\s*([^\]]*)\]")


def strip_markup(source: str) -> list[str]:
    """The paragraphs of a Wikipedia article, without markup, lists, tables and headings."""
    source = _BLOCK.sub(" ", _REFERENCE.sub("", _COMMENT.sub("", source)))
    for _ in range(6):
        source, count = _TEMPLATE.subn("", source)
        if not count:
            break
    source = _EXTERNAL.sub(r"\1", _LINK.sub(r"\1", _FILE.sub("", source)))
    source = re.sub(r"<[^>]+>", " ", source).replace("'''", "").replace("''", '"')
    paragraphs = []
    for line in html.unescape(source).splitlines():
        line = re.sub(r"\(\s*[;,]*\s*\)", "", line)
        line = re.sub(r"\s+", " ", line).strip()
        line = re.sub(r" ([.,;)])", r"\1", line).replace("( ", "(")
        if len(line) < 80 or line[0] in "*#:;|!={}=[" or "|" in line or "{{" in line:
            continue
        paragraphs.append(line)
    return paragraphs


def read_articles(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Titles and paragraphs of the articles in a bzip2-ed MediaWiki dump."""
    with bz2.open(path, "rb") as stream:
        title = ""
        for _, element in ElementTree.iterparse(stream):
            tag = element.tag.rpartition("}")[2]
            if tag == "title":
                title = element.text or ""
            elif tag == "text":
                source = element.text or ""
                if not source.lower().startswith("#redirect"):
                    yield title, strip_markup(source)
                element.clear()


_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!\bvs)(?<!\bNo)(?<!\bca)(?<!Mrs)(?<!Jr)(?<!etc)"
    r"[.!?][\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])"
)


def split_sentences(text: str) -> list[str]:
    """Cut plain text into sentences at full stops that do not follow an abbreviation."""
    sentences, begin = [], 0
    for match in _SENTENCE_END.finditer(text):
        sentences.append(text[begin : match.end()].strip())
        begin = match.end()
    sentences.append(text[begin:].strip())
    return [sentence for sentence in sentences if sentence]
