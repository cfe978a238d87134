"""The copying search: answers are stretches of whole words, and probabilities stay the model's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from ragcli.answering.decode import decode, read
from ragcli.answering.settle import settle
from ragcli.core.prompting import told
from ragcli.errors import SettingsError
from ragcli.models.copying import Copier
from ragcli.models.language import Manner
from ragcli.models.torch_generator import TorchGenerator
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Prompting
from tests import tiny
from tests.answering.test_decode import passages, slow_marginals

PIECES = ["viz", "##car", "##ra", "martin", "leads", "peru", "lima", "who", "?", "king", "is"]
TEXTS = [("", "martin vizcarra leads peru"), ("", "king martin"), ("", "lima")]


def word_pieces() -> PreTrainedTokenizerFast:
    table = {word: n for n, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", "[SEP]", *PIECES])}
    inner = Tokenizer(models.WordPiece(table, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.post_processor = processors.TemplateProcessing(
        single="<s> $A [SEP]", special_tokens=[("<s>", 0), ("[SEP]", 4)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="</s>", pad_token="<pad>", sep_token="[SEP]"
    )


def copying_generator(seed: int, also: tuple[str, ...] = ()) -> TorchGenerator:
    styles = {"sentence": "king ? ", "label": "lima ? "}
    prompting = Prompting(
        question_first=True, question_separator=" [SEP] ", max_length=40, styles=styles
    )
    model = tiny.bart(vocabulary=5 + len(PIECES), seed=seed).double()
    return TorchGenerator(model, word_pieces(), "tiny", Manner(prompting, copies=True, also=also))


def stretches(text: str) -> Iterator[str]:
    words = text.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield " ".join(words[start:end])


@pytest.mark.parametrize("variant", ["sequence", "token"])
@pytest.mark.parametrize("seed", range(3))
def test_every_stretch_of_words_and_nothing_else(variant: str, seed: int) -> None:
    """With beams enough, the search finds all of them, each at the model's own probability."""
    generator = copying_generator(seed)
    found = passages(texts=TEXTS)
    decoding = Settings(variant=variant, beams=200, max_tokens=8, n_best=200)  # type: ignore[arg-type]
    [decoded] = decode(generator, ["who is king ?"], [found], decoding)
    expected = {s for _, text in TEXTS for s in stretches(text)}
    texts = {c.text.replace(" ##", "") for c in decoded.candidates}
    assert texts == expected
    which = 0 if variant == "sequence" else 1
    for candidate in decoded.candidates[:3]:
        probability = slow_marginals(generator, candidate.tokens, found, "who is king ?")[which]
        assert candidate.log_prob == pytest.approx(math.log(probability), abs=1e-5)


def test_steps_by_hand() -> None:
    tokenizer = word_pieces()
    copier = Copier(
        tokenizer.convert_ids_to_tokens(range(len(tokenizer))),
        int(tokenizer.sep_token_id),
        [2],
        5 + len(PIECES) + 1,
    )
    [tokens] = tokenizer(["who [SEP] martin vizcarra leads"]).input_ids
    rows = copier.passages([tokens], len(tokens))
    state = rows.begin(np.array([0]))
    written = ["</s>", "martin", "viz", "##car", "##ra", "leads"]
    assert set(tokenizer.convert_ids_to_tokens(rows.columns)) == set(written)

    def names() -> set[str]:
        ids = rows.columns[state.allowed(rows.columns)[0]].tolist()
        return set(tokenizer.convert_ids_to_tokens(ids))

    one = np.array([0])
    assert names() == {"martin", "viz", "leads"}
    state = state.follow(np.array(tokenizer.convert_tokens_to_ids(["viz"])), one)
    assert names() == {"##car"}
    state = state.follow(np.array(tokenizer.convert_tokens_to_ids(["##car"])), one)
    state = state.follow(np.array(tokenizer.convert_tokens_to_ids(["##ra"])), one)
    assert names() == {"leads", "</s>"}
    state = state.follow(np.array(tokenizer.convert_tokens_to_ids(["leads"])), one)
    assert names() == {"</s>"}


