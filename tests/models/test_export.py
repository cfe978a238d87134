"""A trained model in Hugging Face's format: opened by their class, with the loss it has here."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from ragcli import Rag
from ragcli.errors import ModelError, SettingsError
from ragcli.models.export import export_rag
from ragcli.settings import Training
from ragcli.training.joint import train
from tests.cli.conftest import World
from tests.cli.conftest import world as world  # the fixture
from tests.code_words import make

QUESTION, ANSWER = "what is the capital of france ?", "paris the city"


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_same_loss_as_hugging_face_on_the_exported_model(
    world: World, tmp_path: Path, variant: Any
) -> None:
    data = tmp_path / "train.jsonl"
    data.write_text(json.dumps({"question": QUESTION, "answers": ["paris"]}) + "\n")
    training = Training(
        variant=variant, top_k=2, steps=2, encoder_rate=1e-3, learn_scale=True, scale_rate=0.1
    )
    folder, output = tmp_path / "model", tmp_path / "hf"
    with Rag.open(store=world.store, model=str(world.generator), encoder=str(world.encoder)) as rag:
        train(rag, data, folder, training)
    kind = export_rag(folder, output)
    assert kind == f"Rag{variant.capitalize()}ForGeneration"
    theirs: Any = getattr(transformers, kind).from_pretrained(output)
    tokenizer: Any = transformers.RagTokenizer.from_pretrained(output)
    assert theirs.config.n_docs == 2

    with Rag.open(store=world.store, model=str(folder)) as rag:
        assert rag.encoder.settings.score_scale != 1.0
        found = rag.retrieve(QUESTION)
        [ours] = rag.score(QUESTION, [ANSWER])
        stored = torch.tensor(rag.index.vectors([r.row for r in found]))
        target = rag.generator.tokenize(ANSWER)
    asked = tokenizer.question_encoder([QUESTION], return_tensors="pt")
    query = theirs.rag.question_encoder(asked.input_ids, asked.attention_mask).pooler_output
    texts = [f"{r.passage.title} / {r.passage.text} // {QUESTION}" for r in found]
    texts = [text.removeprefix(" / ") for text in texts]
    contexts = tokenizer.generator(texts, padding=True, return_tensors="pt")
    loss = theirs(
        context_input_ids=contexts.input_ids,
        context_attention_mask=contexts.attention_mask,
        doc_scores=query @ stored.T,
        labels=torch.tensor([[2, *target]]),
        n_docs=2,
    ).loss.sum()
    log_prob = ours.sequence_log_prob if variant == "sequence" else ours.token_log_prob
    assert math.isfinite(log_prob)
    assert log_prob == pytest.approx(-loss.item(), abs=1e-4)


@pytest.mark.slow
def test_what_cannot_be_exported(tmp_path: Path) -> None:
    words = make(tmp_path)
    with pytest.raises(ModelError, match="not a model that rag train made"):
        export_rag(words.generator, tmp_path / "hf")
    with Rag.open(store=words.store, model=str(words.generator), encoder=str(words.encoder)) as rag:
        train(rag, words.data, tmp_path / "model", Training(steps=1, top_k=2))
    with pytest.raises(ModelError, match="sentence-transformers model, and that format holds DPR"):
        export_rag(tmp_path / "model", tmp_path / "hf")
    (tmp_path / "hf").mkdir()
    (tmp_path / "hf" / "file").write_text("mine")
    with pytest.raises(SettingsError, match="nothing is written over"):
        export_rag(tmp_path / "model", tmp_path / "hf")
