"""`rag log-index`, `diff-index`, `tag-index`, `remove-index` and `prune-index`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import completion, options
from ragcli.cli.console import Progress, line, many, put, say, size
from ragcli.cli.indexes import show_versions
from ragcli.cli.references import home_index, index_reference, version_reference
from ragcli.errors import CorruptIndexError, QuestionError, StoreError
from ragcli.json_form.indexes import diff_record, log_record, prune_record
from ragcli.store.history import LogEntry, prune_versions, remove_version, version_log
from ragcli.store.store import DEFAULT_NAME

if TYPE_CHECKING:
    from ragcli.indexing.diff import AnswerChange, IndexDiff

VersionArgument = Annotated[str, options.version_argument("The version")]


def log_index(
    store: options.StoreOption,
    index: options.IndexOption = DEFAULT_NAME,
    json: options.JsonOption = False,
) -> None:
    """Show where each version of an index came from, newest first; or where one version did.

    `size` is what a version holds, `own` what it shares with no other version and removing it
    would free.

    Examples: rag log-index  |  rag log-index --index wiki@2018
    """
    name, _, version = index_reference(store, index).partition("@")
    log = version_log(store, name, version)

    def show() -> None:
        columns = "version||tags|from|created|documents>|passages>|recall>|size>|own>"
        rows = [(entry, _cells(entry)) for entry in log]
        show_versions(columns, rows, spare=("recall", "passages", "own", "size", "created"))

    put(json, map(log_record, log), show)


def _cells(entry: LogEntry) -> tuple[str, ...]:
    mark = "*" if entry.current else "previous" if entry.previous else ""
    known, manifest = (entry.version, mark, " ".join(entry.tags)), entry.manifest
    if isinstance(manifest, CorruptIndexError):
        return known
    origin, recall = manifest.origin, manifest.recall
    changes = f" (+{origin.added} ~{origin.changed} −{origin.removed})" if origin.parent else ""
    return (
        *known,
        f"{origin.how} of {origin.parent}" if origin.parent else origin.how,
        manifest.created.replace("T", " ")[:16],
        f"{manifest.counts.documents:,}{changes}",
        f"{manifest.counts.passages:,}",
        f"{recall.value:.3f} @{recall.k}" if recall else "",
        size(manifest.bytes),
        size(entry.own_bytes),
    )


def tag_index(
    reference: VersionArgument,
    tag: Annotated[
        str,
        typer.Argument(help="Another name for the version.", autocompletion=completion.tags),
    ],
    store: options.StoreOption,
    delete: Annotated[bool, typer.Option(help="Take the tag away from the version.")] = False,
) -> None:
    """Give a version another name, which can stand wherever a version does; prune-index keeps it.

    Examples: rag tag-index 2018 stable  |  rag tag-index stable stable --delete
    """
    name, version = version_reference(store, reference)
    if delete and (tagged := store.tags(name).get(tag, version)) != version:
        raise StoreError(f"the tag {tag} stands for {name}@{tagged}, not for {name}@{version}")
    store.tag(name, tag, None if delete else version)
    said = "is no longer a tag" if delete else f"is {name}@{version}"
    line(f"{name}@{tag} {said}")


def remove_index(
    reference: VersionArgument,
    store: options.StoreOption,
    force: Annotated[
        bool,
        typer.Option(help="Even the current version; the previous becomes current."),
    ] = False,
) -> None:
    """Remove a version; programs that have it open can go on reading it.

    Example: rag remove-index 2016
    """
    name, version = version_reference(store, reference)
    freed = remove_version(store, name, version, force)
    line(f"{name}@{version} removed, freed {size(freed)}")
    if force:
        current = store.current(name)
        say(f"{name}@{current.version} is current" if current else f"{name} has no current version")


def prune_index(
    keep: Annotated[int, typer.Option(help="How many of the newest versions to keep.")],
    store: options.StoreOption,
    index: options.IndexNameOption = None,
    dry_run: Annotated[bool, typer.Option(help="Only say which versions would go.")] = False,
    json: options.JsonOption = False,
) -> None:
    """Remove old versions; the current one and tagged ones always stay.

    Example: rag prune-index --keep 3
    """
    name = index or home_index()
    removed = prune_versions(store, name, keep, dry_run)

    def show() -> None:
        for version in removed:
            line(f"{name}@{version} {'would be removed' if dry_run else 'removed'}")
        if not removed:
            say("nothing to remove")

    put(json, [prune_record(name, removed, dry_run)], show)


_SHOWN = 20


def diff_index(
    two: options.TwoVersions,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    placement: options.PlacementOptions,
    questions: Annotated[
        Path | None,
        typer.Option(
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

    store = opening.store
    asked = _read(questions) if questions else []
    name, *versions = two.found(store)
    first, second = (f"{name}@{version}" for version in versions)
    with store.open(first) as older, store.open(second) as newer:
        found = diff(older, newer)
    answers: list[AnswerChange] | None = None
    if questions:
        opened = opening.open_two((first, second), placement, retrieval, decoding)
        with opened as both, Progress("asking", 2 * len(asked)) as progress:
            answers = changed_answers(*both, asked, batch_size, progress.advance)
    record = diff_record(found, answers, len(asked))
    put(json, [record], lambda: _show(found, answers, len(asked)))


def _read(path: Path) -> list[str]:
    """The questions of a file; a line that cannot be read stops the command."""
    from ragcli.cli.stdin import parse

    try:
        lines = enumerate(path.read_bytes().splitlines(), 1)
    except OSError as error:
        raise QuestionError(f"{path}: cannot be read: {error.strerror}") from None
    asked = [parse(raw, number) for number, raw in lines if raw.strip()]
    for each in asked:
        if each.error is not None:
            raise QuestionError(f"{path}:{each.number}: {each.error.message}")
    if not asked:
        raise QuestionError(f"{path}: no questions")
    return [each.question for each in asked]


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
            count = f"{before} → " if before != after else ""
            more = f"   {change.title}   {count}{many(after, 'passage')}"
            line(f"{mark} {change.id}", style, (more, "dim"))
        if len(changes) > _SHOWN:
            line(f"{mark} … and {len(changes) - _SHOWN:,} more; all with --json", "dim")
    if answers is None:
        return
    line(f"{len(answers)} of {asked} answers changed", "bold")
    for answer in answers:
        old, new = answer.before or "(empty)", answer.after or "(empty)"
        line(f"{answer.question}  ", "", (old, "red"), (" → ", "dim"), (new, "green"))
