"""Reports: files are checked before the work and written after it, and a gate may fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from ragcli.cli.console import say
from ragcli.errors import ExitCode, SettingsError
from ragcli.store.files import replace_file


def require_writable(path: Path | None) -> None:
    """Raise at once if a report could not be written there; None is no report."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise SettingsError(f"{path} cannot be written: no such folder, or a folder itself")


def write_report(path: Path | None, text: Callable[[], str]) -> None:
    """Write the text, if a file was named for it, and say so."""
    if path is None:
        return
    try:
        replace_file(path, text().encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from error
    say(f"wrote {path}")


def check_gate(what: str, lowest: float, fail_under: float | None) -> None:
    """End with the gate's exit code if a share is below the percentage that was asked for."""
    if fail_under is not None and 100 * lowest < fail_under:
        say(f"the lowest {what} is {100 * lowest:.1f} %, below {fail_under:g} %", always=True)
        raise typer.Exit(ExitCode.GATE)
