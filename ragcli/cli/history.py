"""The versions of indexes: which there are, where each came from, which is current, which go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import completion, options
from ragcli.cli.console import Progress, line, many, print_table, put, say, size
from ragcli.cli.expand import argument, flag, option
from ragcli.cli.settings_file import home_index
from ragcli.errors import CorruptIndexError, QuestionError, StoreError
from ragcli.json_form import indexes as records
from ragcli.store.history import (
    Entry,
    LogEntry,
    list_versions,
    prune_versions,
    remove_version,
    version_log,
)
from ragcli.store.store import DEFAULT_NAME

if TYPE_CHECKING:
    from ragcli.indexing.diff import AnswerChange, IndexDiff


def list_indexes(store: options.StoreOption, json: options.JsonOption = False) -> None:
    """List the versions of every index; a star marks the current one.

    Example: rag list-indexes
    """
    listing = list_versions(store)
    entries = listing.entries
    for error in listing.unreadable:
        say(str(error))
    if not (json or entries or listing.unreadable):
        say(f"no index in {store.root}; build one with: rag build-index FOLDER")
        return
    columns = "index|version||passages>|documents>|created|encoder|type|size>"
    shown = partial(_show_versions, entries, columns, "type documents encoder size created")
    put(json, map(records.entry_record, entries), shown)


def _show_versions(entries: Sequence[Entry], columns: str, spare: str) -> None:
    """A line for each version, the current ones bold, and what is wrong with damaged ones."""
    from rich.text import Text

    rows = []
    for entry in entries:
        cells, style = _cells(entry), "bold" if entry.current else ""
        rows.append([Text(cells.get(name, ""), style) for name in columns.split("|")])
    print_table(columns.split("|"), rows, spare.split())
    for entry in entries:
        if isinstance(entry.manifest, CorruptIndexError):
            line(f"{entry.name}@{entry.version} is damaged: {entry.manifest.message}", "red")


def _cells(entry: Entry) -> dict[str, str]:
    """Column → what it says of a version; of a damaged one only what stands beside it."""
    cells = {"index": entry.name, "version": entry.version, "": "*" if entry.current else ""}
    changes, manifest = "", entry.manifest
    if isinstance(entry, LogEntry):
        cells |= {"tags": " ".join(entry.tags)} | ({"": "previous"} if entry.previous else {})
    if isinstance(manifest, CorruptIndexError):
        return cells
    origin, recall = manifest.origin, manifest.recall
    if isinstance(entry, LogEntry):
        cells["own>"] = size(entry.own_bytes)
        if origin.parent:
            changes = f" (+{origin.added} ~{origin.changed} −{origin.removed})"
    return cells | {
        "from": f"{origin.how} of {origin.parent}" if origin.parent else origin.how,
        "created": manifest.created.replace("T", " ")[:16],
        "documents>": f"{manifest.counts.documents:,}{changes}",
        "passages>": f"{manifest.counts.passages:,}",
        "recall>": f"{recall.value:.3f} @{recall.k}" if recall else "",
        "encoder": manifest.encoder.document_name,
        "type": manifest.factory,
        "size>": size(manifest.bytes),
    }


def swap_index(
    store: options.StoreOption,
    version: Annotated[str | None, options.version_argument("The version to make current")] = None,
    previous: bool = option(False, "Go back to the version before."),
    index: options.IndexNameOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make another version of an index current; nothing is retrained and readers do not wait.

    Example: rag swap-index 2016

    Back to the version before: rag swap-index --previous
    """
    if (version is None) != previous:
        raise typer.BadParameter("give either a VERSION or --previous")
    name, swap = index or home_index(), store.activate_previous
    if version is not None:
        name, found = options.version_reference(store, version, index)
        swap = partial(store.activate, version=found)
    current = swap(name)
    before = f" (before: {current.previous})" if current.previous else ""
    said = f"{name}@{current.version} is current{before}"
    put(json, [records.current_record(name, current)], lambda: line(said))


