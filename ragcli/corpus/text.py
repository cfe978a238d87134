"""Plain text and source code, with the number of every line.

A file of any size is read part by part, each a document of its own, so that memory stays flat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ragcli.corpus.marked import LineMarks
from ragcli.corpus.readers import Found, InputFile, Lines, Reader, decode
from ragcli.records import Document, Mark

PART = 4 << 20
"""Bytes in a document, about as many as in the longest novels; the next begins with a new line."""
_DEFINED = re.compile(r"(?:async +def|def|class) +(\w+)")


def _parts(lines: Lines) -> Iterator[tuple[int, bytes]]:
    """The number of the first line of each part, and the part."""
    begun, size, number, first = list[bytes](), 0, 0, 1
    for line in lines:
        if size and size + len(line) > PART:
            yield first, b"".join(begun)
            begun, size, first = [], 0, number + 1
        begun.append(line)
        size, number = size + len(line), number + 1
    if begun or first == 1:
        yield first, b"".join(begun)


def _read(
    lines: Lines, file: InputFile, marked: Callable[[str, int], Sequence[Mark]] = LineMarks
) -> Iterator[Document]:
    for first, data in _parts(lines):
        text = decode(data, file.path, first=first)
        if first > 1 and not text.strip():
            continue
        name = file.id if first == 1 else f"{file.id}:{first}"
        marks = marked(text, first)
        yield Document(name, file.title, text, file.path, first, marks=marks)


def _read_text(lines: Lines, file: InputFile) -> Found:
    """Plain text: the whole file is one document."""
    return _read(lines, file)


def _read_code(lines: Lines, file: InputFile) -> Found:
    """Source code: the title is the name of the file; Python stands under its definitions."""
    python = file.id.endswith((".py", ".pyi"))
    return _read(lines, replace(file, title=file.id), _definitions if python else LineMarks)


def _definitions(text: str, first: int) -> Sequence[Mark]:
    """A mark a line, under the classes and functions that it stands in."""
    marks, opened, start = list[Mark](), list[tuple[int, str]](), 0
    for number, line in enumerate(text.split("\n"), first):
        words = line.lstrip()
        if words and not words.startswith(("#", ")", "]", "}")):
            depth = len(line) - len(words)
            opened = [(indent, name) for indent, name in opened if indent < depth]
            if found := _DEFINED.match(words):
                opened.append((depth, found[1]))
        marks.append(Mark(start, line=number, headings=tuple(name for _, name in opened)))
        start += len(line) + 1
    return tuple(marks)


_NAMES = (
    "readme license licence copying copyright notice authors contributors credits thanks changelog "
    "changes history news faq todo metadata readme. license. licence. copying. notice."
)
_CODE = (
    ".py .pyi .js .mjs .cjs .jsx .ts .tsx .vue .java .kt .kts .scala .groovy .clj .c .h .cc .cpp "
    ".cxx .hh .hpp .m .cs .fs .vb .go .rs .zig .swift .dart .rb .php .pl .pm .lua .r .jl .hs .ml "
    ".ex .exs .erl .el .lisp .sh .bash .zsh .fish .ps1 .bat .sql .css .scss .less .proto .graphql "
    ".toml .yaml .yml .ini .cfg .conf .properties .cmake .gradle .tf .tex .bib .adoc .asciidoc "
    "makefile dockerfile"
)
text_reader = Reader(_read_text, (".txt", ".text", *_NAMES.split()))
code_reader = Reader(_read_code, tuple(_CODE.split()))
