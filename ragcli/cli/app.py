"""The `rag` command: what it says of itself, and errors turned into one line."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys

import typer

from ragcli import __version__
from ragcli.cli.commands import LazyGroup
from ragcli.cli.console import logged, print_error, quieted
from ragcli.cli.expand import expanded, option
from ragcli.cli.usage import UsageError, usage_error
from ragcli.errors import ExitCode, RagError

app = typer.Typer(
    name="rag",
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would double the time of --help
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: rag build-index docs/ && rag ask 'Who is the President of Peru?'\n\n"
    "Common options can also be set in ragcli.toml and as $RAG_TOP_K and so on: rag config.\n\n"
    "Exit codes: 0 done, 1 an error, 2 usage, 3 below --fail-under, 130 interrupted.",
)


def _version(show: bool) -> None:
    if show:
        typer.echo(f"rag {__version__}")
        raise typer.Exit


def _verbose(ctx: typer.Context, count: int) -> None:
    if count and not ctx.resilient_parsing:
        ctx.with_resource(logged(count))


def _quiet(ctx: typer.Context, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.with_resource(quieted())


@app.callback()
@expanded
def rag(
    version: bool = option(False, "Show the version.", callback=_version, is_eager=True),
    verbose: int = option(
        0,
        "Say what is loaded, from where, and how long it took.",
        "--verbose -v",
        count=True,
        callback=_verbose,
        show_default=False,
    ),
    quiet: bool = option(False, "Say nothing on stderr but errors.", "--quiet -q", callback=_quiet),
) -> None:
    """Retrieval-augmented generation: index documents, ask them, swap what is known."""


def main() -> None:
    """Run a command and exit with one of the codes of `ragcli.errors.ExitCode`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # This process is ours, and so is its stderr: the libraries' advice is for programmers.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    # OpenMP's threads would spin while they wait, and slow down everything else on the machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # Whatever is imported stays: there is little to collect, and at the end nothing at all.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    completing = os.environ.get("_RAG_COMPLETE")
    try:
        if completing == "complete_bash":
            from ragcli.cli.completion import join_words

            join_words(os.environ)
        sys.exit(app(prog_name="rag", standalone_mode=False) or 0)
    except RagError as error:
        if not completing:  # while somebody types there is nothing to say
            print_error(error)
        sys.exit(error.exit_code)
    except UsageError as error:
        if error.ctx is not None and not sys.argv[1:]:
            typer.echo(error.ctx.get_help(), err=True)
        else:
            print_error(usage_error(error))
        sys.exit(ExitCode.USAGE)
    except (KeyboardInterrupt, typer.Abort):  # before typer could catch it, and while it asks
        sys.exit(ExitCode.INTERRUPTED)
