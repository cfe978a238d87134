"""`rag evaluate`: answer a dataset, or take another run's answers, and measure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.ask import open_rag
from ragcli.cli.options import (
    BatchSizeOption,
    BeamsOption,
    DecodingOption,
    DeviceOption,
    DTypeOption,
    EncoderOption,
    FormatOption,
    FrozenOption,
    IndexOption,
    JsonOption,
    KeyOption,
    MaxTokensOption,
    ModelOption,
    RetrieverOption,
    StoreOption,
    TopKOption,
    TrustOption,
    VariantOption,
    VerifyOption,
)
from ragcli.errors import SettingsError
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.settings import Decoding, Placement, Retrieval, Task
from ragcli.store.files import replace_file

if TYPE_CHECKING:
    from ragcli.evaluation.evaluate import Evaluation


def evaluate(
    questions: Annotated[
        Path | None,
        typer.Argument(help="The dataset; may be left out with --predictions that hold answers."),
    ] = None,
    index: IndexOption = "default",
    format: FormatOption = "jsonl",
    key: KeyOption = None,
    task: Annotated[
        Task | None,
        typer.Option(
            "--task", help="What is measured; qa, or what the format says.", show_default=False
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", help="Labels of a classification, A,B,…", show_default=False),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", help="Measure these answers.", show_default=False),
    ] = None,
    retriever: RetrieverOption = None,
    variant: VariantOption = None,
    decoding: DecodingOption = None,
    top_k: TopKOption = None,
    sweep: Annotated[
        str | None,
        typer.Option("--sweep", help="Several k at once: top-k=1,2,5,10.", show_default=False),
    ] = None,
    beams: BeamsOption = None,
    max_tokens: MaxTokensOption = None,
    frozen: FrozenOption = False,
    batch_size: BatchSizeOption = 8,
    answers_only: Annotated[
        bool,
        typer.Option(
            "--answers-only", help="Faster: no log p, and only passages that may matter are read."
        ),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the intervals.", min=0)] = 0,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Write predictions here, and resume.", show_default=False),
    ] = None,
    paper: Annotated[
        PaperTask | None,
        typer.Option("--paper", help="Show the paper's results beside ours.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write the metrics.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a self-contained page.", show_default=False),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option("--figure", help="Write the sweep's curves as SVG.", show_default=False),
    ] = None,
    json: JsonOption = False,
    model: ModelOption = None,
    encoder: EncoderOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
    device: DeviceOption = "auto",
    dtype: DTypeOption = "float32",
) -> None:
    """Answer a dataset and measure: exact match, F1, recall, BLEU, ROUGE, accuracy and more.

    Example: rag evaluate sample_corpus/questions/general.jsonl --retriever bm25

    Against k: rag evaluate questions.jsonl --sweep top-k=1,2,5,10 --html report.html
    """
    from ragcli.cli.console import RichProgress, say, say_closed_book, say_no_labels
    from ragcli.datasets.formats import FORMATS
    from ragcli.datasets.read import read_examples
    from ragcli.evaluation import evaluate as pipeline

    dataset = FORMATS.load(format)
    task = task or dataset.task or (PAPER[paper].task if paper else "qa")
    named = _labels(labels, task, dataset.labels)
    top_ks = _sweep(sweep)
    if top_ks and top_k is not None:
        raise SettingsError("--sweep names the numbers of passages: leave --top-k out")
    if predictions is not None:
        _require_unused(
            save=save,
            sweep=sweep,
            model=model,
            encoder=encoder,
            variant=variant,
            top_k=top_k,
            retriever=retriever,
        )
    if paper is not None and PAPER[paper].task != task:
        raise SettingsError(f"--paper {paper} is a task of {PAPER[paper].task}, not of {task}")
    if figure is not None and len(top_ks) < 2:
        raise SettingsError("--figure draws the curves of a sweep", "add --sweep top-k=1,2,5,10")
    for path in (csv, html, figure, save):
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise SettingsError(f"{path} cannot be written: no such folder, or a folder itself")
    if questions is None and predictions is None:
        raise SettingsError("no questions to evaluate", "rag evaluate QUESTIONS, or --predictions")
    examples = read_examples(questions, format, key) if questions is not None else None
    if predictions is not None:
        report = pipeline.evaluate_predictions(predictions, examples, task, named, seed)
        _write(report, paper, json, csv, html, figure)
        return
    assert examples is not None
    rag = open_rag(
        index,
        retrieval=Retrieval(top_k, retriever),
        decoding=Decoding(variant, decoding, beams, max_tokens),
        placement=Placement(device, dtype),
        frozen=frozen,
        store=store,
        model=model,
        encoder=encoder,
        verify=verify,
        trust_query_encoder=trust_query_encoder,
    )
    if named:
        say_no_labels(rag)
    else:
        say_closed_book(rag)
    if top_ks and top_ks[-1] > len(rag.index):
        say(f"the index holds {len(rag.index)} passages: larger k are the same as all of them")
    with rag, RichProgress() as progress:
        progress.phase("answering", len(examples))
        report = pipeline.evaluate(
            rag,
            examples,
            task,
            top_ks,
            named,
            seed,
            batch_size,
            save,
            progress.advance,
            answers_only,
        )
    _write(report, paper, json, csv, html, figure)


def _require_unused(**options: object) -> None:
    """Nothing is answered with --predictions: an option that says how would do nothing."""
    for name, value in options.items():
        if value is not None:
            option = name.replace("_", "-")
            raise SettingsError(f"--predictions are measured as they are: leave --{option} out")


def _labels(text: str | None, task: Task, known: tuple[str, ...]) -> tuple[str, ...]:
    """The labels that were named, else those of the format."""
    if task != "classification":
        if text:
            raise SettingsError("--labels belongs to --task classification")
        return ()
    labels = text.split(",") if text else known
    if not labels:
        raise SettingsError("no labels", "for example --labels supports,refutes,unknown")
    from ragcli.answering.classify import require_labels

    return require_labels([label.strip() for label in labels])


def _sweep(text: str | None) -> tuple[int, ...]:
    """`top-k=1,2,5` → (1, 2, 5)."""
    if text is None:
        return ()
    name, _, values = text.partition("=")
    parts = [part.strip() for part in values.split(",")]
    if name.strip() != "top-k" or not all(part.isdigit() and int(part) > 0 for part in parts):
        raise SettingsError(f"--sweep takes top-k=1,2,5 and so on, not {text!r}")
    return tuple(sorted({int(part) for part in parts}))


def _write(
    report: Evaluation,
    paper: PaperTask | None,
    json: bool,
    csv: Path | None,
    html: Path | None,
    figure: Path | None,
) -> None:
    """Every form of the report that was asked for."""
    from ragcli.cli.console import print_json, say
    from ragcli.cli.reports.evaluation import report_csv, report_record, show_report
    from ragcli.cli.reports.evaluation_page import report_html, sweep_svg

    files: list[tuple[Path | None, Callable[[], str]]] = [
        (csv, lambda: report_csv(report, paper)),
        (html, lambda: report_html(report, paper)),
        (figure, lambda: sweep_svg(report)),
    ]
    for path, text in files:
        if path is not None:
            try:
                replace_file(path, text().encode())
            except OSError as error:
                raise SettingsError(f"{path} cannot be written: {error.strerror}") from error
            say(f"wrote {path}")
    if json:
        print_json(report_record(report, paper))
    else:
        show_report(report, paper)
