"""`rag diff-index`: what changed between two versions, and which answers with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import line, put, say_clamped
from ragcli.cli.opening import open_rag
from ragcli.cli.progress import Progress
from ragcli.cli.references import two_versions
from ragcli.errors import QuestionError
from ragcli.json_form.indexes import diff_record
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.indexing.diff import AnswerChange, IndexDiff

_SHOWN = 20


def diff_index(
    first: options.OlderArgument,
    second: options.NewerArgument,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    index: options.IndexNameOption = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="Ask both versions the questions of this file: plain lines, or JSON objects "
            "with a `question`.",
        ),
    ] = None,
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Compare two versions: documents and passages added, removed and changed.

    Examples: rag diff-index 2016 2018  |  rag diff-index 2016 2018 --questions questions.txt
    """
    from ragcli.indexing.diff import changed_answers
    from ragcli.indexing.diff import diff_index as diff

    place = Store(opening.store)
    asked = _read(questions) if questions else []
    name, versions = two_versions(place, first, second, index)
    references = [f"{name}@{version}" for version in versions]
    with place.open(references[0]) as older, place.open(references[1]) as newer:
        found = diff(older, newer)
    answers: list[AnswerChange] | None = None
    if questions:
        before = open_rag(replace(opening, index=references[0]), retrieval, decoding)
        with before, before.with_index(references[1]) as after, Progress() as progress:
            say_clamped(after)
            progress.phase("asking", 2 * len(asked))
            answers = changed_answers(before, after, asked, batch_size, progress.advance)
    record = diff_record(found, answers, len(asked))
    put(json, [record], lambda: _show(found, answers, len(asked)))


def _read(path: Path) -> list[str]:
    """The questions of a file; a line that cannot be read stops the command."""
    from ragcli.cli.stdin import parse

    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise QuestionError(f"{path}: cannot be read: {error.strerror}") from None
    asked = []
    for number, raw in enumerate(lines, 1):
        if raw.strip():
            read = parse(raw, number)
            if read.error is not None:
                raise QuestionError(f"{path}:{number}: {read.error.message}")
            asked.append(read.question)
    if not asked:
        raise QuestionError(f"{path}: no questions")
    return asked


def _show(diff: IndexDiff, answers: Sequence[AnswerChange] | None, asked: int) -> None:
    documents = diff.documents
    a, b = diff.versions
    line(f"{diff.index}@{a} → {diff.index}@{b}", "bold")
    line(
        f"documents: {len(documents.added):,} added, {len(documents.removed):,} removed, "
        f"{len(documents.changed):,} changed, {documents.unchanged:,} unchanged\n"
        f"passages: {diff.passages_added:,} added, {diff.passages_removed:,} removed, "
        f"{diff.passages_unchanged:,} unchanged"
    )
    listed = (
        ("+", "green", documents.added),
        ("−", "red", documents.removed),
        ("~", "yellow", documents.changed),
    )
    for mark, style, changes in listed:
        for change in changes[:_SHOWN]:
            before, after = change.passages
            count = f"{before} → {after}" if before != after else f"{after}"
            more = f"   {change.title}   {count} passages"
            line(f"{mark} {change.id}", style, (more, "dim"))
        if len(changes) > _SHOWN:
            line(f"{mark} … and {len(changes) - _SHOWN:,} more; all with --json", "dim")
    if answers is None:
        return
    line(f"{len(answers)} of {asked} answers changed", "bold")
    for answer in answers:
        old, new = answer.before or "(empty)", answer.after or "(empty)"
        line(f"{answer.question}  ", "", (old, "red"), (" → ", "dim"), (new, "green"))
