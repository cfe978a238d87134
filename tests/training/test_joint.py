"""Training end to end: retrieval is learnt from answers alone, and what is frozen stays frozen."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import torch

from ragcli import Rag
from ragcli.answering.belonging import check_encoder
from ragcli.answering.retrievers import Dense
from ragcli.answering.session import Session
from ragcli.core.metrics import holds_answer
from ragcli.errors import EncoderMismatchError, ModelError, QuestionError, SettingsError
from ragcli.indexing.build import build_index
from ragcli.models.catalog import load_model
from ragcli.models.encoders import load_encoder
from ragcli.settings import Training
from ragcli.store.store import Store
from ragcli.training.joint import TrainingReport, train
from tests import tiny
from tests.code_words import CODES, FORMS, VALUES, CodeWords, make

JOINT = Training(
    top_k=12,
    epochs=12,
    batch_size=16,
    encoder_rate=2e-2,
    generator_rate=1e-4,
    warmup=0.05,
    seed=1,
)


QUESTIONS = [FORMS[1].format(code) for code in CODES]


class Quiet:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self.measurements: list[dict[str, Any]] = []
        self.warnings: list[str] = []

    def stepped(self, record: dict[str, Any]) -> None:
        self.steps.append(record)

    def measured(self, record: dict[str, Any]) -> None:
        self.measurements.append(record)

    def warned(self, message: str) -> None:
        self.warnings.append(message)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> CodeWords:
    return make(tmp_path_factory.mktemp("code_words"))


def run(world: CodeWords, output: Path, training: Training, **more: Any) -> TrainingReport:
    with Rag.open(store=world.store, model=str(world.generator), encoder=str(world.encoder)) as rag:
        return train(rag, more.pop("data", world.data), output, training, **more)


def recall_1(world: CodeWords, encoder: Any) -> float:
    """Of all questions: the share whose first passage holds the answer; chance is 1 in 16."""
    with Store(world.store).open() as index:
        generator: Any = None
        found = Dense(Session(index, encoder, generator)).retrieve(QUESTIONS, 1)
    held = [
        holds_answer(f[0].passage.text, [value]) for f, value in zip(found, VALUES, strict=True)
    ]
    return sum(held) / len(held)


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def trained(world: CodeWords) -> Path:
    """A joint training, with the bytes of everything frozen compared before and after."""
    frozen = (world.store, Path(world.encoder), world.generator)
    before = [bytes_of(folder) for folder in frozen]
    output = world.folder / "joint"
    run(world, output, JOINT)
    assert [bytes_of(folder) for folder in frozen] == before
    assert len(before[0]) >= 4
    return output


@pytest.mark.slow
def test_retrieval_is_learnt_from_answers_alone(world: CodeWords, trained: Path) -> None:
    assert recall_1(world, load_encoder(world.encoder)) <= 0.15
    model = load_model(str(trained))
    assert recall_1(world, model.encoder) >= 0.9
    assert (model.top_k, model.variant) == (12, "sequence")
    with Rag.open(store=world.store, model=str(trained)) as rag:
        answers = [rag.ask(question).text for question in QUESTIONS]
    right = [answer == value for answer, value in zip(answers, VALUES, strict=True)]
    assert sum(right) / len(right) >= 0.9


@pytest.mark.slow
def test_with_the_retriever_frozen_it_is_not(world: CodeWords) -> None:
    output = world.folder / "frozen"
    report = run(world, output, replace(JOINT, freeze_retriever=True, epochs=4))
    model: Any = load_model(str(output))
    before = load_encoder(world.encoder)
    assert recall_1(world, model.encoder) == recall_1(world, before) <= 0.15
    assert model.encoder.settings.query_digest == before.settings.query_digest
    base = report.manifest["base"]
    assert report.manifest["digests"]["query_encoder"] == base["query_encoder_digest"]
    assert report.manifest["digests"]["generator"] != base["generator_digest"]


def test_a_frozen_generator_stays_itself_and_the_scale_is_learnt(
    world: CodeWords, tmp_path: Path
) -> None:
    training = replace(
        JOINT, variant="token", freeze_generator=True, learn_scale=True, steps=3, accumulate=2
    )
    report = run(world, tmp_path / "model", training)
    base, digests = report.manifest["base"], report.manifest["digests"]
    assert digests["generator"] == base["generator_digest"]
    assert digests["query_encoder"] != base["query_encoder_digest"]
    model: Any = load_model(str(tmp_path / "model"))
    assert model.variant == "token"
    assert model.encoder.settings.score_scale == pytest.approx(report.records[-2]["scale"])
    assert model.encoder.settings.score_scale != 20.0


def test_variant_and_top_k_are_the_models_unless_they_are_said(tmp_path: Path) -> None:
    """As for asking: what is said, else what the checkpoint says (here 3 passages, token)."""
    tiny.rag_checkpoint(tmp_path / "rag", "token", n_docs=3)
    pair = ",".join(map(str, tiny.dpr_pair(tmp_path)))
    for n in range(4):
        (tmp_path / f"{n}.txt").write_text("lima is the capital of peru " * (n + 1))
    documents = [str(path) for path in tmp_path.glob("*.txt")]
    build_index(Store(tmp_path / "store"), load_encoder(pair), documents)
    data = tmp_path / "train.jsonl"
    data.write_text('{"question": "what is the capital ?", "answers": "lima"}\n')
    opened = {"model": str(tmp_path / "rag"), "trust_query_encoder": True}
    for name, said, used in [
        ("model", Training(steps=1), ("token", 3)),
        ("said", Training("sequence", 2, steps=1), ("sequence", 2)),
    ]:
        with Rag.open(store=tmp_path / "store", **opened) as rag:  # type: ignore[arg-type]
            report = train(rag, data, tmp_path / name, said)
        training = report.manifest["training"]
        assert (training["variant"], training["top_k"]) == used
        model = load_model(str(tmp_path / name))
        assert (model.variant, model.top_k) == used


def test_weight_decay_leaves_the_scale_alone(world: CodeWords, tmp_path: Path) -> None:
    """No gradient reaches the scale of one passage alone: only decay could move it."""
    training = replace(
        JOINT,
        top_k=1,
        learn_scale=True,
        steps=3,
        weight_decay=0.5,
        scale_rate=0.1,
        schedule="constant",
    )
    report = run(world, tmp_path / "model", training)
    assert report.records[-2]["scale"] == pytest.approx(20.0)


@pytest.mark.slow
def test_the_folder_says_everything(world: CodeWords, trained: Path) -> None:
    manifest = json.loads((trained / "manifest.json").read_text())
    index = Store(world.store).open()
    assert manifest["training"] == JOINT.to_json() | {"variant": "sequence", "margin": 25}
    assert manifest["data"]["sha256"] == sha256(world.data.read_bytes()).hexdigest()
    assert manifest["index"]["version"] == "1"
    built = index.manifest
    assert manifest["index"]["digests"] == {"corpus": built.corpus_digest} | {
        n: r.sha256 for n, r in built.files.items()
    }
    assert manifest["best_step"] == manifest["steps"] == 48
    settings = json.loads((trained / "query_encoder" / "encoder.json").read_text())
    assert settings["document_digest"] == built.encoder.document_digest
    assert settings["query_digest"] != built.encoder.query_digest
    assert not (trained / "checkpoints").exists()
    log = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    steps = [record["step"] for record in log if "loss" in record]
    assert steps == list(range(1, 49))
    assert log[-2]["loss"] < log[1]["loss"] / 4


@pytest.mark.slow
def test_it_belongs_to_the_indexes_of_its_document_encoder(
    world: CodeWords, trained: Path, tmp_path: Path
) -> None:
    encoder: Any = load_model(str(trained)).encoder
    (tmp_path / "doc.txt").write_text("value1 value2")
    store = Store(tmp_path / "store")
    build_index(store, load_encoder(world.encoder), [str(tmp_path / "doc.txt")], version="same")
    other = tiny.sentence_encoder(tmp_path, layers=2)
    build_index(store, load_encoder(str(other)), [str(tmp_path / "doc.txt")], version="other")
    check_encoder(store.open("@same"), encoder)
    with pytest.raises(EncoderMismatchError, match="document encoder's digest"):
        check_encoder(store.open("@other"), encoder)
    with Rag.open("@same", store=store, model=str(trained)) as rag:
        rag.with_index("@same").close()
    with Rag.open("@same", store=store, encoder=str(trained / "query_encoder")) as r:
        assert r.encoder.settings.trained


@pytest.mark.slow
def test_a_document_encoder_that_is_gone_leaves_the_digests(
    world: CodeWords, trained: Path
) -> None:
    encoder: Any = load_model(str(trained)).encoder
    encoder.settings = replace(encoder.settings, document_name="/no/such/folder")
    check_encoder(Store(world.store).open(), encoder)


@pytest.mark.slow
def test_altered_weights_are_refused(trained: Path, tmp_path: Path) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    for part, loaded in (("query_encoder", "encoder"), ("generator", "generator")):
        copy = tmp_path / part
        shutil.copytree(trained, copy)
        path = copy / part / "model.safetensors"
        tensors = load_file(path)
        name = next(n for n in sorted(tensors) if n.endswith("weight"))
        tensors[name] = tensors[name] + 1
        save_file(tensors, path, metadata={"format": "pt"})
        with pytest.raises(ModelError, match="not th"):
            _ = getattr(load_model(str(copy)), loaded)


def test_dev_by_epoch_and_the_best_is_kept(world: CodeWords, tmp_path: Path) -> None:
    progress = Quiet()
    training = replace(JOINT, epochs=2, encoder_rate=1e-2)
    report = run(world, tmp_path / "model", training, dev=world.data, progress=progress)
    assert [r["epoch"] for r in report.history] == [0, 1, 2]
    assert progress.measurements == list(report.history)
    assert all(0 <= r["dev_recall_1"] <= r["dev_recall_k"] <= 1 for r in report.history)
    ranks = [(r["dev_em"], r["dev_f1"], -r["dev_loss"]) for r in report.history]
    best = report.history[ranks.index(max(ranks))]
    assert report.best_step == best["step"]
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert manifest["best_step"] == report.best_step


def test_the_random_state_of_the_caller_is_left_alone(world: CodeWords, tmp_path: Path) -> None:
    torch.manual_seed(3)
    before = torch.get_rng_state()
    progress = Quiet()
    run(world, tmp_path / "model", replace(JOINT, steps=1, top_k=99), progress=progress)
    assert progress.warnings == ["top-k 99 is more than the index holds; using all 16 passages"]
    assert torch.equal(torch.get_rng_state(), before)


def test_collapse_is_seen_and_stops(
    world: CodeWords, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every question is given the same query from the second measurement on."""
    from ragcli.models.query_network import QueryNetwork

    honest, calls = QueryNetwork.embed, []

    def embed(self: QueryNetwork, features: dict[str, Any]) -> torch.Tensor:
        calls.append(1)
        found = honest(self, features)
        return found if len(calls) <= 10 else found[:1].expand(len(found), -1) * 1.0

    monkeypatch.setattr(QueryNetwork, "embed", embed)
    progress = Quiet()
    training = replace(JOINT, stop_on_collapse=True)
    report = run(world, tmp_path / "model", training, progress=progress)
    assert report.stopped is not None
    assert "retrieval collapse" in report.stopped
    assert progress.warnings[-1] == report.stopped
    assert report.steps < 48
    assert report.manifest["stopped"] == report.stopped


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "what is code1 ?"}', "bad.jsonl:2: no answers"),
        ('{"answers": ["value1"]}', "bad.jsonl:2: no question"),
        ('{"question": "x", "answers": []}', "bad.jsonl:2: no answers"),
        (
            '{"question": "x", "answers": ["a", " "]}',
            "bad.jsonl:2: answers must be a text or a list of texts, none of them empty",
        ),
        ('{"question": " ", "answers": ["a"]}', "bad.jsonl:2: no question"),
        (
            '{"question": "x", "answers": ["' + "value1 " * 70 + '"]}',
            "bad.jsonl:2: an answer of 72",
        ),
        (
            '{"question": "' + "what " * 40 + '", "answers": ["a"]}',
            "bad.jsonl:2: the question takes",
        ),
        (
            '{"question": "x", "answers": ["19\\\\d\\\\d"], "patterns": true}',
            "bad.jsonl:2: its answers are regular expressions",
        ),
        ('{"question": "x"', "bad.jsonl:2: not JSON"),
        ("[1]", "bad.jsonl:2: not a JSON object"),
    ],
)
def test_bad_data_is_named_before_any_work(
    world: CodeWords, tmp_path: Path, line: str, message: str
) -> None:
    data = tmp_path / "bad.jsonl"
    data.write_text('{"question": "code1 ?", "answers": "value1"}\n' + line + "\n")
    with pytest.raises(QuestionError) as caught:
        run(world, tmp_path / "model", JOINT, data=data)
    assert message in str(caught.value)
    assert not (tmp_path / "model").exists()


@pytest.mark.slow
def test_no_examples_and_folders_that_are_taken(
    world: CodeWords, trained: Path, tmp_path: Path
) -> None:
    (tmp_path / "none.jsonl").write_text("\n\n")
    with pytest.raises(QuestionError, match=r"none\.jsonl: no questions"):
        run(world, tmp_path / "model", JOINT, data=tmp_path / "none.jsonl")
    with pytest.raises(SettingsError, match="finished"):
        run(world, trained, JOINT, resume=True)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine")
    with pytest.raises(SettingsError, match="not empty"):
        run(world, tmp_path / "taken", JOINT)
    with pytest.raises(SettingsError, match="is a file"):
        run(world, tmp_path / "none.jsonl", JOINT)


def test_diverging_is_an_error(world: CodeWords, tmp_path: Path) -> None:
    training = replace(JOINT, encoder_rate=1e30, generator_rate=1e30, warmup=0.0, clip=1e30)
    with pytest.raises((SettingsError, EncoderMismatchError), match="finite"):
        run(world, tmp_path / "model", training)
