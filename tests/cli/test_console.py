"""Tables that keep their lines whole, and how far long work has come."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console
from rich.text import Text

from ragcli.cli import console
from ragcli.cli.console import Progress
from ragcli.errors import CorpusError


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


class Clock:
    """Seconds that pass when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("ragcli.cli.console.time.monotonic", clock)
    console.err.cache_clear()
    return clock


def work(clock: Clock, *steps: tuple[float, int]) -> None:
    """Embed so many passages at each time, of 50,000."""
    with Progress() as progress:
        progress.phase("embedding", 50_000)
        for clock.now, count in steps:
            progress.advance(count)


def test_long_work_off_a_terminal_says_how_far_it_is(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    work(clock, (2, 2_000), (7, 5_000), (12, 5_000), (17, 5_000), (22, 5_000), (50, 28_000))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "embedding 12,000 of 50,000 passages, 38 s left",
        "embedding 22,000 of 50,000 passages, 28 s left",
        "embedding 50,000 of 50,000 passages",
    ]


def test_work_of_unknown_length_and_a_resumed_training(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress() as progress:
        progress.phase("reading", None)
        clock.now = 11
        progress.advance(1200)
    with Progress() as progress:
        progress.reach(900, 1000, "loss 0.5")
        clock.now = 31
        progress.reach(910, 1000, "loss 0.4")
    assert capsys.readouterr().err.splitlines() == [
        "reading 1,200 documents",
        "training 910 of 1,000 steps, loss 0.4, 3.0 min left",
    ]


def test_short_or_quiet_work_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    work(clock, (3, 20_000), (6, 20_000), (9, 10_000))
    with console.quieted():
        work(clock, (20, 20_000), (40, 20_000))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    shown = Console(file=stream, force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr("ragcli.cli.console.err", lambda: shown)
    work(clock, (20, 20_000), (40, 30_000))
    assert "embedding" in stream.getvalue()
    assert "50000/50000" in stream.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.44, "0.4 s"), (95.3, "95 s"), (130, "2.2 min"), (7200, "2.0 h"), (3e6, "35 d")],
)
def test_durations(seconds: float, text: str) -> None:
    assert console.duration(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0.0 kB"), (2_700, "2.7 kB"), (5_840_000, "5.8 MB"), (21e9, "21.0 GB")],
)
def test_sizes(count: int, text: str) -> None:
    assert console.size(count) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 passages"), (1, "1 passage"), (2_000, "2,000 passages")]
)
def test_numbers_of_things(count: int, text: str) -> None:
    assert console.many(count, "passage") == text


HOSTILE = "a\x1b]52;c;YQ==\x07b\x1b]8;;http://x\x1b\\c\x9b31md\x7fe\rf\x85g\tüé\n"
"""A clipboard written, a link, colour by a C1 code, and the rest of what a terminal obeys."""


def controls(text: str) -> set[str]:
    return {c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160}


@pytest.mark.parametrize("terminal", [True, False])
def test_no_control_character_from_outside_reaches_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    for each in (console.out, console.err):
        each.cache_clear()
        monkeypatch.setattr(each(), "_force_terminal", terminal)
    console.line(HOSTILE, "bold", (HOSTILE, "dim"))
    console.print_table([HOSTILE], [[HOSTILE]], spare=())
    console.say(HOSTILE)
    console.print_error(CorpusError(HOSTILE, HOSTILE, hint=HOSTILE))
    written = capsys.readouterr()
    for text in (written.out, written.err):
        if terminal:  # what is left is the console's own colours
            text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        assert controls(text) == set()
        assert "a␛]52;c;YQ==" in text
        assert "üé" in text
    for each in (console.out, console.err):
        each.cache_clear()


def test_json_escapes_what_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"text": HOSTILE})
    written = capsys.readouterr().out
    assert controls(written) == set()
    assert json.loads(written) == {"text": HOSTILE}
    assert "üé" in written
