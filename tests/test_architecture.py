"""Imports point one way, and siblings never import each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ragcli"
BASE = {"", "digests", "errors", "log", "protocols", "records", "registry", "settings", "threads"}
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


def test_what_is_imported_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text(
        "from ragcli import __version__, api\nimport ragcli.cli.app\n"
        "if TYPE_CHECKING:\n    from ragcli.core import loss\n"
        "def f():\n    from ragcli.models.source import locate\n"
    )
    assert imported(path) == {"api", "cli", "core", "models"}
