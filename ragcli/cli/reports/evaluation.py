"""The reports of `rag evaluate` and `rag swap-experiment`: for people, as CSV, and as pages."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from html import escape

from ragcli.cli.console import line, print_table
from ragcli.cli.reports.page import Curve, bars, facts, line_chart, page, table
from ragcli.core.surface import find_surface
from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import METRICS, Trial
from ragcli.evaluation.paper import HOT_SWAP, PAPER, PaperTask
from ragcli.evaluation.swap import Pair, SwapReport
from ragcli.json_form.evaluation import swap_settings
from ragcli.markup import marked
from ragcli.records import Evidence, caption, place

_PAPER = [list(row.values()) for row in HOT_SWAP.values()]


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
    columns = ["metric", "value>", "95 % interval>", "questions>"]
    return columns + [f"{name}>" for name in systems], rows


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
    if failed := [trial for trial in trials if trial.failure]:
        counts = Counter(trial.failure for trial in failed).items()
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(counts, key=str))
        line(f"{len(failed)} of {len(trials)} wrong: {told}")
    show_first([_failure(trial) for trial in failed], 10, "--json or --html")


def show_first(lines: Sequence[str], count: int, rest: str) -> None:
    """The first lines of many, and with which option the rest are told."""
    for text in lines[:count]:
        line(text, "dim")
    if len(lines) > count:
        line(f"… and {len(lines) - count} more; all of them with {rest}", "dim")


def _failure(trial: Trial) -> str:
    """The question, what was answered, what should have been, and what went wrong."""
    example, answer = trial.example, trial.prediction.answer
    return f"{example.question}  {answer!r}, not {example.answers[0]!r}: {trial.failure}"


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
    what = "{task} of given predictions"
    if "index" in report.run:
        what = "{task} on {index}@{version}, {retriever} retriever"
    return page("Evaluation: " + what.format_map({**report.run, "task": report.task}), body)


def _question(trial: Trial) -> str:
    mark = "wrong" if trial.failure else "right"
    answer = escape(trial.prediction.answer) or "(empty)"
    accepted = escape("; ".join(trial.example.answers))
    reason = f" <small>{escape(trial.failure)}</small>" if trial.failure else ""
    shares = (trial.prediction.labels or {}).items()
    labels = " ".join(f"{escape(name)} {100 * p:.0f} %" for name, p in shares)
    told = f"<p><small>{labels}</small></p>" if labels else ""
    return (
        f"<details><summary>{escape(trial.example.question)} <b class={mark}>{answer}</b>{reason}"
        f"</summary><p>accepted: {accepted}</p>{told}"
        f"{''.join(_passage(e, trial.prediction.answer) for e in trial.prediction.passages)}"
        "</details>\n"
    )


def _passage(evidence: Evidence, answer: str) -> str:
    """Where a passage stands, and its text with the answer marked."""
    known = {"prior": evidence.prior, "posterior": evidence.posterior}.items()
    shares = " ".join(f"{name} {value:.2f}" for name, value in known if value is not None)
    named = caption(evidence.title, evidence.headings) or evidence.id
    where = place(evidence.source, evidence.page, evidence.line) if evidence.source else ""
    head = f"<b>{escape(named)}</b> <small>{escape(where)} {shares}</small>"
    text = marked(evidence.text, find_surface(answer, evidence.text))
    return f"<p class=passage>{head}<br>{text}</p>"


def sweep_svg(report: Evaluation) -> str:
    """The paper's Figure 3: metrics in percent against k, each with its 95 % band."""
    return _chart(report, _drawn(report, percent=True))


def _drawn(report: Evaluation, percent: bool) -> list[str]:
    """What is not in percent needs an axis of its own."""
    found = {name: METRICS.load(name) for name in report.main.metrics}
    return [name for name, metric in found.items() if metric.drawn and metric.percent == percent]


