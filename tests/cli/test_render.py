"""What `rag ask` says of an answer, as people read it."""

from __future__ import annotations

import io
import math

import pytest
from rich.console import Console

from ragcli.cli import console
from ragcli.cli.reports import answers as render
from ragcli.records import Answer, Candidate, Passage, Passes, RetrievedPassage


def answer(prob: float, no_answer: float | None) -> Answer:
    passage = Passage("a#0", "a", "Port Ellary", "It rains.", "", "a.txt", 1, 0, 2)
    candidate = Candidate("rain", (1, 2), ("rain", ""), math.log(prob), (0.0,), (1.0,))
    return Answer(
        question="What falls?",
        candidates=(candidate,),
        passages=(RetrievedPassage(passage, 0, 1.0, 0.0),),
        index="default",
        version="1",
        model="embedded",
        variant="sequence",
        decoding="thorough",
        passes=Passes(),
        no_answer=no_answer,
    )


@pytest.mark.parametrize(
    ("prob", "no_answer", "doubted"),
    [(0.5, 0.5, False), (0.01, 0.99, False), (0.009, 0.99, True), (1e-9, None, False)],
)
def test_an_answer_is_doubted_when_silence_is_a_hundred_times_likelier(
    monkeypatch: pytest.MonkeyPatch, prob: float, no_answer: float | None, doubted: bool
) -> None:
    assert answer(prob, no_answer).doubted is doubted
    shown = Console(file=io.StringIO(), width=80, color_system=None)
    for module in (console, render):
        monkeypatch.setattr(module, "out", lambda: shown)
    render.show_answer(answer(prob, no_answer))
    text = shown.file.getvalue()
    assert text.startswith("rain\n")
    assert ("the answer is probably not in these passages (p = 0.99)" in text) is doubted
