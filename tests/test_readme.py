"""The README names every command and every key of the record; every help text has an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragcli.cli.commands import COMMANDS, function_of

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_command_is_documented(name: str) -> None:
    assert f"`rag {name}" in README
    text = function_of(name).__doc__
    assert re.search(rf"Examples?: rag {name}\b", " ".join(text.split())), name


def test_every_key_of_the_ask_record_is_documented() -> None:
    source = (Path(__file__).parent.parent / "ragcli/cli/reports/answers.py").read_text()
    body = source[source.index("def answer_record") : source.index("def show_answer")]
    keys = set(re.findall(r'"([a-z_]+)"(?::|\])', body))
    table = README[README.index("| key | meaning |") : README.index("### Models")]
    documented = set(re.findall(r"`([a-z_]+)`", table))
    ours = keys - {"sequence_log_prob", "token_log_prob", "metadata", "token"}
    assert {"answer", "passages", "passes"} <= ours
    assert ours - documented <= {"encoder", "decoder", "rescored"}


def test_the_test_command_is_what_ci_runs() -> None:
    ci = (Path(__file__).parent.parent / ".ci" / "run").read_text()
    assert "make test" in README
    assert "make demo" in README
    assert "exec make test" in ci
