"""`rag compare`: two evaluations of the same questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli.options import JsonOption
from ragcli.errors import QuestionError

if TYPE_CHECKING:
    from ragcli.evaluation.compare import Comparison

_SHOWN = 20


def compare(
    first: Annotated[Path, typer.Argument(help="A report of rag evaluate --json.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="Another one.", metavar="B")],
    seed: Annotated[int, typer.Option("--seed", help="Seed of the intervals.", min=0)] = 0,
    json: JsonOption = False,
) -> None:
    """Compare two runs question by question: paired bootstrap, McNemar's test, where they differ.

    Example: rag compare dense.json bm25.json
    """
    from ragcli.cli.console import print_json
    from ragcli.evaluation import compare as pipeline
    from ragcli.json_form.evaluation import comparison_record

    reports = [_report(path) for path in (first, second)]
    result = pipeline.compare(reports[0], reports[1], seed)
    if json:
        print_json(comparison_record(result))
    else:
        show_comparison(result, (first.name, second.name))


def _report(path: Path) -> dict[str, Any]:
    from ragcli.datasets.json_lines import json_file

    record = json_file(path)
    if not isinstance(record, dict) or not {"task", "trials"} <= record.keys():
        raise QuestionError(f"{path}: not a report", "make one: rag evaluate … --json > a.json")
    needed = {"id", "question", "right", "accepted", "answer"}
    trials = record["trials"]
    whole = isinstance(trials, list) and all(
        isinstance(trial, dict) and needed <= trial.keys() for trial in trials
    )
    if not whole or not trials:
        raise QuestionError(f"{path}: its trials are not those of a report")
    return record


def show_comparison(result: Comparison, names: tuple[str, str]) -> None:
    """Differences with intervals, the test, what was set differently, and the questions."""
    from rich.table import Table
    from rich.text import Text

    from ragcli.cli.console import out
    from ragcli.cli.reports.evaluation import show_first
    from ragcli.evaluation.metrics import METRICS

    console = out()
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("metric")
    table.add_column(f"{names[1]} − {names[0]}", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, m in result.differences.items():
        metric = METRICS.load(name)
        table.add_row(metric.label, metric.text(m.value), metric.interval(m))
    console.print(table)
    test = result.mcnemar
    console.print(
        f"{result.questions} questions; right only in {names[0]}: {test.only_first}, only in "
        f"{names[1]}: {test.only_second}; exact McNemar p = {test.p_value:.2g}",
        markup=False,
    )
    for name, (a, b) in result.settings.items():
        console.print(Text(f"{name}: {_short(a)} / {_short(b)}", style="dim"))
    lines = []
    for a, b in result.differing:
        better, worse = (names[0], b) if a["right"] else (names[1], a)
        lines.append(f"{better}  {a['question']}  {a['accepted'][0]!r}, not {worse['answer']!r}")
    show_first(lines, _SHOWN, "--json")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
