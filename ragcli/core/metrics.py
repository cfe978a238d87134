"""Exact match, F1, and whether a passage holds an answer; as for SQuAD, with its traps shut.

SQuAD's normalisation drops articles, so that a gold answer "A" or "The The" becomes nothing and
everything that is nothing matches it. Here an answer that would vanish keeps its words.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WORDS = re.compile(r"\w+")


def normalize(answer: str) -> str:
    """Lower case, no punctuation, no articles, single spaces."""
    bare = answer.lower().translate(_PUNCTUATION)
    short = " ".join(_ARTICLES.sub(" ", bare).split())
    return short or " ".join(bare.split()) or " ".join(answer.split())


def exact_match(answer: str, accepted: Iterable[str]) -> bool:
    """True if `answer` is one of the accepted answers, both normalised."""
    given = normalize(answer)
    return any(given == normalize(gold) for gold in accepted)


def holds_answer(text: str, accepted: Iterable[str]) -> bool:
    """True if an accepted answer stands in `text` as whole words: "us" is not in "thus"."""
    words = _words(text)
    return any(_is_run(_words(gold), words) for gold in accepted)


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _is_run(run: Sequence[str], words: Sequence[str]) -> bool:
    size = len(run)
    return size > 0 and any(
        list(words[i : i + size]) == list(run) for i in range(len(words) - size + 1)
    )


def f1(answer: str, accepted: Iterable[str]) -> float:
    """The best overlap of words, 2PR/(P+R), with an accepted answer, both normalised."""
    return max(_f1(normalize(answer).split(), normalize(gold).split()) for gold in accepted)


def _f1(given: list[str], gold: list[str]) -> float:
    common = sum((Counter(given) & Counter(gold)).values())
    return 2 * common / (len(given) + len(gold)) if common else 0.0
