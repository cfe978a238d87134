"""`rag update-index` and `rag delete-documents`: new versions that pay only for what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.corpus import say_left_out
from ragcli.cli.options import (
    INDEXING,
    CorpusOptions,
    EncoderOption,
    JsonOption,
    NewVersionOptions,
    PathsArgument,
    StoreOption,
)
from ragcli.settings import Indexing
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="The version to start from; the current one by default.",
        metavar="VERSION",
    ),
]


def update_index(
    paths: PathsArgument,
    new: NewVersionOptions,
    indexing: Annotated[Indexing, INDEXING.only("batch_size")],
    corpus: CorpusOptions,
    source: FromOption = None,
    keep_missing: Annotated[
        bool,
        typer.Option("--keep-missing", help="Keep documents that are not in the corpus any more."),
    ] = False,
    type: Annotated[
        str | None, typer.Option("--type", help="Another FAISS type than before.")
    ] = None,
    encoder: EncoderOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Make a new version from an older one; only new and changed passages are embedded.

    Example: rag update-index docs/ --version 2019
    """
    from ragcli.cli.console import RichProgress, working
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.build import update_index as update
    from ragcli.models.encoders import encoder_of, load_encoder
    from ragcli.store.manifest import read_manifest

    place = Store(store)
    reference = f"{new.index}@{source or ''}"
    name, parent = place.resolve(reference)
    if new.version is not None:
        place.check_new(name, new.version)
    if corpus.on_error == "fail":
        require_paths(paths)
    built = read_manifest(place.versions_folder(name) / parent).encoder
    with working("loading the encoder"):
        loaded = load_encoder(encoder) if encoder else encoder_of(built)
    with RichProgress() as progress:
        report = update(
            place,
            loaded,
            paths,
            reference,  # resolved again under the builders' lock: another may be current by then
            version=new.version,
            type=type,
            batch_size=indexing.batch_size,
            keep_missing=keep_missing,
            activate=new.activate,
            on_error=corpus.on_error,
            format=corpus.format,
            progress=progress,
        )
    say_left_out(report.left_out)
    _show(report, json)


def delete_documents(
    ids: Annotated[
        list[str], typer.Argument(help="Ids of documents.", metavar="ID", show_default=False)
    ],
    new: NewVersionOptions,
    source: FromOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Make a new version without some documents, and without a trace of them; nothing is embedded.

    Older versions still hold them until they are removed (rag remove-index, rag prune-index).

    Example: rag delete-documents peru.md chile.md --version 2019
    """
    from ragcli.cli.console import RichProgress
    from ragcli.indexing.build import delete_documents as delete

    place = Store(store)
    reference = f"{new.index}@{source or ''}"
    with RichProgress() as progress:
        report = delete(
            place, ids, reference, version=new.version, activate=new.activate, progress=progress
        )
    _show(report, json)


def _show(report: BuildReport, json: bool) -> None:
    from rich.text import Text

    from ragcli.cli.console import out, print_json
    from ragcli.cli.indexes import show_report
    from ragcli.json_form.indexes import build_record

    if json:
        print_json(build_record(report))
        return
    show_report(report)
    origin = report.manifest.origin
    line = (
        f"from {origin.parent}: {origin.added:,} documents added, {origin.changed:,} changed, "
        f"{origin.removed:,} removed; {report.embedded:,} passages embedded"
    )
    out().print(Text(line, style="dim"))
