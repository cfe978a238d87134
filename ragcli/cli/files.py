"""Files that the user names for a report: checked before the work, written after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ragcli.errors import SettingsError
from ragcli.store.files import replace_file


def require_writable(path: Path | None) -> None:
    """Raise at once if a report could not be written there; None is no report."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise SettingsError(f"{path} cannot be written: no such folder, or a folder itself")


def write_report(path: Path | None, text: Callable[[], str]) -> None:
    """Write the text, if a file was named for it, and say so."""
    from ragcli.cli.console import say

    if path is None:
        return
    try:
        replace_file(path, text().encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from error
    say(f"wrote {path}")
