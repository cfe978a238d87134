"""`rag build-index`, `update-index`, `delete-documents`, `list-indexes` and `swap-index`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import completion, options
from ragcli.cli.console import Progress, line, many, print_table, put, say, size, working
from ragcli.cli.corpus import say_left_out
from ragcli.cli.references import home_index, version_reference
from ragcli.errors import CorruptIndexError
from ragcli.json_form.indexes import build_record, current_record, entry_record
from ragcli.settings import Indexing
from ragcli.store.history import Entry, list_versions
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport


def build_index(
    paths: options.PathsArgument,
    new: options.NewVersion,
    chunking: options.ChunkingOptions,
    indexing: options.IndexingOptions,
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    encoder: options.EncoderOption = None,
    precision: options.PrecisionOption = "fp32",
    json: options.JsonOption = False,
) -> None:
    """Build an index version from documents; it is published whole or not at all.

    Example: rag build-index docs/ --version 2018
    """
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.build import build_index as build
    from ragcli.models.encoders import load_encoder

    if new.version is not None:
        store.check_new(new.name, new.version)
    if corpus.on_error == "fail":
        require_paths(paths)
    with working("loading the encoder"):
        loaded = load_encoder(encoder, placement=placement, precision=precision)
    with Progress() as progress:
        report = build(
            store,
            loaded,
            paths,
            name=new.name,
            version=new.version,
            chunking=chunking,
            indexing=indexing,
            activate=new.activate,
            progress=progress,
            **asdict(corpus),
        )
    put_build(report, json)


def put_build(report: BuildReport, json: bool) -> None:
    """What a build or an update made, and what it left out."""
    say_left_out(report.left_out)
    put(json, [build_record(report)], lambda: _show_build(report))


def _show_build(report: BuildReport) -> None:
    counts = (
        f"   {many(report.documents, 'document')}, {many(report.passages, 'passage')}, "
        f"{many(report.words, 'word')} in {report.seconds:.1f} s"
    )
    line(f"{report.name}@{report.version}", "bold", (counts, ""))
    origin = report.manifest.origin
    if origin.parent is not None:
        changes = (
            f"from {origin.parent}: {many(origin.added, 'document')} added, {origin.changed:,} "
            f"changed, {origin.removed:,} removed; {many(report.embedded, 'passage')} embedded"
        )
        line(changes, "dim")
    if report.resumed:
        line(f"{many(report.resumed, 'passage')} embedded before it was interrupted", "dim")
    if not report.active:
        named = "" if report.name == DEFAULT_NAME else f"{report.name}@"
        line(f"not active; make it current with: rag swap-index {named}{report.version}", "dim")


def list_indexes(store: options.StoreOption, json: options.JsonOption = False) -> None:
    """List the versions of every index; a star marks the current one.

    Example: rag list-indexes
    """
    listing = list_versions(store)
    for error in listing.unreadable:
        say(str(error))
    if not (json or listing.entries or listing.unreadable):
        say(f"no index in {store.root}; build one with: rag build-index FOLDER")
        return

    def show() -> None:
        columns = "index|version||passages>|documents>|created|encoder|type|size>"
        rows = [(entry, (entry.name, entry.version, *_cells(entry))) for entry in listing.entries]
        show_versions(columns, rows, spare=("type", "documents", "encoder", "size", "created"))

    put(json, map(entry_record, listing.entries), show)


def show_versions(
    columns: str, rows: Sequence[tuple[Entry, tuple[str, ...]]], spare: tuple[str, ...]
) -> None:
    """A line for each version, the current ones bold, and what is wrong with damaged ones."""
    from rich.text import Text

    cells = [[Text(cell, "bold" if entry.current else "") for cell in row] for entry, row in rows]
    print_table(columns.split("|"), cells, spare)
    for entry, _ in rows:
        if isinstance(entry.manifest, CorruptIndexError):
            line(f"{entry.name}@{entry.version} is damaged: {entry.manifest.message}", "red")


def _cells(entry: Entry) -> tuple[str, ...]:
    """Mark, counts, date, encoder, type and size; of a damaged version only the mark."""
    mark, manifest = "*" if entry.current else "", entry.manifest
    if isinstance(manifest, CorruptIndexError):
        return (mark,)
    return (
        mark,
        f"{manifest.counts.passages:,}",
        f"{manifest.counts.documents:,}",
        manifest.created.replace("T", " ")[:16],
        manifest.encoder.document_name,
        manifest.factory,
        size(manifest.bytes),
    )


def swap_index(
    store: options.StoreOption,
    version: Annotated[str | None, options.version_argument("The version to make current")] = None,
    previous: Annotated[bool, typer.Option(help="Go back to the version before.")] = False,
    index: options.IndexNameOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make another version of an index current; nothing is retrained and readers do not wait.

    Examples: rag swap-index 2016  |  rag swap-index --previous
    """
    if (version is None) != previous:
        raise typer.BadParameter("give either a VERSION or --previous")
    name, swap = index or home_index(), store.activate_previous
    if version is not None:
        name, found = version_reference(store, version, index)
        swap = partial(store.activate, version=found)
    current = swap(name)
    before = f" (before: {current.previous})" if current.previous else ""
    said = f"{name}@{current.version} is current{before}"
    put(json, [current_record(name, current)], lambda: line(said))


FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="The version to start from; the current one by default.",
        metavar="VERSION",
        autocompletion=completion.versions,
    ),
]


def update_index(
    paths: options.PathsArgument,
    new: options.NewVersion,
    indexing: Annotated[Indexing, options.INDEXING.only("batch_size")],
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    parent: FromOption = None,
    keep_missing: Annotated[
        bool,
        typer.Option(help="Keep documents that are not in the corpus any more."),
    ] = False,
    type: Annotated[str | None, typer.Option(help="Another FAISS type than before.")] = None,
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make a new version from an older one; only new and changed passages are embedded.

    Example: rag update-index docs/ --version 2019
    """
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.build import update_index as update
    from ragcli.models.encoders import encoder_of, load_encoder
    from ragcli.store.manifest import Manifest

    reference = _parent(store, new, parent)
    name, older = store.resolve(reference)
    if new.version is not None:
        store.check_new(name, new.version)
    if corpus.on_error == "fail":
        require_paths(paths)
    built = Manifest.read(store.versions_folder(name) / older).encoder
    with working("loading the encoder"):
        if encoder:
            loaded = load_encoder(encoder, placement=placement)
        else:
            loaded = encoder_of(built, placement)
    with Progress() as progress:
        report = update(
            store,
            loaded,
            paths,
            reference,  # resolved again under the builders' lock: another may be current by then
            version=new.version,
            type=type,
            batch_size=indexing.batch_size,
            keep_missing=keep_missing,
            activate=new.activate,
            progress=progress,
            **asdict(corpus),
        )
    put_build(report, json)


def _parent(store: Store, new: options.NewVersion, parent: str | None) -> str:
    """The version to start from as a reference; the current one of the index by default."""
    if parent is None:
        return f"{new.name}@"
    name, version = version_reference(store, parent, new.index)
    return f"{name}@{version}"


def delete_documents(
    ids: Annotated[
        list[str], typer.Argument(help="Ids of documents.", metavar="ID", show_default=False)
    ],
    new: options.NewVersion,
    store: options.StoreOption,
    parent: FromOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make a new version without some documents, and without a trace of them; nothing is embedded.

    Older versions still hold them until they are removed (rag remove-index, rag prune-index).

    Example: rag delete-documents peru.md chile.md --version 2019
    """
    from ragcli.indexing.build import delete_documents as delete

    reference = _parent(store, new, parent)
    with Progress() as progress:
        report = delete(
            store, ids, reference, version=new.version, activate=new.activate, progress=progress
        )
    put_build(report, json)
