"""`rag chunk`, `build-index`, `list-indexes` and `swap-index`, with a fake encoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragcli.core.chunking import content_digest
from ragcli.store.store import Store
from tests.cli.conftest import Run
from tests.fakes import HashEncoder


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A store of its own, and the hashing encoder in place of a network."""
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    fake = "ragcli.models.encoders.load_encoder"
    monkeypatch.setattr(fake, lambda *_, **__: HashEncoder(16))
    return tmp_path / "store"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "peru.md").write_text("# Peru\n\nLima is the capital of Peru .")
    (folder / "chile.jsonl").write_text('{"id": "c", "text": "Santiago", "year": 2018}\n')
    return folder


def test_chunk_prints_passages(rag: Run, docs: Path) -> None:
    result = rag("chunk", docs, "--words", 4)
    assert (result.code, result.err) == (0, "")
    first, second, third = map(json.loads, result.out.splitlines())
    assert first == {
        "id": "c#0",
        "document": "c",
        "title": "",
        "text": "Santiago",
        "source": str(docs / "chile.jsonl"),
        "line": 1,
        "start": 0,
        "end": 1,
        "digest": content_digest("", "Santiago"),
        "metadata": {"year": 2018},
    }
    assert (second["id"], second["text"]) == ("peru.md#0", "Lima is the capital")
    assert (third["id"], third["text"]) == ("peru.md#1", "of Peru .")


def test_chunk_reads_standard_input(rag: Run) -> None:
    result = rag("chunk", "-", stdin='{"text": "Perú"}'.encode())
    assert json.loads(result.out)["text"] == "Perú"
    assert "Perú" in result.out
    result = rag("chunk", "-", "--format", "csv", stdin=b"text\nLima\n")
    assert json.loads(result.out)["id"] == "stdin:2#0"


def test_chunk_says_what_it_left_out(rag: Run, docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"\xff")
    (docs / "map.png").write_bytes(b"\0")
    (docs / "core").write_text("dumped")
    result = rag("chunk", docs)
    assert result.code == 1
    assert result.err.startswith(f"rag: {docs}/bad.txt:1: byte 0xff is not UTF-8")
    result = rag("chunk", docs, "--on-error", "skip")
    assert result.code == 0
    assert len(result.out.splitlines()) == 2
    assert result.err.splitlines() == [
        f"skipped {docs}/bad.txt:1: byte 0xff is not UTF-8",
        "1 document could not be read and was skipped",
        f"left out .png (1): {docs}/map.png",
        f"left out no suffix (1): {docs}/core",
    ]
    result = rag("chunk", docs, "--on-error", "skip", "--strict")
    assert result.code == 1
    assert f"rag: {docs}/core: not read (no suffix)" in result.err


def test_chunk_names_twenty_problems_and_counts_the_rest(rag: Run, docs: Path) -> None:
    (docs / "bad.jsonl").write_text("{\n" * 25)
    lines = rag("chunk", docs, "--on-error", "skip").err.splitlines()
    assert lines[19].startswith(f"skipped {docs}/bad.jsonl:20: not JSON")
    assert lines[20:] == ["… and 5 more", "25 documents could not be read and were skipped"]


@pytest.mark.parametrize(
    "args", [["--words", "0"], ["--words", "x"], ["--on-error", "x"], ["--format", "x"]]
)
def test_chunk_with_bad_options(rag: Run, docs: Path, args: list[str]) -> None:
    assert rag("chunk", docs, *args).code == 2


def test_build_list_and_swap(rag: Run, docs: Path, store: Path) -> None:
    result = rag("build-index", docs, "--version", "2018")
    assert result.code == 0
    assert result.out.startswith("default@2018   2 documents, 2 passages, 8 words in ")
    result = rag("build-index", docs, "--version", "2016", "--no-activate", "--type", "hnsw")
    assert result.out.splitlines()[1] == "not active; make it current with: rag swap-index 2016"
    lines = [line.split() for line in rag("list-indexes").out.splitlines()]
    assert lines[0][:3] == ["index", "version", "passages"]
    assert lines[1][:4] == ["default", "2016", "2", "2"]
    assert lines[1][-3:] == ["HNSW32,Flat", *lines[1][-2:]]
    assert lines[2][:5] == ["default", "2018", "*", "2", "2"]
    assert rag("swap-index", "2016").out == "default@2016 is current (before: 2018)\n"
    assert Store(store).resolve() == ("default", "2016")
    assert rag("swap-index", "default@2018").out == "default@2018 is current (before: 2016)\n"
    assert rag("swap-index", "@2016").out == "default@2016 is current (before: 2018)\n"
    result = rag("swap-index", "--previous", "--json")
    assert json.loads(result.out) == {"index": "default", "version": "2018", "previous": "2016"}


