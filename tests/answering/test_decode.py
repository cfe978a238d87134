"""Decoding against exhaustive sums over passages and over every sequence, on tiny networks."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from ragcli.answering.decode import decode
from ragcli.answering.score import score_many
from ragcli.core.prompting import join
from ragcli.errors import QuestionError
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from tests import tiny

QUESTION = "what is the capital of france ?"
TEXTS = [
    ("paris", "paris is the capital of france ."),
    ("lyon", "lyon is a city in france , in the river rhone ."),
    ("", "lima is the capital of peru"),
]


def passages(
    prior: tuple[float, ...] = (0.5, 0.3, 0.2), texts: list[tuple[str, str]] | None = None
) -> list[RetrievedPassage]:
    return [
        RetrievedPassage(
            Passage(f"{n}#0", str(n), title, text, "", "test", 1, 0, len(text.split())),
            row=n,
            score=math.log(p),
            log_prior=math.log(p),
        )
        for n, (p, (title, text)) in enumerate(zip(prior, texts or TEXTS, strict=True))
    ]


def tiny_generator(kind: str, seed: int = 0, words: list[str] | None = None) -> TorchGenerator:
    model = getattr(tiny, kind)(vocabulary=len(words) + 4 if words else None, seed=seed)
    return TorchGenerator(model.double(), tiny.tokenizer(kind == "bart", words), "tiny")


def token_log_probs(generator: TorchGenerator, text: str, tokens: tuple[int, ...]) -> list[float]:
    """The slow way: one unbatched, uncached forward pass."""
    given = torch.tensor([[*generator.start, *tokens[:-1]]])
    with torch.no_grad():
        logits: Any = generator.model(
            input_ids=generator.tokenizer(text, return_tensors="pt").input_ids,
            decoder_input_ids=given,
        ).logits
    rows = logits.log_softmax(-1)[0, len(generator.start) - 1 :]
    return [float(rows[i, token]) for i, token in enumerate(tokens)]


def slow_marginals(
    generator: TorchGenerator,
    tokens: tuple[int, ...],
    found: list[RetrievedPassage],
    question: str = QUESTION,
) -> tuple[float, float]:
    """p(y|x) of RAG-Sequence and of RAG-Token, written as the paper writes them."""
    probs = [
        [
            math.exp(p)
            for p in token_log_probs(
                generator,
                join(question, r.passage.title, r.passage.text, generator.prompting),
                tokens,
            )
        ]
        for r in found
    ]
    priors = [math.exp(r.log_prior) for r in found]
    sequence = sum(p * math.prod(row) for p, row in zip(priors, probs, strict=True))
    token = math.prod(
        sum(p * row[i] for p, row in zip(priors, probs, strict=True)) for i in range(len(tokens))
    )
    return sequence, token


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_score_equals_the_sum_over_passages(kind: str) -> None:
    generator, found = tiny_generator(kind), passages()
    for scored in score_many(generator, [QUESTION], [["paris", "the king of lima"]], [found])[0]:
        tokens = generator.tokenize(scored.answer)
        sequence, token = slow_marginals(generator, tokens, found)
        assert scored.sequence_log_prob == pytest.approx(math.log(sequence), abs=1e-5)
        assert scored.token_log_prob == pytest.approx(math.log(token), abs=1e-5)
        assert sum(scored.posterior) == pytest.approx(1)


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("variant", ["sequence", "token"])
@pytest.mark.parametrize("seed", range(3))
def test_best_answer_equals_enumerating_every_sequence(kind: str, variant: str, seed: int) -> None:
    words = ["paris", "france"]
    generator, found = tiny_generator(kind, seed, words), passages()
    others = [t for t in range(6) if t != generator.ends[0]]
    every = [
        (*prefix, generator.ends[0])
        for length in range(3)
        for prefix in itertools.product(others, repeat=length)
    ]
    which = 0 if variant == "sequence" else 1
    expected = {y: slow_marginals(generator, y, found)[which] for y in every}
    decoding = Settings(variant=variant, beams=40, max_tokens=3, n_best=3)  # type: ignore[arg-type]
    [decoded] = decode(generator, [QUESTION], [found], decoding)
    best = sorted(every, key=lambda y: -expected[y])[:3]
    assert [c.tokens for c in decoded.candidates] == best
    for candidate in decoded.candidates:
        assert math.exp(candidate.log_prob) == pytest.approx(expected[candidate.tokens], rel=1e-5)


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_thorough_and_fast_by_the_book(kind: str) -> None:
    """Fast sums only beams that hold y; thorough adds the rest; both against the slow way."""
    generator, found = tiny_generator(kind, seed=4), passages()
    thorough = decode(generator, [QUESTION], [found], Settings(beams=2, max_tokens=5, n_best=99))[0]
    fast = decode(
        generator,
        [QUESTION],
        [found],
        Settings(beams=2, max_tokens=5, n_best=99, mode="fast"),
    )[0]
    by_tokens = {c.tokens: c for c in thorough.candidates}
    assert set(by_tokens) == {c.tokens for c in fast.candidates}
    missing = 0
    for candidate in fast.candidates:
        full = by_tokens[candidate.tokens]
        assert full.log_prob >= candidate.log_prob - 1e-12
        sequence, _ = slow_marginals(generator, candidate.tokens, found)
        assert full.log_prob == pytest.approx(math.log(sequence), abs=1e-5)
        kept = [
            math.exp(r.log_prior + ll)
            for r, ll in zip(found, candidate.log_likelihoods, strict=True)
            if ll > -math.inf
        ]
        assert candidate.log_prob == pytest.approx(math.log(sum(kept)), abs=1e-9)
        missing += sum(ll == -math.inf for ll in candidate.log_likelihoods)
    assert missing > 0
    assert thorough.passes.rescored == missing
    assert fast.passes.rescored == 0
    assert thorough.passes.encoder == fast.passes.encoder == 3


def test_each_pair_is_encoded_once_whatever_the_decoding() -> None:
    """Trap: the public thorough decoding encodes every (candidate, passage) pair again."""
    generator, found = tiny_generator("bart"), passages()
    rows: list[int] = []
    encoder = generator.model.get_encoder()
    encoder.register_forward_hook(
        lambda module, args, kwargs, output: rows.append(output.last_hidden_state.shape[0]),
        with_kwargs=True,
    )
    for decoding in (
        Settings(),
        Settings(mode="fast"),
        Settings(variant="token"),
    ):
        rows.clear()
        decode(generator, [QUESTION], [found], decoding)
        assert sum(rows) == 3


@pytest.mark.parametrize("variant", ["sequence", "token"])
@pytest.mark.parametrize("mode", ["thorough", "fast"])
def test_a_batch_answers_like_single_questions(variant: str, mode: str) -> None:
    generator = tiny_generator("bart", seed=2)
    found = [passages(), passages((0.1, 0.1, 0.8)), passages((0.2, 0.6, 0.2))]
    questions = [QUESTION, "who is king of peru ?", "river"]
    decoding = Settings(variant=variant, mode=mode, beams=3, max_tokens=6)  # type: ignore[arg-type]
    together = decode(generator, questions, found, decoding)
    for question, retrieved, batched in zip(questions, found, together, strict=True):
        [alone] = decode(generator, [question], [retrieved], decoding)
        assert [c.tokens for c in batched.candidates] == [c.tokens for c in alone.candidates]
        for one, two in zip(batched.candidates, alone.candidates, strict=True):
            assert one.log_prob == pytest.approx(two.log_prob, abs=1e-9)
            assert one.posterior == pytest.approx(two.posterior, abs=1e-9)
        assert batched.passes == alone.passes


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_one_passage_makes_the_variants_equal(kind: str) -> None:
    generator, found = tiny_generator(kind), passages((1.0,), TEXTS[:1])
    [sequence] = decode(generator, [QUESTION], [found], Settings(max_tokens=6))
    [token] = decode(generator, [QUESTION], [found], Settings(variant="token", max_tokens=6))
    assert [c.tokens for c in sequence.candidates] == [c.tokens for c in token.candidates]
    for one, two in zip(sequence.candidates, token.candidates, strict=True):
        assert one.log_prob == pytest.approx(two.log_prob, abs=1e-9)


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_passage_order_is_irrelevant(variant: str) -> None:
    generator, found = tiny_generator("bart", seed=3), passages()
    decoding = Settings(variant=variant, max_tokens=6)  # type: ignore[arg-type]
    [one] = decode(generator, [QUESTION], [found], decoding)
    [two] = decode(generator, [QUESTION], [found[::-1]], decoding)
    assert [c.tokens for c in one.candidates] == [c.tokens for c in two.candidates]
    for a, b in zip(one.candidates, two.candidates, strict=True):
        assert a.log_prob == pytest.approx(b.log_prob, abs=1e-9)
        assert a.posterior == pytest.approx(b.posterior[::-1], abs=1e-9)


def test_token_posterior_is_the_figure_of_the_paper() -> None:
    generator, found = tiny_generator("bart", seed=5), passages()
    [decoded] = decode(generator, [QUESTION], [found], Settings(variant="token", max_tokens=6))
    best = decoded.candidates[0]
    assert best.token_posterior is not None
    probs = np.exp(
        [
            token_log_probs(
                generator,
                join(QUESTION, r.passage.title, r.passage.text, generator.prompting),
                best.tokens,
            )
            for r in found
        ]
    )
    joint = np.array([0.5, 0.3, 0.2])[:, None] * probs
    expected = (joint / joint.sum(0)).T
    assert np.array(best.token_posterior) == pytest.approx(expected, abs=1e-6)
    assert best.posterior == pytest.approx(expected.mean(0), abs=1e-6)


def test_explained_sequence_ends_at_its_posterior() -> None:
    """After the last token, p(z|x,y_≤i) is p(z|x,y)."""
    generator, found = tiny_generator("bart", seed=6), passages()
    [decoded] = decode(generator, [QUESTION], [found], Settings(max_tokens=6), explain=True)
    best = decoded.candidates[0]
    assert best.token_posterior is not None
    assert len(best.token_posterior) == len(best.tokens)
    assert best.token_posterior[-1] == pytest.approx(best.posterior, abs=1e-6)


def test_log_probabilities_are_sums_not_means() -> None:
    """Trap: beam scores divided by a length are not log p(y|x,z)."""
    generator, found = tiny_generator("bart", seed=1), passages((1.0,), TEXTS[:1])
    for penalty in (0.0, 1.0):
        decoding = Settings(beams=3, max_tokens=6, length_penalty=penalty)
        [decoded] = decode(generator, [QUESTION], [found], decoding)
        for candidate in decoded.candidates:
            sequence, _ = slow_marginals(generator, candidate.tokens, found)
            assert candidate.log_prob == pytest.approx(math.log(sequence), abs=1e-5)


def test_the_prior_counts_once_even_for_an_empty_answer() -> None:
    """Trap: a prior added at the second token is lost when there is none."""
    generator, found = tiny_generator("t5"), passages()
    tokens = (generator.ends[0],)
    sequence, token = slow_marginals(generator, tokens, found)
    assert sequence == pytest.approx(token)
    [decoded] = decode(generator, [QUESTION], [found], Settings(max_tokens=1))
    assert decoded.candidates[0].tokens == tokens
    assert math.exp(decoded.candidates[0].log_prob) == pytest.approx(sequence, rel=1e-5)


def test_a_withheld_token_lowers_every_answer_of_its_passage() -> None:
    """A passage that says it has no answer adds little; its probability is not shared out."""
    generator, found = tiny_generator("bart", seed=8), passages()
    plain = {
        c.tokens: c.log_prob
        for c in decode(
            generator, [QUESTION], [found], Settings(beams=40, max_tokens=3, n_best=999)
        )[0].candidates
    }
    banned = generator.tokenize("lima")[1]
    generator.no_answer = banned
    [decoded] = decode(generator, [QUESTION], [found], Settings(beams=40, max_tokens=3, n_best=999))
    assert all(banned not in c.tokens for c in decoded.candidates)
    for candidate in decoded.candidates:
        if candidate.tokens in plain:
            assert candidate.log_prob == pytest.approx(plain[candidate.tokens], abs=1e-9)
    first = [
        math.exp(
            token_log_probs(
                generator,
                join(QUESTION, r.passage.title, r.passage.text, generator.prompting),
                (banned,),
            )[0]
        )
        for r in found
    ]
    assert decoded.no_answer == pytest.approx(float(np.dot([0.5, 0.3, 0.2], first)), abs=1e-9)


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_rag_token_decides_once_whether_there_is_an_answer(kind: str) -> None:
    """Every sequence, by one pass for each passage: later tokens are given that one follows."""
    generator, found = tiny_generator(kind, 3, ["paris", "france", "lima"]), passages()
    withheld = generator.tokenize("lima")[-2]
    generator.no_answer = withheld
    others = [t for t in range(7) if t not in (generator.ends[0], withheld)]
    expected = {}
    for length in range(3):
        for prefix in itertools.product(others, repeat=length):
            y = (*prefix, generator.ends[0])
            total = slow_marginals(generator, y, found)[1]
            for i in range(1, len(y)):
                before = slow_marginals(generator, y[:i], found)[1]
                silent = slow_marginals(generator, (*y[:i], withheld), found)[1] / before
                total /= 1 - silent
            expected[y] = total
    decoding = Settings(variant="token", beams=40, max_tokens=3, n_best=5)
    [decoded] = decode(generator, [QUESTION], [found], decoding)
    best = sorted(expected, key=lambda y: -expected[y])[:5]
    assert [c.tokens for c in decoded.candidates] == best
    for candidate in decoded.candidates:
        assert math.exp(candidate.log_prob) == pytest.approx(expected[candidate.tokens], rel=1e-5)
    for scored in score_many(generator, [QUESTION], [["paris", "france"]], [found])[0]:
        tokens = generator.tokenize(scored.answer)
        assert math.exp(scored.token_log_prob) == pytest.approx(expected[tokens], rel=1e-5)


def test_answers_that_cannot_be_scored() -> None:
    generator, found = tiny_generator("bart"), passages()
    with pytest.raises(QuestionError, match="empty"):
        score_many(generator, [QUESTION], [["paris", "  "]], [found])[0]
    with pytest.raises(QuestionError, match="at most"):
        score_many(generator, [QUESTION], [["paris " * 80]], [found])[0]


@pytest.mark.parametrize("start", [0, 2])
def test_a_start_token_of_the_tokenizer_is_not_part_of_the_answer(start: int) -> None:
    """`<s> paris </s>` from the tokenizer: `<s>` is given if decoding starts with it."""
    model = tiny.bart(decoder_start_token_id=start).double()
    generator = TorchGenerator(model, tiny.tokenizer(), "tiny")
    paris = generator.tokenizer.convert_tokens_to_ids("paris")
    assert generator.tokenize("paris") == ((paris, 2) if start == 0 else (0, paris, 2))
    found = passages()
    best = decode(generator, [QUESTION], [found], Settings(max_tokens=4))[0].candidates
    if start == 0:
        for candidate in best:
            if candidate.text and generator.tokenize(candidate.text) == candidate.tokens:
                scored = score_many(generator, [QUESTION], [[candidate.text]], [found])[0][0]
                assert scored.sequence_log_prob == pytest.approx(candidate.log_prob)


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("seed", range(4))
def test_one_best_answer_is_the_same_with_or_without_the_rest(kind: str, seed: int) -> None:
    generator = tiny_generator(kind, seed)
    found = [passages(), passages((0.8, 0.15, 0.05)), passages((0.1, 0.2, 0.7))]
    questions = [QUESTION, "who is the king ?", "where is lima ?"]
    settings = Settings(max_tokens=5)
    whole = decode(generator, questions, found, settings)
    best = decode(generator, questions, found, replace(settings, n_best=1))
    for one, other in zip(best, whole, strict=True):
        assert one.candidates[0].tokens == other.candidates[0].tokens
        assert one.candidates[0].log_prob == pytest.approx(other.candidates[0].log_prob)
        assert one.candidates[0].posterior == pytest.approx(other.candidates[0].posterior)
        assert one.passes.rescored <= other.passes.rescored
