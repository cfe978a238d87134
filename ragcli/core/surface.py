"""Give an uncased generator's answer back the case, accents and spacing of its passage.

An uncased vocabulary writes "martin vizcarra"; the passage that it was read from says
"Martín Vizcarra". This is the one place where answers are mapped back: the passages are searched
in the order given (likeliest first) for a stretch of text that reads the same once case, accents
and spaces are ignored. An answer that stands in no passage is left as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def restore_surface(answer: str, texts: Iterable[str]) -> str:
    """The first stretch of `texts` that equals `answer` but for case, accents and spaces."""
    for text in texts:
        if span := find_surface(answer, text):
            return text[slice(*span)]
    return answer


def find_surface(answer: str, text: str) -> tuple[int, int] | None:
    """Where `text` first says `answer`, whatever the case, accents and spaces; None if nowhere."""
    wanted, _ = _fold(answer)
    if not wanted:
        return None
    folded, positions = _fold(text)
    start = folded.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        first, last = positions[start], positions[end - 1] + 1
        # Combining marks after a letter belong to it.
        while last < len(text) and unicodedata.combining(text[last]):
            last += 1
        if _is_border(text, first) and _is_border(text, last):
            return first, last
        start = folded.find(wanted, start + 1)
    return None


def _fold(text: str) -> tuple[str, list[int]]:
    """Letters without case, accents and spaces, and where in `text` each of them stands."""
    folded: list[str] = []
    positions: list[int] = []
    for position, character in enumerate(text):
        lower = character.lower()
        for piece in lower if lower.isascii() else unicodedata.normalize("NFD", lower):
            if not unicodedata.combining(piece) and not piece.isspace():
                folded.append(piece)
                positions.append(position)
    return "".join(folded), positions


def _is_border(text: str, position: int) -> bool:
    """True unless `position` lies inside a word: "us" does not stand in "thus"."""
    if position <= 0 or position >= len(text):
        return True
    before = text[position - 1]
    return not (text[position].isalnum() and (before.isalnum() or unicodedata.combining(before)))