def test_an_empty_passage_among_others_adds_nothing_but_an_empty_answer() -> None:
    found = passages((0.6, 0.4), [("", ""), ("", "lima")])
    [decoded] = decode(copying_generator(0), ["who ?"], [found], Settings(max_tokens=4))
    assert {candidate.text for candidate in decoded.candidates} == {"", "lima"}


def test_a_search_that_finds_nothing_says_so() -> None:
    found = passages((1.0,), [("", "lima")])
    decoding = Settings(min_tokens=6, max_tokens=8)
    for n_best, explain in ((5, False), (1, False), (5, True)):
        chosen = replace(decoding, n_best=n_best)
        with pytest.raises(SettingsError, match="no answer of 6 to 8 tokens"):
            decode(copying_generator(0), ["who ?"], [found], chosen, explain)
    with pytest.raises(SettingsError, match="no answer of 6 to 8 tokens"):
        decode(copying_generator(0), ["who ?"], [found], replace(decoding, variant="token"))
    with pytest.raises(SettingsError, match="no answer of 6 to 8 tokens"):
        settle(copying_generator(0), ["who ?"], [found], decoding)
    longer = passages((0.9, 0.1), [("", "lima"), ("", "lima is the king of the river")])
    [settled] = settle(copying_generator(0), ["who ?"], [longer], decoding)
    [decoded] = decode(copying_generator(0), ["who ?"], [longer], decoding)
    assert settled.text == decoded.candidates[0].text


@pytest.mark.parametrize("seed", range(3))
def test_copying_goes_with_some_of_the_pairs_and_with_few_passages(seed: int) -> None:
    """A selected reading copies as a fresh one does, and a settled answer is decoding's own."""
    generator = copying_generator(seed)
    question, found = "who is king ?", passages(texts=TEXTS)
    decoding = Settings(max_tokens=8)
    whole = read(generator, [question], [found])
    for k in (1, 2):
        fresh = decode(generator, [question], [found[:k]], decoding)
        selected = whole.select(np.arange(k))
        again = decode(generator, [question], [found[:k]], decoding, reading=selected)
        assert [c.tokens for c in again[0].candidates] == [c.tokens for c in fresh[0].candidates]
        assert again[0].candidates[0].log_prob == pytest.approx(fresh[0].candidates[0].log_prob)
    [decoded] = decode(generator, [question], [found], decoding)
    [settled] = settle(generator, [question], [found], decoding)
    assert settled.text == decoded.candidates[0].text


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_a_few_words_may_always_be_said(variant: str) -> None:
    """`is` and `king who` stand in no passage; nothing else that is foreign may be written."""
    generator = copying_generator(1, also=("is", "king who"))
    found = passages((0.6, 0.4), [("", "martin vizcarra leads peru"), ("", "lima")])
    decoding = Settings(variant=variant, beams=200, max_tokens=8, n_best=200)  # type: ignore[arg-type]
    [decoded] = decode(generator, ["who leads peru ?"], [found], decoding)
    answers = {candidate.text.replace(" ##", "") for candidate in decoded.candidates}
    also = {"is", *stretches("king who")}
    inside = {*stretches("martin vizcarra leads peru"), "lima", *also}
    assert inside <= answers
    if variant == "sequence":
        assert answers == inside


def test_another_style_and_an_empty_passage_are_not_copied() -> None:
    generator = copying_generator(0)

    def columns(text: str) -> object:
        return generator.encode(generator.tokenize_inputs([text])).stepper().columns

    assert columns("who leads [SEP] martin leads peru") is not None
    assert columns("lima ? who leads [SEP] martin leads peru") is not None
    assert columns("king ? who leads [SEP] martin leads peru") is None
    assert columns("who leads [SEP] ") is None


def test_the_style_is_put_before_the_question() -> None:
    prompting = copying_generator(0).prompting
    assert told(["who ?"], "short", prompting) == ["who ?"]
    assert told(["who ?", "is ?"], "sentence", prompting) == ["king ? who ?", "king ? is ?"]
    with pytest.raises(SettingsError, match="question, only short, sentence, label"):
        told(["who ?"], "question", prompting)
