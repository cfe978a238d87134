"""`rag train`, `train-retriever` and `export-model` as a person and a mistaken user run them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World

QUESTION = "who is the president of peru ?"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = [
        {"question": QUESTION, "answers": ["queen"]},
        {"question": "what is the capital of france ?", "answers": ["paris", "paris france"]},
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def options(world: World, output: Path) -> tuple[object, ...]:
    return (*world.options, "-o", output, "-k", 2, "--epochs", 2, "--batch-size", 2)


def test_train_then_ask_then_export(rag: Run, world: World, data: Path, tmp_path: Path) -> None:
    output = tmp_path / "my-model"
    more = ("--variant", "token", "--dev", data, "--label-smoothing", 0.1, "--schedule", "cosine")
    result = rag("train", data, *options(world, output), *more)
    assert result.code == 0, result.err
    assert "recall@1" in result.out
    assert "best" in result.out
    assert "4 steps over 3 examples" in result.out
    assert re.search(r", [12] passages? in first place for 2 questions$", result.err, re.M)
    assert "epoch 2: EM" in result.err
    page = (output / "training.html").read_text()
    assert page.count("<polyline") == 7
    assert "http" not in page.replace("http://www.w3.org", "")
    asked = rag("ask", QUESTION, "--store", world.store, "--model", output, "--json")
    assert asked.code == 0, asked.err
    record = json.loads(asked.out)
    assert (record["variant"], record["top_k"]) == ("token", 2)
    found = rag("retrieve", QUESTION, "--store", world.store, "--model", output, "--json")
    assert len(found.out.splitlines()) == 2
    exported = rag("export-model", output, tmp_path / "hf")
    assert exported.code == 0, exported.err
    assert "RagTokenForGeneration" in exported.err
    again = rag(
        "ask",
        QUESTION,
        "--store",
        world.store,
        "--model",
        tmp_path / "hf",
        "--json",
        "--trust-query-encoder",
    )
    assert json.loads(again.out)["log_prob"] == pytest.approx(record["log_prob"], abs=1e-4)
    swapped = rag("ask", QUESTION, "--store", world.store, "--model", output, "-i", "@2016")
    assert swapped.code == 0, swapped.err


def test_evaluate_with_the_retriever_frozen(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    """--frozen is the ablation: the index's own encoder, whatever the model was trained with."""
    trained = {"joint": (), "frozen": ("--freeze-retriever", "--learn-scale")}
    runs = {}
    for name, more in trained.items():
        made = rag("train", data, *options(world, tmp_path / name), "--encoder-rate", 0.01, *more)
        assert made.code == 0, made.err
        for flags in ((), ("--frozen",)):
            model = ("--store", world.store, "--model", tmp_path / name)
            result = rag("evaluate", data, *model, "--json", *flags)
            assert result.code == 0, result.err
            runs[name, bool(flags)] = json.loads(result.out)["run"]
    built = runs["joint", True]["encoder_digest"]
    assert runs["joint", False]["encoder_digest"] != built
    assert runs["frozen", False] == runs["frozen", True]
    assert runs["frozen", True]["encoder_digest"] == built
    assert runs["frozen", True]["score_scale"] != runs["joint", True]["score_scale"] == 1.0


def test_train_for_machines(rag: Run, world: World, data: Path, tmp_path: Path) -> None:
    result = rag("train", data, *options(world, tmp_path / "model"), "--json", "--steps", 1)
    assert result.code == 0, result.err
    record = json.loads(result.out)
    assert record["steps"] == 1
    assert record["training"]["seed"] == 0
    assert record["index"]["version"] == "2018"
    finished = rag("train", data, *options(world, tmp_path / "model"), "--resume")
    assert (finished.code, "finished" in finished.err) == (2, True)


