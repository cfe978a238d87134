"""Give an uncased generator's answer back the case, accents and spacing of its passage.

An uncased vocabulary writes "martin vizcarra"; the passage that it was read from says
"Martín Vizcarra". This is the one place where answers are mapped back: the passages are searched
in the order given (likeliest first) for a stretch of text that reads the same once case, accents
and spaces are ignored. Words that stand in no passage are left as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_SMALL = frozenset(
    "a an and are as at but by did do does for from had has have he her his how if in is it its no "
    "not of on or our she so than that the their then there these they this those to was we were "
    "what when where which who whom whose why will with yes you".split()
)
"""Words that have a capital only where a sentence or a title begins."""


def restore_surface(answer: str, texts: Iterable[str]) -> str:
    """The first stretch of `texts` that equals `answer` but for case, accents and spaces.

    An answer in words of its own is put together from the longest stretches that stand in a text.
    """
    sources = [_Source(text) for text in texts]
    if (whole := _standing(answer, sources)) is not None:
        return whole
    words, parts = answer.split(), list[str]()
    while words:
        lengths = range(len(words), 0, -1)
        pieces = ((n, _punctuated(" ".join(words[:n]), sources)) for n in lengths)
        count, found = next(((n, found) for n, found in pieces if found), (1, words[0]))
        # A capital that only begins a sentence there does not belong to the word.
        first = words[0].rstrip(".,;:?!")
        if first in _SMALL or any(
            re.search(rf"(?<!\w){re.escape(first)}(?!\w)", each.text) for each in sources
        ):
            found = found[0].lower() + found[1:]
        parts.append(found)
        words = words[count:]
    joined = " ".join(parts)
    return joined[0].upper() + joined[1:] if joined[-1:] in tuple(".?!") else joined


def _punctuated(words: str, sources: Iterable[_Source]) -> str | None:
    """The same for words that end with a mark of their own."""
    bare = words.rstrip(".,;:?!")
    found = _standing(bare, sources) if bare else None
    return found and found + words[len(bare) :]


class _Source:
    """A text, its letters folded, and where each of them stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded, self.positions = _fold(text)


def _standing(answer: str, sources: Iterable[_Source]) -> str | None:
    """How the first text that has the answer spells it."""
    wanted, _ = _fold(answer)
    if not wanted:
        return answer
    for source in sources:
        text, positions = source.text, source.positions
        start = source.folded.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            first, last = positions[start], positions[end - 1] + 1
            # Combining marks after a letter belong to it.
            while last < len(text) and unicodedata.combining(text[last]):
                last += 1
            if _is_border(text, first) and _is_border(text, last):
                return text[first:last]
            start = source.folded.find(wanted, start + 1)
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
