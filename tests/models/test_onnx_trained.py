"""What `rag train` made and `rag export-model --onnx` gave graphs: it answers without torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ragcli import Rag
from ragcli.errors import ModelError
from ragcli.indexing.build import build_index
from ragcli.models.encoders import load_encoder
from ragcli.models.model_folder import save_generator
from ragcli.models.onnx.export import export_onnx
from ragcli.models.onnx.generator import OnnxGenerator
from ragcli.records import Answer
from ragcli.settings import Placement, Training
from ragcli.store.store import Store
from ragcli.training.joint import train
from tests import tiny
from tests.models.engines import bart, t5

QUESTION = "what is the capital of peru ?"
DOCUMENTS = {
    "peru": "lima is the capital of peru",
    "paris": "paris is the capital of france",
    "lyon": "the king of lyon is in the city",
}
GENERATORS = {
    "bart": lambda: bart(),
    "t5": lambda: t5(feed_forward_proj="gated-gelu", tied=True, scale=2.0),
}
ASK = """\
import sys
from ragcli.cli.app import main
sys.argv = ["rag", "ask", {question!r}, "--json", "--model", {model!r}, "--store", {store!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
heavy = ("torch", "transformers", "sentence_transformers")
print("loaded", [name for name in heavy if name in sys.modules], file=sys.stderr)
"""


def trained(folder: Path, kind: str) -> Path:
    """A model after two steps of training; the store stands beside it."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / f"{name}.txt").write_text(text)
    encoder = str(tiny.sentence_encoder(folder))
    build_index(Store(folder / "store"), load_encoder(encoder), [str(docs)], version="1")
    save_generator(folder / "generator", GENERATORS[kind]())
    data = folder / "data.jsonl"
    data.write_text(json.dumps({"question": QUESTION, "answers": ["lima"]}) + "\n")
    said = {"model": str(folder / "generator"), "encoder": encoder}
    with Rag.open(store=folder / "store", **said) as rag:
        train(rag, data, folder / "model", Training(steps=2, top_k=2, encoder_rate=1e-2))
    return folder / "model"


@pytest.mark.parametrize("kind", GENERATORS)
def test_it_answers_alike_without_torch(tmp_path: Path, kind: str) -> None:
    model, faster = trained(tmp_path, kind), tmp_path / "faster"
    assert export_onnx(str(model), faster) == []
    answers: list[Answer] = []
    for name, placement in ((model, Placement()), (faster, Placement(engine="onnx"))):
        with Rag.open(store=tmp_path / "store", model=str(name), placement=placement) as rag:
            decodings: list[dict[str, Any]] = [{}, {"mode": "fast"}, {"variant": "token"}]
            answers += [rag.using(**changes).ask(QUESTION) for changes in decodings]
            assert (type(rag.generator) is OnnxGenerator) == (name == faster)
            untrained = load_encoder(str(tmp_path / "encoder")).encode_queries([QUESTION])
            assert rag.encoder.encode_queries([QUESTION]) != pytest.approx(untrained, abs=1e-4)
    for theirs, ours in zip(answers[:3], answers[3:], strict=True):
        assert [c.text for c in ours.candidates] == [c.text for c in theirs.candidates]
        assert [c.log_prob for c in ours.candidates] == pytest.approx(
            [c.log_prob for c in theirs.candidates], abs=1e-4
        )
    code = ASK.format(question=QUESTION, model=str(faster), store=str(tmp_path / "store"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert "loaded []" in done.stderr, done.stderr
    assert json.loads(done.stdout)["answer"] == answers[0].text


def test_odd_graphs_of_a_query_encoder_are_one_line(tmp_path: Path) -> None:
    faster = tmp_path / "faster"
    export_onnx(str(trained(tmp_path, "bart")), faster)
    query = faster / "query_encoder"
    for name, text in (
        ("onnx/graphs.json", "[]"),
        ("onnx/graphs.json", "{}"),
        ("onnx/graphs.json", '{"graphs": {"fp32": ["no.such.weight"]}}'),
        ("onnx/fp32.onnx", "no graph"),
        ("1_Pooling/config.json", '{"pooling_mode": "by ear"}'),
        ("tokenizer.json", "{"),
    ):
        kept = (query / name).read_bytes()
        (query / name).write_text(text)
        with pytest.raises(ModelError) as told:
            load_encoder(str(query))
        assert len(str(told.value).splitlines()) == 1
        (query / name).write_bytes(kept)
    (query / "onnx" / "fp32.onnx").unlink()
    with pytest.raises(ModelError, match="is not usable on the engine onnx"):
        load_encoder(str(query))


def test_a_query_encoder_that_does_more_is_left_to_torch(tmp_path: Path) -> None:
    """A layer after the pooling: our graphs would leave it out."""
    model = trained(tmp_path, "bart")
    path = model / "query_encoder" / "modules.json"
    modules = json.loads(path.read_text())
    path.write_text(json.dumps([*modules, {"path": "2_Dense", "type": "models.Dense"}]))
    assert export_onnx(str(model), tmp_path / "faster") == ["query_encoder"]
    assert not (tmp_path / "faster" / "query_encoder" / "onnx").exists()
