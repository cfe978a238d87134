"""`rag export-index` and `rag import-index`: versions as files, and DPR's files in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.indexes import show_report
from ragcli.cli.options import (
    INDEXING,
    NEW_VERSION,
    EncoderOption,
    IndexOption,
    JsonOption,
    NewVersion,
    StoreOption,
)
from ragcli.errors import SettingsError
from ragcli.settings import Indexing
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport


def export_index(
    file: Annotated[Path, typer.Argument(help="FILE.tar.zst, or FILE.parquet for other tools.")],
    index: IndexOption = DEFAULT_NAME,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Write an index version to one file, after checking every byte of it.

    A .parquet file holds passages and vectors, one row a passage, and cannot be imported again.

    Example: rag export-index wiki.tar.zst --index wiki@2018
    """
    from ragcli.cli.console import RichProgress, out

    parquet = file.suffix == ".parquet"
    if not parquet and not file.name.endswith(".tar.zst"):
        raise SettingsError(f"{file}: the name must end with .tar.zst or .parquet")
    if file.exists() and not overwrite:
        raise SettingsError(f"{file} exists", hint="replace it with --overwrite")
    with Store(store).open(index, verify=True) as version, RichProgress() as progress:
        from ragcli.store.archive import export_archive, export_parquet

        progress.phase("exporting", len(version) if parquet else version.manifest.bytes)
        (export_parquet if parquet else export_archive)(version, file, progress.advance)
        name = f"{version.name}@{version.version}"
    out().print(f"{name} → {file}, {file.stat().st_size / 1e6:,.1f} MB", markup=False)


def import_index(
    file: Annotated[
        Path, typer.Argument(help="An archive of rag export-index, or DPR's psgs_w100.tsv.")
    ],
    new: Annotated[NewVersion, NEW_VERSION.without("index")],
    indexing: Annotated[Indexing, INDEXING.only("type")],
    name: Annotated[
        str | None,
        typer.Option("--index", "-i", help="Another name for the index.", metavar="NAME"),
    ] = None,
    embeddings: Annotated[
        list[Path] | None,
        typer.Option(
            "--embeddings",
            help="DPR's embedding files for the passages of a .tsv; once for each.",
            show_default=False,
        ),
    ] = None,
    encoder: EncoderOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Read a version from an archive, or from DPR's passages and embeddings.

    An archive's checksums are verified, and what is not ours is refused.

    Examples: rag import-index wiki.tar.zst  |  rag import-index psgs_w100.tsv
    --embeddings wikipedia_passages_0 --encoder QUERY,DOCUMENT
    """
    from ragcli.cli.console import RichProgress, out, print_json
    from ragcli.json_form.indexes import build_record, import_record
    from ragcli.store.archive import import_archive

    place = Store(store)
    if embeddings:
        new = replace(new, index=name or DEFAULT_NAME)
        report = _import_dpr(place, file, embeddings, new, indexing, encoder)
        if json:
            print_json(build_record(report))
        else:
            show_report(report)
        return
    if file.suffix == ".tsv":
        raise SettingsError(f"{file}: DPR's passages need their vectors: --embeddings FILE")
    with RichProgress() as progress:
        progress.phase("importing", None)
        manifest = import_archive(place, file, name, new.version, new.activate, progress.advance)
    if json:
        print_json(import_record(manifest, new.activate))
        return
    out().print(
        f"{manifest.name}@{manifest.version}   {manifest.counts.documents:,} documents, "
        f"{manifest.counts.passages:,} passages from {file}",
        markup=False,
    )


def _import_dpr(
    store: Store,
    file: Path,
    embeddings: list[Path],
    new: NewVersion,
    indexing: Indexing,
    encoder: str | None,
) -> BuildReport:
    from ragcli.cli.console import RichProgress, working
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.import_dpr import import_dpr
    from ragcli.models.encoders import load_encoder

    require_paths([file, *embeddings])
    with working("loading the encoder"):
        loaded = load_encoder(encoder)
    with RichProgress() as progress:
        return import_dpr(
            store,
            loaded,
            file,
            embeddings,
            name=new.index,
            version=new.version,
            indexing=indexing,
            activate=new.activate,
            progress=progress,
        )
