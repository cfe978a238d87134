"""A paper checkpoint in ragcli against Hugging Face's own RAG classes on the same weights."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from ragcli.answering.decode import decode
from ragcli.answering.score import score_many
from ragcli.core.prompting import join
from ragcli.models.catalog import Model, load_model
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from tests import tiny
from tests.answering.test_decode import passages, slow_marginals

QUESTION = "what is the capital of france ?"
# Inputs of one length: theirs searches without an attention mask, so padding would disturb it.
EVEN = [
    ("paris", "paris is the capital of france ."),
    ("lyon", "lyon is a city in france ."),
    ("lima", "lima is the capital of peru ."),
]
UNEVEN = [("paris", "paris is the capital of france ."), ("lyon", "lyon"), ("", "river in peru")]


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, Model]]:
    folder = tmp_path_factory.mktemp("checkpoints")
    made = {}
    for variant in ("sequence", "token"):
        theirs = tiny.rag_checkpoint(folder / variant, variant, tiny.bart(seed=3))
        made[variant] = (theirs, load_model(str(folder / variant)))
    return made


def contexts(generator: TorchGenerator, found: list[RetrievedPassage]) -> dict[str, Any]:
    """What Hugging Face's retriever would hand over for these passages."""
    texts = [join(QUESTION, r.passage.title, r.passage.text, generator.prompting) for r in found]
    inputs = generator.tokenizer(texts, padding=True, return_tensors="pt")
    return {
        "context_input_ids": inputs.input_ids,
        "context_attention_mask": inputs.attention_mask,
        "doc_scores": torch.tensor([[r.score for r in found]]),
    }


def labels(generator: TorchGenerator, answer: str) -> torch.Tensor:
    return torch.tensor([[*generator.start, *generator.tokenize(answer)]])


def test_the_checkpoint_says_how_to_use_it(checkpoints: dict[str, tuple[Any, Model]]) -> None:
    for variant, (_, model) in checkpoints.items():
        assert model.variant == variant
        assert model.top_k == 3
        assert model.generator.prompting.title_separator == " / "
        assert model.generator.prompting.question_separator == " // "
        assert model.generator.prompting.max_length == 40
        assert model.encoder is not None
        assert model.encoder.settings.dimension == 16
        assert model.encoder.settings.document_digest == ""


@pytest.mark.parametrize("texts", [EVEN, UNEVEN])
@pytest.mark.parametrize("answer", ["paris", "the king of lima", "lyon is a city"])
def test_same_log_likelihoods(
    checkpoints: dict[str, tuple[Any, Model]], texts: list[tuple[str, str]], answer: str
) -> None:
    found = passages(texts=texts)
    for variant, (theirs, model) in checkpoints.items():
        generator: Any = model.generator
        with torch.no_grad():
            loss = theirs(
                **contexts(generator, found), labels=labels(generator, answer), n_docs=3
            ).loss
        [ours] = score_many(generator, [QUESTION], [[answer]], [found])[0]
        log_prob = ours.sequence_log_prob if variant == "sequence" else ours.token_log_prob
        assert log_prob == pytest.approx(-float(loss.sum()), abs=1e-4)


@pytest.mark.parametrize("beams", [1, 3])
def test_same_token_decoding(tmp_path: Path, beams: int) -> None:
    compared = 0
    for seed in range(6):
        theirs = tiny.rag_checkpoint(tmp_path / f"{seed}", "token", tiny.bart(seed=seed))
        generator: Any = load_model(str(tmp_path / f"{seed}")).generator
        for texts in (EVEN, UNEVEN):
            found = passages(texts=texts)
            output = theirs.generate(
                **contexts(generator, found),
                num_beams=beams,
                max_length=7,
                length_penalty=0.0,
                n_docs=3,
                do_sample=False,
            )[0, 1:].tolist()
            expected = output[: output.index(2) + 1] if 2 in output else output
            decoding = Settings(variant="token", beams=beams, max_tokens=7)
            [decoded] = decode(generator, [QUESTION], [found], decoding)
            best = list(decoded.candidates[0].tokens)
            if expected[-1] == 2:
                assert best == expected
                compared += 1
            elif beams == 1:
                assert best[:-1] == expected
                compared += 1
    assert compared >= 4


@pytest.mark.parametrize("beams", [1, 3])
def test_same_thorough_decoding(tmp_path: Path, beams: int) -> None:
    """Compared where theirs chose its ends and is not hit by its own traps (see EVEN)."""
    compared = 0
    found = passages(texts=EVEN)
    for seed in range(10):
        theirs = tiny.rag_checkpoint(tmp_path / f"{seed}", "sequence", tiny.bart(seed=seed))
        generator: Any = load_model(str(tmp_path / f"{seed}")).generator
        output = theirs.generate(
            **contexts(generator, found),
            num_beams=beams,
            num_return_sequences=1,
            max_length=12,
            length_penalty=0.0,
            n_docs=3,
            do_sample=False,
        )[0, 1:].tolist()
        expected = output[: output.index(2) + 1] if 2 in output else output
        [decoded] = decode(generator, [QUESTION], [found], Settings(beams=beams, max_tokens=12))
        best = decoded.candidates[0]
        if expected[-1] != 2:
            continue
        exact, _ = slow_marginals(generator, tuple(expected), found)
        assert best.log_prob >= math.log(exact) - 1e-4
        if tuple(expected) in {c.tokens for c in decoded.candidates}:
            assert list(best.tokens) == expected
            compared += 1
    assert compared >= 3


def test_their_padding_trap_is_not_ours(checkpoints: dict[str, tuple[Any, Model]]) -> None:
    """Trap: without a mask their per-passage search reads padding; ours ignores it."""
    _, model = checkpoints["sequence"]
    generator: Any = model.generator
    found = passages(texts=UNEVEN)
    [together] = decode(generator, [QUESTION], [found], Settings(beams=3, max_tokens=6, n_best=99))
    for j, retrieved in enumerate(found):
        [alone] = decode(
            generator, [QUESTION], [[retrieved]], Settings(beams=3, max_tokens=6, n_best=99)
        )
        for candidate in alone.candidates:
            same = [c for c in together.candidates if c.tokens == candidate.tokens]
            assert len(same) == 1
            assert same[0].log_likelihoods[j] == pytest.approx(
                candidate.log_likelihoods[0], abs=1e-4
            )


def test_top_k_other_than_the_checkpoints(checkpoints: dict[str, tuple[Any, Model]]) -> None:
    """Trap: their rescoring forgets n_docs; ours takes as many passages as it is given."""
    _, model = checkpoints["sequence"]
    for k in (1, 2):
        found = passages(tuple([1 / k] * k), EVEN[:k])
        [decoded] = decode(model.generator, [QUESTION], [found], Settings(max_tokens=6))
        best = decoded.candidates[0]
        exact, _ = slow_marginals(model.generator, best.tokens, found)  # type: ignore[arg-type]
        assert len(best.posterior) == k
        assert best.log_prob == pytest.approx(math.log(exact), abs=1e-4)
