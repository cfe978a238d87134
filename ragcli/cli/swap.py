"""`rag swap-experiment`: what a change of the index does to the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli.ask import open_rag
from ragcli.cli.options import (
    BatchSizeOption,
    BeamsOption,
    DecodingOption,
    DeviceOption,
    DTypeOption,
    IndexNameOption,
    JsonOption,
    ModelOption,
    StoreOption,
    TopKOption,
    TrustOption,
    VariantOption,
)
from ragcli.errors import SettingsError
from ragcli.settings import Decoding, Placement, Retrieval
from ragcli.store.files import replace_file


def swap_experiment(
    questions: Annotated[Path, typer.Argument(help="JSON lines: question, answers, changed.")],
    first: Annotated[str, typer.Argument(help="The older version.", metavar="VERSION_A")],
    second: Annotated[str, typer.Argument(help="The newer version.", metavar="VERSION_B")],
    keys: Annotated[
        str | None,
        typer.Option(
            "--keys",
            help="Keys of the answers, FIRST,SECOND; the names of the versions by default.",
            show_default=False,
        ),
    ] = None,
    index: IndexNameOption = "default",
    variant: VariantOption = None,
    decoding: DecodingOption = None,
    top_k: TopKOption = None,
    beams: BeamsOption = None,
    batch_size: BatchSizeOption = 8,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            help="Exit with 1 if a matched or control rate is below this percentage.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a self-contained page.", show_default=False),
    ] = None,
    json: JsonOption = False,
    model: ModelOption = None,
    store: StoreOption = None,
    trust_query_encoder: TrustOption = False,
    device: DeviceOption = "auto",
    dtype: DTypeOption = "float32",
) -> None:
    """Ask the same questions of two versions of an index: the paper's 2016-versus-2018 experiment.

    Example: rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
    """
    from ragcli.cli.console import RichProgress, print_json, say, to_the_end
    from ragcli.cli.reports.swap import report_html, report_record, show_report
    from ragcli.datasets.read import read_keyed
    from ragcli.evaluation import swap as experiment

    named = tuple(part.strip() for part in keys.split(",")) if keys else (first, second)
    if len(named) != 2:
        raise SettingsError(f"--keys takes two names with a comma between, not {keys!r}")
    asked = read_keyed(questions, (named[0], named[1]))
    if first == second:
        raise SettingsError(f"the experiment needs two versions, not {first!r} twice")
    if html is not None and (html.is_dir() or not html.absolute().parent.is_dir()):
        raise SettingsError(f"{html} cannot be written: no such folder, or a folder itself")
    older = open_rag(
        f"{index}@{first}",
        retrieval=Retrieval(top_k),
        decoding=Decoding(variant, decoding, beams),
        placement=Placement(device, dtype),
        store=store,
        model=model,
        trust_query_encoder=trust_query_encoder,
    )
    with older, older.with_index(f"{index}@{second}") as newer, RichProgress() as progress:
        progress.phase("asking", 2 * len(asked[0]))
        report = experiment.swap_experiment((older, newer), asked, batch_size, progress.advance)
    if html is not None:
        try:
            replace_file(html, report_html(report).encode())
        except OSError as error:
            raise SettingsError(f"{html} cannot be written: {error.strerror}") from error
        say(f"wrote {html}")
    with to_the_end():
        if json:
            print_json(report_record(report))
        else:
            show_report(report)
    if fail_under is not None and 100 * report.worst < fail_under:
        say(f"the lowest rate is {100 * report.worst:.1f} %, below {fail_under:g} %")
        raise typer.Exit(1)
