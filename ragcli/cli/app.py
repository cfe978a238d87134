"""The `rag` command: what it says of itself, and errors turned into one line."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from ragcli import __version__
from ragcli.cli.commands import LazyGroup
from ragcli.errors import RagError

app = typer.Typer(
    name="rag",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would double the time of --help
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Retrieval-augmented generation: index documents, ask them, swap what is known.",
    epilog="Example: rag build-index docs/ && rag ask 'Who is the President of Peru?'",
)


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
