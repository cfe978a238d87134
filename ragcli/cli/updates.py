"""`rag update-index` and `rag delete-documents`: new versions that pay only for what changed."""

from __future__ import annotations

from typing import Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import working
from ragcli.cli.indexes import put_build
from ragcli.cli.progress import Progress
from ragcli.cli.references import version_reference
from ragcli.settings import Indexing
from ragcli.store.store import Store

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="The version to start from; the current one by default.",
        metavar="VERSION",
    ),
]


def update_index(
    paths: options.PathsArgument,
    new: options.NewVersion,
    indexing: Annotated[Indexing, options.INDEXING.only("batch_size")],
    corpus: options.CorpusOptions,
    source: FromOption = None,
    keep_missing: Annotated[
        bool,
        typer.Option("--keep-missing", help="Keep documents that are not in the corpus any more."),
    ] = False,
    type: Annotated[
        str | None, typer.Option("--type", help="Another FAISS type than before.")
    ] = None,
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
    store: options.StoreOption = None,
) -> None:
    """Make a new version from an older one; only new and changed passages are embedded.

    Example: rag update-index docs/ --version 2019
    """
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.update import update_index as update
    from ragcli.models.encoders import encoder_of, load_encoder
    from ragcli.store.manifest import read_manifest

    place = Store(store)
    reference = _parent(place, new, source)
    name, parent = place.resolve(reference)
    if new.version is not None:
        place.check_new(name, new.version)
    if corpus.on_error == "fail":
        require_paths(paths)
    built = read_manifest(place.versions_folder(name) / parent).encoder
    with working("loading the encoder"):
        loaded = load_encoder(encoder) if encoder else encoder_of(built)
    with Progress() as progress:
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
    put_build(report, json)


def _parent(store: Store, new: options.NewVersion, source: str | None) -> str:
    """The version to start from as a reference; the current one of the index by default."""
    if source is None:
        return f"{new.name}@"
    name, version = version_reference(store, source, new.index)
    return f"{name}@{version}"


def delete_documents(
    ids: Annotated[
        list[str], typer.Argument(help="Ids of documents.", metavar="ID", show_default=False)
    ],
    new: options.NewVersion,
    source: FromOption = None,
    json: options.JsonOption = False,
    store: options.StoreOption = None,
) -> None:
    """Make a new version without some documents, and without a trace of them; nothing is embedded.

    Older versions still hold them until they are removed (rag remove-index, rag prune-index).

    Example: rag delete-documents peru.md chile.md --version 2019
    """
    from ragcli.indexing.update import delete_documents as delete

    place = Store(store)
    reference = _parent(place, new, source)
    with Progress() as progress:
        report = delete(
            place, ids, reference, version=new.version, activate=new.activate, progress=progress
        )
    put_build(report, json)
