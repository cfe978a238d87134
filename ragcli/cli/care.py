"""`rag list-models`, `rag doctor` and `rag config`: what is there, in order, and set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli import options
from ragcli.cli.commands import COMMANDS, load
from ragcli.cli.completion import MODEL
from ragcli.cli.console import line, many, print_table, put, say, size, to_the_end
from ragcli.cli.expand import option
from ragcli.cli.settings_file import common_settings, given, options_of, settings_of
from ragcli.errors import ExitCode, RagError
from ragcli.json_form.indexes import finding_record
from ragcli.settings import AnswerSettings, Indexing, Placement
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.models.inventory import ModelEntry
    from ragcli.records import Finding

_KEYS = ("setting", "command", "value", "origin", "variable")
_STYLES = {"ok": "green", "note": "yellow", "problem": "red"}
_WHERE = {"embedded": "embedded", "disk": "on disk", "network": "needs the network"}


def list_models(json: options.JsonOption = False) -> None:
    """List the models that are embedded, on disk, or would need the network.

    Example: rag list-models
    """
    from ragcli.models.inventory import inventory

    def row(model: ModelEntry) -> tuple[str, ...]:
        bytes = "" if model.bytes is None else size(model.bytes)
        return model.name, model.role, _WHERE[model.where], bytes

    models = list(inventory())
    columns, spare = ("model", "serves as", "where", "size>"), ("size", "serves as")
    put(json, map(asdict, models), lambda: print_table(columns, map(row, models), spare))


def doctor(
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    repair: bool = option(
        False,
        "Remove what dead builds left, restore damaged files that another version of the index "
        "holds, and make damaged FAISS files again.",
    ),
    only_store: bool = option(False, "Leave encoders, models and libraries aside."),
    json: options.JsonOption = False,
) -> None:
    """Check the store byte by byte, the models and the libraries; exit with 1 if problems are left.

    Example: rag doctor

    To put things right: rag doctor --repair
    """
    left = 0
    for finding in _findings(store, placement, only_store):
        done = None
        if repair and finding.repair is not None:
            try:
                done = finding.repair()
            except RagError as error:
                say(f"could not be repaired: {error}", always=True)
        left += finding.level == "problem" and done is None
        more = [(f"{finding.about:10}{finding.message}", "")]
        if done or finding.advice:
            more.append((f"\n        → {done or finding.advice}", "green" if done else "dim"))
        shown = partial(line, f"{finding.level:8}", _STYLES[finding.level], *more)
        with to_the_end():
            put(json, [finding_record(finding, done)], shown)
    if left:
        say(f"{many(left, 'problem')} left", always=True)
        raise typer.Exit(ExitCode.ERROR)


def _findings(store: Store, placement: Placement, only_store: bool) -> Iterator[Finding]:
    from ragcli.indexing.doctor import check_libraries, check_store, encoders_of
    from ragcli.models.integrity import check_models, encoder_on_machine

    if only_store:
        yield from check_store(store)
        return
    yield check_libraries()
    yield from check_models(encoders_of(store))
    yield from check_store(store, partial(encoder_on_machine, placement=placement))


def config(
    ctx: typer.Context,
    opening: options.OpeningOptions,
    placement: options.PlacementOptions,
    retrieval: options.RetrievalOptions,
    decoding: options.DecodingOptions,
    chunking: options.ChunkingOptions,
    indexing: Annotated[Indexing, options.INDEXING.only("type")],
    corpus: Annotated[options.Reading, options.CORPUS.only("on_error")],
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Show the common settings, their values, and where each comes from.

    What the command line says wins, then the environment, then ragcli.toml in the folder you are
    in, then ragcli.toml in your configuration folder, then the model, then the default.

    Example: rag config

    With a variable set: RAG_TOP_K=10 rag config
    """
    told = [*_common(ctx), *_tables(options_of(ctx.command))]

    def show() -> None:
        rows = []
        for setting, command, value, origin, variable in told:
            where = f"[{command}] " if command else ""
            shown = "" if value is None else str(value)
            rows.append((f"{where}{setting}", shown, origin, variable or ""))
        print_table(("setting", "value", "from", "variable"), rows, spare=("variable",))

    put(json, (dict(zip(_KEYS, each, strict=True)) for each in told), show)


def _common(ctx: typer.Context) -> Iterator[tuple[Any, ...]]:
    """What the parser made of the options of this very command, which has all that are shared."""
    files = common_settings()
    for key, param in options_of(ctx.command).items():
        if param.envvar is None:
            continue
        origin, value = "default", ctx.params[param.name]
        if given(ctx, param.name):
            origin = "command line"
        elif os.environ.get(param.envvar):
            origin = f"${param.envvar}"
        elif param.name in files:
            origin = str(files[param.name].file)
        elif value is None:
            value = MODEL if key == "model" else getattr(AnswerSettings(), param.name, None)
        value = str(value.root) if isinstance(value, Store) else value
        yield key, None, value, origin, param.envvar


def _tables(common: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """What the files say of single commands."""
    for name in COMMANDS:
        command = load(name)
        found = settings_of(name, command, common)
        for key, param in options_of(command).items():
            if (said := found.get(param.name)) and said.table:
                yield key, name, said.value, str(said.file), None
