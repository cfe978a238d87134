"""Pages and charts: axes that fit, bars that begin at 0, wrong answers first, texts escaped."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ragcli.cli.reports.evaluation import report_html, swap_html, sweep_svg
from ragcli.cli.reports.page import Curve, _round_numbers, bars, facts, line_chart, page
from ragcli.cli.reports.training import training_html
from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import measure_run
from ragcli.evaluation.swap import SwapReport
from ragcli.records import Evidence, Prediction, QAExample
from ragcli.training.joint import TrainingReport

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def heights(svg: str) -> list[list[float]]:
    """The y of every point of every curve, from the top of the chart down."""
    lines = ElementTree.fromstring(svg).iter(f"{SVG}polyline")
    return [
        [float(point.split(",")[1]) for point in line.attrib["points"].split()] for line in lines
    ]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (71.6, 100.0, [70, 80, 90, 100]),
        (2.909, 3.4, [2.9, 3.0, 3.1, 3.2, 3.3, 3.4]),
        (-17.8, -1.1, [-20, -15, -10, -5, 0]),
        (0.0, 0.0, [0, 0.2]),
        (0.5, 0.5, [0.5, 0.6]),
        (0.00031, 0.00034, [0.00031, 0.00032, 0.00033, 0.00034]),
    ],
)
def test_axes_fit_what_they_show(low: float, high: float, expected: list[float]) -> None:
    assert _round_numbers(low, high) == pytest.approx(expected)


def test_a_curve_uses_the_height_of_its_axis() -> None:
    """From 70 at the bottom, 240 pixels down, to 100 at the top, 16 down: 224 for 30."""
    line = Curve("exact <match>", [(0, 70.0), (1, 85.0), (2, 100.0)])
    svg = line_chart([line], "top-k", {0: "1", 1: "5", 2: "10"})
    assert heights(svg) == [[240.0, 128.0, 16.0]]
    assert texts(svg) == ["70", "80", "90", "100", "1", "5", "10", "top-k", "exact <match> 100"]


def test_a_band_belongs_to_the_axis_too() -> None:
    svg = line_chart([Curve("a", [(0, 50.0), (1, 52.0)], [(41.0, 58.0), (44.0, 59.0)])], "k")
    (band,) = ElementTree.fromstring(svg).iter(f"{SVG}polygon")
    ys = [float(point.split(",")[1]) for point in band.attrib["points"].split()]
    # The axis runs from 40 to 60: 11.2 pixels for one. High ends first, then the low ones back.
    assert ys == pytest.approx([16 + 11.2 * (60 - y) for y in (58, 59, 44, 41)], abs=0.06)


def test_nothing_to_draw_and_one_point() -> None:
    assert line_chart([Curve("a", [])], "step") == "<p>Nothing was measured.</p>"
    assert heights(line_chart([Curve("a", [(3, 0.5)])], "step")) == [[240.0]]


def test_bars_begin_at_nothing() -> None:
    drawn = bars([("a & b", 50.0, "right"), ("the paper", 12.34, "paper"), ("c", 0.0, "wrong")])
    assert re.findall(r'class=(\w+) style="width:(.*?)%"></i> ([\d.]+)', drawn) == [
        ("right", "40.0", "50"),  # the number needs room too: 80 % of the width for 100
        ("paper", "9.9", "12.3"),
        ("wrong", "0.0", "0"),
    ]
    assert re.findall("<dt>(.*?)<", drawn) == ["a &amp; b", "the paper", "c"]


def test_the_frame_escapes_and_loads_nothing() -> None:
    text = page("<a>", facts({"k<": "v&", "list": [1, "é"]}))
    assert "<title>&lt;a&gt;</title>" in text
    assert "<dl><dt>k&lt;<dd>v&amp;<dt>list<dd>[1, &quot;é&quot;]</dl>" in text
    assert "http" not in text


def evaluation(
    answers: list[str], version: str, top_k: int = 1, text: str = "in Lima"
) -> Evaluation:
    examples = [
        QAExample(str(n), f"question {n}?", ("Lima",), changed=n == 0) for n in range(len(answers))
    ]
    passages = (Evidence("d#0", "d", "T", text, 1.0, 1.0),) * top_k
    predictions = [
        Prediction(e.id, e.question, answer, passages, top_k, -1.0, -2.0)
        for e, answer in zip(examples, answers, strict=True)
    ]
    run = {"index": "default", "version": version, "retriever": "dense", "decoding": {}}
    return Evaluation("qa", (measure_run(examples, predictions, "qa"),), run)


def test_wrong_answers_stand_first() -> None:
    report = evaluation(["Lima", "Quito", "Lima", "Rome"], "1")
    html = report_html(report)
    assert "<h2>Wrong answers (2)</h2>" in html
    assert re.findall(r"<summary>question (\d)", html) == ["1", "3", "0", "2"]
    swap = SwapReport((report, evaluation(["Lima", "Lima", "Rome", "Lima"], "2")))
    assert re.findall(r"<td>question (\d)", swap_html(swap)) == ["1", "2", "3", "0"]


def test_a_reliability_diagram_where_there_is_confidence() -> None:
    """Of the two answers at 0.9 one is right, the one at 0.2 is: 50 beside 90, 100 beside 20."""
    report = evaluation(["Lima", "Quito", "Lima"], "1")
    assert "Confidence" not in report_html(report)
    trials = report.main.trials
    sure = [
        replace(t.prediction, confidence=p) for t, p in zip(trials, (0.9, 0.9, 0.2), strict=True)
    ]
    measured = measure_run([t.example for t in trials], sure, "qa")
    html = report_html(replace(report, results=(measured,)))
    (svg,) = re.findall(r"<svg.*?</svg>", html)
    assert {"right 50", "confidence 90", "20–30", "90–100"} <= set(texts(svg))
    # From 20 at the bottom, 240 pixels down, to 100 at the top, 16 down: 2.8 pixels a percent.
    assert heights(svg) == [[16.0, 156.0], [240.0, 44.0]]
    assert "Answers: 1 of 20–30 %, 2 of 90–100 %." in html


def test_a_sweep_draws_shares_on_one_axis_and_others_on_their_own() -> None:
    answers = ["Lima", "Quito"]
    results = [evaluation(answers, "1", k).main for k in (1, 2)]
    report = Evaluation("qa", tuple(results), evaluation(answers, "1").run)
    shares = texts(sweep_svg(report))
    assert "exact match 50" in shares
    assert "answer recall 100" in shares
    assert not any("log p" in text for text in shares)
    charts = re.findall(r"<svg.*?</svg>", report_html(report))
    assert len(charts) == 2
    assert "log p of gold -2" in texts(charts[1])


def test_a_share_of_a_few_questions_does_not_flatten_the_curves() -> None:
    results = tuple(evaluation(["Lima"], "1", k, text="elsewhere").main for k in (1, 2))
    assert results[0].metrics["right_without_passage"].value == 1.0
    shares = texts(sweep_svg(Evaluation("qa", results, {})))
    assert shares[-3:] == ["exact match 100", "F1 100", "answer recall 0"]


def test_training_and_dev_loss_have_axes_of_their_own() -> None:
    history = tuple(
        {"step": step, "dev_em": em, "dev_loss": loss, "explained": 0.5}
        for step, em, loss in ((0, 0.4, math.inf), (2, 0.6, 30.0), (4, 0.5, 20.0))
    )
    records = tuple({"step": n, "loss": 1.0 - n / 10} for n in range(1, 5))
    manifest = {
        "index": {"name": "default", "version": "<1>"},
        "data": {"file": "train.jsonl"},
        "training": {"seed": 0},
    }
    report = TrainingReport(Path("m"), 4, 2, 8, None, history, records, manifest)
    charts = re.findall(r"<svg.*?</svg>", training_html(report))
    assert [texts(chart)[-1] for chart in charts] == ["loss 0.6", "dev loss 20", "explained 0.5"]
    assert heights(charts[0])[0] == [pytest.approx(y) for y in (16, 90.7, 165.3, 240)]
    assert heights(charts[1])[0] == [16.0, 240.0]  # the infinite loss is left out
    assert "default@&lt;1&gt;" in training_html(report)
