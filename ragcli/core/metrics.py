"""Exact match, F1, and whether a passage holds an answer; normalised as for SQuAD, its traps shut.

SQuAD's normalisation drops articles, so that a gold answer "A" or "The The" becomes nothing and
everything that is nothing matches it. Here an answer that would vanish keeps its words. And what
SQuAD does to ASCII is done to all of Unicode: an accent may be written as one character or as two,
and “ ’ – are punctuation as " ' - are.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

_ASCII_PUNCTUATION = frozenset(string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WORDS = re.compile(r"\w+")


def normalize(answer: str) -> str:
    """Lower case, no punctuation, no articles, single spaces."""
    bare = "".join(c for c in _fold(answer) if not _is_punctuation(c))
    short = " ".join(_ARTICLES.sub(" ", bare).split())
    return short or " ".join(bare.split()) or " ".join(answer.split())


def _fold(text: str) -> str:
    """One case, and one form (NFC) for letters that Unicode can write in several."""
    return unicodedata.normalize("NFC", text).lower()


def _is_punctuation(character: str) -> bool:
    if character.isascii():
        return character in _ASCII_PUNCTUATION
    return unicodedata.category(character).startswith("P")


def exact_match(answer: str, accepted: Iterable[str]) -> bool:
    """True if `answer` is one of the accepted answers, both normalised."""
    given = normalize(answer)
    return any(given == normalize(gold) for gold in accepted)


def holds_answer(text: str, accepted: Iterable[str]) -> bool:
    """True if an accepted answer stands in `text` as whole words: "us" is not in "thus"."""
    words = _words(text)
    return any(_words(gold) in words for gold in accepted if _words(gold).strip())


def f1(answer: str, accepted: Iterable[str]) -> float:
    """SQuAD's F1: 2PR / (P + R) over the words both have in common, the best accepted answer's."""
    return max((_f1(normalize(answer).split(), normalize(g).split()) for g in accepted), default=0)


def _f1(given: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(given) & Counter(gold)).total()
    return 2 * common / (len(given) + len(gold)) if common else 0.0


def matches_pattern(answer: str, patterns: Iterable[str]) -> bool:
    """CuratedTREC: True if a regular expression matches at the beginning of the answer.

    The flags are those of the script that the dataset is scored with; case does not count.
    """
    return any(_pattern(pattern).match(answer) for pattern in patterns)


def holds_pattern(text: str, patterns: Iterable[str]) -> bool:
    """True if a regular expression matches somewhere in `text`."""
    return any(_pattern(pattern).search(text) for pattern in patterns)


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.UNICODE | re.MULTILINE)


def recall_of_gold(found: Sequence[str], gold: Iterable[str]) -> float:
    """The share of the gold ids that were found."""
    wanted = set(gold)
    return len(wanted.intersection(found)) / len(wanted)


def _words(text: str) -> str:
    """The words with single spaces between and around them."""
    return f" {' '.join(_WORDS.findall(_fold(text)))} "
