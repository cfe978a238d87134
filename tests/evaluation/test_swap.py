"""The experiment's arithmetic on answers that are given."""

from __future__ import annotations

import math

import pytest

from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import NOT_RETRIEVED, RETRIEVED, measure_run
from ragcli.evaluation.swap import SwapReport, right_for
from ragcli.records import Evidence, Prediction, QAExample

GOLD = {
    "peru": ("Kuczynski", "Vizcarra"),
    "usa": ("Obama", "Trump"),
    "france": ("Hollande", "Macron"),
    "canada": ("Trudeau", "Trudeau"),
}
OLD = {
    "peru": ("Kuczynski", "Kuczynski leads"),
    "usa": ("obama", "Obama leads"),
    "france": ("Macron", "no name here"),
    "canada": ("Trudeau", "Trudeau leads"),
}
NEW = {
    "peru": ("Vizcarra", "Vizcarra leads"),
    "usa": ("Obama", "Trump followed Obama"),
    "france": ("Macron", "Macron leads"),
    "canada": ("Ottawa", "Trudeau leads from Ottawa"),
}


def evaluation(version: int, name: str, given: dict[str, tuple[str, str]]) -> Evaluation:
    """What `given` answers from one passage each, against the answers of a version."""
    examples = [
        QAExample(question, question, (gold[version],), changed=gold[0] != gold[1])
        for question, gold in GOLD.items()
    ]
    predictions = [
        Prediction(question, question, answer, (Evidence("d#0", "d", "", passage),), 1, -1.0)
        for question, (answer, passage) in given.items()
    ]
    run = {"index": "leaders", "version": name}
    return Evaluation("qa", (measure_run(examples, predictions, "qa"),), run)


@pytest.fixture
def report() -> SwapReport:
    return SwapReport((evaluation(0, "2016", OLD), evaluation(1, "2018", NEW)))


def test_the_table_by_hand(report: SwapReport) -> None:
    assert (report.index, report.versions, report.top_k) == ("leaders", ("2016", "2018"), 1)
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


def test_without_controls_the_matched_rates_decide(report: SwapReport) -> None:
    first, second = (
        Evaluation("qa", (measure_run(examples, predictions, "qa"),), report.evaluations[0].run)
        for examples, predictions in (
            zip(*((t.example, t.prediction) for t in column), strict=True)
            for column in zip(*report.changed, strict=True)
        )
    )
    changed = SwapReport((first, second))
    assert (changed.control_rate(0), changed.worst) == (None, pytest.approx(2 / 3))


def test_right_for_which_version(report: SwapReport) -> None:
    usa = report.pairs[1]
    assert [[right_for(usa, v, a) for a in (0, 1)] for v in (0, 1)] == [[True, False]] * 2


def test_failures_say_why(report: SwapReport) -> None:
    assert [[trial.failure for trial in pair] for pair in report.pairs] == [
        [None, None],
        [None, RETRIEVED],
        [NOT_RETRIEVED, None],
        [None, RETRIEVED],
    ]


def test_mcnemar_is_the_exact_binomial(report: SwapReport) -> None:
    # Two-sided: P(X ≥ 4) + P(X ≤ 2) of a fair coin thrown six times.
    expected = 2 * sum(math.comb(6, n) for n in (4, 5, 6)) / 2**6
    assert report.mcnemar == (4, 2, pytest.approx(expected))


def test_the_top_passage_is_what_the_answer_leans_on() -> None:
    evidence = [Evidence(f"d#{n}", "d", "", "", 0.5, share) for n, share in enumerate((0.2, 0.8))]
    top = Prediction("1", "q", "a", tuple(evidence), 2).top_passage
    assert top is not None
    assert top.id == "d#1"
    assert Prediction("1", "q", "a", (), 1).top_passage is None
