"""A package beside ours adds one kind of everything by entry points, and the commands use them."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "tests" / "plugin"
PROJECT = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CARDS = """\
% The ferry
The captain of the ferry across the bay: Ada Moor
% The mill
The miller who grinds at the river: Tom Reed
% The inn
Nobody has slept in this house since it burnt down: no guests at all
"""
QUIZ = """\
Who is the captain of the ferry? = Ada Moor
Who is the miller at the river? = Tom = Old Tom
"""
FERRY = "Who is the captain of the ferry?"
BYTE = math.log(0.9 + 0.1 / 257)
"""log p of a byte that the generator `echo:0.9` repeats."""


def install(folder: Path) -> None:
    """What pip would write of the package's entry points, for importlib.metadata to find."""
    info = folder / f"ragcli_example-{PROJECT['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {PROJECT['name']}\nVersion: {PROJECT['version']}\n"
    )
    lines = []
    for group, entries in PROJECT["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


Rag = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> Rag:
    """Run `rag ARGUMENTS --json` in a process that sees the plug-in; the records it prints."""
    folder = tmp_path_factory.mktemp("plugin")
    install(folder)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, PLUGIN, folder))),
        "RAG_STORE": str(folder / "store"),
    }

    def run(*arguments: object) -> list[dict[str, Any]]:
        code = "from ragcli.cli.app import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments), "--json"],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    (folder / "board.cards").write_text(CARDS, encoding="utf-8")
    # A document of the new format, embedded by the new encoder, in the new type of index.
    [built] = run("build-index", folder / "board.cards", "--encoder", "words:64", "--type", "half")
    assert built["documents"] == 3
    return run


def test_every_registry_gets_a_kind() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "ragcli").rglob("*.py")]
    groups = {g for text in sources for g in re.findall(r"= Registry\(\s*\"(\w+)\"", text)}
    assert {f"ragcli.{group}" for group in groups} == set(PROJECT["entry-points"])
    files = [v.split(":")[0] for e in PROJECT["entry-points"].values() for v in e.values()]
    assert len(files) == len(set(files)) == 7


def test_the_index_was_made_by_the_plugin(rag: Rag) -> None:
    [listed] = rag("list-indexes")
    assert (listed["type"], listed["factory"]) == ("half", "SQfp16")
    assert listed["encoder"]["kind"] == "words"
    assert listed["counts"] == {"documents": 3, "passages": 3, "words": 10 + 9 + 14}


def test_the_index_finds_its_encoder_again(rag: Rag) -> None:
    found = rag("retrieve", FERRY)
    assert [passage["title"] for passage in found][:1] == ["The ferry"]


def test_the_doctor_tries_its_encoder(rag: Rag) -> None:
    """Where another package keeps what it needs, only the package knows."""
    [version] = [listed["version"] for listed in rag("list-indexes")]
    found = rag("doctor")
    [encoder] = [each for each in found if each["about"] == "encoders"]
    assert encoder["level"] == "ok"
    assert encoder["message"] == f"default@{version}: words:64 gives its stored vectors"
    assert not [each for each in found if "network" in each["message"]]


def test_retriever_and_generator_answer(rag: Rag) -> None:
    asked = (FERRY, "--retriever", "overlap", "--model", "echo:0.9")
    [answer] = rag("ask", *asked, "--top-k", 1)
    assert answer["answer"] == "Ada Moor"
    assert answer["model"] == "echo:0.9"
    # "Ada Moor" has eight bytes, and then comes the end.
    assert answer["log_prob"] == pytest.approx(9 * BYTE)
    # Words shared with the three cards, titles and all: the captain of ferry; the who; the.
    [answer] = rag("ask", *asked, "--top-k", 3)
    assert [passage["score"] for passage in answer["passages"]] == [4, 2, 1]
    weights = [math.exp(score) for score in (4, 2, 1)]
    prior = [weight / sum(weights) for weight in weights]
    assert [p["prior"] for p in answer["passages"]] == pytest.approx(prior)
    # Under the other cards the first byte is one of the others, and all after it are chance.
    other = math.log(0.1 / 257) + 8 * math.log(1 / 257)
    expected = prior[0] * math.exp(9 * BYTE) + (1 - prior[0]) * math.exp(other)
    assert answer["prob"] == pytest.approx(expected)


def test_metric_and_dataset_format_evaluate(rag: Rag, tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.txt"
    quiz.write_text(QUIZ, encoding="utf-8")
    asked = ("--retriever", "overlap", "--model", "echo:0.9", "--top-k", 1)
    [report] = rag("evaluate", quiz, "--format", "quiz", *asked)
    assert report["questions"] == 2
    assert report["metrics"]["answer_words"]["value"] == 2.0
    assert report["metrics"]["exact_match"]["value"] == 0.5  # "Tom Reed" is not "Tom"
    assert report["metrics"]["gold_log_prob"]["n"] == 2
