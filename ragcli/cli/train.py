"""`rag train`, `rag train-retriever` and `rag export-model`."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from ragcli.cli import options
from ragcli.cli.console import Progress, interruptible, line, many, put, say, working
from ragcli.cli.expand import Options, argument, flag, option
from ragcli.json_form.evaluation import retriever_record, training_record
from ragcli.settings import RetrieverTraining, Training
from ragcli.store.files import new_folder, replace_file

OutputOption = Annotated[Path, flag("Folder to write the result to.", "--output -o")]
_BOTH = Options(
    epochs=flag("Times through the data.", min=1),
    seed=flag("Seed of the order and of dropout.", min=0),
)
TrainingOptions = Annotated[
    Training,
    Options(
        _BOTH,
        variant=flag("sequence (the default, unless the model says) or token."),
        top_k=flag("Passages for each question; 5, or what the model says.", "--top-k -k", min=1),
        margin=flag("Words read beside a passage; 25, or what the model says.", min=0),
        steps=flag("Updates, in place of epochs.", min=1),
        batch_size=flag("Examples in one pass.", min=1),
        accumulate=flag("Passes for one update.", min=1),
        encoder_rate=flag("Learning rate of the query encoder."),
        generator_rate=flag("Learning rate of the generator."),
        scale_rate=flag("Learning rate of the score scale."),
        warmup=flag("Share of the steps in which rates rise."),
        schedule=flag("How the rates change after the warm-up."),
        weight_decay=flag("Decay of the weights (AdamW); 0 is Adam."),
        label_smoothing=flag("Share spread over the vocabulary."),
        clip=flag("Largest norm of the gradient."),
        freeze_retriever=flag("Train the generator only (the paper's ablation)."),
        freeze_generator=flag("Train the query encoder only."),
        learn_scale=flag("Learn the scale of the scores too."),
        stop_on_collapse=flag("Stop if retrieval collapses."),
        checkpoint_every=flag(
            "Steps between checkpoints; there is one after each epoch anyway.", min=1
        ),
    ),
]


def train(
    data: Annotated[Path, argument("JSON lines: question, answers.")],
    output: OutputOption,
    training: TrainingOptions,
    dataset: options.Dataset,
    opening: Annotated[options.Opening, options.OPENING.without("verify")],
    placement: options.TrainingPlacement,
    dev: Path | None = option(None, "Questions for EM, F1 and recall after each epoch."),
    resume: bool = option(False, "Go on from the last checkpoint in the folder."),
    json: options.JsonOption = False,
) -> None:
    """Train query encoder and generator together from questions and answers; the index is frozen.

    Example: rag train train.jsonl --index wiki@2018 --dev dev.jsonl --output my-model

    Then: rag ask --model my-model --index wiki@2018 "Who is the President of Peru?"
    """
    from ragcli.cli.reports.training import TrainingBar, show_training, training_html
    from ragcli.datasets.read import read_examples
    from ragcli.training.joint import check_output
    from ragcli.training.joint import train as run

    # Mistakes in the files are told before any model is loaded.
    for path in (data, dev):
        if path is not None:
            read_examples(path, dataset.format, dataset.key)
    check_output(output, resume)
    again = "the same command with --resume goes on from the last checkpoint"
    opened = opening.open(replace(placement, engine="torch"))
    with interruptible(again), opened as rag, TrainingBar() as bar:
        report = run(
            rag, data, output, training, dev=dev, resume=resume, progress=bar, **asdict(dataset)
        )
    replace_file(output / "training.html", training_html(report).encode())
    put(json, [training_record(report)], lambda: show_training(report))


RetrieverTrainingOptions = Annotated[
    RetrieverTraining,
    Options(
        _BOTH,
        batch_size=flag("Questions in a batch.", min=1),
        negatives=flag("Hard negatives by BM25 for each question.", min=0),
        rate=flag("Learning rate."),
        warmup=flag("Share of the steps in which the rate rises."),
    ),
]


def train_retriever(
    data: Annotated[Path, argument("JSON lines: question, and positive or answers.")],
    output: OutputOption,
    training: RetrieverTrainingOptions,
    opening: Annotated[options.Opening, options.OPENING.only("index", "encoder", "store")],
    placement: options.TrainingPlacement,
    both: list[str] | None = option(
        None,
        "Documents: train query and document encoder as one model on them, before an index exists. "
        "May be repeated.",
        metavar="PATH",
        show_default=False,
    ),
    json: options.JsonOption = False,
) -> None:
    """Train the query encoder against a frozen index, or with --both one model for both sides.

    Example: rag train-retriever pairs.jsonl --index wiki@2018 --output my-encoder

    Then: rag train train.jsonl --index wiki@2018 --encoder my-encoder --output my-model
    """
    from ragcli.corpus.read import require_paths
    from ragcli.datasets.read import read_examples
    from ragcli.models.encoders import load_encoder
    from ragcli.training.retriever import train_both_encoders, train_query_encoder

    read_examples(data, pairs=True)
    require_paths(both or ())
    placement = replace(placement, engine="torch")
    with Progress() as progress:

        def stepped(record: dict[str, Any]) -> None:
            progress.reach(record["step"], record["steps"])

        if both:
            with working("loading the encoder"):
                loaded = load_encoder(opening.encoder, placement=placement)
            report = train_both_encoders(loaded, both, data, output, training, stepped)
        else:
            with opening.open(placement, generate=False) as rag:
                report = train_query_encoder(rag, data, output, training, stepped)
    for example in report.unmatched[:10]:
        say(f"{example.place}: no passage holds its answer; left out")
    if len(report.unmatched) > 10:
        say(f"… and {len(report.unmatched) - 10} more")
    pairs, negatives = many(report.pairs, "pair"), many(report.negatives, "negative")
    recall = f"recall@1 on them {report.before:.3f} before, {report.after:.3f} after"
    said = f"{report.folder}: {pairs} with {negatives} each; {recall}"
    put(json, [retriever_record(report)], lambda: line(said))


def export_model(
    model: Annotated[
        str, argument("A folder that `rag train` made; with --onnx any BART or T5 too.")
    ],
    output: Annotated[Path, argument("Folder to write; it must not exist.")],
    onnx: bool = option(False, "Write it as it is, with graphs for ONNX Runtime."),
) -> None:
    """Write a trained model in the format of facebook/rag-sequence-nq, for Hugging Face's classes.

    Example: rag export-model my-model my-model-hf

    With --onnx, a model that answers without torch: rag export-model my-model faster --onnx
    """
    from ragcli.models.export import export_rag
    from ragcli.models.onnx.export import export_onnx

    slow: list[str] = []
    with working("exporting"), new_folder(output) as folder:
        if onnx:
            slow, use = export_onnx(model, folder), "use it with --model"
        else:
            use = f"open it with transformers.{export_rag(Path(model), folder)}.from_pretrained"
    say(f"wrote {output}: {use}")
    if slow:
        say(f"its {' and '.join(slow)} still needs torch")
