"""The report of `rag evaluate`: for people, as CSV, and as a page with every question."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from html import escape

from ragcli.cli.console import line, print_table
from ragcli.cli.reports.page import Line, facts, line_chart, page, table
from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import METRICS, Trial
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.records import Evidence

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


def show_evaluation(report: Evaluation, paper: PaperTask | None = None) -> None:
    """The metrics with their intervals, the sweep, and the first failures."""
    from rich.text import Text

    columns, rows = metric_table(report, paper)
    print_table(columns, [(name, Text(value, "bold"), *rest) for name, value, *rest in rows])
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


def report_html(report: Evaluation, paper: PaperTask | None = None) -> str:
    """One page with metrics, curves and questions."""
    trials = report.main.trials
    wrong = [trial for trial in trials if trial.failure]
    right = [trial for trial in trials if not trial.failure]
    columns, rows = metric_table(report, paper)
    curves = beside = ""
    if paper:
        beside = f"<p><small>Beside the paper's {escape(PAPER[paper].title)}.</small></p>"
    if len(report.results) > 1:
        others = "".join(_chart(report, [name]) for name in _drawn(report, percent=False))
        curves = f"<h2>By top-k</h2>\n{sweep_svg(report)}{others}"
    body = f"""
<p>{len(trials)} questions, {len(wrong)} wrong. Values in percent with 95 % intervals.</p>
{table(columns, rows, {(i, 1): "value" for i in range(len(rows))})}{beside}
{curves}
<h2>Wrong answers ({len(wrong)})</h2>
{"".join(map(_question, wrong))}
<h2>Right answers ({len(right)})</h2>
{"".join(map(_question, right))}
<h2>Settings</h2>{facts(report.run)}"""
    return page(f"Evaluation: {_what(report)}", body)


def _what(report: Evaluation) -> str:
    run = report.run
    if "index" not in run:
        return f"{report.task} of given predictions"
    return f"{report.task} on {run['index']}@{run['version']}, {run['retriever']} retriever"


def _question(trial: Trial) -> str:
    mark = "wrong" if trial.failure else "right"
    answer = escape(trial.prediction.answer) or "(empty)"
    accepted = escape("; ".join(trial.example.answers))
    reason = f" <small>{escape(trial.failure)}</small>" if trial.failure else ""
    shares = (trial.prediction.labels or {}).items()
    labels = " ".join(f"{escape(name)} {100 * p:.0f} %" for name, p in shares)
    return (
        f"<details><summary>{escape(trial.example.question)} <b class={mark}>{answer}</b>{reason}"
        f"</summary><p>accepted: {accepted}</p>"
        + (f"<p><small>{labels}</small></p>" if labels else "")
        + "".join(map(_passage, trial.prediction.passages))
        + "</details>\n"
    )


def _passage(evidence: Evidence) -> str:
    shares = [
        f"{name} {value:.2f}"
        for name, value in (("prior", evidence.prior), ("posterior", evidence.posterior))
        if value is not None
    ]
    head = f"{escape(evidence.title or evidence.id)} <small>{' '.join(shares)}</small>"
    return f"<p class=passage><b>{head}</b><br>{escape(evidence.text)}</p>"


def sweep_svg(report: Evaluation) -> str:
    """The paper's Figure 3: metrics in percent against k, each with its 95 % band."""
    return _chart(report, _drawn(report, percent=True))


def _drawn(report: Evaluation, percent: bool) -> list[str]:
    """What is not in percent needs an axis of its own."""
    found = {name: METRICS.load(name) for name in report.main.metrics}
    return [name for name, metric in found.items() if metric.drawn and metric.percent == percent]


def _chart(report: Evaluation, names: Sequence[str]) -> str:
    ticks = {float(n): str(result.top_k) for n, result in enumerate(report.results)}
    lines = []
    for name in names:
        metric = METRICS.load(name)
        unit = 100 if metric.percent else 1
        measured = {n: r.metrics[name] for n, r in enumerate(report.results) if name in r.metrics}
        points = [(float(n), unit * m.value) for n, m in measured.items()]
        band = [(unit * m.low, unit * m.high) for m in measured.values()]
        lines.append(Line(metric.label, points, band))
    return line_chart(lines, "top-k", ticks)
