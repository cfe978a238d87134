"""`rag swap-experiment`, `swap-index` and `list-models` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    lines = [
        {
            "question": "who is the president of peru ?",
            "answers": {"2016": ["king"], "2018": ["queen"]},
            "changed": True,
        },
        {
            "question": "what is <the> capital of france ?",
            "answers": {"2016": ["paris"], "2018": ["paris"]},
            "changed": False,
        },
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_the_experiment(rag: Run, world: World, questions: Path, tmp_path: Path) -> None:
    page = tmp_path / "swap.html"
    result = rag(
        "swap-experiment", questions, "2016", "2018", *world.options, "--json", "--html", page
    )
    assert result.code == 0, result.err
    record = json.loads(result.out)
    assert record["versions"] == ["2016", "2018"]
    assert record["questions"] == {"changed": 1, "control": 1}
    assert record["paper"]["2016"]["2016"] == 0.70
    assert len(record["trials"]) == 4
    for trial in record["trials"]:
        options = ("--index", f"@{trial['version']}", "--json")
        alone = json.loads(rag("ask", trial["question"], *world.options, *options).out)
        assert alone["answer"] == trial["answer"]
    html = page.read_text()
    assert "<dl class=bars>" in html
    assert "what is &lt;the&gt; capital" in html
    assert "http" not in html.replace("http://www.w3.org", "")


def test_for_people_and_for_pipelines(rag: Run, world: World, questions: Path) -> None:
    arguments = ("swap-experiment", questions, "2016", "2018", *world.options)
    people = rag(*arguments, "--variant", "token")
    assert people.code == 0
    assert "70% / 4%" in people.out
    assert "McNemar" in people.out
    failing = rag(*arguments, "--fail-under", 100)
    assert failing.code == 3
    assert "below 100 %" in failing.err
    assert rag(*arguments, "--fail-under", 0).code == 0


def test_a_checkpoint_that_is_trusted_is_trusted_with_both(
    rag: Run, world: World, questions: Path
) -> None:
    arguments = ("swap-experiment", questions, "2016", "2018", "--store", world.store)
    checkpoint = ("--model", world.checkpoint, "--json", "--top-k", 50)
    refused = rag(*arguments, *checkpoint)
    assert (refused.code, "--trust-query-encoder" in refused.err) == (1, True)
    result = rag(*arguments, *checkpoint, "--trust-query-encoder")
    assert result.code == 0, result.err
    assert json.loads(result.out)["settings"]["decoding"]["variant"] == "token"
    assert "using all 5 passages" in result.err


def test_mistakes(rag: Run, world: World, questions: Path, tmp_path: Path) -> None:
    page = tmp_path / "no" / "page.html"
    for code, arguments, message in [
        (1, (questions, "2016", "2018", "--keys", "2016,1999"), "no answers for '1999'"),
        (1, (questions, "2016", "1999"), "no version default@1999 (its versions: 2016, 2018)"),
        (1, (tmp_path / "none", "2016", "2018"), "cannot be read"),
        (2, (questions, "2016", "2018", "--keys", "2016"), "two names"),
        (2, (questions, "2016", "2018", "--html", page), "no such folder"),
        (2, (questions, "2016", "2018", "--html", tmp_path), "a folder itself"),
        (2, (questions, "2016", "2016"), "two versions"),
    ]:
        result = rag("swap-experiment", *arguments, *world.options)
        assert (result.code, message in result.err) == (code, True), result.err


def test_list_models(rag: Run, tmp_path: Path) -> None:
    records = [json.loads(line) for line in rag("list-models", "--json").out.splitlines()]
    where = {record["name"]: record["where"] for record in records}
    assert where["all-MiniLM-L6-v2"] == "embedded"
    assert "facebook/rag-sequence-nq" in where
    people = rag("list-models").out
    assert "all-MiniLM-L6-v2" in people
    assert "embedded" in people
