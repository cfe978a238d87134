"""The same network on torch and on ONNX Runtime, and what both must agree on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ragcli.answering.decode import decode, read
from ragcli.models.language import Manner
from ragcli.models.model_folder import save_generator
from ragcli.models.onnx.export import write_graphs
from ragcli.models.onnx.generator import OnnxGenerator
from ragcli.models.seq2seq import load_generator
from ragcli.models.source import locate
from ragcli.models.torch_generator import TorchGenerator
from ragcli.protocols import Generator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Placement
from tests import tiny

TEXTS = ("lima is the capital of peru", "paris is in france", "the king of lyon is a river")
QUESTIONS = ["what is the capital of peru ?", "who is king ?"]
DECODINGS = [
    Settings(max_tokens=8),
    Settings(max_tokens=8, n_best=1),
    Settings(max_tokens=8, mode="fast"),
    Settings(max_tokens=8, variant="token"),
    Settings(max_tokens=6, min_tokens=3, no_repeat_ngram=2, beams=3),
]


def found(question: int) -> list[RetrievedPassage]:
    """Three passages, in another order for each question."""
    return [
        RetrievedPassage(Passage(f"{n}", "d", "city", text, "", "s", 1, 0, 1), n, 0.0, prior)
        for n, (text, prior) in enumerate(
            zip(TEXTS[question:] + TEXTS[:question], np.log([0.5, 0.3, 0.2]), strict=True)
        )
    ]


def bart(manner: Manner = Manner(), seed: int = 0, **extra: object) -> TorchGenerator:  # noqa: B008
    return TorchGenerator(tiny.bart(seed=seed, **extra), tiny.tokenizer(), "tiny", manner)


def t5(manner: Manner = Manner(), seed: int = 0, **extra: object) -> TorchGenerator:  # noqa: B008
    return TorchGenerator(tiny.t5(seed=seed, **extra), tiny.tokenizer(False), "tiny", manner)


def both(folder: Path, made: TorchGenerator) -> list[Generator]:
    """A generator as torch and as ONNX Runtime load it from a folder."""
    save_generator(folder, made)
    made = load_generator(locate(str(folder)))
    write_graphs(folder, folder / "onnx", made.digest)
    return [made, OnnxGenerator(locate(str(folder)), Placement(threads=1))]


def require_same_answers(torch: Generator, ours: Generator) -> None:
    assert ours.digest == torch.digest
    assert ours.manner == torch.manner
    assert ours.prompting == torch.prompting
    assert ours.max_tokens == torch.max_tokens
    assert set(ours.reserved) == set(torch.reserved)
    written = set()
    for settings in DECODINGS:
        theirs, mine = (
            decode(generator, QUESTIONS, [found(0), found(1)], settings, explain=True)
            for generator in (torch, ours)
        )
        for their, our in zip(theirs, mine, strict=True):
            assert [c.text for c in our.candidates] == [c.text for c in their.candidates]
            for a, b in zip(our.candidates, their.candidates, strict=True):
                assert a.log_prob == pytest.approx(b.log_prob, abs=1e-4)
                assert a.posterior == pytest.approx(b.posterior, abs=1e-4)
                assert a.token_texts == b.token_texts
                written.add(a.token_texts)
            assert our.no_answer == pytest.approx(their.no_answer, abs=1e-5)
    assert len({len(tokens) for tokens in written}) > 1  # some end early, some go on


def require_same_scores(torch: Generator, ours: Generator) -> None:
    targets = [(6, 7, 2), (6, 7, 8, 2), (6, 2), (2,), (9, 9, 9, 9, 2), (6, 7, 2)]
    rows = np.array([0, 0, 0, 1, 1, 2])
    readings = [read(generator, ["who ?"], [found(0)]) for generator in (torch, ours)]
    theirs, mine = (reading.token_log_probs(rows, targets) for reading in readings)
    assert np.array_equal(mine.mask, theirs.mask.numpy())
    assert mine.log_probs == pytest.approx(theirs.log_probs.numpy(), abs=1e-4)
    assert (mine.answered is None) == (theirs.answered is None)
    if mine.answered is not None:
        assert mine.answered == pytest.approx(theirs.answered.numpy(), abs=1e-4)
    some = [reading.select(np.array([2, 0])) for reading in readings]
    again = [s.token_log_probs(np.array([0, 1]), targets[:2]).log_probs for s in some]
    assert again[1] == pytest.approx(again[0].numpy(), abs=1e-4)
