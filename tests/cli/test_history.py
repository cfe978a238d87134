"""`rag update-index` and `delete-documents`, and the commands about the versions there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ragcli.store.store import Store
from tests.cli.conftest import Run
from tests.fakes import HashEncoder


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A store of its own, and the hashing encoder in place of a network."""
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    for name in ("load_encoder", "encoder_of"):
        monkeypatch.setattr(f"ragcli.models.encoders.{name}", lambda *_, **__: HashEncoder(16))
    return tmp_path / "store"


@pytest.fixture
def docs(tmp_path: Path, rag: Run) -> Path:
    """A corpus with version 1 built from it, and then changed."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "peru.md").write_text("# Peru\n\nLima is the capital of Peru .")
    (folder / "chile.txt").write_text("Santiago is the capital of Chile .")
    (folder / "old.txt").write_text("Gone tomorrow .")
    assert rag("build-index", folder, "--version", "1").code == 0
    (folder / "chile.txt").write_text("Valparaíso is not the capital .")
    (folder / "new.txt").write_text("Quito is the capital of Ecuador .")
    (folder / "old.txt").unlink()
    return folder


def test_update(rag: Run, docs: Path) -> None:
    result = rag("update-index", docs, "--version", "2", "--allow-shrink")
    assert result.code == 0, result.err
    first, second = result.out.splitlines()
    assert first.startswith("default@2   3 documents, 3 passages, 20 words in ")
    assert second == ("from 1: 1 document added, 1 changed, 1 removed; 2 passages embedded")
    record = json.loads(rag("update-index", docs, "--from", "1", "--keep-missing", "--json").out)
    assert (record["documents"], record["embedded"], record["recall"]) == (4, 2, 1.0)
    assert record["origin"] == {
        "how": "update",
        "parent": "1",
        "added": 1,
        "changed": 1,
        "removed": 0,
        "embedded": 2,
    }


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["update-index", "DOCS", "--version", "1"], "rag: the version default@1 exists"),
        (["update-index", "DOCS", "--from", "9"], "rag: no version default@9"),
        (["update-index", "DOCS", "-i", "wiki"], "rag: no index 'wiki'"),
        (["update-index", "nowhere"], "rag: nowhere: no such file or folder"),
        (["delete-documents", "nobody"], "rag: no such document in default@1: 'nobody'"),
        (["log-index", "-i", "wiki"], "rag: no index 'wiki'"),
        (["remove-index", "@1"], "rag: default@1 is the current version"),
    ],
)
def test_errors_are_one_line_and_exit_1(
    rag: Run, docs: Path, args: list[str], message: str
) -> None:
    result = rag(*(str(docs) if arg == "DOCS" else arg for arg in args))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(message)
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["update-index", "DOCS", "--type", "x"], "rag: the index type 'x' cannot be used"),
        (["tag-index", "@1", "a/b"], "rag: 'a/b' cannot be the name of a tag"),
        (["remove-index", "@../1"], "rag: '../1' cannot be the name of a version"),
        (["prune-index", "--keep", "0"], "rag: at least one version must be kept, not 0"),
    ],
)
def test_options_that_cannot_be_exit_with_2(
    rag: Run, docs: Path, args: list[str], message: str
) -> None:
    result = rag(*(str(docs) if arg == "DOCS" else arg for arg in args))
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(message)


def test_delete(rag: Run, docs: Path) -> None:
    result = rag("delete-documents", "peru.md", "old.txt", "--version", "2", "--no-activate")
    assert result.out.splitlines()[0].startswith("default@2   1 document, 1 passage")
    assert "0 documents added, 0 changed, 2 removed; 0 passages embedded" in result.out
    assert "rag swap-index 2" in result.out


def test_the_log(rag: Run, docs: Path, store: Path) -> None:
    rag("update-index", docs, "--version", "2", "--allow-shrink")
    rag("tag-index", "@1", "stable")
    lines = [line.split() for line in rag("log-index").out.splitlines()]
    assert lines[0] == "version tags from created documents passages recall size own".split()
    assert lines[1][:6] == ["2", "*", "update", "of", "1", lines[1][5]]
    assert "(+1 ~1 −1)" in " ".join(lines[1])
    assert lines[2][:4] == ["1", "previous", "stable", "build"]
    newest, oldest = map(json.loads, rag("log-index", "--json").out.splitlines())
    assert (newest["version"], newest["current"], newest["previous"]) == ("2", True, False)
    assert newest["origin"]["parent"] == "1"
    assert newest["recall"] == {"k": 3, "queries": 3, "value": 1.0}
    assert (oldest["tags"], oldest["previous"]) == (["stable"], True)
    assert 0 < newest["own_bytes"] <= newest["bytes"] + 4000
    (store / "default/versions/1/manifest.json").write_text("{")
    assert "damaged: " in rag("log-index").out
    assert "error" in rag("log-index", "--json").out


def test_tags_remove_and_prune(rag: Run, docs: Path, store: Path) -> None:
    for version in "234":
        rag("update-index", docs, "--version", version, "--allow-shrink")
    assert rag("tag-index", "@2", "stable").out == "default@stable is default@2\n"
    assert rag("swap-index", "stable").out == "default@2 is current (before: 4)\n"
    assert rag("swap-index", "--previous").out == "default@4 is current (before: 2)\n"
    result = rag("prune-index", "--keep", "1", "--dry-run")
    assert result.out == "default@1 would be removed\ndefault@3 would be removed\n"
    result = rag("prune-index", "--keep", "1", "--json")
    assert json.loads(result.out) == {"index": "default", "removed": ["1", "3"], "dry_run": False}
    assert rag("prune-index", "--keep", "1").err == "nothing to remove\n"
    assert rag("tag-index", "@stable", "stable", "--delete").out == (
        "default@stable is no longer a tag\n"
    )
    result = rag("remove-index", "@4", "--force")
    assert re.match(r"default@4 removed, freed [1-9]\.\d kB\n", result.out)
    assert result.err == "default@2 is current\n"
    assert rag("remove-index", "@2", "--force").err == "default has no current version\n"
    assert Store(store).versions("default") == []


def test_a_whole_index_is_not_removed_by_its_name(rag: Run, docs: Path) -> None:
    result = rag("remove-index", "default")
    assert result.code == 1
    assert "'default' is an index, and a version of it is default@VERSION" in result.err
