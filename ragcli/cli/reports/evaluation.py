"""The report of `rag evaluate`: for people and as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.cli.console import out
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


def show_report(report: Evaluation, paper: PaperTask | None = None) -> None:
    """The metrics with their intervals, the sweep, and the first failures."""
    from rich.table import Table
    from rich.text import Text

    console = out()
    main = report.main
    rows = PAPER[paper].rows if paper else {}
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("metric")
    for name in ("value", "95 % interval", "questions"):
        table.add_column(name, justify="right")
    for system in rows:
        table.add_column(system, justify="right", style="dim")
    for name, m in main.metrics.items():
        metric = METRICS.load(name)
        theirs = [metric.text(row[name]) if name in row else "" for row in rows.values()]
        table.add_row(
            metric.title(main.top_k),
            Text(metric.text(m.value), style="bold"),
            metric.interval(m),
            str(m.n),
            *theirs,
        )
    console.print(table)
    if paper:
        console.print(Text(f"beside the paper's {PAPER[paper].title}, test set", style="dim"))
    if len(report.results) > 1:
        _show_sweep(report)
    failed = [trial for trial in main.trials if trial.failure]
    counts = Counter(trial.failure for trial in failed)
    if failed:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items(), key=str))
        console.print(f"{len(failed)} of {len(main.trials)} wrong: {told}", markup=False)
    show_first([failure_text(trial) for trial in failed], _FAILURES_SHOWN, "--json or --html")


def _show_sweep(report: Evaluation) -> None:
    from rich.table import Table

    metrics = {name: METRICS.load(name) for name in report.main.metrics}
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("k", justify="right")
    for metric in metrics.values():
        table.add_column(metric.label, justify="right")
    for result in report.results:
        cells = [
            metric.text(result.metrics[name].value) if name in result.metrics else ""
            for name, metric in metrics.items()
        ]
        table.add_row(str(result.top_k), *cells)
    out().print(table)


def show_first(lines: Sequence[str], count: int, rest: str) -> None:
    """The first lines of many, and with which option the rest are told."""
    from rich.text import Text

    for line in lines[:count]:
        out().print(Text(line, style="dim"))
    if len(lines) > count:
        more = f"… and {len(lines) - count} more; all of them with {rest}"
        out().print(Text(more, style="dim"))


def failure_text(trial: Trial) -> str:
    """The question, what was answered, what should have been, and what went wrong."""
    return (
        f"{trial.example.question}  {trial.prediction.answer!r}, "
        f"not {trial.example.answers[0]!r}: {trial.failure}"
    )
