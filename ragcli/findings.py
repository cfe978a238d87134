"""What `rag doctor` finds: a line for people, and where it is possible a way to put it right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: in order, worth a note, or a problem.

    `advice` says what to run; `repair` puts it right and says what it did.
    """

    level: Level
    about: str
    message: str
    advice: str | None = None
    repair: Callable[[], str] | None = field(default=None, compare=False, repr=False)
