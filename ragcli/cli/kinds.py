"""Options that name a kind of a registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from ragcli.registry import Registry


def known(registry: Registry[Any]) -> Callable[[str | None], str | None]:
    """A callback for an option: a name that no kind has is a mistake in usage."""

    def check(name: str | None) -> str | None:
        if name is not None and name not in registry:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(registry.names())}")
        return name

    return check
