"""A store with two versions, tiny models in real formats, and `rag` run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragcli.cli import app, console
from tests import tiny


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def rag(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `rag ARGS…` through main(), as the installed command does."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: Path("nowhere"))

    def run(*args: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["rag", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        console.out.cache_clear()
        console.err.cache_clear()
        code = 0
        try:
            app.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@dataclass(frozen=True)
class World:
    """Where things are: documents of two years, an encoder pair, generators, and the store."""

    folder: Path
    encoder: str
    generator: Path
    checkpoint: Path
    store: Path

    @property
    def options(self) -> tuple[object, ...]:
        return ("--store", self.store, "--model", self.generator)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("world")
    for year, president in (("2016", "king"), ("2018", "queen")):
        docs = folder / year
        docs.mkdir()
        (docs / "peru.md").write_text(f"# Peru\n\nthe president of peru is {president} . lima\n")
        (docs / "paris.txt").write_text("paris is the capital of france , in the river seine .")
        (docs / "lyon.txt").write_text("lyon is a city of france , in the river rhone .")
        (docs / "seine.txt").write_text("the seine is a river in france .")
        (docs / "numbers.txt").write_text("one two three four five six seven")
    query, document = tiny.dpr_pair(folder / "encoder")
    tiny.bart(seed=3).save_pretrained(folder / "generator")
    tiny.tokenizer().save_pretrained(folder / "generator")
    tiny.rag_checkpoint(folder / "checkpoint", "token", tiny.bart(seed=3), n_docs=2)
    world = World(
        folder,
        f"{query},{document}",
        folder / "generator",
        folder / "checkpoint",
        folder / "store",
    )
    from ragcli.indexing.build import build_index
    from ragcli.models.encoders import load_encoder
    from ragcli.store.store import Store

    for year in ("2016", "2018"):
        build_index(
            Store(world.store), load_encoder(world.encoder), [str(folder / year)], version=year
        )
    return world
