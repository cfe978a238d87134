"""`rag train`: query encoder and generator learn together over a frozen index."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ragcli.cli.ask import open_rag
from ragcli.cli.options import (
    DeviceOption,
    EncoderOption,
    FormatOption,
    IndexOption,
    JsonOption,
    KeyOption,
    ModelOption,
    StoreOption,
    TrustOption,
)
from ragcli.settings import Placement, Schedule, Training, Variant
from ragcli.store.files import new_folder, replace_file

_DEFAULTS = Training()

OutputOption = Annotated[
    Path, typer.Option("--output", "-o", help="Folder to write the result to.")
]
EpochsOption = Annotated[int, typer.Option("--epochs", help="Times through the data.", min=1)]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the order and of dropout.", min=0)]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        help="Processor threads; with 1 a resumed training ends with the very same bits.",
        min=1,
        show_default=False,
    ),
]


def train(
    data: Annotated[Path, typer.Argument(help="JSON lines: question, answers.")],
    output: OutputOption,
    index: IndexOption = "default",
    dev: Annotated[
        Path | None,
        typer.Option("--dev", help="Questions for EM, F1 and recall after each epoch."),
    ] = None,
    format: FormatOption = "jsonl",
    key: KeyOption = None,
    variant: Annotated[
        Variant, typer.Option("--variant", help="sequence or token.")
    ] = _DEFAULTS.variant,
    top_k: Annotated[
        int, typer.Option("--top-k", "-k", help="Passages for each question.", min=1)
    ] = _DEFAULTS.top_k,
    epochs: EpochsOption = _DEFAULTS.epochs,
    steps: Annotated[
        int | None,
        typer.Option("--steps", help="Updates, in place of epochs.", min=1, show_default=False),
    ] = None,
    batch_size: Annotated[
        int, typer.Option("--batch-size", help="Examples in one pass.", min=1)
    ] = _DEFAULTS.batch_size,
    accumulate: Annotated[
        int, typer.Option("--accumulate", help="Passes for one update.", min=1)
    ] = _DEFAULTS.accumulate,
    encoder_rate: Annotated[
        float, typer.Option("--encoder-rate", help="Learning rate of the query encoder.")
    ] = _DEFAULTS.encoder_rate,
    generator_rate: Annotated[
        float, typer.Option("--generator-rate", help="Learning rate of the generator.")
    ] = _DEFAULTS.generator_rate,
    scale_rate: Annotated[
        float, typer.Option("--scale-rate", help="Learning rate of the score scale.")
    ] = _DEFAULTS.scale_rate,
    warmup: Annotated[
        float, typer.Option("--warmup", help="Share of the steps in which rates rise.")
    ] = _DEFAULTS.warmup,
    schedule: Annotated[
        Schedule, typer.Option("--schedule", help="What rates do then.")
    ] = _DEFAULTS.schedule,
    weight_decay: Annotated[
        float, typer.Option("--weight-decay", help="Decay of the weights (AdamW); 0 is Adam.")
    ] = _DEFAULTS.weight_decay,
    label_smoothing: Annotated[
        float, typer.Option("--label-smoothing", help="Share spread over the vocabulary.")
    ] = _DEFAULTS.label_smoothing,
    clip: Annotated[
        float, typer.Option("--clip", help="Largest norm of the gradient.")
    ] = _DEFAULTS.clip,
    seed: SeedOption = _DEFAULTS.seed,
    freeze_retriever: Annotated[
        bool,
        typer.Option("--freeze-retriever", help="Train the generator only (the paper's ablation)."),
    ] = False,
    freeze_generator: Annotated[
        bool, typer.Option("--freeze-generator", help="Train the query encoder only.")
    ] = False,
    learn_scale: Annotated[
        bool, typer.Option("--learn-scale", help="Learn the scale of the scores too.")
    ] = False,
    stop_on_collapse: Annotated[
        bool, typer.Option("--stop-on-collapse", help="Stop if retrieval collapses.")
    ] = False,
    checkpoint_every: Annotated[
        int | None,
        typer.Option(
            "--checkpoint-every",
            help="Steps between checkpoints; there is one after each epoch anyway.",
            min=1,
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the folder.")
    ] = False,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    model: ModelOption = None,
    encoder: EncoderOption = None,
    store: StoreOption = None,
    trust_query_encoder: TrustOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Train query encoder and generator together from questions and answers; the index is frozen.

    Example: rag train train.jsonl --index wiki@2018 --dev dev.jsonl --output my-model
    |  rag ask --model my-model --index wiki@2018 "Who is the President of Peru?"
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.training import TrainingBar, show_training, training_html
    from ragcli.datasets.read import read_examples
    from ragcli.training.joint import check_output
    from ragcli.training.joint import train as run

    training = Training(
        variant=variant,
        top_k=top_k,
        epochs=epochs,
        steps=steps,
        batch_size=batch_size,
        accumulate=accumulate,
        encoder_rate=encoder_rate,
        generator_rate=generator_rate,
        scale_rate=scale_rate,
        warmup=warmup,
        schedule=schedule,
        weight_decay=weight_decay,
        label_smoothing=label_smoothing,
        clip=clip,
        seed=seed,
        freeze_retriever=freeze_retriever,
        freeze_generator=freeze_generator,
        learn_scale=learn_scale,
        stop_on_collapse=stop_on_collapse,
        checkpoint_every=checkpoint_every,
    )
    # Mistakes in the files are told before any model is loaded.
    for path in (data, dev):
        if path is not None:
            read_examples(path, format, key)
    check_output(output, resume)
    use_threads(threads)
    rag = open_rag(
        index,
        placement=Placement(device),
        store=store,
        model=model,
        encoder=encoder,
        trust_query_encoder=trust_query_encoder,
    )
    with rag, TrainingBar() as bar:
        report = run(
            rag,
            data,
            output,
            training,
            dev=dev,
            resume=resume,
            format=format,
            key=key,
            progress=bar,
        )
    replace_file(output / "training.html", training_html(report).encode())
    if json:
        print_json(_record(report.manifest, output))
    else:
        show_training(report)


def _record(manifest: dict[str, Any], output: Path) -> dict[str, Any]:
    return {"model": str(output)} | manifest


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
