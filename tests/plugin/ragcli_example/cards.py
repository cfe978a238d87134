"""A document format: cards in one file, each with its title after a `%` and its text below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragcli.corpus.readers import InputFile, Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document | CorpusError]:
    text = decode(b"".join(lines), file.path)
    line = 1
    for card in text.split("% ")[1:]:
        title, _, body = card.partition("\n")
        if body.strip():
            yield Document(f"{file.id}:{line}", title.strip(), body.strip(), file.path, line)
        else:
            yield CorpusError("a card without text", file.path, line)
        line += card.count("\n")


reader = Reader(_read, (".cards",))
