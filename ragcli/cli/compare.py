"""`rag compare`: two evaluations of the same questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli.console import line, print_table, put
from ragcli.cli.options import JsonOption
from ragcli.errors import QuestionError

if TYPE_CHECKING:
    from ragcli.evaluation.compare import Comparison

_SHOWN = 20


def compare(
    first: Annotated[Path, typer.Argument(help="A report of rag evaluate --json.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="Another one.", metavar="B")],
    seed: Annotated[int, typer.Option(help="Seed of the intervals.", min=0)] = 0,
    json: JsonOption = False,
) -> None:
    """Compare two runs question by question: paired bootstrap, McNemar's test, where they differ.

    Example: rag compare dense.json bm25.json
    """
    from ragcli.evaluation import compare as pipeline
    from ragcli.json_form.evaluation import comparison_record

    result = pipeline.compare(_report(first), _report(second), seed)
    put(json, [comparison_record(result)], lambda: _show(result, (first.name, second.name)))


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


def _show(result: Comparison, names: tuple[str, str]) -> None:
    """Differences with intervals, the test, what was set differently, and the questions."""
    from ragcli.cli.reports.evaluation import show_first
    from ragcli.evaluation.metrics import METRICS

    found = ((METRICS.load(name), m) for name, m in result.differences.items())
    rows = [(metric.label, metric.text(m.value), metric.interval(m)) for metric, m in found]
    print_table(["metric", f"{names[1]} − {names[0]}>", "95 % interval>"], rows)
    test = result.mcnemar
    line(
        f"{result.questions} questions; right only in {names[0]}: {test.only_first}, only in "
        f"{names[1]}: {test.only_second}; exact McNemar p = {test.p_value:.2g}"
    )
    for name, (a, b) in result.settings.items():
        line(f"{name}: {_short(a)} / {_short(b)}", "dim")
    lines = []
    for a, b in result.differing:
        better, worse = (names[0], b) if a["right"] else (names[1], a)
        lines.append(f"{better}  {a['question']}  {a['accepted'][0]!r}, not {worse['answer']!r}")
    show_first(lines, _SHOWN, "--json")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