def _chart(report: Evaluation, names: Sequence[str]) -> str:
    ticks = {float(n): str(result.top_k) for n, result in enumerate(report.results)}
    curves = []
    for name in names:
        metric = METRICS.load(name)
        unit = 100 if metric.percent else 1
        measured = {n: r.metrics[name] for n, r in enumerate(report.results) if name in r.metrics}
        points = [(float(n), unit * m.value) for n, m in measured.items()]
        band = [(unit * m.low, unit * m.high) for m in measured.values()]
        curves.append(Curve(metric.label, points, band))
    return line_chart(curves, "top-k", ticks)


def _rates(report: SwapReport) -> tuple[list[str], list[list[str]]]:
    """Columns and rows: the 2×2 table beside the paper's, the control, and recall."""
    answers = [f"{name} answers>" for name in report.versions]
    rows = []
    for v, version in enumerate(report.versions):
        paper = " / ".join(f"{share:.0%}" for share in _PAPER[v])
        rates = [_percent(report.rate(v, a)) for a in (0, 1)]
        control, recall = _percent(report.control_rate(v)), _percent(report.recall(v))
        rows.append([f"{version} index", *rates, paper, control, recall])
    return ["", *answers, "paper>", "unchanged>", f"recall@{report.top_k}>"], rows


def show_swap(report: SwapReport) -> None:
    """The table of rates, the control, the test, and what failed."""
    from rich.text import Text

    columns, rows = _rates(report)
    styled = [list(map(Text, row)) for row in rows]
    for v in (0, 1):
        styled[v][1 + v].stylize("bold green")
    print_table(columns, styled)
    own, other, p_value = report.mcnemar
    line(
        f"{report.flipped} of {len(report.changed)} answers flipped as they should; "
        f"{len(report.control)} unchanged questions as control\n"
        f"matched against mismatched: {own} to {other}, exact McNemar p = {p_value:.2g}"
    )
    asked = [each for pair in report.pairs for each in zip(report.versions, pair, strict=True)]
    failed = [f"{version}  {_failure(trial)}" for version, trial in asked if not trial.right]
    show_first(failed, 20, "--json or --html")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def swap_html(report: SwapReport) -> str:
    """One page with the table, a bar chart and every question, the wrong ones first."""
    own, other, p_value = report.mcnemar
    marks, shares = {}, []
    for v, a in ((0, 0), (0, 1), (1, 0), (1, 1)):
        mark = marks[v, 1 + a] = "right" if a == v else "wrong"
        name = f"{report.versions[v]} index, {report.versions[a]} answers"
        shares.append((name, 100 * (report.rate(v, a) or 0.0), mark))
        shares.append(("the paper", 100 * _PAPER[v][a], "paper"))
    columns = "".join(f"<th>{escape(name)} index</th>" for name in report.versions)
    wrong_first = sorted(report.pairs, key=lambda pair: all(trial.right for trial in pair))
    body = f"""
<p>The same model and questions; only the index changes. {report.flipped} of {len(report.changed)}
answers flipped as they should. Matched against mismatched {own} to {other}, exact McNemar
p = {p_value:.2g}.</p>
{table(*_rates(report), marks)}
<p>Percent right:</p>{bars(shares)}
<h2>Questions, wrong answers first</h2>
<table class=texts><tr><th>question</th>{columns}</tr>
{"".join(map(_html_row, wrong_first))}</table>
<h2>Settings</h2>{facts(swap_settings(report))}"""
    return page(f"Index swap: {report.index}@{' and @'.join(report.versions)}", body)


def _html_row(pair: Pair) -> str:
    cells = ""
    for trial in pair:
        mark = "right" if trial.right else "wrong"
        accepted = escape(trial.example.answers[0])
        note = f"<small>{accepted}: {escape(trial.failure)}</small>" if trial.failure else ""
        answer = escape(trial.prediction.answer) or "(empty)"
        cells += f"<td><b class={mark}>{answer}</b>{note}</td>"
    kind = "" if pair[0].example.changed else "<small>unchanged</small>"
    return f"<tr><td>{escape(pair[0].example.question)}{kind}</td>{cells}</tr>\n"
