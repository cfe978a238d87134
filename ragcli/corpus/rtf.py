"""Rich Text Format: the words, without their looks."""

from __future__ import annotations

from collections.abc import Iterator

from ragcli.corpus.marked import Marked
from ragcli.corpus.packed import all_bytes, parsing
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.errors import CorpusError
from ragcli.records import Document

_LARGEST = 64 << 20


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    from striprtf.striprtf import rtf_to_text

    data = all_bytes(lines, file, _LARGEST)
    if not data.lstrip().startswith(b"{\\rtf"):
        raise CorpusError("cannot be read as RTF: it does not begin with {\\rtf", file.path)
    text = Marked()
    with parsing(file, "RTF"):
        told: str = rtf_to_text(data.decode("latin-1"), errors="ignore")
    for paragraph in told.replace("\0", "").splitlines():
        cells = [cell.strip() for cell in paragraph.split("|")]
        table = paragraph.endswith("|") and len(cells) > 2
        text.add("; ".join(filter(None, cells)) if table else paragraph, unit=table)
    yield text.document(file)


reader = Reader(_read, (".rtf",))
