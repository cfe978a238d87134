"""The README names every command and every key of the record; every help text has an example."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from ragcli.cli.commands import COMMANDS, function_of

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_command_is_documented(name: str) -> None:
    assert f"`rag {name}" in README
    text = function_of(name).__doc__
    assert text.splitlines()[0] == COMMANDS[name][1]
    assert re.search(rf"Examples?: rag {name}\b", " ".join(text.split())), name


def test_every_key_of_the_ask_record_is_documented() -> None:
    schemas = json.loads((files("ragcli.json_form") / "schemas.json").read_text(encoding="utf-8"))
    record = schemas["$defs"]["answer"]["properties"]
    keys = {*record, *record["passages"]["items"]["properties"]} - {"metadata"}
    table = README[README.index("| key | meaning |") : README.index("### Models")]
    documented = set(re.findall(r"`([a-z_]+)`", table))
    assert {"answer", "passages", "passes", "posterior", "doubted"} <= keys
    assert keys - documented == set()


def test_the_test_command_is_what_ci_runs() -> None:
    ci = (Path(__file__).parent.parent / ".ci" / "run").read_text()
    assert "make test" in README
    assert "make demo" in README
    assert "exec make test" in ci
