"""How much is said on stderr: notices as a rule, the log too with -v, only errors with -q.

The options stand before the command or after it; the help of a command leaves them to `rag`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import wraps
from typing import Annotated, Any

import typer

from ragcli.cli import console
from ragcli.cli.expand import parameter, signed


@contextmanager
def logged(verbose: int) -> Iterator[None]:
    """The messages of the logger `ragcli` on stderr; with 2 also those for people who search."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            console.err().print(self.format(record), markup=False, style="dim")

    logger, handler = logging.getLogger("ragcli"), Handler()
    level = logger.level
    logger.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _verbose(ctx: typer.Context, count: int) -> int:
    if count and not ctx.resilient_parsing:
        ctx.with_resource(logged(count))
    return count


def _quiet(ctx: typer.Context, wanted: bool) -> bool:
    if wanted and not ctx.resilient_parsing:
        ctx.with_resource(console.quieted())
    return wanted


_TALK = typer.Option(
    "--verbose",
    "-v",
    count=True,
    callback=_verbose,
    show_default=False,
    help="Say what is loaded, from where, and how long it took.",
)
_HUSH = typer.Option("--quiet", "-q", callback=_quiet, help="Say nothing on stderr but errors.")
VerboseOption = Annotated[int, _TALK]
QuietOption = Annotated[bool, _HUSH]


def talkative(command: Callable[..., None]) -> Callable[..., None]:
    """The command with -v and -q as hidden options."""

    @wraps(command)
    def called(*, verbose: int, quiet: bool, **values: Any) -> None:
        command(**values)

    talk, hush = copy(_TALK), copy(_HUSH)
    talk.hidden = hush.hidden = True
    more = (
        parameter("verbose", Annotated[int, talk], 0),
        parameter("quiet", Annotated[bool, hush], False),
    )
    return signed(called, [*inspect.signature(command).parameters.values(), *more])
