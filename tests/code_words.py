"""A corpus in which the untrained retriever is wrong by design.

Each passage holds a value; each question names a code word that stands in no passage. Nothing but
training on answers can tell which passage a code word means. The generator's vocabulary has no code
words, so it cannot learn the answers by heart: it has to read them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ragcli.core.prompting import fit
from ragcli.indexing.build import build_index
from ragcli.models.encoders import load_encoder
from ragcli.models.language import Manner
from ragcli.models.model_folder import save_generator
from ragcli.models.torch_generator import TorchGenerator
from ragcli.models.trainable import TrainableGenerator
from ragcli.settings import Prompting
from ragcli.store.store import Store
from tests import tiny

COUNT = 16
CODES = [f"code{n}" for n in range(COUNT)]
VALUES = [f"value{n}" for n in range(COUNT)]
FORMS = ("{} ?", "what is {} ?", "{} is what ?", "what is in {} ?")
FRAME = "what is in ? // /".split()


@dataclass(frozen=True)
class CodeWords:
    """Where the store, the data and the models of the corpus are."""

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def data(self) -> Path:
        return self.folder / "train.jsonl"

    @property
    def generator(self) -> Path:
        return self.folder / "generator"

    @property
    def encoder(self) -> str:
        return str(self.folder / "encoder")


def make(folder: Path) -> CodeWords:
    world = CodeWords(folder)
    torch.manual_seed(0)
    tiny.sentence_encoder(folder, [*FRAME, *CODES, *VALUES])
    save_generator(world.generator, _generator())
    docs = folder / "docs"
    docs.mkdir()
    for n, value in enumerate(VALUES):
        (docs / f"{n:02}.txt").write_text(_passage(value))
    lines = [
        {"question": form.format(code), "answers": [value]}
        for form in FORMS
        for code, value in zip(CODES, VALUES, strict=True)
    ]
    world.data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    build_index(Store(world.store), load_encoder(world.encoder), [str(docs)], version="1")
    return world


def _passage(value: str) -> str:
    """The value again and again, so that a random d(z) tells passages apart."""
    return f"{value} {value} {value} {value}"


def _generator() -> TorchGenerator:
    """A tiny BART that has learnt to read: the value in the passage is the answer."""
    words = [*FRAME, *VALUES]
    model: Any = tiny.bart(
        len(words) + 4, d_model=32, encoder_layers=1, decoder_layers=1, init_std=0.1, dropout=0.0
    )
    prompting = Prompting(max_length=32)
    generator = TorchGenerator(model, tiny.tokenizer(words=words), "tiny", Manner(prompting))
    scorer = TrainableGenerator(generator, size=9999)
    pairs = [(form.format(CODES[0]), "", _passage(value)) for value in VALUES for form in FORMS]
    inputs = fit(pairs, generator.prompting, generator.tokenize_inputs)
    targets = [generator.tokenize(value) for value in VALUES for _ in FORMS]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(150):
        scored = scorer.score(inputs, targets)
        loss = -scored.log_probs.sum() / len(targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return generator
