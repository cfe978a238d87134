"""Tables that keep their lines whole, on a narrow terminal and in a pipe."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from ragcli.cli import console


@pytest.mark.parametrize(
    ("terminal", "width", "expected"),
    [
        (True, 40, ["name     size  encoder", "2016      412  all-MiniLM"]),
        (True, 16, ["name     size", "2016      412"]),
        (True, 9, ["name   ", "2016   "]),
        (True, 4, ["name   ", "2016   "]),
        (False, 4, ["name     size  encoder", "2016      412  all-MiniLM"]),
    ],
)
def test_spare_columns_go_and_no_line_wraps(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, width: int, expected: list[str]
) -> None:
    stream = io.StringIO()
    shown = Console(file=stream, force_terminal=terminal, width=width, color_system=None)
    monkeypatch.setattr(console, "out", lambda: shown)
    rows = [[Text("2016"), Text("412"), Text("all-MiniLM")], [Text("longest"), Text(), Text()]]
    console.print_table(["name", "size>", "encoder"], rows, spare=("encoder", "size"))
    lines = stream.getvalue().splitlines()
    assert [line.rstrip() for line in lines[:2]] == [line.rstrip() for line in expected]
    assert len(lines) == 3
    assert shown.width == width
