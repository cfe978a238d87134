"""`rag evaluate`: answer a dataset, or take another run's answers, and measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.expand import Options
from ragcli.cli.files import check_gate, require_writable, write_report
from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    OPENING,
    BatchSizeOption,
    BestOptions,
    DatasetOptions,
    JsonOption,
    Opening,
    RetrievalOptions,
)
from ragcli.cli.progress import Progress
from ragcli.cli.settings_file import given
from ragcli.errors import SettingsError
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.settings import Task

if TYPE_CHECKING:
    from ragcli.evaluation.evaluate import Evaluation

_MAIN: dict[Task, str] = {
    "qa": "exact_match",
    "generation": "rouge_l",
    "classification": "accuracy",
}
"""The metric that --fail-under looks at."""
_ANSWERING = ("save", "sweep", "model", "encoder", "variant", "top_k", "retriever")
"""Options that say how to answer, and with --predictions would do nothing."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """What is measured."""

    task: Task | None = None
    labels: str | None = None
    sweep: str | None = None
    answers_only: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reports:
    """In which forms the report is wanted."""

    paper: PaperTask | None = None
    csv: Path | None = None
    html: Path | None = None
    figure: Path | None = None


MeasuringOptions = Annotated[
    Measuring,
    Options(
        task=typer.Option(help="What is measured; qa, or what the format says."),
        labels=typer.Option(help="Labels of a classification, A,B,…"),
        sweep=typer.Option(help="Several k at once: top-k=1,2,5,10."),
        answers_only=typer.Option(
            help="Faster: no log p, and only passages that may matter are read."
        ),
        seed=typer.Option(help="Seed of the intervals.", min=0),
    ),
]
ReportOptions = Annotated[
    Reports,
    Options(
        paper=typer.Option(help="Show the paper's results beside ours."),
        csv=typer.Option(help="Write the metrics."),
        html=typer.Option(help="Write a self-contained page."),
        figure=typer.Option(help="Write the sweep's curves as SVG."),
    ),
]
EVALUATED = Options(
    **OPENING,
    frozen=typer.Option(
        help="Keep the index's own encoder, whatever query encoder the model was trained with."
    ),
)


def evaluate(
    ctx: typer.Context,
    dataset: DatasetOptions,
    measuring: MeasuringOptions,
    retrieval: RetrievalOptions,
    decoding: BestOptions,
    opening: Annotated[Opening, EVALUATED],
    reports: ReportOptions,
    questions: Annotated[
        Path | None,
        typer.Argument(help="The dataset; may be left out with --predictions that hold answers."),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", help="Measure these answers.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write predictions here, and resume.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            help="Exit with 3 if exact match, ROUGE-L or accuracy, whichever the task has, is "
            "below this percentage for any k.",
        ),
    ] = None,
    batch_size: BatchSizeOption = 8,
    json: JsonOption = False,
) -> None:
    """Answer a dataset and measure: exact match, F1, recall, BLEU, ROUGE, accuracy and more.

    Example: rag evaluate sample_corpus/questions/general.jsonl --retriever bm25

    Against k: rag evaluate questions.jsonl --sweep top-k=1,2,5,10 --html report.html
    """
    from ragcli.cli.console import say, say_closed_book, say_no_labels
    from ragcli.datasets.formats import FORMATS
    from ragcli.datasets.read import read_examples
    from ragcli.evaluation import evaluate as pipeline

    format, paper = FORMATS.load(dataset.format), reports.paper
    task = measuring.task or format.task or (PAPER[paper].task if paper else "qa")
    named = _labels(measuring.labels, task, format.labels)
    top_ks = _sweep(measuring.sweep)
    if top_ks and given(ctx, "top_k"):
        raise SettingsError("--sweep names the numbers of passages: leave --top-k out")
    _check_reports(reports, task, top_ks)
    require_writable(save)
    if predictions is not None:
        for name in _ANSWERING:
            if given(ctx, name):
                flag = name.replace("_", "-")
                raise SettingsError(f"--predictions are measured as they are: leave --{flag} out")
    elif questions is None:
        raise SettingsError("no questions to evaluate", "rag evaluate QUESTIONS, or --predictions")
    examples = read_examples(questions, dataset.format, dataset.key) if questions else None
    if predictions is not None:
        report = pipeline.evaluate_predictions(predictions, examples, task, named, measuring.seed)
        _write(report, reports, json)
        _check_gate(report, fail_under)
        return
    assert examples is not None
    with open_rag(opening, retrieval, decoding) as rag, Progress() as progress:
        if named:
            say_no_labels(rag)
        else:
            say_closed_book(rag)
        if top_ks and top_ks[-1] > len(rag.index):
            say(f"the index holds {len(rag.index)} passages: larger k are the same as all of them")
        progress.phase("answering", len(examples))
        report = pipeline.evaluate(
            rag,
            examples,
            task,
            top_ks,
            named,
            measuring.seed,
            batch_size,
            save,
            progress.advance,
            measuring.answers_only,
        )
    _write(report, reports, json)
    _check_gate(report, fail_under)


def _check_reports(reports: Reports, task: Task, top_ks: tuple[int, ...]) -> None:
    """Everything that can be wrong with the reports, before any question is answered."""
    paper = reports.paper
    if paper is not None and PAPER[paper].task != task:
        raise SettingsError(f"--paper {paper} is a task of {PAPER[paper].task}, not of {task}")
    if reports.figure is not None and len(top_ks) < 2:
        raise SettingsError("--figure draws the curves of a sweep", "add --sweep top-k=1,2,5,10")
    for path in (reports.csv, reports.html, reports.figure):
        require_writable(path)


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


def _write(report: Evaluation, reports: Reports, json: bool) -> None:
    """Every form of the report that was asked for."""
    from ragcli.cli.console import print_json, to_the_end
    from ragcli.cli.reports.evaluation import report_csv, show_report
    from ragcli.cli.reports.evaluation_page import report_html, sweep_svg
    from ragcli.json_form.evaluation import evaluation_record

    paper = reports.paper
    write_report(reports.csv, lambda: report_csv(report, paper))
    write_report(reports.html, lambda: report_html(report, paper))
    write_report(reports.figure, lambda: sweep_svg(report))
    with to_the_end():
        if json:
            print_json(evaluation_record(report, paper))
        else:
            show_report(report, paper)


def _check_gate(report: Evaluation, fail_under: float | None) -> None:
    from ragcli.evaluation.metrics import METRICS

    name = _MAIN[report.task]
    lowest = min(result.metrics[name].value for result in report.results)
    check_gate(METRICS.load(name).label, lowest, fail_under)
