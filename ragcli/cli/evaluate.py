"""`rag evaluate`, `rag compare` and `rag swap-experiment`.

The files of a report are checked before the work and written after it, and a gate may fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import (
    SAME_COMMAND,
    Progress,
    interruptible,
    line,
    many,
    print_table,
    put,
    say,
    say_untrained,
    to_the_end,
)
from ragcli.cli.expand import argument, option
from ragcli.cli.settings_file import given
from ragcli.errors import ExitCode, SettingsError
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.settings import Task
from ragcli.store.files import replace_file

if TYPE_CHECKING:
    from ragcli.evaluation.compare import Comparison
    from ragcli.evaluation.evaluate import Evaluation

_ANSWERING = ("save", "sweep", "model", "encoder", "variant", "top-k", "retriever", "margin")
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
        Path | None, argument("The dataset; may be left out with --predictions that hold answers.")
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
    if paper and PAPER[paper].task != task:
        raise SettingsError(f"--paper {paper} is a task of {PAPER[paper].task}, not of {task}")
    if reports.figure is not None and len(top_ks) < 2:
        raise SettingsError("--figure draws the curves of a sweep", "add --sweep top-k=1,2,5,10")
    _require_writable(reports.csv, reports.html, reports.figure, measuring.save)
    if (predictions := measuring.predictions) is not None:
        for flag in _ANSWERING:
            if given(ctx, flag.replace("-", "_")):
                raise SettingsError(f"--predictions are measured as they are: leave --{flag} out")
    elif questions is None:
        raise SettingsError("no questions to evaluate", "rag evaluate QUESTIONS, or --predictions")
    examples = read_examples(questions, dataset.format, dataset.key) if questions else []
    if predictions is not None:
        report = evaluate_predictions(predictions, examples or None, task, labels, measuring.seed)
        return _finish(report, reports, json)
    opened = opening.open(placement, retrieval, decoding)
    again = SAME_COMMAND if measuring.save else "with --save FILE it can go on where it stopped"
    with interruptible(again), opened as rag, Progress("answering", len(examples)) as progress:
        if labels:
            say_untrained(rag)
        if top_ks and top_ks[-1] > len(rag.index):
            there = many(len(rag.index), "passage")
            say(f"the index holds {there}: larger k are the same as all of them")
        asking = Asking(top_ks, labels, measuring.answers_only, batch_size)
        report = run(rag, examples, task, asking, measuring.seed, measuring.save, progress.advance)
    _finish(report, reports, json)


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
    _write_report(reports.csv, lambda: report_csv(report, paper))
    _write_report(reports.html, lambda: report_html(report, paper))
    _write_report(reports.figure, lambda: sweep_svg(report))
    with to_the_end():
        put(json, [evaluation_record(report, paper)], lambda: show_evaluation(report, paper))
    check_gate(*report.worst, reports.fail_under)


def _require_writable(*paths: Path | None) -> None:
    """Raise at once if a report could not be written there; None is no report."""
    for path in filter(None, paths):
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise SettingsError(f"{path} cannot be written: no such folder, or a folder itself")


def _write_report(path: Path | None, text: Callable[[], str]) -> None:
    """Write the text, if a file was named for it, and say so."""
    if path is None:
        return
    try:
        replace_file(path, text().encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from error
    say(f"wrote {path}")


def check_gate(what: str, lowest: float, fail_under: float | None) -> None:
    """End with the gate's exit code if a share is below the percentage that was asked for."""
    if fail_under is not None and 100 * lowest < fail_under:
        say(f"the lowest {what} is {100 * lowest:.1f} %, below {fail_under:g} %", always=True)
        raise typer.Exit(ExitCode.GATE)


def compare(
    first: Annotated[Path, argument("What `rag evaluate --json` wrote.", metavar="A")],
    second: Annotated[Path, argument("The same of another run.", metavar="B")],
    seed: int = option(0, "Seed of the intervals.", min=0),
    json: options.JsonOption = False,
) -> None:
    """Compare two runs question by question: paired bootstrap, McNemar's test, where they differ.

    Example: rag compare dense.json bm25.json

    To make such a file: rag evaluate questions.jsonl --json > dense.json
    """
    from ragcli.evaluation.compare import compare as paired
    from ragcli.evaluation.compare import read_report
    from ragcli.json_form.evaluation import comparison_record

    result = paired(read_report(first), read_report(second), seed)
    shown = partial(_show_comparison, result, first.name, second.name)
    put(json, [comparison_record(result)], shown)


def _show_comparison(result: Comparison, *names: str) -> None:
    """Differences with intervals, the test, what was set differently, and the questions."""
    from ragcli.cli.reports.evaluation import show_first
    from ragcli.evaluation.metrics import METRICS

    found = ((METRICS.load(name), m) for name, m in result.differences.items())
    rows = [(metric.label, metric.text(m.value), metric.interval(m)) for metric, m in found]
    print_table(["metric", f"{names[1]} − {names[0]}>", "95 % interval>"], rows)
    test = result.mcnemar
    line(
        f"{result.questions} questions; right only in {names[0]}: {test.only_first}, only in "
        f"{names[1]}: {test.only_second}; exact McNemar p = {test.p_value:.2g}"
    )
    for name, values in result.settings.items():
        told = (text if len(text) <= 40 else f"{text[:37]}…" for text in map(str, values))
        line(f"{name}: {' / '.join(told)}", "dim")
    lines = []
    for a, b in result.differing:
        better, worse = (names[0], b) if a["right"] else (names[1], a)
        lines.append(f"{better}  {a['question']}  {a['accepted'][0]!r}, not {worse['answer']!r}")
    show_first(lines, 20, "--json")


def swap_experiment(
    questions: Annotated[Path, argument("JSON lines: question, answers, changed.")],
    two: options.TwoVersions,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    placement: options.PlacementOptions,
    keys: str | None = option(
        None, "Keys of the answers, FIRST,SECOND; the names of the versions by default."
    ),
    batch_size: options.BatchSizeOption = 8,
    fail_under: float | None = option(
        None, "Exit with 3 if a matched or control rate is below this percentage.", min=0, max=100
    ),
    html: Path | None = option(None, "Write a self-contained page."),
    json: options.JsonOption = False,
) -> None:
    """Ask the same questions of two versions of an index: the paper's 2016-versus-2018 experiment.

    Example: rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
    """
    from ragcli.cli.reports.evaluation import show_swap, swap_html
    from ragcli.datasets.read import read_keyed
    from ragcli.evaluation import swap as experiment
    from ragcli.json_form.evaluation import swap_record

    name, first, second = two.found(opening.store)
    if first == second:
        raise SettingsError(f"the experiment needs two versions, not {first!r} twice")
    named = tuple(part.strip() for part in keys.split(",")) if keys else (first, second)
    if len(named) != 2:
        raise SettingsError(f"--keys takes two names with a comma between, not {keys!r}")
    asked = read_keyed(questions, (named[0], named[1]))
    _require_writable(html)
    references = (f"{name}@{first}", f"{name}@{second}")
    opened = opening.open_two(references, placement, retrieval, decoding)
    with opened as both, Progress("asking", 2 * len(asked[0])) as progress:
        report = experiment.swap_experiment(both, asked, batch_size, progress.advance)
    _write_report(html, lambda: swap_html(report))
    with to_the_end():
        put(json, [swap_record(report)], lambda: show_swap(report))
    check_gate("rate", report.worst, fail_under)
