"""stdout is data, stderr is talk: the two consoles, JSON lines, and progress on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ragcli.api import Rag
    from ragcli.errors import RagError


@cache
def out() -> Console:
    """For what people read on stdout: tables, answers."""
    from rich.console import Console

    class Out(Console):
        def on_broken_pipe(self) -> None:
            _reader_gone()

    return Out(highlight=False)


def _reader_gone() -> NoReturn:
    """The reader has closed the pipe, as after `| head`: nothing is wrong, nothing more to say."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(0)


@contextmanager
def to_the_end() -> Iterator[None]:
    """For output that is not all a command does: a closed pipe ends the output, not the command."""
    with suppress(SystemExit):
        yield


@cache
def err() -> Console:
    """For notices, errors and progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(record: Any) -> None:
    """One JSON object on one line of stdout, flushed, so that pipes see it at once."""
    try:
        sys.stdout.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _reader_gone()


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[Text]], spare: Sequence[str]
) -> None:
    """A table whose lines never wrap; a column whose name ends in `>` is set to the right.

    On a terminal that is too narrow the columns in `spare` go, the first of them first.  In a pipe
    nothing goes: there a line may be as long as it is.
    """
    from rich.measure import Measurement
    from rich.table import Table

    console = out()
    shown = list(range(len(columns)))
    for name in ("", *spare):
        shown = [i for i in shown if not name or columns[i].rstrip(">") != name]
        table = Table(box=None, pad_edge=False, header_style="dim")
        for i in shown:
            side: Literal["left", "right"] = "right" if columns[i].endswith(">") else "left"
            table.add_column(columns[i].rstrip(">"), justify=side, no_wrap=True)
        for row in rows:
            table.add_row(*(row[i] for i in shown))
        width = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
        if width <= console.width or not console.is_terminal:
            break
    usual, console.width = console.width, max(width, console.width)
    console.print(table)
    console.width = usual


_quiet = False


@contextmanager
def quieted() -> Iterator[None]:
    """No notices and no progress for as long as it lasts."""
    global _quiet
    before, _quiet = _quiet, True
    try:
        yield
    finally:
        _quiet = before


def say(message: str, always: bool = False) -> None:
    """A notice on stderr; `always` is for what explains an exit code."""
    if always or not _quiet:
        err().print(message, markup=False, style="dim")


def say_clamped(rag: Rag) -> None:
    """Say when the index holds fewer passages than were asked for."""
    wanted, there = rag.settings.top_k, len(rag.index)
    if rag.settings.retriever != "none" and there < wanted:
        say(f"top-k {wanted} is more than the index holds; using all {there} passages")


def say_closed_book(rag: Rag) -> None:
    """Say when answers can only be empty: a generator that copies, and no passage to copy from."""
    if rag.settings.retriever == "none" and rag.generator.copies:
        say(
            f"{rag.generator.name} copies its answers from passages: with --retriever none every "
            "answer is empty; name another generator with --model"
        )


def say_no_labels(rag: Rag) -> None:
    """Say when labels mean little: a generator that copies was not trained to choose among them."""
    if rag.generator.copies:
        say(
            f"{rag.generator.name} was trained to copy answers from passages, not to choose a "
            "label: do not trust their shares; name another generator with --model"
        )


def print_error(error: RagError) -> None:
    """What went wrong, where, and what to do next, in one line on stderr."""
    text = " ".join(str(error).split())
    err().print(f"rag: {text}", markup=False, style="red")


class RichProgress:
    """A progress bar on stderr, drawn only on a terminal; phases follow each other."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=err(),
            disable=_quiet or not err().is_terminal,
        )
        self._task: Any = None

    def phase(self, name: str, total: int | None) -> None:
        if self._task is not None:
            self._progress.stop_task(self._task)
        self._task = self._progress.add_task(name, total=total)

    def advance(self, count: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, count)

    def reach(self, done: int, total: int, text: str) -> None:
        """Show that `done` of `total` is done (also after a start in the middle), with a text."""
        if self._task is None:
            self.phase(text, total)
        self._progress.update(self._task, completed=done, description=text)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()


@contextmanager
def working(message: str) -> Iterator[None]:
    """A spinner on a terminal while something loads."""
    if err().is_terminal and not _quiet:
        with err().status(message):
            yield
    else:
        yield
