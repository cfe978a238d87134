"""`--fail-under`: an exit code of its own for results that are not good enough."""

from __future__ import annotations

import typer

from ragcli.errors import ExitCode


def check_gate(what: str, lowest: float, fail_under: float | None) -> None:
    """End with the gate's exit code if a share is below the percentage that was asked for."""
    from ragcli.cli.console import say

    if fail_under is not None and 100 * lowest < fail_under:
        say(f"the lowest {what} is {100 * lowest:.1f} %, below {fail_under:g} %", always=True)
        raise typer.Exit(ExitCode.GATE)
