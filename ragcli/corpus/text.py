"""Plain text: the whole file is one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragcli.corpus.readers import InputFile, Reader, decode
from ragcli.records import Document


def _read(lines: Iterable[bytes], file: InputFile) -> Iterator[Document]:
    yield Document(file.id, file.title, decode(b"".join(lines), file.path), file.path)


reader = Reader(_read, (".txt", ".text"))
