"""What `rag ask` says of an answer, as people read it."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ragcli.answering.ask import spotted
from ragcli.cli import console
from ragcli.cli.reports import answers as render
from ragcli.records import Answer, Candidate, Passage, Passes, RetrievedPassage


def answer(prob: float, no_answer: float | None, **fields: Any) -> Answer:
    passage = Passage("a#0", "a", "Port Ellary", "It rains.", "", "a.txt", 1, 0, 2)
    passage = replace(passage, **fields)
    candidate = Candidate("rain", (1, 2), ("rain", ""), math.log(prob), (0.0,), (1.0,))
    return Answer(
        question="What falls?",
        candidates=(candidate,),
        passages=tuple(spotted([RetrievedPassage(passage, 0, 1.0, 0.0)], "rain")),
        index="default",
        version="1",
        model="embedded",
        variant="sequence",
        decoding="thorough",
        passes=Passes(),
        no_answer=no_answer,
    )


def printed(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, terminal: bool = False, **how: bool
) -> str:
    """What is shown, in a pipe or on a terminal."""
    colours: Any = "standard" if terminal else None
    file = io.StringIO()
    shown = Console(file=file, width=80, color_system=colours, force_terminal=terminal)
    for module in (console, render):
        monkeypatch.setattr(module, "out", lambda: shown)
    render.show_answer(answer, **how)
    return file.getvalue()


@pytest.mark.parametrize(
    ("prob", "no_answer", "doubted"),
    [(0.5, 0.5, False), (0.01, 0.99, False), (0.009, 0.99, True), (1e-9, None, False)],
)
def test_an_answer_is_doubted_when_silence_is_a_hundred_times_likelier(
    monkeypatch: pytest.MonkeyPatch, prob: float, no_answer: float | None, doubted: bool
) -> None:
    assert answer(prob, no_answer).doubted is doubted
    text = printed(monkeypatch, answer(prob, no_answer))
    assert text.startswith("rain\n")
    assert ("the answer is probably not in these passages (p = 0.99)" in text) is doubted


TEXT = "It never snows. In spring some rain falls on the roofs. Then it is dry."
WHERE = {"text": TEXT, "headings": ("Climate", "Spring")}


def test_the_winning_passage_says_where_and_in_which_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = printed(monkeypatch, answer(0.5, None, **WHERE, line=12)).splitlines()
    assert lines[2:4] == [
        "a.txt:12  Port Ellary › Climate › Spring",
        "  In spring some rain falls on the roofs.",
    ]
    assert lines[5].split(maxsplit=2)[2].rstrip() == "a.txt:12  Port Ellary › Climate › Spring"
    assert TEXT not in "\n".join(lines)
    paged = printed(monkeypatch, answer(0.5, None, **WHERE, page=3))
    assert paged.splitlines()[2] == "a.txt, page 3  Port Ellary › Climate › Spring"


def test_passages_are_shown_whole_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = printed(monkeypatch, answer(0.5, None, **WHERE), whole=True)
    assert " ".join(TEXT.split()) in " ".join(whole.split())


def test_a_long_sentence_is_cut_around_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    long = f"{'so ' * 200}some rain falls {'and ' * 200}"
    shown = printed(monkeypatch, answer(0.5, None, text=long)).splitlines()
    around = "".join(shown[3:9])
    assert "…" in around
    assert " some rain falls " in around
    assert len(around) < 600


def test_a_file_can_be_opened_from_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "a b;c.txt"
    file.write_text(TEXT)
    found = answer(0.5, None, text=TEXT, source=str(file))
    shown = printed(monkeypatch, found, terminal=True)
    assert f";{file.as_uri()}\x1b\\" in shown
    assert "a%20b" in file.as_uri()
    assert "\x1b" not in printed(monkeypatch, found)
    file.unlink()
    assert "file://" not in printed(monkeypatch, found, terminal=True)


def test_what_a_document_says_is_no_command_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evil = "\x1b]8;;http://evil.example\x1b\\rain\x1b]8;;\x1b\\ \x9b31m"
    found = answer(0.5, None, text=f"Some {evil} falls.", title=f"T{evil}", source=f"{evil}.txt")
    for whole in (False, True):
        shown = printed(monkeypatch, found, terminal=True, whole=whole)
        assert "\x1b]8" not in shown
        assert "\x9b" not in shown
        assert "http://evil.example" in shown  # as plain text


def test_the_closed_book_has_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = printed(monkeypatch, answer(0.5, None, id="", text="", title="", source="no passage"))
    assert shown.splitlines()[3].split() == ["1.000", "1.000", "no", "passage"]


def test_print_of_an_answer_says_what_and_where() -> None:
    found = answer(0.25, None, **WHERE, line=12)
    assert str(found) == "rain\np = 0.25  a.txt:12  Port Ellary › Climate › Spring"
    assert str(answer(0.001, 0.9)).startswith("rain (doubted)\n")


def test_a_notebook_shows_an_answer_with_its_evidence_escaped() -> None:
    html = answer(0.25, None, text="<script>rain</script> & more", title="<b>")._repr_html_()
    assert "&lt;script&gt;<mark>rain</mark>&lt;/script&gt; &amp; more" in html
    assert "a.txt:1 &lt;b&gt;" in html
    assert "<script>" not in html
    assert "<details open>" in html
    assert "What falls?" in html
