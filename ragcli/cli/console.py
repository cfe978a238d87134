"""stdout is data, stderr is talk: JSON lines and tables, notices, and how far long work is."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, NoReturn

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ragcli.api import Rag
    from ragcli.errors import RagError
    from ragcli.settings import Retrieval

    Row = Sequence[Text | str]


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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


to_the_end = partial(suppress, SystemExit)
"""For output that is not all a command does: a closed pipe ends the output, not the command."""


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


def put(json: bool, records: Iterable[Any], show: Callable[[], None]) -> None:
    """What a command found: a line of JSON for each record, or `show` for people."""
    if json:
        for record in records:
            print_json(record)
    else:
        show()


def printable(text: str) -> str:
    """A text of others, whose control characters would reach the terminal as commands."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def line(text: str, style: str = "", *more: tuple[str, str]) -> None:
    """A line for people on stdout, `more` in other styles; in a pipe it may be as long as it is."""
    from rich.text import Text

    whole = Text(text, style).append_tokens((each, look or "default") for each, look in more)
    out().print(whole, soft_wrap=not out().is_terminal)


def print_table(
    columns: Sequence[str], rows: Iterable[Row], spare: Sequence[str] | None = None
) -> None:
    """A table; a column whose name ends in `>` is set to the right.

    With `spare` no line wraps: on a terminal that is too narrow these columns go, the first of them
    first.  In a pipe nothing goes: there a line may be as long as it is.
    """
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    console = out()
    cells = [[Text(each) if isinstance(each, str) else each for each in row] for row in rows]
    for gone in range(len(spare or ()) + 1):
        left_out = (spare or ())[:gone]
        shown = [i for i, name in enumerate(columns) if name.rstrip(">") not in left_out]
        table = Table(box=None, pad_edge=False, header_style="dim")
        for name in (columns[i] for i in shown):
            side: Literal["left", "right"] = "right" if name.endswith(">") else "left"
            table.add_column(name.rstrip(">"), justify=side, no_wrap=spare is not None)
        for row in cells:
            table.add_row(*(row[i] for i in shown))
        width = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
        if spare is None or width <= console.width or not console.is_terminal:
            break
    usual = console.width
    console.width = usual if spare is None else max(width, usual)
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


@contextmanager
def logged(verbose: int) -> Iterator[None]:
    """The messages of the logger `ragcli` on stderr; with 2 also those for people who search."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            err().print(self.format(record), markup=False, style="dim")

    logger, handler = logging.getLogger("ragcli"), Handler()
    level = logger.level
    logger.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def say(message: str, always: bool = False) -> None:
    """A notice on stderr; `always` is for what explains an exit code."""
    if always or not _quiet:
        err().print(message, markup=False, style="dim")


def say_clamped(rag: Rag, retrieval: Retrieval | None) -> None:
    """Say when the index holds fewer passages than the user named."""
    wanted, there = retrieval and retrieval.top_k, len(rag.index)
    if wanted and rag.settings.retriever != "none" and there < wanted:
        say(f"top-k {wanted} is more than the index holds; using all {many(there, 'passage')}")


def say_untrained(rag: Rag) -> None:
    """Say that a generator that copies from passages was not trained to choose a label."""
    from ragcli.settings import LABEL

    if rag.generator.name == "embedded" and LABEL not in rag.generator.prompting.styles:
        trained = "was trained to copy answers from passages, not to choose a label"
        say(f"{rag.generator.name} {trained}: name another generator with --model")


def many(count: int, noun: str) -> str:
    """A number of things: `1 passage`, `2,000 passages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count: int) -> str:
    """Bytes for people."""
    units = {"GB": 1e9, "MB": 1e6, "kB": 1e3}
    unit = next((unit for unit, length in units.items() if count >= length), "kB")
    return f"{count / units[unit]:,.1f} {unit}"


def duration(seconds: float) -> str:
    """Seconds for people."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 2 * length or unit == "s":
            break
    count = seconds / length
    return f"{count:,.1f} {unit}" if count < 10 else f"{count:,.0f} {unit}"


def print_error(error: RagError) -> None:
    """What went wrong, where, and what to do next, in one line on stderr."""
    err().print(f"rag: {' '.join(str(error).split())}", markup=False, style="red")


@contextmanager
def interruptible(how: str) -> Iterator[None]:
    """Say how to go on where long work was interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        say(f"interrupted; {how}", always=True)
        raise


SAME_COMMAND = "the same command goes on where it stopped"


def working(message: str) -> AbstractContextManager[object]:
    """A spinner on a terminal while something loads."""
    return err().status(message) if err().is_terminal and not _quiet else nullcontext()


_SECONDS = 10.0
"""Between two lines; shorter work says nothing."""
_UNITS = {"reading": " documents", "training": " steps"}
_UNITS |= dict.fromkeys(("embedding", "indexing", "vectors"), " passages")
_UNITS |= dict.fromkeys(("answering", "asking"), " questions")


class Progress(ExitStack):
    """Phases that follow each other, told on stderr."""

    def __init__(self, name: str = "", total: int | None = None) -> None:
        super().__init__()
        self._bar = None if _quiet or not err().is_terminal else self.enter_context(_bar())
        self._task: Any = None
        self._told = time.monotonic()
        self.phase(name, total)

    def phase(self, name: str, total: int | None) -> None:
        """What begins now, and how much of it there is, if that is known."""
        self._name, self._total, self._done = name, total, 0
        self._begun: tuple[float, int] | None = None
        if self._bar is not None and name:
            if self._task is not None:
                self._bar.stop_task(self._task)
            self._task = self._bar.add_task(name, total=total)

    def advance(self, count: int = 1) -> None:
        """So much more of the phase is done."""
        self.reach(self._done + count)

    def reach(self, done: int, training: int | None = None, text: str = "") -> None:
        """So much is done; of `training` steps maybe by an earlier run."""
        if training is not None and self._name != "training":
            self.phase("training", training)
        now = time.monotonic()
        self._begun = self._begun or (now, done)
        self._done = done
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=text or self._name)
        elif now - self._told >= _SECONDS:
            self._told = now
            of = "" if self._total is None else f" of {self._total:,}"
            so_far = f"{self._name} {done:,}{of}{_UNITS.get(self._name, '')}"
            say(", ".join(part for part in (so_far, text, self._left(now)) if part))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """No bar while somebody is asked."""
        if self._bar is not None:
            self._bar.stop()
        try:
            yield
        finally:
            if self._bar is not None:
                self._bar.start()

    def _left(self, now: float) -> str:
        """The time that is left if it goes on as it has since the phase was first heard of."""
        since, first = self._begun or (now, 0)
        if self._total is None or self._done == first or self._done >= self._total:
            return ""
        seconds = (now - since) / (self._done - first) * (self._total - self._done)
        return f"{duration(seconds)} left"


def _bar() -> Any:
    from rich import progress

    return progress.Progress(
        *("{task.description}", progress.BarColumn(), progress.MofNCompleteColumn()),
        *(progress.TimeElapsedColumn(), progress.TimeRemainingColumn()),
        console=err(),
    )
