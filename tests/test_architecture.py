"""Imports point one way, and siblings never import each other."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ragcli"
BASE = {"", "digests", "errors", "log", "markup", "protocols", "records", "registry", "settings"}
ROOMS = ("core", "corpus", "datasets", "store", "models")
"""Siblings that never import each other."""
MAY_IMPORT = {
    **{room: BASE | {room} for room in ROOMS},
    "answering": BASE | {*ROOMS, "answering"},
    "indexing": BASE | {*ROOMS, "answering", "indexing"},
    "evaluation": BASE | {*ROOMS, "answering", "evaluation"},
    "training": BASE | {*ROOMS, "answering", "evaluation", "training"},
    "json_form": BASE | {*ROOMS, "answering", "indexing", "evaluation", "training", "json_form"},
}


def imported(path: Path) -> set[str]:
    """The parts of ragcli that a file imports, also where only the type checker reads it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # `from ragcli import api` names a part, `from ragcli import __version__` does not.
            module = node.module or ""
            parts = [f"{module}.{a.name}" for a in node.names if not a.name.startswith("_")]
            names += parts if module == "ragcli" else [module]
    return {f"{name}.".split(".")[1] for name in names if name.split(".")[0] == "ragcli"}


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_point_one_way(layer: str) -> None:
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert len(files) > 2
    wrong = {path.name: imported(path) - MAY_IMPORT[layer] for path in files}
    assert {name: parts for name, parts in wrong.items() if parts} == {}


@pytest.mark.parametrize("name", sorted(BASE - {""}))
def test_what_everything_may_import_imports_nothing_of_the_rooms(name: str) -> None:
    assert imported(PACKAGE / f"{name}.py") <= BASE


def test_no_file_is_longer_than_350_lines() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {path.name: length for path, length in lengths.items() if length > 350} == {}


def repeated(folder: Path) -> list[tuple[str, ...]]:
    """Where ten lines in a row, blank ones aside, stand in more than one place."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        numbered = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        lines = [(number, text.strip()) for number, text in numbered if text.strip()]
        for start in range(len(lines) - 9):
            ten = tuple(text for _, text in lines[start : start + 10])
            places[ten].append(f"{path.name}:{lines[start][0]}")
    return [tuple(found) for found in places.values() if len(found) > 1]


def test_ten_lines_never_stand_twice() -> None:
    assert repeated(PACKAGE) == []


def test_ten_lines_that_stand_twice_are_seen(tmp_path: Path) -> None:
    ten = [f"line_{n} = {n}" for n in range(10)]
    (tmp_path / "a.py").write_text("\n".join(["import a", *ten]))
    (tmp_path / "b.py").write_text("\n".join(["import b", "", *ten[:5], "", *ten[5:]]))
    (tmp_path / "c.py").write_text("\n".join(ten[1:]))
    assert repeated(tmp_path) == [("a.py:2", "b.py:3")]


def test_what_is_imported_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text(
        "from ragcli import __version__, api\nimport ragcli.cli.app\n"
        "if TYPE_CHECKING:\n    from ragcli.core import loss\n"
        "def f():\n    from ragcli.models.source import locate\n"
    )
    assert imported(path) == {"api", "cli", "core", "models"}
