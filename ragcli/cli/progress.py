"""How far long work has come: a bar on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import time
from typing import Any, Self

from ragcli.cli.console import duration, err, is_quiet, say

_SECONDS = 10.0
"""Between two lines; shorter work says nothing."""
_UNITS = {
    "reading": " documents",
    "embedding": " passages",
    "indexing": " passages",
    "vectors": " passages",
    "answering": " questions",
    "asking": " questions",
    "training": " steps",
}


class Progress:
    """Phases that follow each other, told on stderr."""

    def __init__(self, name: str = "", total: int | None = None) -> None:
        self._bar = None if is_quiet() or not err().is_terminal else _bar()
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
        self._reach(self._done + count)

    def reach(self, done: int, total: int, text: str = "") -> None:
        """`done` of all `total` steps of a training are done, maybe by an earlier run."""
        if self._name != "training":
            self.phase("training", total)
        self._reach(done, text)

    def _reach(self, done: int, text: str = "") -> None:
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

    def _left(self, now: float) -> str:
        """The time that is left if it goes on as it has since the phase was first heard of."""
        since, first = self._begun or (now, 0)
        if self._total is None or self._done == first or self._done >= self._total:
            return ""
        seconds = (now - since) / (self._done - first) * (self._total - self._done)
        return f"{duration(seconds)} left"

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Any:
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
        console=err(),
    )
