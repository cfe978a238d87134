"""`rag swap-experiment`: what a change of the index does to the answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli.files import require_writable, write_report
from ragcli.cli.gate import check_gate
from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    OPENING,
    BatchSizeOption,
    BestOptions,
    IndexNameOption,
    JsonOption,
    Opening,
    RetrievalOptions,
)
from ragcli.errors import SettingsError
from ragcli.store.store import DEFAULT_NAME


def swap_experiment(
    questions: Annotated[Path, typer.Argument(help="JSON lines: question, answers, changed.")],
    first: Annotated[str, typer.Argument(help="The older version.", metavar="VERSION_A")],
    second: Annotated[str, typer.Argument(help="The newer version.", metavar="VERSION_B")],
    retrieval: RetrievalOptions,
    decoding: BestOptions,
    opening: Annotated[Opening, OPENING.without("index")],
    index: IndexNameOption = DEFAULT_NAME,
    keys: Annotated[
        str | None,
        typer.Option(
            "--keys",
            help="Keys of the answers, FIRST,SECOND; the names of the versions by default.",
        ),
    ] = None,
    batch_size: BatchSizeOption = 8,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            help="Exit with 3 if a matched or control rate is below this percentage.",
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a self-contained page.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Ask the same questions of two versions of an index: the paper's 2016-versus-2018 experiment.

    Example: rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
    """
    from ragcli.cli.console import RichProgress, print_json, to_the_end
    from ragcli.cli.reports.swap import report_html, show_report
    from ragcli.datasets.read import read_keyed
    from ragcli.evaluation import swap as experiment
    from ragcli.json_form.evaluation import swap_record

    named = tuple(part.strip() for part in keys.split(",")) if keys else (first, second)
    if len(named) != 2:
        raise SettingsError(f"--keys takes two names with a comma between, not {keys!r}")
    asked = read_keyed(questions, (named[0], named[1]))
    if first == second:
        raise SettingsError(f"the experiment needs two versions, not {first!r} twice")
    require_writable(html)
    older = open_rag(replace(opening, index=f"{index}@{first}"), retrieval, decoding)
    with older, older.with_index(f"{index}@{second}") as newer, RichProgress() as progress:
        progress.phase("asking", 2 * len(asked[0]))
        report = experiment.swap_experiment((older, newer), asked, batch_size, progress.advance)
    write_report(html, lambda: report_html(report))
    with to_the_end():
        if json:
            print_json(swap_record(report))
        else:
            show_report(report)
    check_gate("rate", report.worst, fail_under)
