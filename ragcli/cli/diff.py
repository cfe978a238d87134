"""`rag diff-index`: what changed between two versions, and which answers with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    OPENING,
    BatchSizeOption,
    BestOptions,
    IndexNameOption,
    JsonOption,
    Opening,
    RetrievalOptions,
)
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.indexing.diff import AnswerChange, IndexDiff

_SHOWN = 20


def diff_index(
    first: Annotated[str, typer.Argument(help="The older version.", metavar="VERSION_A")],
    second: Annotated[str, typer.Argument(help="The newer version.", metavar="VERSION_B")],
    retrieval: RetrievalOptions,
    decoding: BestOptions,
    opening: Annotated[Opening, OPENING.without("index")],
    index: IndexNameOption = DEFAULT_NAME,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="Ask both versions the questions of this file: plain lines, or JSON objects "
            "with a `question`.",
        ),
    ] = None,
    batch_size: BatchSizeOption = 8,
    json: JsonOption = False,
) -> None:
    """Compare two versions: documents and passages added, removed and changed.

    Examples: rag diff-index 2016 2018  |  rag diff-index 2016 2018 --questions questions.txt
    """
    from ragcli.cli.console import RichProgress, print_json, say_clamped
    from ragcli.indexing.diff import changed_answers
    from ragcli.indexing.diff import diff_index as diff
    from ragcli.json_form.indexes import diff_record

    place = Store(opening.store)
    references = [f"{index}@{version}" for version in (first, second)]
    asked = _read(questions) if questions else []
    with place.open(references[0]) as older, place.open(references[1]) as newer:
        found = diff(older, newer)
    answers: list[AnswerChange] | None = None
    if questions:
        before = open_rag(replace(opening, index=references[0]), retrieval, decoding)
        with before, before.with_index(references[1]) as after, RichProgress() as progress:
            say_clamped(after)
            progress.phase("asking", 2 * len(asked))
            answers = changed_answers(before, after, asked, batch_size, progress.advance)
    if json:
        print_json(diff_record(found, answers, len(asked)))
    else:
        _show(found, answers, len(asked))


def _read(path: Path) -> list[str]:
    """The questions of a file; a line that cannot be read stops the command."""
    from ragcli.cli.stdin import parse
    from ragcli.errors import QuestionError

    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise QuestionError(f"{path}: cannot be read: {error.strerror}") from None
    asked = []
    for number, raw in enumerate(lines, 1):
        if raw.strip():
            line = parse(raw, number)
            if line.error is not None:
                raise QuestionError(f"{path}:{number}: {line.error.message}")
            asked.append(line.question)
    if not asked:
        raise QuestionError(f"{path}: no questions")
    return asked


def _show(diff: IndexDiff, answers: Sequence[AnswerChange] | None, asked: int) -> None:
    from rich.text import Text

    from ragcli.cli.console import out

    documents = diff.documents
    a, b = diff.versions
    head = Text(f"{diff.index}@{a} → {diff.index}@{b}", style="bold")
    out().print(head)
    out().print(
        f"documents: {len(documents.added):,} added, {len(documents.removed):,} removed, "
        f"{len(documents.changed):,} changed, {documents.unchanged:,} unchanged\n"
        f"passages: {diff.passages_added:,} added, {diff.passages_removed:,} removed, "
        f"{diff.passages_unchanged:,} unchanged",
        markup=False,
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
            line = Text(f"{mark} {change.id}", style=style)
            line.append(f"   {change.title}   {count} passages", style="dim")
            out().print(line)
        if len(changes) > _SHOWN:
            more = f"{mark} … and {len(changes) - _SHOWN:,} more; all with --json"
            out().print(Text(more, style="dim"))
    if answers is not None:
        _show_answers(answers, asked)


def _show_answers(answers: Sequence[AnswerChange], asked: int) -> None:
    from rich.text import Text

    from ragcli.cli.console import out

    out().print(Text(f"{len(answers)} of {asked} answers changed", style="bold"))
    for change in answers:
        line = Text(f"{change.question}  ")
        line.append(change.before or "(empty)", style="red")
        line.append(" → ", style="dim")
        line.append(change.after or "(empty)", style="green")
        out().print(line)
