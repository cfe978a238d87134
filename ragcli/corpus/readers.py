"""What can read documents: a line a format, open to other packages (group `ragcli.readers`).

A reader gets the lines of a file and yields its documents. For a document that it cannot read it
yields a `CorpusError` in its stead and goes on, so that the caller decides whether to stop; where
nothing more can be read of a file it raises one. What holds nothing to read it yields as `Omitted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ragcli.errors import CorpusError
from ragcli.records import Document
from ragcli.registry import Registry

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Omitted:
    """Something of a corpus without words to read: its kind, and where it stands."""

    kind: str
    source: str


Lines = Iterable[bytes]
Found = Iterator[Document | CorpusError | Omitted]


@dataclass(frozen=True, slots=True)
class InputFile:
    """The file that documents are read from: `id` is the same on every machine, `path` opens it.

    `title` is the title of a whole-file document that does not name one itself.
    """

    id: str
    path: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one format; `suffixes` (lower case, with their dot) tell its files in a folder.

    A suffix without a dot is the whole name of a file that has none, such as `readme`; with a dot
    behind it any suffix may follow that no reader takes and that is not one of pictures and such.
    """

    read: Callable[[Lines, InputFile], Found]
    suffixes: tuple[str, ...]


READERS: Registry[Reader] = Registry(
    "readers",
    "document format",
    {
        "txt": "ragcli.corpus.text:text_reader",
        "md": "ragcli.corpus.markdown:reader",
        "html": "ragcli.corpus.html:reader",
        "jsonl": "ragcli.corpus.json_lines:reader",
        "csv": "ragcli.corpus.tables:csv_reader",
        "tsv": "ragcli.corpus.tables:tsv_reader",
        "pdf": "ragcli.corpus.pdf:reader",
        "docx": "ragcli.corpus.docx:reader",
        "pptx": "ragcli.corpus.pptx:reader",
        "xlsx": "ragcli.corpus.xlsx:reader",
        "odf": "ragcli.corpus.opendocument:reader",
        "epub": "ragcli.corpus.epub:reader",
        "rtf": "ragcli.corpus.rtf:reader",
        "eml": "ragcli.corpus.mail:message_reader",
        "mbox": "ragcli.corpus.mail:mailbox_reader",
        "rst": "ragcli.corpus.rst:reader",
        "org": "ragcli.corpus.org:reader",
        "json": "ragcli.corpus.json:reader",
        "xml": "ragcli.corpus.xml:reader",
        "code": "ragcli.corpus.text:code_reader",
    },
)


def formats_by_suffix() -> dict[str, str]:
    """The format of each suffix; where two readers take a suffix, ours has it."""
    formats: dict[str, str] = {}
    for name in READERS.names():
        for suffix in READERS.load(name).suffixes:
            formats.setdefault(suffix, name)
    return formats


def decode(data: bytes, path: str, line: int | None = None, first: int = 1) -> str:
    """Bytes → text, strictly; an error names the first bad line (`line` if data is that line).

    `first` is the number of the line that data begins with.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CorpusError("UTF-16 text", path, line or first, hint="convert it to UTF-8")
    if (at := data.find(b"\0")) >= 0:
        message, hint = "binary data (a NUL byte), not text", "remove the file from the corpus"
    else:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            data, at = error.object, error.start
            message, hint = f"byte 0x{data[at]:02x} is not UTF-8", "convert the text to UTF-8"
    hint = f"{hint}, or go on without it: --on-error skip"
    raise CorpusError(message, path, line or data.count(b"\n", 0, at) + first, hint)
