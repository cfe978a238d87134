"""`rag list-models`, `rag doctor` and `rag config`: what is there, in order, and set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli import options
from ragcli.cli.commands import COMMANDS, load
from ragcli.cli.completion import MODEL
from ragcli.cli.console import line, many, print_table, put, say, size, to_the_end
from ragcli.cli.settings_file import common_settings, given, options_of, settings_of
from ragcli.errors import ExitCode, RagError
from ragcli.json_form.indexes import finding_record
from ragcli.json_form.models import model_record
from ragcli.settings import AnswerSettings, Indexing, Placement
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.records import Finding

_WHERE = {"embedded": "embedded", "disk": "on disk", "network": "needs the network"}


def list_models(json: options.JsonOption = False) -> None:
    """List the models that are embedded, on disk, or would need the network.

    Example: rag list-models
    """
    from ragcli.models.inventory import inventory

    entries = list(inventory())
    sizes = ("" if e.bytes is None else size(e.bytes) for e in entries)
    rows = [(e.name, e.role, _WHERE[e.where], each) for e, each in zip(entries, sizes, strict=True)]
    columns = ("model", "serves as", "where", "size>")
    put(
        json,
        map(model_record, entries),
        lambda: print_table(columns, rows, spare=("size", "serves as")),
    )


_KEYS = ("setting", "command", "value", "origin", "variable")
_STYLES = {"ok": "green", "note": "yellow", "problem": "red"}


def doctor(
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    repair: Annotated[
        bool,
        typer.Option(
            help="Remove what dead builds left, restore damaged files that another version of "
            "the index holds, and make damaged FAISS files again.",
        ),
    ] = False,
    only_store: Annotated[
        bool, typer.Option(help="Leave encoders, models and libraries aside.")
    ] = False,
    json: options.JsonOption = False,
) -> None:
    """Check the store byte by byte, the models and the libraries; exit with 1 if problems are left.

    Examples: rag doctor  |  rag doctor --repair
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
        with to_the_end():
            _put(finding, done, json)
    if left:
        say(f"{many(left, 'problem')} left", always=True)
        raise typer.Exit(ExitCode.ERROR)


def _findings(store: Store, placement: Placement, only_store: bool) -> Iterator[Finding]:
    from ragcli.indexing.doctor import check_libraries, check_store, encoders_of

    if only_store:
        yield from check_store(store)
        return
    from ragcli.models.integrity import check_models, encoder_on_machine

    yield check_libraries()
    yield from check_models(encoders_of(store))
    yield from check_store(store, partial(encoder_on_machine, placement=placement))


def _put(finding: Finding, done: str | None, json: bool) -> None:
    more = [(f"{finding.about:10}{finding.message}", "")]
    if done or finding.advice:
        more.append((f"\n        → {done or finding.advice}", "green" if done else "dim"))
    level, style = f"{finding.level:8}", _STYLES[finding.level]
    put(json, [finding_record(finding, done)], lambda: line(level, style, *more))


def config(
    ctx: typer.Context,
    opening: options.OpeningOptions,
    placement: options.PlacementOptions,
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
    left_open = {"model": MODEL}
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
        value = str(value.root) if isinstance(value, Store) else value
        yield dict(zip(_KEYS, (key, None, value, origin, option.envvar), strict=True))


def _tables(common: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the files say of single commands."""
    for name in COMMANDS:
        command = load(name)
        found = settings_of(name, command, common)
        for key, option in options_of(command).items():
            if option.name in found and found[option.name].table:
                said = found[option.name]
                yield dict(zip(_KEYS, (key, name, said.value, str(said.file), None), strict=True))
