"""Kinds by name: ours from a table, others' by entry points."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragcli.errors import SettingsError
from ragcli.registry import Registry


def make() -> Registry[object]:
    return Registry("things", "thing", {"path": "pathlib:Path", "error": "ragcli.errors:RagError"})


def test_ours_are_loaded_by_name() -> None:
    registry = make()
    assert registry.names() == ["path", "error"]
    assert registry.load("path") is Path
    assert "path" in registry
    assert "other" not in registry


def test_an_unknown_name_is_refused_with_what_there_is() -> None:
    with pytest.raises(SettingsError, match=r"no thing 'other' \(one of path, error\)"):
        make().load("other")


def test_other_packages_add_kinds_and_never_replace_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("extra", "collections:Counter", "ragcli.things"),
        EntryPoint("path", "os:PathLike", "ragcli.things"),
        EntryPoint("broken", "no_such_package:thing", "ragcli.things"),
    ]
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [e for e in entries if e.group == group],
    )
    registry = make()
    assert registry.names() == ["path", "error", "broken", "extra"]
    assert registry.load("path") is Path
    assert registry.load("extra").__name__ == "Counter"  # type: ignore[attr-defined]
    with pytest.raises(
        SettingsError, match=r"the thing 'broken' cannot be loaded: No module named"
    ):
        registry.load("broken")


def test_nothing_is_imported_before_it_is_loaded() -> None:
    code = (
        "import sys; from ragcli.registry import Registry;"
        "r = Registry('x', 'x', {'a': 'ragcli.store.vectors:search'}); r.names();"
        "assert 'ragcli.store.vectors' not in sys.modules; r.load('a');"
        "assert 'ragcli.store.vectors' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
