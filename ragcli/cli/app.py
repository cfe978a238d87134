"""The `rag` command: registers the commands and turns errors into one line."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from ragcli import __version__
from ragcli.cli import (
    ask,
    classify,
    compare,
    corpus,
    diff,
    doctor,
    evaluate,
    history,
    indexes,
    models,
    plan,
    swap,
    transfer,
    updates,
)
from ragcli.errors import RagError

app = typer.Typer(
    name="rag",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would double the time of --help
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Retrieval-augmented generation: index documents, ask them, swap what is known.",
    epilog="Example: rag build-index docs/ && rag ask 'Who is the President of Peru?'",
)
app.command("chunk")(corpus.chunk)
app.command("plan-index")(plan.plan_index)
app.command("build-index")(indexes.build_index)
app.command("update-index")(updates.update_index)
app.command("delete-documents")(updates.delete_documents)
app.command("list-indexes")(indexes.list_indexes)
app.command("swap-index")(indexes.swap_index)
app.command("log-index")(history.log_index)
app.command("diff-index")(diff.diff_index)
app.command("tag-index")(history.tag_index)
app.command("remove-index")(history.remove_index)
app.command("prune-index")(history.prune_index)
app.command("export-index")(transfer.export_index)
app.command("import-index")(transfer.import_index)
app.command("ask")(ask.ask)
app.command("retrieve")(ask.retrieve)
app.command("score")(ask.score)
app.command("classify")(classify.classify)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("swap-experiment")(swap.swap_experiment)
app.command("doctor")(doctor.doctor)
app.command("list-models")(models.list_models)


def _version(show: bool) -> None:
    if show:
        typer.echo(f"rag {__version__}")
        raise typer.Exit


@app.callback()
def rag(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Retrieval-augmented generation: index documents, ask them, swap what is known."""


def main() -> None:
    """Run a command: 0 for success, 1 for our errors, 2 for usage, 130 for Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except RagError as error:
        from ragcli.cli.console import print_error

        print_error(error)
        sys.exit(1)
