"""`rag build-index`, `rag list-indexes` and `rag swap-index`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.corpus import say_left_out
from ragcli.cli.options import (
    ChunkingOptions,
    CorpusOptions,
    EncoderOption,
    IndexingOptions,
    IndexNameOption,
    JsonOption,
    NewVersionOptions,
    PathsArgument,
    StoreOption,
)
from ragcli.store.history import Entry, list_versions
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.errors import CorruptIndexError
    from ragcli.indexing.build import BuildReport
    from ragcli.store.manifest import Manifest


def build_index(
    paths: PathsArgument,
    new: NewVersionOptions,
    chunking: ChunkingOptions,
    indexing: IndexingOptions,
    corpus: CorpusOptions,
    encoder: EncoderOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Build an index version from documents; it is published whole or not at all.

    Example: rag build-index docs/ --version 2018
    """
    from ragcli.cli.console import RichProgress, print_json, working
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.build import build_index as build
    from ragcli.json_form.indexes import build_record
    from ragcli.models.encoders import load_encoder

    place = Store(store)
    if new.version is not None:
        place.check_new(new.index, new.version)
    if corpus.on_error == "fail":
        require_paths(paths)
    with working("loading the encoder"):
        loaded = load_encoder(encoder)
    with RichProgress() as progress:
        report = build(
            place,
            loaded,
            paths,
            name=new.index,
            version=new.version,
            chunking=chunking,
            indexing=indexing,
            activate=new.activate,
            on_error=corpus.on_error,
            format=corpus.format,
            progress=progress,
        )
    say_left_out(report.left_out)
    if json:
        print_json(build_record(report))
    else:
        show_report(report)


def show_report(report: BuildReport) -> None:
    """What a build made, for people."""
    from rich.text import Text

    from ragcli.cli.console import out

    line = Text(f"{report.name}@{report.version}", style="bold")
    line.append(
        f"   {report.documents:,} documents, {report.passages:,} passages, "
        f"{report.words:,} words in {report.seconds:.1f} s",
        style="default",
    )
    out().print(line)
    if report.resumed:
        going_on = f"{report.resumed:,} passages had been embedded before it was interrupted"
        out().print(Text(going_on, style="dim"))
    if not report.active:
        reference = "" if report.name == DEFAULT_NAME else f" --index {report.name}"
        hint = f"not active; make it current with: rag swap-index {report.version}{reference}"
        out().print(Text(hint, style="dim"))


def list_indexes(json: JsonOption = False, store: StoreOption = None) -> None:
    """List the versions of every index; a star marks the current one.

    Example: rag list-indexes
    """
    from ragcli.cli.console import print_json, say
    from ragcli.json_form.indexes import entry_record

    place = Store(store)
    listing = list_versions(place)
    for error in listing.unreadable:
        say(str(error))
    if json:
        for entry in listing.entries:
            print_json(entry_record(entry))
    elif listing.entries:
        _show_entries(listing.entries)
    elif not listing.unreadable:
        say(f"no index in {place.root}; build one with: rag build-index FOLDER")


def _show_entries(entries: Sequence[Entry]) -> None:
    from rich.text import Text

    from ragcli.cli.console import out, print_table

    rows = []
    for entry in entries:
        cells = (entry.name, entry.version, "*" if entry.current else "", *_cells(entry.manifest))
        rows.append([Text(cell, style="bold" if entry.current else "") for cell in cells])
    columns = "index|version||passages>|documents>|created|encoder|type|size>".split("|")
    print_table(columns, rows, spare=("type", "documents", "encoder", "size", "created"))
    for entry in entries:
        if isinstance(entry.manifest, Exception):
            damage = f"{entry.name}@{entry.version} is damaged: {entry.manifest.message}"
            out().print(Text(damage, style="red"), soft_wrap=True)


def _cells(manifest: Manifest | CorruptIndexError) -> tuple[str, ...]:
    """Counts, date, encoder, type and size; nothing of a damaged version."""
    if isinstance(manifest, Exception):
        return ("",) * 6
    return (
        f"{manifest.counts.passages:,}",
        f"{manifest.counts.documents:,}",
        manifest.created.replace("T", " ")[:16],
        manifest.encoder.document_name,
        manifest.factory,
        f"{manifest.bytes / 1e6:,.1f} MB",
    )


def swap_index(
    version: Annotated[
        str | None,
        typer.Argument(help="VERSION, or NAME@VERSION, to make current.", show_default=False),
    ] = None,
    previous: Annotated[
        bool, typer.Option("--previous", help="Go back to the version before.")
    ] = False,
    index: IndexNameOption = DEFAULT_NAME,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Make another version of an index current; nothing is retrained and readers do not wait.

    Examples: rag swap-index 2016  |  rag swap-index --previous
    """
    from ragcli.cli.console import out, print_json
    from ragcli.json_form.indexes import current_record

    if (version is None) != previous:
        raise typer.BadParameter("give either a VERSION or --previous")
    if version and "@" in version:  # as list-indexes and ask show it
        name, _, version = version.partition("@")
        if name and index not in (name, DEFAULT_NAME):
            raise typer.BadParameter(f"{name}@{version} and --index {index} name two indexes")
        index = name or index
    place = Store(store)
    swap = place.activate_previous if version is None else partial(place.activate, version=version)
    current = swap(index)
    if json:
        print_json(current_record(index, current))
    else:
        before = f" (before: {current.previous})" if current.previous else ""
        out().print(f"{index}@{current.version} is current{before}", markup=False)
