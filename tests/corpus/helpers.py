"""Readers called by hand."""

from __future__ import annotations

import io

from ragcli.corpus.readers import READERS, InputFile
from ragcli.errors import CorpusError
from ragcli.records import Document

FILE = InputFile("peru.md", "docs/peru.md", "Peru")


def read(format: str, data: str | bytes) -> list[Document | CorpusError]:
    """What the reader of `format` makes of a file that holds `data`."""
    raw = data.encode() if isinstance(data, str) else data
    return list(READERS.load(format).read(io.BytesIO(raw), FILE))


def one(format: str, data: str | bytes) -> Document:
    """The one document of a file."""
    (document,) = read(format, data)
    assert isinstance(document, Document)
    return document


def message(item: Document | CorpusError) -> str:
    """What could not be read, and why."""
    assert isinstance(item, CorpusError)
    return item.message
