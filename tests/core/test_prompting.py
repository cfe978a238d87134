"""The generator's input: the passage is cut to fit, never the question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcli.core.prompting import Completed, fit, join, trimmed
from ragcli.errors import QuestionError
from ragcli.settings import Prompting


class WordTokenizer:
    """A number for each word, with a start and an end, and its way back."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}

    def __call__(self, texts: list[str]) -> list[list[int]]:
        return [
            [-1, *(self.ids.setdefault(w, len(self.ids)) for w in text.split()), -2]
            for text in texts
        ]

    def words(self, ids: list[int]) -> str:
        names = {number: word for word, number in self.ids.items()}
        return " ".join(names[i] for i in ids if i >= 0)


def test_the_papers_form_and_ours() -> None:
    paper = Prompting()
    assert join("Who?", "Peru", "A text.", paper) == "Peru / A text. // Who?"
    assert join("Who?", "", "A text.", paper) == "A text. // Who?"
    ours = Prompting(question_first=True, question_separator=" [SEP] ", prefix="answer: ")
    assert join("Who?", "Peru", "A text.", ours) == "answer: Who? [SEP] Peru / A text."


def test_a_long_passage_loses_its_end_and_the_question_stays() -> None:
    """Trap: cutting the whole input at its end cuts the question off."""
    tokenizer = WordTokenizer()
    text = " ".join(f"w{i}" for i in range(100))
    for first in (False, True):
        prompting = Prompting(max_length=20, question_first=first)
        [ids] = fit([("who is it ?", "title", text)], prompting, tokenizer)
        words = tokenizer.words(ids)
        assert len(ids) == 20
        assert "who is it ?" in words
        assert "title / w0 w1" in words
        assert "w10" in words  # 18 places: question 4, separators 2, title 1, so w0 … w10
        assert "w11" not in words


def test_special_tokens_of_the_texts_are_words() -> None:
    """A passage that says `[SEP]` must not move the border between question and passage."""
    tokenizer = WordTokenizer()
    prompting = Prompting(question_first=True, question_separator=" [SEP] ", max_length=12)
    pair = ("what is [SEP] ?", "[CLS]", "it says [SEP] here " * 9)
    [ids] = fit([pair], prompting, tokenizer, ("[SEP]", "[CLS]"))
    assert tokenizer.words(ids) == "what is [ SEP] ? [SEP] [ CLS] / it"


def test_inputs_that_fit_are_left_alone() -> None:
    tokenizer = WordTokenizer()
    pairs = [("who ?", "t", "a b c"), ("where ?", "", "d  e")]
    prompting = Prompting(max_length=30)
    assert fit(pairs, prompting, tokenizer) == tokenizer([join(*pair, prompting) for pair in pairs])


def test_a_long_title_goes_before_the_question_does() -> None:
    tokenizer = WordTokenizer()
    [ids] = fit([("who ?", "t " * 30, "a b c d")], Prompting(max_length=9), tokenizer)
    assert tokenizer.words(ids) == "a b c d // who ?"


def test_text_without_spaces_is_cut_between_characters() -> None:
    """One long word is not dropped whole."""

    def characters(texts: list[str]) -> list[list[int]]:
        return [[ord(c) for c in text if c != " "] for text in texts]

    [ids] = fit([("谁是总统?", "秘鲁", "字" * 480)], Prompting(max_length=60), characters)
    text = "".join(map(chr, ids))
    assert len(ids) == 60
    assert text.startswith("秘鲁/字字字")
    assert text.endswith("字//谁是总统?")


def test_a_question_that_cannot_fit_is_refused() -> None:
    with pytest.raises(QuestionError, match="takes 53 tokens and the generator reads 10"):
        fit([("q " * 50, "t", "a b")], Prompting(max_length=10), WordTokenizer())


@given(st.integers(0, 60), st.integers(0, 2), st.integers(1, 5), st.integers(12, 40))
def test_as_much_of_the_passage_as_fits(words: int, title: int, question: int, most: int) -> None:
    tokenizer = WordTokenizer()
    x = " ".join(f"q{i}" for i in range(question))
    z = " ".join(f"w{i}" for i in range(words))
    t = " ".join(f"t{i}" for i in range(title))
    prompting = Prompting(max_length=most)
    [ids] = fit([(x, t, z)], prompting, tokenizer)
    whole = len(tokenizer([join(x, t, z, prompting)])[0])
    assert len(ids) == min(whole, most)
    assert tokenizer.words(ids).endswith(f"// {x}")


def test_margins_go_before_the_passage_does_from_the_outside() -> None:
    tokenizer = WordTokenizer()
    before, after = ["b3", "b2", "b1"], ["a1", "a2"]

    def kept(most: int) -> tuple[list[str], list[str]]:
        pair = Completed("who ?", "t", "w0 w1", before, after)
        return trimmed([pair], Prompting(max_length=most), tokenizer)[0]

    # Start, end, "t /", "w0 w1" and "// who ?" take nine places.
    assert kept(14) == (before, after)
    assert kept(13) == (["b2", "b1"], after)
    assert kept(12) == (["b1"], after)
    assert kept(11) == (["b1"], ["a1"])
    assert kept(10) == ([], ["a1"])
    assert kept(9) == kept(8) == ([], [])


def test_where_one_side_has_no_more_words_the_other_keeps_its_own() -> None:
    pair = Completed("who ?", "t", "w0", ["b2", "b1"], [])
    assert [pair.kept(count) for count in range(3)] == [([], []), (["b1"], []), (["b2", "b1"], [])]
    assert trimmed([], Prompting(), WordTokenizer()) == []


@given(st.integers(0, 9), st.integers(0, 9), st.integers(8, 40))
def test_a_trimmed_input_is_as_long_as_it_may_be(before: int, after: int, most: int) -> None:
    tokenizer, prompting = WordTokenizer(), Prompting(max_length=most)
    words = [f"b{n}" for n in range(before)], [f"a{n}" for n in range(after)]
    [(left, right)] = trimmed([Completed("q ?", "t", "w0 w1", *words)], prompting, tokenizer)
    assert left == words[0][before - len(left) :]
    assert right == words[1][: len(right)]
    assert len(left) + len(right) == max(0, min(before + after, most - 9))
