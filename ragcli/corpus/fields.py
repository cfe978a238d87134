"""A record with the field `text` as a document, whatever format it comes from."""

from __future__ import annotations

from typing import Any

from ragcli.corpus.readers import InputFile
from ragcli.errors import CorpusError
from ragcli.records import Document


def document_of(fields: Any, number: int, file: InputFile) -> Document:
    """The document of a line; what has no id is named after the file and the line."""

    def require(condition: bool, message: str) -> None:
        if not condition:
            raise CorpusError(message, file.path, number)

    require(isinstance(fields, dict), "a JSON object was expected")
    require("text" in fields, f"no field `text` (fields: {', '.join(fields) or 'none'})")
    text, title, id = fields.pop("text"), fields.pop("title", None), fields.pop("id", None)
    require(isinstance(text, str), "the field `text` must be a string")
    require(isinstance(title, str | None), "the field `title` must be a string")
    whole = isinstance(id, str | int | None) and not isinstance(id, bool)
    require(whole, "the field `id` must be a string or a whole number")
    name = f"{file.id}:{number}" if id is None else str(id)
    return Document(name, " ".join((title or "").split()), text, file.path, number, fields)