def log_index(
    store: options.StoreOption,
    index: options.IndexOption = DEFAULT_NAME,
    json: options.JsonOption = False,
) -> None:
    """Show where each version of an index came from, newest first; or where one version did.

    `size` is what a version holds, `own` what it shares with no other version and removing it
    would free.

    Example: rag log-index

    One version: rag log-index --index wiki@2018
    """
    name, _, version = options.index_reference(store, index).partition("@")
    log = version_log(store, name, version)
    columns = "version||tags|from|created|documents>|passages>|recall>|size>|own>"
    shown = partial(_show_versions, log, columns, "recall passages own size created")
    put(json, map(records.log_record, log), shown)


VersionArgument = Annotated[str, options.version_argument("The version")]


def tag_index(
    reference: VersionArgument,
    tag: Annotated[str, argument("Another name for the version.", autocompletion=completion.tags)],
    store: options.StoreOption,
    delete: bool = option(False, "Take the tag away from the version."),
) -> None:
    """Give a version another name, which can stand wherever a version does; prune-index keeps it.

    Example: rag tag-index 2018 stable

    To take it away: rag tag-index stable stable --delete
    """
    name, version = options.version_reference(store, reference)
    if delete and (tagged := store.tags(name).get(tag, version)) != version:
        raise StoreError(f"the tag {tag} stands for {name}@{tagged}, not for {name}@{version}")
    store.tag(name, tag, None if delete else version)
    said = "is no longer a tag" if delete else f"is {name}@{version}"
    line(f"{name}@{tag} {said}")


def remove_index(
    reference: VersionArgument,
    store: options.StoreOption,
    force: bool = option(False, "Even the current version; the previous becomes current."),
) -> None:
    """Remove a version; programs that have it open can go on reading it.

    Example: rag remove-index 2016
    """
    name, version = options.version_reference(store, reference)
    freed = remove_version(store, name, version, force)
    line(f"{name}@{version} removed, freed {size(freed)}")
    if force:
        current = store.current(name)
        say(f"{name}@{current.version} is current" if current else f"{name} has no current version")


def prune_index(
    keep: Annotated[int, flag("How many of the newest versions to keep.")],
    store: options.StoreOption,
    index: options.IndexNameOption = None,
    dry_run: bool = option(False, "Only say which versions would go."),
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

    put(json, [records.prune_record(name, removed, dry_run)], show)


def diff_index(
    two: options.TwoVersions,
    retrieval: options.RetrievalOptions,
    decoding: options.BestOptions,
    opening: Annotated[options.Opening, options.OPENING.without("index")],
    placement: options.PlacementOptions,
    questions: Path | None = option(
        None,
        "Ask both versions the questions of this file: plain lines, or JSON objects with a "
        "`question`.",
    ),
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Compare two versions: documents and passages added, removed and changed.

    Example: rag diff-index 2016 2018

    Answers too: rag diff-index 2016 2018 --questions questions.txt
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
    record = records.diff_record(found, answers, len(asked))
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
    marks = (("+", "green"), ("−", "red"), ("~", "yellow"))
    listed = (documents.added, documents.removed, documents.changed)
    for (mark, style), changes in zip(marks, listed, strict=True):
        for change in changes[:20]:
            before, after = change.passages
            count = f"{before} → " if before != after else ""
            more = f"   {change.title}   {count}{many(after, 'passage')}"
            line(f"{mark} {change.id}", style, (more, "dim"))
        if len(changes) > 20:
            line(f"{mark} … and {len(changes) - 20:,} more; all with --json", "dim")
    if answers is not None:
        line(f"{len(answers)} of {asked} answers changed", "bold")
    for answer in answers or ():
        old, new = answer.before or "(empty)", answer.after or "(empty)"
        line(f"{answer.question}  ", "", (old, "red"), (" → ", "dim"), (new, "green"))
