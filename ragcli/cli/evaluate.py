"""`rag evaluate`: answer a dataset, or take another run's answers, and measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import Progress, many, put, say, say_copied, to_the_end
from ragcli.cli.expand import option
from ragcli.cli.files import check_gate, require_writable, write_report
from ragcli.cli.settings_file import given
from ragcli.errors import SettingsError
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.settings import Task

if TYPE_CHECKING:
    from ragcli.evaluation.evaluate import Evaluation

_ANSWERING = ("save", "sweep", "model", "encoder", "variant", "top_k", "retriever")
"""Options that say how to answer, and with --predictions would do nothing."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """What is measured."""

    task: Task | None = option(None, "What is measured; qa, or what the format says.")
    labels: str | None = option(None, "Labels of a classification, A,B,…")
    sweep: str | None = option(None, "Several k at once: top-k=1,2,5,10.")
    answers_only: bool = option(
        False, "Faster: no log p, and only passages that may matter are read."
    )
    seed: int = option(0, "Seed of the intervals.", min=0)
    predictions: Path | None = option(None, "Measure these answers.")
    save: Path | None = option(None, "Write predictions here, and resume.")


@dataclass(frozen=True, slots=True)
class Reports:
    """In which forms the report is wanted, and how good the results must be."""

    paper: PaperTask | None = option(None, "Show the paper's results beside ours.")
    csv: Path | None = option(None, "Write the metrics.")
    html: Path | None = option(None, "Write a self-contained page.")
    figure: Path | None = option(None, "Write the sweep's curves as SVG.")
    fail_under: float | None = option(
        None,
        "Exit with 3 if exact match, ROUGE-L or accuracy, whichever the task has, is below this "
        "percentage for any k.",
        min=0,
        max=100,
    )


def evaluate(
    ctx: typer.Context,
    dataset: options.Dataset,
    measuring: Measuring,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.EVALUATED],
    placement: options.PlacementOptions,
    reports: Reports,
    questions: Annotated[
        Path | None,
        typer.Argument(help="The dataset; may be left out with --predictions that hold answers."),
    ] = None,
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Answer a dataset and measure: exact match, F1, recall, BLEU, ROUGE, accuracy and more.

    Example: rag evaluate sample_corpus/questions/general.jsonl --retriever bm25

    Against k: rag evaluate questions.jsonl --sweep top-k=1,2,5,10 --html report.html
    """
    from ragcli.datasets.formats import FORMATS
    from ragcli.datasets.read import read_examples
    from ragcli.evaluation.evaluate import evaluate as run
    from ragcli.evaluation.evaluate import evaluate_predictions
    from ragcli.evaluation.predict import Asking

    format, paper = FORMATS.load(dataset.format), reports.paper
    task = measuring.task or format.task or (PAPER[paper].task if paper else "qa")
    labels = _labels(measuring.labels, task, format.labels)
    top_ks = _sweep(measuring.sweep)
    if top_ks and given(ctx, "top_k"):
        raise SettingsError("--sweep names the numbers of passages: leave --top-k out")
    _check_reports(reports, task, top_ks)
    require_writable(measuring.save)
    if measuring.predictions is not None:
        for name in _ANSWERING:
            if given(ctx, name):
                flag = name.replace("_", "-")
                raise SettingsError(f"--predictions are measured as they are: leave --{flag} out")
    elif questions is None:
        raise SettingsError("no questions to evaluate", "rag evaluate QUESTIONS, or --predictions")
    examples = read_examples(questions, dataset.format, dataset.key) if questions else []
    if measuring.predictions is not None:
        report = evaluate_predictions(
            measuring.predictions, examples or None, task, labels, measuring.seed
        )
        _finish(report, reports, json)
        return
    opened = opening.open(placement, retrieval, decoding)
    with opened as rag, Progress("answering", len(examples)) as progress:
        say_copied(rag, labels=bool(labels))
        if top_ks and top_ks[-1] > len(rag.index):
            there = many(len(rag.index), "passage")
            say(f"the index holds {there}: larger k are the same as all of them")
        asking = Asking(top_ks, labels, measuring.answers_only, batch_size)
        report = run(rag, examples, task, asking, measuring.seed, measuring.save, progress.advance)
    _finish(report, reports, json)


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


def _finish(report: Evaluation, reports: Reports, json: bool) -> None:
    """Every form of the report that was asked for, and then the gate."""
    from ragcli.cli.reports.evaluation import report_csv, report_html, show_evaluation, sweep_svg
    from ragcli.json_form.evaluation import evaluation_record

    paper = reports.paper
    write_report(reports.csv, lambda: report_csv(report, paper))
    write_report(reports.html, lambda: report_html(report, paper))
    write_report(reports.figure, lambda: sweep_svg(report))
    with to_the_end():
        put(json, [evaluation_record(report, paper)], lambda: show_evaluation(report, paper))
    check_gate(*report.worst, reports.fail_under)
