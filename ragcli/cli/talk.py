"""How much is said on stderr: notices as a rule, the log too with -v, only errors with -q.

The options stand before the command or after it; the help of a command leaves them to `rag`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def _options(hidden: bool) -> tuple[Any, Any]:
    return (
        typer.Option(
            "--verbose",
            "-v",
            count=True,
            callback=_verbose,
            hidden=hidden,
            show_default=False,
            help="Say what is loaded, from where, and how long it took.",
        ),
        typer.Option(
            "--quiet",
            "-q",
            callback=_quiet,
            hidden=hidden,
            help="Say nothing on stderr but errors.",
        ),
    )


_SHOWN, _HIDDEN = _options(hidden=False), _options(hidden=True)
VerboseOption = Annotated[int, _SHOWN[0]]
QuietOption = Annotated[bool, _SHOWN[1]]


def talkative(command: Callable[..., None]) -> Callable[..., None]:
    """The command with -v and -q as hidden options."""

    @wraps(command)
    def called(*, verbose: int, quiet: bool, **values: Any) -> None:
        command(**values)

    return signed(
        called,
        [
            *inspect.signature(command).parameters.values(),
            parameter("verbose", Annotated[int, _HIDDEN[0]], 0),
            parameter("quiet", Annotated[bool, _HIDDEN[1]], False),
        ],
    )
