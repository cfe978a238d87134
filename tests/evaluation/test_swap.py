"""The experiment's arithmetic on answers that are given, and its file format."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from ragcli.errors import QuestionError
from ragcli.evaluation.swap import SwapReport, swap_experiment
from ragcli.records import Answer, Candidate, Passage, Passes, RetrievedPassage, SwapQuestion


class FixedRag:
    """Answers from a table, each with one passage."""

    def __init__(self, version: str, answers: dict[str, tuple[str, str]]) -> None:
        self.index = SimpleNamespace(name="leaders", version=version)
        self.answers = answers

    def answers_to(self, questions: Sequence[str]) -> Iterator[Answer]:
        for question in questions:
            text, passage = self.answers[question]
            found = Passage("d#0", "d", "", passage, "", "s", 1, 0, 1)
            yield Answer(
                question,
                (Candidate(text, (2,), ("",), -1.0, (-1.0,), (1.0,)),),
                (RetrievedPassage(found, 0, 1.0, 0.0),),
                "leaders",
                self.index.version,
                "fixed",
                "sequence",
                "thorough",
                Passes(),
            )


def question(name: str, old: str, new: str) -> SwapQuestion:
    return SwapQuestion(name, ((old,), (new,)), old != new)


QUESTIONS = [
    question("peru", "Kuczynski", "Vizcarra"),
    question("usa", "Obama", "Trump"),
    question("france", "Hollande", "Macron"),
    question("canada", "Trudeau", "Trudeau"),
]


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> SwapReport:
    monkeypatch.setattr(
        "ragcli.evaluation.swap.ask", lambda session, questions, size: session.answers_to(questions)
    )
    old: Any = FixedRag(
        "2016",
        {
            "peru": ("Kuczynski", "Kuczynski leads"),
            "usa": ("obama", "Obama leads"),
            "france": ("Macron", "no name here"),
            "canada": ("Trudeau", "Trudeau leads"),
        },
    )
    new: Any = FixedRag(
        "2018",
        {
            "peru": ("Vizcarra", "Vizcarra leads"),
            "usa": ("Obama", "Trump followed Obama"),
            "france": ("Macron", "Macron leads"),
            "canada": ("Ottawa", "Trudeau leads from Ottawa"),
        },
    )
    return swap_experiment((old, new), QUESTIONS)


def test_the_table_by_hand(report: SwapReport) -> None:
    assert report.versions == ("2016", "2018")
    assert report.rate(0, 0) == pytest.approx(2 / 3)
    assert report.rate(0, 1) == pytest.approx(1 / 3)
    assert report.rate(1, 0) == pytest.approx(1 / 3)
    assert report.rate(1, 1) == pytest.approx(2 / 3)
    assert report.control_rate(0) == 1
    assert report.control_rate(1) == 0
    assert report.flipped == 1
    assert report.recall(0) == pytest.approx(3 / 4)
    assert report.recall(1) == 1
    assert report.worst == 0


def test_failures_say_why(report: SwapReport) -> None:
    reasons = {(t.question.question, t.version): t.failure for pair in report.trials for t in pair}
    assert reasons["peru", 0] is None
    assert reasons["france", 0] == "passage not retrieved"
    assert reasons["usa", 1] == "retrieved, answered wrongly"
    assert reasons["canada", 1] == "retrieved, answered wrongly"


def test_mcnemar_is_the_exact_binomial(report: SwapReport) -> None:
    # Two-sided: P(X ≥ 4) + P(X ≤ 2) of a fair coin thrown six times.
    expected = 2 * sum(math.comb(6, n) for n in (4, 5, 6)) / 2**6
    assert report.mcnemar == (4, 2, pytest.approx(expected))


def test_no_questions() -> None:
    rags: Any = (FixedRag("a", {}), FixedRag("b", {}))
    with pytest.raises(QuestionError, match="no questions"):
        swap_experiment(rags, [])
