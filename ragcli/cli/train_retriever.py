"""`rag train-retriever`: a warm start of the retriever for a new domain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ragcli.cli.expand import Options
from ragcli.cli.opening import open_rag
from ragcli.cli.options import OPENING, JsonOption, Opening
from ragcli.cli.progress import Progress
from ragcli.cli.train import OutputOption, ThreadsOption, use_threads
from ragcli.settings import RetrieverTraining

RetrieverTrainingOptions = Annotated[
    RetrieverTraining,
    Options(
        epochs=typer.Option(help="Times through the data.", min=1),
        batch_size=typer.Option(help="Questions in a batch.", min=1),
        negatives=typer.Option(help="Hard negatives by BM25 for each question.", min=0),
        rate=typer.Option(help="Learning rate."),
        warmup=typer.Option(help="Share of the steps in which the rate rises."),
        seed=typer.Option(help="Seed of the order and of dropout.", min=0),
    ),
]


def train_retriever(
    data: Annotated[Path, typer.Argument(help="JSON lines: question, and positive or answers.")],
    output: OutputOption,
    training: RetrieverTrainingOptions,
    opening: Annotated[Opening, OPENING.only("index", "encoder", "store", "device")],
    both: Annotated[
        list[str] | None,
        typer.Option(
            "--both",
            help="Documents: train query and document encoder as one model on them, before an "
            "index exists. May be repeated.",
            metavar="PATH",
            show_default=False,
        ),
    ] = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Train the query encoder against a frozen index, or with --both one model for both sides.

    Example: rag train-retriever pairs.jsonl --index wiki@2018 --output my-encoder
    |  rag train train.jsonl --index wiki@2018 --encoder my-encoder --output my-model
    """
    from ragcli.cli.console import print_json, say, working
    from ragcli.datasets.read import read_examples
    from ragcli.json_form.models import retriever_record
    from ragcli.training import retriever as pipeline

    read_examples(data, pairs=True)
    use_threads(threads)
    with Progress() as progress:
        told: list[int] = []

        def stepped(record: dict[str, Any]) -> None:
            if not told:
                progress.phase("training", record["steps"])
            told.append(record["step"])
            progress.advance(1)

        if both:
            from ragcli.models.encoders import load_encoder

            with working("loading the encoder"):
                loaded = load_encoder(opening.encoder, placement=opening.placement)
            report = pipeline.train_both_encoders(loaded, both, data, output, training, stepped)
        else:
            with open_rag(opening, generate=False) as rag:
                report = pipeline.train_query_encoder(rag, data, output, training, stepped)
    for example in report.unmatched[:10]:
        say(f"{example.place}: no passage holds its answer; left out")
    if len(report.unmatched) > 10:
        say(f"… and {len(report.unmatched) - 10} more")
    if json:
        print_json(retriever_record(report))
    else:
        typer.echo(
            f"{report.folder}: {report.pairs} pairs with {report.negatives} negatives each; "
            f"recall@1 on them {report.before:.3f} before, {report.after:.3f} after"
        )
