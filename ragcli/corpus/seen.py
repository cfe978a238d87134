"""What every document goes through, whatever its format: it holds text, and an id of its own."""

from __future__ import annotations

import json
import sqlite3

from ragcli.errors import CorpusError, NoSpaceError
from ragcli.records import Document


class Seen:
    """The ids seen so far and where, in a temporary database that goes to disk when it grows."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def check(self, document: Document) -> Document | CorpusError:
        """The document, if it holds UTF-8 text and an id of its own; else what is wrong."""
        problem = _problem(document)
        if problem is None and (other := self._add(document)):
            problem = (
                f"the id {document.id!r} is already that of {other}",
                "give each document its own id; for several folders, name the one that holds them",
            )
        if problem is None:
            return document
        return CorpusError(problem[0], document.source, document.line, problem[1])

    def _add(self, document: Document) -> str | None:
        """Remember a document's id; if it was there already, say where."""
        place = f"{document.source}:{document.line}"
        try:
            self._database.execute("INSERT INTO seen VALUES (?, ?)", (document.id, place))
        except sqlite3.IntegrityError:
            row = self._database.execute("SELECT place FROM seen WHERE id = ?", (document.id,))
            return str(row.fetchone()[0])
        except sqlite3.OperationalError as error:
            raise NoSpaceError(f"the ids cannot be kept in the temporary folder: {error}") from None
        return None

    def close(self) -> None:
        self._database.close()


def _problem(document: Document) -> tuple[str, str | None] | None:
    """What is wrong with the content of a document, and what to do about it."""
    try:
        for text in (document.text, document.title, document.id):
            text.encode()
        if document.metadata:
            json.dumps(dict(document.metadata), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        bad = ord(error.object[error.start])
        if 0xDC80 <= bad <= 0xDCFF:
            return f"byte 0x{bad - 0xDC00:02x} is not UTF-8", "convert the text to UTF-8"
        return f"half a character (\\u{bad:04x}), which is not text", None
    if "\0" in document.text:
        return "binary data (a NUL character), not text", None
    if not document.text.strip():
        return "an empty document", "remove it, or go on without it: --on-error skip"
    if not document.id.strip():
        return "an empty id", None
    return None
