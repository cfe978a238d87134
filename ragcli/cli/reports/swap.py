"""The report of `rag swap-experiment`: for people, and as a self-contained page."""

from __future__ import annotations

from html import escape

from ragcli.cli.console import line, print_table
from ragcli.cli.reports.evaluation import failure_text, show_first
from ragcli.cli.reports.page import bars, facts, page, table
from ragcli.evaluation.paper import HOT_SWAP
from ragcli.evaluation.swap import Pair, SwapReport
from ragcli.json_form.evaluation import swap_settings

_FAILURES_SHOWN = 20
_PAPER = [list(row.values()) for row in HOT_SWAP.values()]


def _rates(report: SwapReport) -> tuple[list[str], list[list[str]]]:
    """Columns and rows: the 2×2 table beside the paper's, the control, and recall."""
    answers = [f"{name} answers>" for name in report.versions]
    rows = [
        [
            f"{report.versions[v]} index",
            *(_percent(report.rate(v, a)) for a in (0, 1)),
            " / ".join(f"{share:.0%}" for share in _PAPER[v]),
            _percent(report.control_rate(v)),
            _percent(report.recall(v)),
        ]
        for v in (0, 1)
    ]
    return ["", *answers, "paper>", "unchanged>", f"recall@{report.top_k}>"], rows


def show_swap(report: SwapReport) -> None:
    """The table of rates, the control, the test, and what failed."""
    from rich.text import Text

    columns, rows = _rates(report)
    styled: list[list[Text | str]] = [[*row] for row in rows]
    for v in (0, 1):
        styled[v][1 + v] = Text(rows[v][1 + v], style="bold green")
    print_table(columns, styled)
    own, other, p_value = report.mcnemar
    line(
        f"{report.flipped} of {len(report.changed)} answers flipped as they should; "
        f"{len(report.control)} unchanged questions as control\n"
        f"matched against mismatched: {own} to {other}, exact McNemar p = {p_value:.2g}"
    )
    failed = [
        f"{report.versions[v]}  {failure_text(pair[v])}"
        for pair in report.pairs
        for v in (0, 1)
        if not pair[v].right
    ]
    show_first(failed, _FAILURES_SHOWN, "--json or --html")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def report_html(report: SwapReport) -> str:
    """One page with the table, a bar chart and every question, the wrong ones first."""
    names = [escape(name) for name in report.versions]
    own, other, p_value = report.mcnemar
    marks = {(v, 1 + a): "right" if a == v else "wrong" for v in (0, 1) for a in (0, 1)}
    wrong_first = sorted(report.pairs, key=lambda pair: all(trial.right for trial in pair))
    body = f"""
<p>The same model and questions; only the index changes. {report.flipped} of {len(report.changed)}
answers flipped as they should. Matched against mismatched {own} to {other}, exact McNemar
p = {p_value:.2g}.</p>
{table(*_rates(report), marks)}
{_bars(report)}
<h2>Questions, wrong answers first</h2>
<table class=texts><tr><th>question</th><th>{names[0]} index</th><th>{names[1]} index</th></tr>
{"".join(map(_html_row, wrong_first))}</table>
<h2>Settings</h2>{facts(swap_settings(report))}"""
    first, second = report.versions
    return page(f"Index swap: {report.index}@{first} and @{second}", body)


def _html_row(pair: Pair) -> str:
    cells = ""
    for trial in pair:
        mark = "right" if trial.right else "wrong"
        accepted = escape(trial.example.answers[0])
        note = f"<small>{accepted}: {escape(trial.failure)}</small>" if trial.failure else ""
        cells += f"<td class={mark}>{escape(trial.prediction.answer) or '(empty)'}{note}</td>"
    kind = "" if pair[0].example.changed else "<small>unchanged</small>"
    return f"<tr><td>{escape(pair[0].example.question)}{kind}</td>{cells}</tr>\n"


def _bars(report: SwapReport) -> str:
    """The rates, and below each of them the paper's."""
    shares = []
    for v, a in ((0, 0), (0, 1), (1, 0), (1, 1)):
        name = f"{report.versions[v]} index, {report.versions[a]} answers"
        rate = 100 * (report.rate(v, a) or 0.0)
        shares.append((name, rate, "right" if a == v else "wrong"))
        shares.append(("the paper", 100 * _PAPER[v][a], "paper"))
    return f"<p>Percent right:</p>{bars(shares)}"
