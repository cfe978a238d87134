"""The project's papers agree with the project: version, systems, Pythons, what a release holds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import ragcli

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_stands_in_one_place_and_has_a_dated_entry() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "ragcli/__init__.py"
    titles = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    assert titles[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(ragcli.__version__)}\] - \d{{4}}-\d\d-\d\d", titles[1])


def test_the_workflow_runs_the_pythons_and_systems_of_the_classifiers() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    workflow = read(".github/workflows/test.yml")
    [listed] = re.findall(r"python: \[(.+)\]", workflow)
    assert re.findall(r"3\.\d+", listed) == pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert sum("Operating System" in line for line in classifiers) == 3
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in workflow


def test_type_hints_are_announced_and_shipped() -> None:
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]
    assert (ROOT / "ragcli" / "py.typed").is_file()


def test_a_source_release_holds_what_exists_and_no_tests() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert [name for name in included if not (ROOT / name).exists()] == []
    assert {"tests", "benchmarks", "recipes"}.isdisjoint(included)
