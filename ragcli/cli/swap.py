"""`rag swap-experiment`: what a change of the index does to the answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import put, to_the_end
from ragcli.cli.files import check_gate, require_writable, write_report
from ragcli.cli.opening import open_rag
from ragcli.cli.progress import Progress
from ragcli.cli.references import two_versions
from ragcli.errors import SettingsError
from ragcli.store.store import Store


def swap_experiment(
    questions: Annotated[Path, typer.Argument(help="JSON lines: question, answers, changed.")],
    first: options.OlderArgument,
    second: options.NewerArgument,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    index: options.IndexNameOption = None,
    keys: Annotated[
        str | None,
        typer.Option(
            "--keys",
            help="Keys of the answers, FIRST,SECOND; the names of the versions by default.",
        ),
    ] = None,
    batch_size: options.BatchSizeOption = 8,
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
    json: options.JsonOption = False,
) -> None:
    """Ask the same questions of two versions of an index: the paper's 2016-versus-2018 experiment.

    Example: rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
    """
    from ragcli.cli.reports.swap import report_html, show_report
    from ragcli.datasets.read import read_keyed
    from ragcli.evaluation import swap as experiment
    from ragcli.json_form.evaluation import swap_record

    name, versions = two_versions(Store(opening.store), first, second, index)
    if versions[0] == versions[1]:
        raise SettingsError(f"the experiment needs two versions, not {versions[0]!r} twice")
    named = tuple(part.strip() for part in keys.split(",")) if keys else versions
    if len(named) != 2:
        raise SettingsError(f"--keys takes two names with a comma between, not {keys!r}")
    asked = read_keyed(questions, (named[0], named[1]))
    require_writable(html)
    older = open_rag(replace(opening, index=f"{name}@{versions[0]}"), retrieval, decoding)
    with older, older.with_index(f"{name}@{versions[1]}") as newer, Progress() as progress:
        progress.phase("asking", 2 * len(asked[0]))
        report = experiment.swap_experiment((older, newer), asked, batch_size, progress.advance)
    write_report(html, lambda: report_html(report))
    with to_the_end():
        put(json, [swap_record(report)], lambda: show_report(report))
    check_gate("rate", report.worst, fail_under)