def test_a_k_beyond_the_index_is_told_once_and_only_where_k_matters(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    result = rag("train", data, *options(world, tmp_path / "model"), "-k", 12, "--epochs", 1)
    assert [line for line in result.err.splitlines() if "top-k" in line] == [
        "warning: top-k 12 is more than the index holds; using all 5 passages"
    ]
    (tmp_path / "one.txt").write_text("the president of peru is queen .")
    small = ("--store", tmp_path / "store")
    rag("build-index", tmp_path / "one.txt", *small, "--encoder", world.encoder)
    trained = rag("train-retriever", data, *small, "-o", tmp_path / "encoder", "--negatives", 0)
    assert trained.code == 0, trained.err
    assert "top-k" not in trained.err


def test_with_one_thread_the_same_training_gives_the_same_bits(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    for command, more in (("train", world.options), ("train-retriever", ("--store", world.store))):
        found = []
        for name in ("one", "two"):
            output = tmp_path / command / name
            output.parent.mkdir(exist_ok=True)
            result = rag(command, data, "-o", output, "--epochs", 1, "--threads", 1, *more)
            assert result.code == 0, result.err
            files = sorted(output.rglob("model.safetensors"))
            found.append([(file.relative_to(output), file.read_bytes()) for file in files])
        assert found[0] == found[1] != []


def test_train_the_retriever_then_train_with_it(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    encoder = tmp_path / "encoder"
    result = rag("train-retriever", data, "--store", world.store, "-o", encoder, "--json")
    assert result.code == 0, result.err
    record = json.loads(result.out)
    assert (record["pairs"], record["unmatched"]) == (2, 0)
    more = ("--encoder", encoder, "--freeze-retriever", "--steps", 1)
    trained = rag("train", data, *options(world, tmp_path / "model"), *more)
    assert trained.code == 0, trained.err
    people = rag("train-retriever", data, "--store", world.store, "-o", tmp_path / "second")
    assert "recall@1 on them" in people.out


def test_examples_without_a_passage_are_named(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    with data.open("a") as stream:
        stream.write('{"question": "who is king ?", "answers": ["nobody"]}\n')
    result = rag("train-retriever", data, "--store", world.store, "-o", tmp_path / "encoder")
    assert result.code == 0, result.err
    assert "train.jsonl:3: no passage holds its answer; left out" in result.err


MISTAKES = [
    (2, ("--freeze-retriever", "--freeze-generator"), "nothing to train"),
    (2, ("--encoder-rate", "0"), "encoder-rate must be positive"),
    (2, ("--warmup", "1"), "warmup is a share"),
    (2, ("--label-smoothing", "1"), "label-smoothing is a share"),
    (1, ("--index", "@1999"), "no version default@1999"),
    (1, ("--dev", "missing.jsonl"), "missing.jsonl: cannot be read"),
]


@pytest.mark.parametrize(("code", "args", "message"), MISTAKES)
def test_mistakes_get_one_line(
    rag: Run,
    world: World,
    data: Path,
    tmp_path: Path,
    code: int,
    args: tuple[str, ...],
    message: str,
) -> None:
    result = rag("train", data, *options(world, tmp_path / "model"), *args)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert not (tmp_path / "model").exists()


def test_bad_lines_and_folders_that_are_taken(
    rag: Run, world: World, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.jsonl").write_text('{"question": "x"}\n')
    for command in ("train", "train-retriever"):
        bad = rag(command, tmp_path / "bad.jsonl", "--store", world.store, "-o", tmp_path / "model")
        assert (bad.code, "bad.jsonl:1: no answers" in bad.err) == (1, True)
    taken = rag("train", data, *options(world, tmp_path))
    assert (taken.code, "--resume" in taken.err) == (2, True)
    not_ours = rag("export-model", world.generator, tmp_path / "hf")
    assert (not_ours.code, "not a model that rag train made" in not_ours.err) == (1, True)


def test_the_library_trains_with_public_names_alone(
    world: World, data: Path, tmp_path: Path
) -> None:
    from ragcli import Placement, Rag, Retrieval, Training, train

    model, output = str(world.generator), tmp_path / "trained"
    with Rag.open(
        "default@2018", store=world.store, model=model, placement=Placement(device="cpu")
    ) as rag:
        train(rag, data, output, Training(steps=1, batch_size=1, top_k=2))
    said = Retrieval(top_k=1)
    with Rag.open("default@2018", store=world.store, model=str(output), retrieval=said) as rag:
        answer = rag.ask(QUESTION)
    assert (len(answer.passages), answer.version) == (1, "2018")
