"""BLEU-1, ROUGE-L, Q-BLEU-1 and tri-gram diversity: the measures of the paper's Tables 2 and 5.

BLEU comes from sacrebleu and ROUGE from rouge-score. Q-BLEU-1 (Nema and Khapra 2018) has no kept
library; it is written here after the paper and its authors' script, with that script's weights.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import harmonic_mean
from typing import Any

import numpy as np

Bleu1 = tuple[int, int, int]
"""Words that match, words of the answer, words of the reference closest in length."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

DELTA = 0.7
"""Share of answerability in Q-BLEU-1; the rest is BLEU-1."""

WEIGHTS = {"entities": 0.6, "question": 0.2, "content": 0.1, "function": 0.1}
"""Answerability's weights of named entities, question words, content and function words."""

_QUESTION_WORDS = frozenset("what which why who whom whose where when how".split())
FUNCTION_WORDS = frozenset(
    """a about above after again against all am an and any are as at be because been before being
    below between both but by can did do does doing don down during each few for from further had
    has have having he her here hers herself him himself his i if in into is it its itself just me
    more most my myself no nor not now of off on once only or other our ours ourselves out over own
    s same she should so some such t than that the their theirs them themselves then there these
    they this those through to too under until up very was we were while will with you your yours
    yourself yourselves""".split()
)


@cache
def _sacrebleu() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(max_ngram_order=1, lowercase=True, smooth_method="none", effective_order=True)


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=False)


def bleu1_statistics(answer: str, references: Sequence[str]) -> Bleu1:
    """What one answer adds to the corpus's BLEU-1, by sacrebleu (13a tokens, lower case)."""
    score = _sacrebleu().sentence_score(answer, list(references))
    return int(score.counts[0]), int(score.totals[0]), int(score.ref_len)


def bleu1(matched: Any, total: Any, reference: Any) -> Any:
    """BLEU-1 from summed statistics, numbers or arrays: precision × brevity penalty, in [0, 1]."""
    total = np.maximum(total, 1)  # nothing matches where there is no word
    return matched / total * np.minimum(1.0, np.exp(1 - reference / total))


def rouge_l(answer: str, references: Sequence[str]) -> float:
    """ROUGE-L's F-measure against the best reference, by rouge-score without a stemmer."""
    return float(_rouge().score_multi(list(references), answer)["rougeL"].fmeasure)


def q_bleu1(answer: str, references: Sequence[str]) -> float:
    """Q-BLEU-1: DELTA × answerability + (1 − DELTA) × BLEU-1, of the best reference.

    Answerability is the weighted sum over four kinds of words of the harmonic mean of BLEU-1 in
    both directions; a kind that is missing on either side counts as 0, as in the authors' script.
    """
    return max((_q_bleu1(answer, reference) for reference in references), default=0.0)


def _q_bleu1(answer: str, reference: str) -> float:
    given, gold = _kinds(answer), _kinds(reference)
    answerability = sum(w * _harmonic(given[kind], gold[kind]) for kind, w in WEIGHTS.items())
    fluency = _word_bleu1(_WORD.findall(answer.lower()), _WORD.findall(reference.lower()))
    return DELTA * answerability + (1 - DELTA) * fluency


def _kinds(text: str) -> dict[str, list[str]]:
    """The words of a question by kind; "what" and "which" take the word after them along."""
    words = _WORD.findall(text)
    asking: list[str] = []
    for position, word in enumerate(words):
        if word.lower() in _QUESTION_WORDS:
            asking += words[position : position + (2 if word.lower() in ("what", "which") else 1)]
    first = 1 if words and words[0].lower() in _QUESTION_WORDS else 0
    kinds = {
        "question": asking,
        "entities": [word for word in words[first:] if word[0].isupper()],
        "content": [
            word
            for word in words
            if word not in asking and not word[0].isupper() and word not in FUNCTION_WORDS
        ],
        "function": [word for word in words if word.lower() in FUNCTION_WORDS],
    }
    return {kind: [word.lower() for word in found] for kind, found in kinds.items()}


def _harmonic(given: Sequence[str], gold: Sequence[str]) -> float:
    return harmonic_mean((_word_bleu1(given, gold), _word_bleu1(gold, given)))


def _word_bleu1(given: Sequence[str], gold: Sequence[str]) -> float:
    return float(bleu1((Counter(given) & Counter(gold)).total(), len(given), len(gold)))


def trigrams(text: str) -> list[tuple[str, str, str]]:
    """The tri-grams of a text's words, lower case."""
    words = _WORD.findall(text.lower())
    return list(zip(words, words[1:], words[2:], strict=False))
