"""`rag diff-index`, with tiny models in real formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World

QUESTION = "who is the president of peru ?"


def test_what_changed(rag: Run, world: World) -> None:
    result = rag("diff-index", "2016", "2018", "--store", world.store)
    assert result.code == 0, result.err
    assert result.out.splitlines() == [
        "default@2016 → default@2018",
        "documents: 0 added, 0 removed, 1 changed, 4 unchanged",
        "passages: 1 added, 1 removed, 4 unchanged",
        "~ peru.md   Peru   1 passage",
    ]
    record = json.loads(rag("diff-index", "2016", "2018", "--store", world.store, "--json").out)
    assert record["documents"]["changed"] == [
        {"id": "peru.md", "title": "Peru", "passages": [1, 1]}
    ]
    assert record["passages"] == {"added": 1, "removed": 1, "unchanged": 4}
    assert "answers_changed" not in record


def test_which_answers_changed(rag: Run, world: World, tmp_path: Path) -> None:
    """The same answers as asking each version by itself."""
    asked = [QUESTION, "river ?", "lyon ?", "queen or king ?"]
    (tmp_path / "questions").write_text(
        f'{asked[0]}\n\n{{"question": "{asked[1]}"}}\n{asked[2]}\n{asked[3]}\n'
    )
    args = ("diff-index", "2016", "2018", "--questions", tmp_path / "questions", *world.options)
    record = json.loads(rag(*args, "--json").out)
    assert record["questions"] == 4
    expected = []
    for question in asked:
        answers = [
            json.loads(rag("ask", question, "-i", f"@{year}", *world.options, "--json").out)
            for year in ("2016", "2018")
        ]
        if answers[0]["answer"] != answers[1]["answer"]:
            expected.append((question, answers[0]["answer"], answers[1]["answer"]))
    found = [(c["question"], c["before"], c["after"]) for c in record["answers_changed"]]
    assert found == expected
    shown = rag(*args).out
    assert f"{len(expected)} of 4 answers changed" in shown


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no questions"),
        (b"river ?\n{\n", "questions:2: the line is not a JSON object"),
        (b"\xff\n", "questions:1: the line is not UTF-8"),
        (None, "cannot be read: No such file"),
    ],
)
def test_questions_that_cannot_be_read(
    rag: Run, world: World, tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "questions"
    if content is not None:
        path.write_bytes(content)
    result = rag("diff-index", "2016", "2018", "--questions", path, "--store", world.store)
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_many_changes_are_counted(rag: Run, world: World, tmp_path: Path) -> None:
    for name, count in (("a", 1), ("b", 30)):
        folder = tmp_path / name
        folder.mkdir()
        for n in range(count):
            (folder / f"{n:02}.txt").write_text(f"river {n}")
        store = ("--store", tmp_path / "store")
        args = ("build-index", folder, "--version", name, "--encoder", world.encoder, *store)
        assert rag(*args).code == 0
    lines = rag("diff-index", "a", "b", *store).out.splitlines()
    assert lines[1] == "documents: 29 added, 0 removed, 0 changed, 1 unchanged"
    assert lines[-1] == "+ … and 9 more; all with --json"
