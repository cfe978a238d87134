"""`rag train-retriever`: a warm start of the retriever for a new domain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ragcli.cli.ask import open_rag
from ragcli.cli.options import EncoderOption, IndexOption, JsonOption, StoreOption
from ragcli.cli.train import EpochsOption, OutputOption, SeedOption, ThreadsOption
from ragcli.settings import RetrieverTraining

_DEFAULTS = RetrieverTraining()


def train_retriever(
    data: Annotated[Path, typer.Argument(help="JSON lines: question, and positive or answers.")],
    output: OutputOption,
    index: IndexOption = "default",
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
    epochs: EpochsOption = _DEFAULTS.epochs,
    batch_size: Annotated[
        int, typer.Option("--batch-size", help="Questions in a batch.", min=1)
    ] = _DEFAULTS.batch_size,
    negatives: Annotated[
        int, typer.Option("--negatives", help="Hard negatives by BM25 for each question.", min=0)
    ] = _DEFAULTS.negatives,
    rate: Annotated[float, typer.Option("--rate", help="Learning rate.")] = _DEFAULTS.rate,
    warmup: Annotated[
        float, typer.Option("--warmup", help="Share of the steps in which the rate rises.")
    ] = _DEFAULTS.warmup,
    seed: SeedOption = _DEFAULTS.seed,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    encoder: EncoderOption = None,
    store: StoreOption = None,
) -> None:
    """Train the query encoder against a frozen index, or with --both one model for both sides.

    Example: rag train-retriever pairs.jsonl --index wiki@2018 --output my-encoder
    |  rag train train.jsonl --index wiki@2018 --encoder my-encoder --output my-model
    """
    from ragcli.cli.console import RichProgress, print_json, say, working
    from ragcli.cli.train import use_threads
    from ragcli.datasets.read import read_examples
    from ragcli.json_form.models import retriever_record
    from ragcli.training import retriever as pipeline

    training = RetrieverTraining(epochs, batch_size, negatives, rate, warmup, seed)
    read_examples(data, pairs=True)
    use_threads(threads)
    with RichProgress() as progress:
        told: list[int] = []

        def stepped(record: dict[str, Any]) -> None:
            if not told:
                progress.phase("training", record["steps"])
            told.append(record["step"])
            progress.advance(1)

        if both:
            from ragcli.models.encoders import load_encoder

            with working("loading the encoder"):
                loaded = load_encoder(encoder)
            report = pipeline.train_both_encoders(loaded, both, data, output, training, stepped)
        else:
            with open_rag(index, generate=False, store=store, encoder=encoder) as rag:
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
