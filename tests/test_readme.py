"""The README is short, and what it leaves to docs/ is there: every command, key and public name."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from ragcli.cli.commands import COMMANDS, function_of

ROOT = Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    text = read("README.md")
    assert len(text.encode()) <= 8192
    linked = set(re.findall(r"\]\(docs/([\w-]+\.md)", text))
    assert linked == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_the_test_command_is_what_ci_runs() -> None:
    assert {"make test", "make demo"} <= set(re.findall(r"^\$ (make \w+)", read("README.md"), re.M))
    assert "exec make test" in read(".ci/run")


def test_the_command_line_page_is_current() -> None:
    reference = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["reference"]
    assert read("docs/command-line.md") == reference(), "run: make docs"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_command_has_an_example(name: str) -> None:
    text = function_of(name).__doc__
    assert re.search(rf"Examples?: rag {name}\b", " ".join(text.split())), name
    assert f"\n### rag {name}\n" in read("docs/command-line.md")


def test_every_key_of_the_ask_record_is_documented() -> None:
    record = json.loads(read("ragcli/json_form/schemas.json"))["$defs"]["answer"]["properties"]
    keys = {*record, *record["passages"]["items"]["properties"]}
    documented = set(re.findall(r"`([a-z_]+)`", read("docs/records.md")))
    assert {"answer", "passages", "passes", "posterior", "doubted"} <= keys
    assert keys - documented == set()


def test_every_command_with_records_is_documented() -> None:
    table = read("docs/records.md").partition("| command | keys |")[2]
    first_column = " ".join(re.findall(r"^\| ([^|]+) \|", table, re.M))
    silent = {"tag-index", "remove-index", "export-index", "export-model"}
    assert {name for name in COMMANDS if f"`{name}`" not in first_column} == silent
