"""BLEU-1, ROUGE-L, Q-BLEU-1 and tri-grams against published and hand-computed values."""

from __future__ import annotations

import math

import pytest

from ragcli.core.generation_metrics import bleu1, bleu1_statistics, q_bleu1, rouge_l, trigrams
from ragcli.core.statistics import distinct_trigrams_measure

# The example in sacrebleu's own documentation: 82.4 % unigram precision, BP 0.943, 17 words on 18.
SYSTEM = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFERENCES = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog."],
]


def test_bleu1_equals_the_published_example() -> None:
    rows = [bleu1_statistics(s, r) for s, r in zip(SYSTEM, REFERENCES, strict=True)]
    matched, total, reference = map(sum, zip(*rows, strict=True))
    assert (matched, total, reference) == (14, 17, 18)
    assert bleu1(matched, total, reference) == pytest.approx(14 / 17 * math.exp(1 - 18 / 17))
    assert round(100 * bleu1(matched, total, reference), 2) == 77.65


def test_bleu1_of_nothing_is_nothing() -> None:
    assert bleu1(*bleu1_statistics("", ["a word"])) == 0
    assert bleu1(*bleu1_statistics("another", ["a word"])) == 0


def test_rouge_l_equals_the_published_example() -> None:
    """The example of rouge-score's documentation: P 0.625, R 0.556, F 0.588."""
    gold = "The quick brown fox jumps over the lazy dog"
    answer = "The quick brown dog jumps on the log."
    assert rouge_l(answer, [gold]) == pytest.approx(0.5882352941176471)
    assert rouge_l(answer, ["nothing alike", gold]) == pytest.approx(0.5882352941176471)


def test_q_bleu1_by_hand() -> None:
    """Weights 0.6 entities, 0.2 question words, 0.1 content, 0.1 function words; delta 0.7."""
    gold = "Who was the director of Titanic?"
    assert q_bleu1(gold, [gold]) == pytest.approx(1.0)
    # No content word, and a kind that is missing counts 0: 0.7 × 0.9 + 0.3 × 1.
    assert q_bleu1("Who was Titanic?", ["Who was Titanic?"]) == pytest.approx(0.93)
    # Without "Titanic": entities 0, question 1; "director" is content.
    # Function words "was the of" against "was the": 1 and 2/3 with the shorter side's penalty.
    answer = "Who was the director?"
    function = _harmonic(1 * math.exp(1 - 3 / 2), 2 / 3)
    fluency = 1 * math.exp(1 - 6 / 4)
    expected = 0.7 * (0.2 * 1 + 0.1 * 1 + 0.1 * function) + 0.3 * fluency
    assert q_bleu1(answer, [gold]) == pytest.approx(expected, abs=1e-12)
    # A wrong entity hurts more than a missing function word: what the metric is for.
    wrong = q_bleu1("Who was the director of Alien?", [gold])
    assert q_bleu1("Who director Titanic?", [gold]) > wrong


def _harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r)


def test_which_takes_its_noun_along() -> None:
    """ "Which city" against "Which river": half of the question words agree."""
    value = q_bleu1("Which river ?", ["Which city ?"])
    assert value == pytest.approx(0.7 * 0.2 * 0.5 + 0.3 * 0.5)


def test_distinct_trigrams() -> None:
    assert trigrams("The cat, the cat sat") == [
        ("the", "cat", "the"),
        ("cat", "the", "cat"),
        ("the", "cat", "sat"),
    ]
    # Two texts of 2 and 3 tri-grams, one of them in common: 4 of 5 are distinct.
    assert distinct_trigrams_measure(["a b c d", "a b c e f"]).value == 4 / 5
    assert distinct_trigrams_measure(["a b", ""]).value == 0
