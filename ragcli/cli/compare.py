"""`rag compare` and `rag swap-experiment`: two runs, or two versions, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli import options
from ragcli.cli.console import Progress, line, print_table, put, to_the_end
from ragcli.cli.files import check_gate, require_writable, write_report
from ragcli.errors import SettingsError

if TYPE_CHECKING:
    from ragcli.evaluation.compare import Comparison

_SHOWN = 20


def compare(
    first: Annotated[Path, typer.Argument(help="A report of rag evaluate --json.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="Another one.", metavar="B")],
    seed: Annotated[int, typer.Option(help="Seed of the intervals.", min=0)] = 0,
    json: options.JsonOption = False,
) -> None:
    """Compare two runs question by question: paired bootstrap, McNemar's test, where they differ.

    Example: rag compare dense.json bm25.json
    """
    from ragcli.evaluation.compare import compare as paired
    from ragcli.evaluation.compare import read_report
    from ragcli.json_form.evaluation import comparison_record

    result = paired(read_report(first), read_report(second), seed)
    put(json, [comparison_record(result)], lambda: _show(result, (first.name, second.name)))


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


def swap_experiment(
    questions: Annotated[Path, typer.Argument(help="JSON lines: question, answers, changed.")],
    two: options.TwoVersions,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    placement: options.PlacementOptions,
    keys: Annotated[
        str | None,
        typer.Option(
            help="Keys of the answers, FIRST,SECOND; the names of the versions by default."
        ),
    ] = None,
    batch_size: options.BatchSizeOption = 8,
    fail_under: Annotated[
        float | None,
        typer.Option(
            help="Exit with 3 if a matched or control rate is below this percentage.",
            min=0,
            max=100,
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page.")] = None,
    json: options.JsonOption = False,
) -> None:
    """Ask the same questions of two versions of an index: the paper's 2016-versus-2018 experiment.

    Example: rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
    """
    from ragcli.cli.reports.swap import report_html, show_swap
    from ragcli.datasets.read import read_keyed
    from ragcli.evaluation import swap as experiment
    from ragcli.json_form.evaluation import swap_record

    name, first, second = two.found(opening.store)
    if first == second:
        raise SettingsError(f"the experiment needs two versions, not {first!r} twice")
    named = tuple(part.strip() for part in keys.split(",")) if keys else (first, second)
    if len(named) != 2:
        raise SettingsError(f"--keys takes two names with a comma between, not {keys!r}")
    asked = read_keyed(questions, (named[0], named[1]))
    require_writable(html)
    references = (f"{name}@{first}", f"{name}@{second}")
    opened = opening.open_two(references, placement, retrieval, decoding)
    with opened as both, Progress("asking", 2 * len(asked[0])) as progress:
        report = experiment.swap_experiment(both, asked, batch_size, progress.advance)
    write_report(html, lambda: report_html(report))
    with to_the_end():
        put(json, [swap_record(report)], lambda: show_swap(report))
    check_gate("rate", report.worst, fail_under)
