"""`rag config`: which settings are in force, and who says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from ragcli.cli import options
from ragcli.cli.settings_file import common_settings, options_of, settings_of
from ragcli.settings import AnswerSettings, Indexing


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
    from rich.text import Text

    from ragcli.cli.console import print_json, print_table

    records = [*_common(ctx), *_tables(ctx)]
    if json:
        for record in records:
            print_json(record)
        return
    rows = []
    for record in records:
        where = f"[{record['command']}] " if record["command"] else ""
        value = "" if record["value"] is None else str(record["value"])
        style = "dim" if record["origin"] == "default" else ""
        cells = (where + record["setting"], value, record["origin"], record["variable"] or "")
        rows.append([Text(cell, style=style) for cell in cells])
    print_table(["setting", "value", "from", "variable"], rows, spare=("variable",))


def _common(ctx: typer.Context) -> Iterator[dict[str, Any]]:
    """What the parser made of the options of this very command."""
    files = common_settings()
    for key, option in options_of(ctx.command).items():
        if option.envvar is None:
            continue
        origin, value = "default", ctx.params[option.name]
        source = ctx.get_parameter_source(option.name)
        if source is not None and source.name == "COMMANDLINE":
            origin = "command line"
        elif os.environ.get(option.envvar):
            origin = f"${option.envvar}"
        elif option.name in files:
            origin = str(files[option.name].file)
        elif value is None:
            value = _default(option.name)
        yield _record(key, value, origin, variable=option.envvar)


def _default(name: str) -> Any:
    """What stands behind an option that is left open."""
    from ragcli.cli.completion import MODEL
    from ragcli.store.store import Store

    named = {"model": MODEL, "store": Store().root}
    return named.get(name, getattr(AnswerSettings(), name, None))


def _tables(ctx: typer.Context) -> Iterator[dict[str, Any]]:
    """What the files say of single commands."""
    from ragcli.cli.commands import COMMANDS, load

    common = options_of(ctx.command)
    for name in COMMANDS:
        command = load(name)
        keys = {option.name: key for key, option in options_of(command).items()}
        for parameter, setting in settings_of(name, command, common).items():
            if setting.table:
                yield _record(keys[parameter], setting.value, str(setting.file), name)


def _record(
    key: str, value: Any, origin: str, command: str | None = None, variable: str | None = None
) -> dict[str, Any]:
    return {
        "setting": key,
        "command": command,
        "value": value if isinstance(value, str | int | float | None) else str(value),
        "origin": origin,
        "variable": variable,
    }
