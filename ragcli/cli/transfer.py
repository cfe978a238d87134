"""`rag export-index` and `rag import-index`: versions as files, and DPR's files in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import Progress, line, many, put, size, working
from ragcli.cli.indexes import put_build
from ragcli.cli.references import index_reference
from ragcli.errors import SettingsError
from ragcli.json_form.indexes import import_record
from ragcli.settings import Indexing
from ragcli.store.store import DEFAULT_NAME


def export_index(
    file: Annotated[Path, typer.Argument(help="FILE.tar.zst, or FILE.parquet for other tools.")],
    store: options.StoreOption,
    index: options.IndexOption = DEFAULT_NAME,
    overwrite: Annotated[bool, typer.Option(help="Replace the file if it exists.")] = False,
) -> None:
    """Write an index version to one file, after checking every byte of it.

    A .parquet file holds passages and vectors, one row a passage, and cannot be imported again.

    Example: rag export-index wiki.tar.zst --index wiki@2018
    """
    from ragcli.store.archive import export_archive, export_parquet

    parquet = file.suffix == ".parquet"
    if not parquet and not file.name.endswith(".tar.zst"):
        raise SettingsError(f"{file}: the name must end with .tar.zst or .parquet")
    if file.exists() and not overwrite:
        raise SettingsError(f"{file} exists", hint="replace it with --overwrite")
    with store.open(index_reference(store, index), verify=True) as version, Progress() as progress:
        progress.phase("exporting", len(version) if parquet else version.manifest.bytes)
        (export_parquet if parquet else export_archive)(version, file, progress.advance)
        name = f"{version.name}@{version.version}"
    line(f"{name} → {file}, {size(file.stat().st_size)}")


def import_index(
    file: Annotated[
        Path, typer.Argument(help="An archive of rag export-index, or DPR's psgs_w100.tsv.")
    ],
    new: options.NewVersion,
    indexing: Annotated[Indexing, options.INDEXING.only("type")],
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    embeddings: Annotated[
        list[Path] | None,
        typer.Option(
            help="DPR's embedding files for the passages of a .tsv; once for each.",
            show_default=False,
        ),
    ] = None,
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Read a version from an archive, or from DPR's passages and embeddings.

    An archive's checksums are verified, and anything else in it is refused. Its version keeps its
    names unless you give it others.

    Examples: rag import-index wiki.tar.zst  |  rag import-index psgs_w100.tsv
    --embeddings wikipedia_passages_0 --encoder QUERY,DOCUMENT
    """
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.import_dpr import import_dpr
    from ragcli.models.encoders import load_encoder
    from ragcli.store.archive import import_archive

    if embeddings:
        require_paths([file, *embeddings])
        with working("loading the encoder"):
            loaded = load_encoder(encoder, placement=placement)
        with Progress() as progress:
            report = import_dpr(
                store,
                loaded,
                file,
                embeddings,
                name=new.name,
                version=new.version,
                indexing=indexing,
                activate=new.activate,
                progress=progress,
            )
        put_build(report, json)
        return
    if file.suffix == ".tsv":
        raise SettingsError(f"{file}: DPR's passages need their vectors: --embeddings FILE")
    with Progress("importing") as progress:
        manifest = import_archive(
            store, file, new.index, new.version, new.activate, progress.advance
        )
    documents, passages = manifest.counts.documents, manifest.counts.passages
    counts = f"{many(documents, 'document')}, {many(passages, 'passage')}"
    said = f"{manifest.name}@{manifest.version}   {counts} from {file}"
    put(json, [import_record(manifest, new.activate)], lambda: line(said))
