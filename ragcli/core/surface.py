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
from functools import lru_cache

_MARKS = ".,;:?!"
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
    texts = list(texts)
    if (whole := _standing(answer, texts)) is not None:
        return whole
    words, parts = answer.split(), list[str]()
    while words:
        lengths = range(len(words), 0, -1)
        pieces = ((n, _punctuated(" ".join(words[:n]), texts)) for n in lengths)
        count, found = next(((n, found) for n, found in pieces if found), (1, words[0]))
        # A capital that only begins a sentence there does not belong to the word.
        first = words[0].rstrip(_MARKS)
        alone = re.compile(rf"(?<!\w){re.escape(first)}(?!\w)")
        if first in _SMALL or any(map(alone.search, texts)):
            found = found[0].lower() + found[1:]
        parts.append(found)
        words = words[count:]
    joined = " ".join(parts)
    return joined[0].upper() + joined[1:] if joined.endswith((".", "?", "!")) else joined


def _standing(answer: str, texts: Iterable[str]) -> str | None:
    """How the first text that has the answer spells it."""
    for text in texts:
        if span := find_surface(answer, text):
            return text[slice(*span)]
    return None


def _punctuated(words: str, texts: Iterable[str]) -> str | None:
    """The same for words that end with a mark of their own."""
    bare = words.rstrip(_MARKS)
    found = _standing(bare, texts)
    return found and found + words[len(bare) :]


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


@lru_cache(256)
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
