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

    def problem(self, document: Document) -> CorpusError | None:
        """What is wrong with a document that does not hold UTF-8 text and an id of its own."""

        def wrong(message: str, hint: str | None = None) -> CorpusError:
            return CorpusError(message, document.source, document.line, hint)

        try:
            for text in (document.text, document.title, document.id):
                text.encode()
            if document.metadata:
                json.dumps(dict(document.metadata), ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            bad = ord(error.object[error.start])
            if 0xDC80 <= bad <= 0xDCFF:
                return wrong(f"byte 0x{bad - 0xDC00:02x} is not UTF-8", "convert the text to UTF-8")
            return wrong(f"half a character (\\u{bad:04x}), which is not text")
        if "\0" in document.text:
            return wrong("binary data (a NUL character), not text")
        if not document.text.strip():
            return wrong("an empty document", "remove it, or go on without it: --on-error skip")
        if not document.id.strip():
            return wrong("an empty id")
        if other := self._add(document):
            return wrong(
                f"the id {document.id!r} is already that of {other}",
                "give each document its own id; for several folders, name the one that holds them",
            )
        return None

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
