"""`rag train`: query encoder and generator learn together over a frozen index."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli.expand import Options
from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    OPENING,
    DatasetOptions,
    JsonOption,
    Opening,
)
from ragcli.settings import Training
from ragcli.store.files import new_folder, replace_file

OutputOption = Annotated[
    Path, typer.Option("--output", "-o", help="Folder to write the result to.")
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        help="Processor threads; with 1 a resumed training ends with the very same bits.",
        min=1,
    ),
]
TrainingOptions = Annotated[
    Training,
    Options(
        variant=typer.Option(help="sequence or token."),
        top_k=typer.Option("--top-k", "-k", help="Passages for each question.", min=1),
        epochs=typer.Option(help="Times through the data.", min=1),
        steps=typer.Option(help="Updates, in place of epochs.", min=1),
        batch_size=typer.Option(help="Examples in one pass.", min=1),
        accumulate=typer.Option(help="Passes for one update.", min=1),
        encoder_rate=typer.Option(help="Learning rate of the query encoder."),
        generator_rate=typer.Option(help="Learning rate of the generator."),
        scale_rate=typer.Option(help="Learning rate of the score scale."),
        warmup=typer.Option(help="Share of the steps in which rates rise."),
        schedule=typer.Option(help="What rates do then."),
        weight_decay=typer.Option(help="Decay of the weights (AdamW); 0 is Adam."),
        label_smoothing=typer.Option(help="Share spread over the vocabulary."),
        clip=typer.Option(help="Largest norm of the gradient."),
        seed=typer.Option(help="Seed of the order and of dropout.", min=0),
        freeze_retriever=typer.Option(help="Train the generator only (the paper's ablation)."),
        freeze_generator=typer.Option(help="Train the query encoder only."),
        learn_scale=typer.Option(help="Learn the scale of the scores too."),
        stop_on_collapse=typer.Option(help="Stop if retrieval collapses."),
        checkpoint_every=typer.Option(
            help="Steps between checkpoints; there is one after each epoch anyway.", min=1
        ),
    ),
]


def train(
    data: Annotated[Path, typer.Argument(help="JSON lines: question, answers.")],
    output: OutputOption,
    training: TrainingOptions,
    dataset: DatasetOptions,
    opening: Annotated[Opening, OPENING.without("verify", "dtype")],
    dev: Annotated[
        Path | None,
        typer.Option("--dev", help="Questions for EM, F1 and recall after each epoch."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the folder.")
    ] = False,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Train query encoder and generator together from questions and answers; the index is frozen.

    Example: rag train train.jsonl --index wiki@2018 --dev dev.jsonl --output my-model
    |  rag ask --model my-model --index wiki@2018 "Who is the President of Peru?"
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.training import TrainingBar, show_training, training_html
    from ragcli.datasets.read import read_examples
    from ragcli.json_form.models import training_record
    from ragcli.training.joint import check_output
    from ragcli.training.joint import train as run

    # Mistakes in the files are told before any model is loaded.
    for path in (data, dev):
        if path is not None:
            read_examples(path, dataset.format, dataset.key)
    check_output(output, resume)
    use_threads(threads)
    with open_rag(opening) as rag, TrainingBar() as bar:
        report = run(
            rag,
            data,
            output,
            training,
            dev=dev,
            resume=resume,
            format=dataset.format,
            key=dataset.key,
            progress=bar,
        )
    replace_file(output / "training.html", training_html(report).encode())
    if json:
        print_json(training_record(report))
    else:
        show_training(report)


def use_threads(threads: int | None) -> None:
    """Have torch use so many threads; as many as it likes by default."""
    if threads is not None:
        import torch

        torch.set_num_threads(threads)


def export_model(
    model: Annotated[Path, typer.Argument(help="A folder that `rag train` made.")],
    output: Annotated[Path, typer.Argument(help="Folder to write; it must not exist.")],
) -> None:
    """Write a trained model in the format of facebook/rag-sequence-nq, for Hugging Face's classes.

    Example: rag export-model my-model my-model-hf
    """
    from ragcli.cli.console import say, working
    from ragcli.models.export import export_rag

    with working("exporting"), new_folder(output) as folder:
        kind = export_rag(model, folder)
    say(f"wrote {output}: open it with transformers.{kind}.from_pretrained")
