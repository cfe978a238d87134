"""Mail: a message is a document, with its subject for a title."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

from ragcli.corpus.html import html_text
from ragcli.corpus.marked import Marked
from ragcli.corpus.packed import all_bytes, parsing
from ragcli.corpus.readers import Found, InputFile, Lines, Reader
from ragcli.errors import CorpusError
from ragcli.records import Document

_LARGEST = 64 << 20
_SHOWN = ("From", "To", "Cc", "Date")


def _read_message(lines: Lines, file: InputFile) -> Iterator[Document]:
    yield _message(all_bytes(lines, file, _LARGEST), file, file.id, 1)


def _read_mailbox(lines: Lines, file: InputFile) -> Found:
    """The messages one by one; a line `From ` after a blank one begins the next."""
    begun, first, blank, size = list[bytes](), 1, True, 0
    for number, line in enumerate(lines, start=1):
        if blank and line.startswith(b"From "):
            if begun:
                yield _one_of(begun, first, file)
            begun, first, size = [], number, 0
        elif (size := size + len(line)) <= _LARGEST:
            begun.append(line)
        blank = not line.strip()
    if begun:
        yield _one_of(begun, first, file)


def _one_of(lines: list[bytes], first: int, file: InputFile) -> Document | CorpusError:
    """A message of a mailbox, or why it cannot be read, so that the others can."""
    try:
        return _message(b"".join(lines), file, f"{file.id}:{first}", first)
    except CorpusError as error:
        return error


def _message(data: bytes, file: InputFile, id: str, line: int) -> Document:
    from email import message_from_bytes, policy

    text = Marked()
    with parsing(file, "a message"):
        message: Any = message_from_bytes(data, policy=policy.default)
        if not message.keys():
            raise CorpusError("cannot be read as a message: it has no header", file.path, line)
        subject = _clean(message["Subject"])
        said = [f"{name}: {_clean(message[name])}" for name in _SHOWN if message[name]]
        text.add("\n".join(said), line=line)
        text.add(_body(message, file), line=line + data.partition(b"\n\n")[0].count(b"\n") + 2)
        names = [name for part in message.iter_attachments() if (name := part.get_filename())]
        if names:
            text.add(f"Attachments: {_clean(', '.join(names))}", line=line)
    return text.document(file, subject, id=id, line=line)


def _body(message: EmailMessage, file: InputFile) -> str:
    body = message.get_body(("plain", "html"))
    if body is None:
        return ""
    content = _clean(body.get_content(), lines=True)
    return html_text(content, file.path) if body.get_content_subtype() == "html" else content


def _clean(value: object, lines: bool = False) -> str:
    """Without NULs, and with a question mark for each byte of an encoding that nobody knows."""
    text = str(value or "").replace("\0", "").encode("utf-8", "replace").decode()
    return text if lines else " ".join(text.split())


message_reader = Reader(_read_message, (".eml",))
mailbox_reader = Reader(_read_mailbox, (".mbox",))
