"""Documents → passages: disjoint runs of about 100 words, the unit that is retrieved (z)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ragcli.records import Document, Passage
from ragcli.settings import Chunking


def content_digest(title: str, text: str) -> str:
    """sha256 over title, a NUL and text, in hexadecimal: equal content has an equal digest."""
    return hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()


def passages(document: Document, chunking: Chunking) -> Iterator[Passage]:
    """Cut a document into disjoint passages of `chunking.words` words; the last may be shorter.

    A word is a run of characters without white space; the words of a passage are joined by single
    spaces. Passage N (from 0) has the id `DOCUMENT#N`, so ids stay the same from run to run.
    """
    words = document.text.split()
    for number, start in enumerate(range(0, len(words), chunking.words)):
        end = min(start + chunking.words, len(words))
        text = " ".join(words[start:end])
        yield Passage(
            id=f"{document.id}#{number}",
            document_id=document.id,
            title=document.title,
            text=text,
            digest=content_digest(document.title, text),
            source=document.source,
            line=document.line,
            start=start,
            end=end,
            metadata=document.metadata,
        )