def test_build_as_json(rag: Run, docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"\xff")
    result = rag("build-index", docs, "--index", "wiki", "--on-error", "skip", "--json")
    record = json.loads(result.out)
    assert record["index"] == "wiki"
    assert (record["documents"], record["passages"], record["words"]) == (2, 2, 8)
    assert record["active"] is True
    assert record["type"] == "Flat"
    assert record["encoder"] == "hash-16"
    assert (len(record["skipped"]), record["skipped_count"]) == (1, 1)
    assert "1 document could not be read" in result.err


def test_another_index_is_named_in_the_advice(rag: Run, docs: Path) -> None:
    result = rag("build-index", docs, "-i", "wiki", "--version", "1", "--no-activate")
    assert result.out.endswith("make it current with: rag swap-index wiki@1\n")
    assert rag("swap-index", "1", "-i", "wiki").out == "wiki@1 is current\n"


def test_list_as_json_and_damaged(rag: Run, docs: Path, store: Path) -> None:
    rag("build-index", docs, "--version", "1")
    rag("build-index", docs, "--version", "2")
    (store / "default/versions/1/manifest.json").write_text("{")
    damaged, whole = map(json.loads, rag("list-indexes", "--json").out.splitlines())
    assert (damaged["index"], damaged["version"], damaged["current"]) == ("default", "1", False)
    assert "manifest.json: not JSON" in damaged["error"]
    assert (whole["version"], whole["current"], whole["schema"]) == ("2", True, 2)
    assert whole["counts"] == {"documents": 2, "passages": 2, "words": 8}
    assert whole["bytes"] == sum(file["bytes"] for file in whole["files"].values())
    result = rag("list-indexes")
    assert result.code == 0
    assert "damaged: " in result.out


def test_an_empty_store(rag: Run, store: Path) -> None:
    result = rag("list-indexes")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"no index in {store}; build one with: rag build-index FOLDER\n"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["swap-index", "1"], 1, "rag: no index 'default' in "),
        (["swap-index", "--previous"], 1, "rag: no index 'default' in "),
        (["swap-index", "a/b"], 2, "rag: 'a/b' cannot be the name of a version"),
        (["build-index", "nowhere"], 1, "rag: nowhere: no such file or folder"),
        (["build-index", "DOCS", "--version", ".x"], 2, "rag: '.x' cannot be the name of a ver"),
        (["build-index", "DOCS", "--type", "x"], 2, "rag: the index type 'x' cannot be used"),
        (["build-index", "DOCS", "--batch-size", "0"], 2, "rag: batch-size must be at least 1"),
        (["build-index", "DOCS", "--words", "0"], 2, "rag: words must be at least 1"),
    ],
)
def test_errors_are_one_line(
    rag: Run, docs: Path, args: list[str], code: int, message: str
) -> None:
    result = rag(*(str(docs) if arg == "DOCS" else arg for arg in args))
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(message)
    assert len(result.err.splitlines()) == 1


def test_a_version_that_exists_is_told_before_the_encoder_is_loaded(
    rag: Run, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rag("build-index", docs, "--version", "1")
    monkeypatch.setattr("ragcli.models.encoders.load_encoder", None)  # must not be called
    result = rag("build-index", docs, "--version", "1")
    assert result.code == 1
    assert "default@1 exists, and versions are never overwritten" in result.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "give either a VERSION or --previous"),
        (["2016", "--previous"], "give either a VERSION or --previous"),
        (["wiki@2016", "-i", "news"], "'wiki@2016' is no version of the index 'news'"),
    ],
)
def test_swap_needs_one_version_of_one_index(rag: Run, args: list[str], message: str) -> None:
    result = rag("swap-index", *args)
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize("command", ["chunk", "build-index", "list-indexes", "swap-index"])
def test_help_has_an_example(rag: Run, command: str) -> None:
    result = rag(command, "--help")
    assert f"rag {command}" in result.out
    assert "Example" in result.out
