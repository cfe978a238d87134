"""Where sentences begin and end, as far as punctuation tells it in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

_END = re.compile(r"[.!?…。！？؟।]['\"”’»)\]]*\Z")
_OPENING = "'\"“‘«„([¿¡"
_ABBREVIATION = re.compile(  # an initial, letters with full stops between them, or a short form
    r"[('\"“‘«„\[]*(?:\w|\w(?:\.\w)+|mr|mrs|ms|dr|st|no|nr|vs|cf|ca|approx|prof|sen|gen|col|capt|lt"
    r"|jr|sr|fig|vol|art|dept|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.",
    re.IGNORECASE,
)


def is_border(before: str, after: str) -> bool:
    """Whether a sentence ends with the word `before` and another begins with `after`."""
    if not _END.search(before):
        return False
    begins = after.lstrip(_OPENING)[:1]
    return not begins.islower() and not _ABBREVIATION.fullmatch(before)


def sentence_around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """From where to where the sentences go that hold a span of a text."""
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    first, last = 0, len(text)
    for (start, end), (following, after) in pairwise(words):
        if is_border(text[start:end], text[following:after]):
            if following <= span[0]:
                first = following
            elif end >= span[1]:
                return first, end
    return first, last


def border_before(words: Sequence[str], text: str, most: int) -> int:
    """How many of the last `words` complete the sentence that the text after them begins in.

    At most `most`, and so many if no sentence begins among them.
    """
    chain = [*text.split(maxsplit=1)[:1], *reversed(words)]
    return _to_border(chain, most, lambda near, far: is_border(far, near))


def border_after(text: str, words: Sequence[str], most: int) -> int:
    """How many of the first `words` complete the sentence that the text before them ends in.

    At most `most`, and so many if no sentence ends among them.
    """
    return _to_border([*text.rsplit(maxsplit=1)[-1:], *words], most, is_border)


def _to_border(chain: Sequence[str], most: int, border: Callable[[str, str], bool]) -> int:
    counts = range(min(most, len(chain) - 2) + 1)
    found = (count for count in counts if border(chain[count], chain[count + 1]))
    return next(found, max(0, min(most, len(chain) - 1)))
