"""`rag export-index` and `rag import-index`: versions as files, and DPR's files in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli.indexes import ActivateOption, VersionOption, show_report
from ragcli.cli.options import EncoderOption, IndexOption, JsonOption, StoreOption
from ragcli.errors import SettingsError
from ragcli.settings import Indexing
from ragcli.store.store import DEFAULT_NAME, Store

_TYPE = Indexing().type


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
        from ragcli.store.archive import export_archive
        from ragcli.store.parquet import export_parquet

        progress.phase("exporting", len(version) if parquet else version.manifest.bytes)
        (export_parquet if parquet else export_archive)(version, file, progress.advance)
        name = f"{version.name}@{version.version}"
    out().print(f"{name} → {file}, {file.stat().st_size / 1e6:,.1f} MB", markup=False)


def import_index(
    file: Annotated[
        Path, typer.Argument(help="An archive of rag export-index, or DPR's psgs_w100.tsv.")
    ],
    index: Annotated[
        str | None,
        typer.Option(
            "--index", "-i", help="Another name for the index.", metavar="NAME", show_default=False
        ),
    ] = None,
    version: VersionOption = None,
    activate: ActivateOption = True,
    embeddings: Annotated[
        list[Path] | None,
        typer.Option(
            "--embeddings",
            help="DPR's embedding files for the passages of a .tsv; once for each.",
            show_default=False,
        ),
    ] = None,
    encoder: EncoderOption = None,
    type: Annotated[
        str, typer.Option("--type", help="FAISS type, for DPR's files; see build-index.")
    ] = _TYPE,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Read a version from an archive, or from DPR's passages and embeddings.

    An archive's checksums are verified, and what is not ours is refused.

    Examples: rag import-index wiki.tar.zst  |  rag import-index psgs_w100.tsv
    --embeddings wikipedia_passages_0 --encoder QUERY,DOCUMENT
    """
    from ragcli.cli.console import out, print_json

    place = Store(store)
    if embeddings:
        _import_dpr(place, file, embeddings, index, version, activate, encoder, type, json)
        return
    if file.suffix == ".tsv":
        raise SettingsError(f"{file}: DPR's passages need their vectors: --embeddings FILE")
    from ragcli.cli.console import RichProgress
    from ragcli.store.archive import import_archive

    with RichProgress() as progress:
        progress.phase("importing", None)
        manifest = import_archive(place, file, index, version, activate, progress.advance)
    if json:
        print_json({"index": manifest.name, "version": manifest.version, "active": activate})
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
    index: str | None,
    version: str | None,
    activate: bool,
    encoder: str | None,
    type: str,
    json: bool,
) -> None:
    from ragcli.cli.console import RichProgress, print_json, working
    from ragcli.cli.indexes import report_record
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.import_dpr import import_dpr
    from ragcli.models.encoders import load_encoder

    require_paths([file, *embeddings])
    with working("loading the encoder"):
        loaded = load_encoder(encoder)
    with RichProgress() as progress:
        report = import_dpr(
            store,
            loaded,
            file,
            embeddings,
            name=index or DEFAULT_NAME,
            version=version,
            indexing=Indexing(type),
            activate=activate,
            progress=progress,
        )
    if json:
        print_json(report_record(report))
    else:
        show_report(report)
