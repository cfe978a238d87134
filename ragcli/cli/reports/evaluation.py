"""The report of `rag evaluate`: for people and as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.cli.console import line, print_table
from ragcli.evaluation.metrics import METRICS
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.evaluation.trial import Trial

if TYPE_CHECKING:
    from ragcli.evaluation.evaluate import Evaluation

_FAILURES_SHOWN = 10


def report_csv(report: Evaluation, paper: PaperTask | None = None) -> str:
    """One line for each metric and top-k, with the interval and the paper's values."""
    rows = PAPER[paper].rows if paper else {}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["top_k", "metric", "value", "low", "high", "n", *rows])
    for result in report.results:
        for name, m in result.metrics.items():
            theirs = [row.get(name, "") for row in rows.values()]
            writer.writerow([result.top_k, name, m.value, m.low, m.high, m.n, *theirs])
    return file.getvalue()


def metric_table(
    report: Evaluation, paper: PaperTask | None
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Columns and rows: the metrics with their intervals, and the paper's values beside them."""
    systems = PAPER[paper].rows if paper else {}
    rows = []
    for name, m in report.main.metrics.items():
        metric = METRICS.load(name)
        values = (metric.text(row[name]) if name in row else "" for row in systems.values())
        title = metric.title(report.main.top_k)
        rows.append((title, metric.text(m.value), metric.interval(m), str(m.n), *values))
    return [
        "metric",
        "value>",
        "95 % interval>",
        "questions>",
        *(f"{name}>" for name in systems),
    ], rows


def show_report(report: Evaluation, paper: PaperTask | None = None) -> None:
    """The metrics with their intervals, the sweep, and the first failures."""
    print_table(*metric_table(report, paper))
    if paper:
        line(f"beside the paper's {PAPER[paper].title}, test set", "dim")
    if len(report.results) > 1:
        metrics = {name: METRICS.load(name) for name in report.main.metrics}
        rows = []
        for result in report.results:
            found = {name: m.value for name, m in result.metrics.items()}
            cells = (m.text(found[name]) if name in found else "" for name, m in metrics.items())
            rows.append((str(result.top_k), *cells))
        print_table(["k>", *(f"{metric.label}>" for metric in metrics.values())], rows)
    trials = report.main.trials
    failed = [trial for trial in trials if trial.failure]
    counts = Counter(trial.failure for trial in failed)
    if failed:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items(), key=str))
        line(f"{len(failed)} of {len(trials)} wrong: {told}")
    show_first([failure_text(trial) for trial in failed], _FAILURES_SHOWN, "--json or --html")


def show_first(lines: Sequence[str], count: int, rest: str) -> None:
    """The first lines of many, and with which option the rest are told."""
    for text in lines[:count]:
        line(text, "dim")
    if len(lines) > count:
        line(f"… and {len(lines) - count} more; all of them with {rest}", "dim")


def failure_text(trial: Trial) -> str:
    """The question, what was answered, what should have been, and what went wrong."""
    return (
        f"{trial.example.question}  {trial.prediction.answer!r}, "
        f"not {trial.example.answers[0]!r}: {trial.failure}"
    )
