"""Metrics by name: their tasks and order, and one from another package in every report."""

from __future__ import annotations

import csv
import re
from importlib.metadata import EntryPoint

import pytest

from ragcli.cli.console import out
from ragcli.cli.reports.evaluation import report_csv, report_html, show_evaluation, sweep_svg
from ragcli.core.statistics import Measure
from ragcli.errors import RagError
from ragcli.evaluation.evaluate import Evaluation, evaluate, versions
from ragcli.evaluation.metrics import METRICS, Metric, mean_of, measure_run, metrics_of
from ragcli.json_form.evaluation import evaluation_record
from ragcli.records import Evidence, Prediction, QAExample

answer_length = Metric(
    "words <of an> answer", ("qa",), mean_of(lambda t: len(t.prediction.answer.split()) / 10)
)
"""What a package of its own would hold."""

EXAMPLES = [QAExample("1", "one?", ("Lima",)), QAExample("2", "two?", ("New York",))]


def predicted(top_k: int) -> list[Prediction]:
    passages = tuple(Evidence(f"d#{n}", "d", "", "in Lima") for n in range(top_k))
    answers = ("Lima", "the old York town")
    return [
        Prediction(e.id, e.question, answer, passages, top_k)
        for e, answer in zip(EXAMPLES, answers, strict=True)
    ]


def test_the_metrics_of_each_task_in_the_order_of_the_reports() -> None:
    found = {
        task: [name for name in METRICS.names() if task in METRICS.load(name).tasks]
        for task in ("qa", "generation", "classification")
    }
    qa = ["exact_match", "f1", "answer_recall", "right_without_passage"]
    gold = ["gold_recall", "expected_calibration_error", "gold_log_prob"]
    texts = ["bleu1", "rouge_l", "q_bleu1", "distinct_trigrams"]
    assert found == {
        "qa": qa + gold,
        "generation": texts + qa + gold,
        "classification": ["accuracy", "gold_recall", "gold_log_prob"],
    }


def test_what_is_not_installed_is_told_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = ("sacrebleu",)
    monkeypatch.setattr(
        "ragcli.evaluation.metrics.find_spec", lambda name: name if name in here else None
    )
    with pytest.raises(RagError, match=r"the metrics of generation need rouge_score \(in a clone"):
        evaluate(None, EXAMPLES, "generation")  # type: ignore[arg-type]  # not asked yet
    assert list(metrics_of("classification")) == ["accuracy", "gold_recall", "gold_log_prob"]
    assert measure_run(EXAMPLES, predicted(1), "qa").metrics["exact_match"].value == 0.5


def test_versions_are_those_of_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    there = versions()
    monkeypatch.setattr(
        "ragcli.evaluation.evaluate._LIBRARIES", ("numpy", "no-such-package", "torch")
    )
    assert versions() == {name: there[name] for name in ("numpy", "torch")}


def test_values_and_labels_for_people() -> None:
    recall, log_prob = METRICS.load("answer_recall"), METRICS.load("gold_log_prob")
    assert (recall.title(5), log_prob.title(5)) == ("answer recall@5", "log p of gold")
    assert (recall.text(0.8333), log_prob.text(-1.256)) == ("83.3", "-1.26")
    assert recall.interval(Measure(0.5, 0.25, 0.754, 9)) == "25.0 – 75.4"


def test_a_mean_is_over_the_trials_that_have_a_value() -> None:
    trials = measure_run(EXAMPLES, predicted(1), "qa").trials
    first = mean_of(lambda t: 3.0 if t.example.id == "1" else None)(trials, 0)
    assert first is not None
    assert (first.value, first.n) == (3.0, 1)
    assert mean_of(lambda t: None)(trials, 0) is None


def test_a_metric_of_another_package_is_in_every_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = EntryPoint("answer_length", f"{__name__}:answer_length", "ragcli.metrics")
    monkeypatch.setitem(vars(METRICS), "_foreign", {"answer_length": entry})
    assert METRICS.names()[-1] == "answer_length"
    results = tuple(measure_run(EXAMPLES, predicted(k), "qa") for k in (1, 2))
    report = Evaluation("qa", results, {})
    # One word and four words: 2.5 on average, as tenths.
    assert evaluation_record(report)["metrics"]["answer_length"]["value"] == pytest.approx(0.25)
    rows = list(csv.DictReader(report_csv(report).splitlines()))
    values = [float(row["value"]) for row in rows if row["metric"] == "answer_length"]
    assert values == pytest.approx([0.25, 0.25])
    page = report_html(report)
    assert "<td>words &lt;of an&gt; answer</td><td class=value>25.0</td>" in page
    assert "words &lt;of an&gt; answer 25</text>" in sweep_svg(report)
    out.cache_clear()
    show_evaluation(report)
    assert re.search(r"words <of an> answer +25\.0 ", capsys.readouterr().out)
