"""`rag config`: which settings are in force, and who says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from ragcli.cli import options
from ragcli.cli.commands import COMMANDS, load
from ragcli.cli.completion import MODEL
from ragcli.cli.console import print_table, put
from ragcli.cli.settings_file import common_settings, given, options_of, settings_of
from ragcli.settings import AnswerSettings, Indexing
from ragcli.store.store import Store


def config(
    ctx: typer.Context,
    opening: options.OpeningOptions,
    retrieval: options.RetrievalOptions,
    decoding: options.DecodingOptions,
    chunking: options.ChunkingOptions,
    indexing: Annotated[Indexing, options.INDEXING.only("type")],
    corpus: Annotated[options.Corpus, options.CORPUS.only("on_error")],
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Show the common settings, their values, and where each comes from.

    What the command line says wins, then the environment, then ragcli.toml in the folder you are
    in, then ragcli.toml in your configuration folder, then the model, then the default.

    Examples: rag config  |  RAG_TOP_K=10 rag config
    """
    records = [*_common(ctx), *_tables(options_of(ctx.command))]

    def show() -> None:
        rows = []
        for record in records:
            where = f"[{record['command']}] " if record["command"] else ""
            value = "" if record["value"] is None else str(record["value"])
            setting = f"{where}{record['setting']}"
            rows.append((setting, value, record["origin"], record["variable"] or ""))
        print_table(("setting", "value", "from", "variable"), rows, spare=("variable",))

    put(json, records, show)


def _common(ctx: typer.Context) -> Iterator[dict[str, Any]]:
    """What the parser made of the options of this very command, which has all that are shared."""
    files = common_settings()
    left_open = {"model": MODEL, "store": Store().root}
    for key, option in options_of(ctx.command).items():
        if option.envvar is None:
            continue
        origin, value = "default", ctx.params[option.name]
        if given(ctx, option.name):
            origin = "command line"
        elif os.environ.get(option.envvar):
            origin = f"${option.envvar}"
        elif option.name in files:
            origin = str(files[option.name].file)
        elif value is None:
            value = left_open.get(option.name, getattr(AnswerSettings(), option.name, None))
        yield _record(key, None, value, origin, option.envvar)


def _tables(common: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the files say of single commands."""
    for name in COMMANDS:
        command = load(name)
        found = settings_of(name, command, common)
        for key, option in options_of(command).items():
            if option.name in found and found[option.name].table:
                setting = found[option.name]
                yield _record(key, name, setting.value, str(setting.file), None)


def _record(
    key: str, command: str | None, value: Any, origin: str, variable: str | None
) -> dict[str, Any]:
    plain = value if isinstance(value, str | int | float | None) else str(value)
    record = {"setting": key, "command": command, "value": plain}
    return record | {"origin": origin, "variable": variable}
