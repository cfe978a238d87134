"""What the commands print as JSON is what the schemas say, key by key."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.conftest import Run, World

SCHEMAS = json.loads((files("ragcli.json_form") / "schemas.json").read_text(encoding="utf-8"))
QUESTION = "who is the president of peru ?"


def closed(schema: Any) -> Any:
    """The same schema where no key may be there that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        inner.setdefault("additionalProperties", False)
    return inner


CLOSED = closed(SCHEMAS)


def check(name: str, record: Any) -> None:
    schema = {"$ref": f"#/$defs/{name}", "$defs": CLOSED["$defs"]}
    Draft202012Validator(schema).validate(record)


@pytest.fixture
def printed(rag: Run) -> Any:
    """The records that a command prints, each of them checked."""

    def run(name: str, *args: object, code: int = 0, stdin: bytes = b"") -> list[dict[str, Any]]:
        result = rag(*args, stdin=stdin)
        assert result.code == code, result.err
        records = [json.loads(line) for line in result.out.splitlines()]
        assert records
        for record in records:
            check(name, record)
        return records

    return run


@pytest.fixture
def store(world: World, tmp_path: Path) -> Path:
    """A copy to change."""
    return Path(shutil.copytree(world.store, tmp_path / "store"))


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    answers = {"2016": ["king"], "2018": ["queen"]}
    lines = [
        {"question": QUESTION, "answers": answers, "document": "peru.md"},
        {"question": "where is lyon ?", "answers": {key: ["france"] for key in answers}},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_the_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(SCHEMAS)


def test_a_key_too_many_or_too_few_is_seen() -> None:
    record = {"index": "default", "version": "2018", "previous": None}
    check("current", record)
    for wrong in (record | {"other": 1}, {"index": "default", "version": "2018"}):
        validator = Draft202012Validator({"$ref": "#/$defs/current", "$defs": CLOSED["$defs"]})
        assert not validator.is_valid(wrong)


def test_answers(printed: Any, world: World) -> None:
    options = (*world.options, "--json")
    (answer,) = printed("answer", "ask", QUESTION, *options)
    assert answer["doubted"] is False
    (answer,) = printed("answer", "ask", QUESTION, *options, "--decoding", "fast")
    (answer,) = printed("answer", "ask", QUESTION, *options, "--variant", "token", "--explain")
    assert len(answer["tokens"][0]["posterior"]) == 5
    found = printed("retrieved", "retrieve", QUESTION, *options)
    assert [record["rank"] for record in found] == [1, 2, 3, 4, 5]
    printed("score", "score", QUESTION, "king", "queen", *options)
    printed("classification", "classify", "lima", "--labels", "one,two", *options)
    printed("error", "ask", "-", *options, stdin=b'{"id": 1}\n', code=1)


def test_the_embedded_model_says_when_it_finds_nothing(
    printed: Any, world: World, tmp_path: Path
) -> None:
    """Its record has one key more: the probability of "no answer"."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "lima.md").write_text("# Lima\n\nThe mayor of Lima is Rosa Quispe.\n")
    store = ("--store", tmp_path / "embedded", "--json")
    printed("build", "build-index", folder, *store)
    (answer,) = printed("answer", "ask", "Who is the mayor of Lima?", *store)
    assert (answer["answer"], answer["doubted"]) == ("Rosa Quispe", False)
    assert 0.5 < answer["confidence"] < 1
    assert 0 <= answer["no_answer_prob"] <= 1
    (answer,) = printed("answer", "ask", "How deep is the sea?", *store)
    assert answer["doubted"] is True
    assert 0 < answer["confidence"] < 0.5
    least = ("--min-confidence", 0.5)
    (answer,) = printed("answer", "ask", "How deep is the sea?", *store, *least)
    assert answer["answer"] is None
    (answer,) = printed("answer", "ask", "Who is the mayor of Lima?", *store, *least)
    assert answer["answer"] == "Rosa Quispe"


def test_documents_and_indexes(
    rag: Run, printed: Any, world: World, store: Path, tmp_path: Path
) -> None:
    options = ("--store", store, "--json")
    lines = tmp_path / "more.jsonl"
    lines.write_text('{"id": "a", "text": "one two", "year": 1}\n')
    passages = printed("passage", "chunk", world.folder / "2018", lines, "--words", 5)
    assert [p["metadata"] for p in passages if "metadata" in p] == [{"year": 1}]
    docs = (world.folder / "2018", "--encoder", world.encoder, *options)
    printed("build", "build-index", *docs, "--version", "hnsw", "--type", "hnsw")
    printed("build", "update-index", *docs, "--version", "next")
    printed("build", "delete-documents", "lyon.txt", *options, "--version", "less")
    printed("current", "swap-index", "2016", *options)
    (store / "default" / "versions" / "hnsw" / "manifest.json").write_text("{}")
    assert {"error" in entry for entry in printed("entry", "list-indexes", *options)} == {
        True,
        False,
    }
    assert {"error" in entry for entry in printed("log", "log-index", *options)} == {True, False}
    printed("finding", "doctor", "--only-store", *options, code=1)
    printed("prune", "prune-index", "--keep", 1, "--dry-run", *options)
    archive = tmp_path / "old.tar.zst"
    assert rag("export-index", archive, "--store", store, "--index", "@2016").code == 0
    named = ("--encoder", world.encoder)
    printed("import", "import-index", archive, *options, *named, "--version", "copy")


def test_what_an_index_would_take(printed: Any, world: World) -> None:
    encoder = ("--encoder", world.encoder, "--json")
    printed("plan", "plan-index", world.folder / "2018", *encoder)


def test_what_changed(printed: Any, world: World, questions: Path) -> None:
    (plain,) = printed("diff", "diff-index", "2016", "2018", "--store", world.store, "--json")
    assert [change["id"] for change in plain["documents"]["changed"]] == ["peru.md"]
    asked = ("--questions", questions, *world.options, "--json")
    (record,) = printed("diff", "diff-index", "2016", "2018", *asked)
    assert record["questions"] == 2


def test_models_and_trainings(printed: Any, world: World, questions: Path, tmp_path: Path) -> None:
    printed("model", "list-models", "--json")
    printed("setting", "config", "--json")
    data = (questions, "--store", world.store, "--json", "--batch-size", 2, "--epochs", 1)
    more = ("--key", "2018", "-k", 2, "--model", world.generator, "--dev", questions)
    printed("training", "train", *data, *more, "-o", tmp_path / "model")
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"question": QUESTION, "answers": ["queen"]}))
    printed("retriever", "train-retriever", pairs, *data[1:], "-o", tmp_path / "encoder")


def test_evaluations(printed: Any, world: World, questions: Path, tmp_path: Path) -> None:
    options = (*world.options, "--json")
    keyed = ("evaluate", questions, "--key", "2018", *options)
    sweep = ("--sweep", "top-k=1,2", "--paper", "nq")
    records = [*printed("evaluation", *keyed, *sweep), *printed("evaluation", *keyed, "-k", 2)]
    assert records[1]["trials"][0]["gold_recall"] is not None
    printed("evaluation", *keyed, "--task", "generation", "--answers-only")
    claims = tmp_path / "claims.jsonl"
    claims.write_text('{"question": "lima", "answers": ["one"]}')
    labels = ("--task", "classification", "--labels", "one,two")
    saved = tmp_path / "saved.jsonl"
    printed("evaluation", "evaluate", claims, *labels, *options, "--save", saved)
    printed("evaluation", *keyed, *sweep, "--save", tmp_path / "sweep.jsonl")
    lines = [*saved.open(), *(tmp_path / "sweep.jsonl").open()]
    assert len(lines) == 1 + 2 * 2
    for line in lines:
        check("prediction", json.loads(line))
    paths = []
    for name, record in zip("ab", records, strict=True):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(record))
    (comparison,) = printed("comparison", "compare", *paths, "--json")
    assert comparison["settings"]["top_k"] == [[1, 2], [2]]
    (swap,) = printed("swap", "swap-experiment", questions, "2016", "2018", *options)
    assert [trial["version"] for trial in swap["trials"]] == ["2016", "2018"] * 2
