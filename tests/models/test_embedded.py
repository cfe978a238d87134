"""The model that ships: checked, loaded by default, and right on plain questions of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, BartForConditionalGeneration

from ragcli.answering.decode import decode, read
from ragcli.digests import file_digest
from ragcli.errors import ModelError, ModelNotFoundError
from ragcli.models import catalog
from ragcli.models.catalog import EMBEDDED_FOLDER, load_model
from ragcli.protocols import Generator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings

# Documents of our own, on things that do not exist.
DOCUMENTS = {
    "Mayor of Velmora": (
        "The Mayor of Velmora leads the city council and is elected for four years. Tomás Iríbar "
        "held the office from 2003 to 2011. Since May 2015 the mayor has been Ágnes Kővári, who "
        "defeated Rolf Dahlin in the second round. The deputy mayor is Omar Benali."
    ),
    "Brightwell Pumps": (
        "Brightwell Pumps was founded in 1921 in Leicester by Harold Brightwell. The firm makes "
        "pumps for ships. Its headquarters moved to Hull in 1964, and it employs 340 people."
    ),
}
QUESTIONS = [
    ("Who is the Mayor of Velmora?", "Ágnes Kővári"),
    ("Who is the deputy mayor of Velmora?", "Omar Benali"),
    ("How many people does Brightwell Pumps employ?", "340"),
    ("When was Brightwell Pumps founded?", "1921"),
]


@pytest.fixture(scope="module")
def generator() -> Generator:
    return load_model().generator


def passages() -> list[RetrievedPassage]:
    return [
        RetrievedPassage(Passage(f"{t}#0", t, t, text, "", "ours", 1, 0, 1), n, 0.0, -0.6931471806)
        for n, (t, text) in enumerate(DOCUMENTS.items())
    ]


@pytest.mark.parametrize(("question", "answer"), QUESTIONS)
@pytest.mark.parametrize(
    "decoding",
    [Settings(), Settings(mode="fast"), Settings(variant="token")],
    ids=str,
)
def test_it_answers_in_the_passages_spelling(
    generator: Generator, question: str, answer: str, decoding: Settings
) -> None:
    [decoded] = decode(generator, [question], [passages()], decoding)
    best = decoded.candidates[0]
    assert best.text == answer
    holder = [answer in text for text in DOCUMENTS.values()].index(True)
    assert max(range(2), key=lambda j: best.posterior[j]) == holder


def test_it_says_when_no_passage_answers(generator: Generator) -> None:
    questions = ["Who is the Mayor of Velmora?", "Who wrote the opera Lantern Hill?"]
    known, unknown = decode(generator, questions, [passages()] * 2, Settings())
    assert known.no_answer is not None
    assert unknown.no_answer is not None
    assert unknown.no_answer > known.no_answer
    assert unknown.candidates[0].log_prob < known.candidates[0].log_prob


def test_its_silence_is_what_transformers_computes_with_the_bias_it_carries(
    generator: Generator,
) -> None:
    """The bias is BART's own buffer, so any program that opens the folder abstains alike."""
    theirs = BartForConditionalGeneration.from_pretrained(EMBEDDED_FOLDER, dtype=torch.float32)
    gap = json.loads((EMBEDDED_FOLDER / "rag.json").read_text())["no_answer_token_id"]
    bias = theirs.final_logits_bias[0]
    assert bias[gap] > 0
    assert bias.count_nonzero() == 1
    title, text = next(iter(DOCUMENTS.items()))
    question = "Who wrote the opera Lantern Hill?"
    inputs = AutoTokenizer.from_pretrained(EMBEDDED_FOLDER)(
        f"{question} [SEP] {title} / {text}", return_tensors="pt"
    )
    with torch.no_grad():
        logits = theirs(**inputs, decoder_input_ids=torch.tensor([[gap]])).logits[0, 0]
    reading = read(generator, [question], [passages()[:1]])
    assert reading.silence()[0] == pytest.approx(float(logits.softmax(0)[gap]), rel=1e-4)


def test_the_package_carries_it_whole() -> None:
    weights = EMBEDDED_FOLDER / "model.safetensors"
    assert weights.stat().st_size <= 64_000_000
    assert (EMBEDDED_FOLDER / "SHA256").read_text().split()[0] == file_digest(weights)
    assert json.loads((EMBEDDED_FOLDER / "rag.json").read_text())["uncased"] is True
    assert "data" in (EMBEDDED_FOLDER / "README.md").read_text().lower()


def test_altered_or_missing_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "EMBEDDED_FOLDER", tmp_path)
    with pytest.raises(ModelNotFoundError, match="carries no embedded model"):
        load_model()
    (tmp_path / "model.safetensors").write_bytes(b"not these")
    (tmp_path / "SHA256").write_text("0" * 64 + "  model.safetensors\n")
    with pytest.raises(ModelError, match="altered"):
        load_model("embedded")
