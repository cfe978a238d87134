"""`--device` and `RAG_DEVICE` reach every command that loads a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragcli.cli.commands import COMMANDS, load
from ragcli.cli.settings_file import options_of
from tests.cli.conftest import Run, World

NETWORKS = {
    *("build-index", "update-index", "plan-index", "import-index", "doctor", "diff-index"),
    *("ask", "retrieve", "score", "classify", "evaluate", "swap-experiment"),
    *("train", "train-retriever", "config"),
}


def test_what_loads_a_network_has_the_option() -> None:
    assert {name for name in COMMANDS if "device" in options_of(load(name))} == NETWORKS


@pytest.fixture
def words(world: World, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    """What each command that embeds is called with."""
    docs, encoder = world.folder / "2016", ("--encoder", world.encoder)
    passages, vectors = tmp_path / "p.tsv", tmp_path / "v"
    passages.write_text("id\ttext\ttitle\n1\tone\ttwo\n")
    vectors.write_bytes(b"")
    own = ("--store", tmp_path / "store")
    return {
        "build-index": (docs, *own, *encoder),
        "update-index": (docs, "--store", world.store),
        "plan-index": (docs, *encoder),
        "import-index": (passages, "--embeddings", vectors, *own, *encoder),
    }


@pytest.mark.parametrize("command", ["build-index", "update-index", "plan-index", "import-index"])
def test_a_device_that_is_not_there_stops_what_embeds(
    rag: Run, words: dict[str, tuple[object, ...]], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = rag(command, *words[command], "--device", "cuda")
    message = "rag: no cuda device on this machine (use --device cpu, or auto)\n"
    assert (result.code, result.out, result.err) == (2, "", message)
    monkeypatch.setenv("RAG_DEVICE", "nonsense")
    result = rag(command, *words[command])
    assert result.code == 2
    assert "device must be one of auto, cpu, cuda, cuda:N, mps, not 'nonsense'" in result.err


def test_doctor_embeds_on_the_device_too(
    rag: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = rag("doctor", "--store", world.store, "--device", "cuda")
    assert result.code == 1
    assert "default@2016: no cuda device on this machine" in result.out
