"""Documents in, index versions out: what makes them, and versions as files."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import completion, console, options
from ragcli.cli.console import Progress, line, many, print_table, put, say, size, working
from ragcli.cli.expand import argument, option
from ragcli.errors import SettingsError, ShrinkError
from ragcli.json_form import indexes as records
from ragcli.json_form.answers import passage_record
from ragcli.settings import Indexing, Precision
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.corpus.read import LeftOut
    from ragcli.indexing.build import BuildReport
    from ragcli.indexing.plan import IndexPlan


def chunk(
    paths: options.PathsArgument,
    chunking: options.ChunkingOptions,
    corpus: options.CorpusOptions,
) -> None:
    """Cut documents into passages and print them as JSON lines.

    Example: rag chunk docs/ | head -2
    """
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents, require_paths

    if corpus.on_error == "fail":
        require_paths(paths)
    documents = read_documents(paths, corpus.on_error, corpus.format, strict=corpus.strict)
    for document in documents:
        for passage in passages(document, chunking):
            console.print_json(passage_record(passage))
    say_left_out(documents.left_out)


def say_left_out(left_out: LeftOut) -> None:
    """Say on stderr which documents could not be read and which files were left out."""
    for problem in left_out.problems:
        say(f"skipped {problem.message}")
    if more := left_out.skipped - len(left_out.problems):
        say(f"… and {more} more")
    if left_out.skipped:
        were = "was" if left_out.skipped == 1 else "were"
        say(f"{many(left_out.skipped, 'document')} could not be read and {were} skipped")
    for kind, count in sorted(left_out.ignored.items(), key=lambda each: (-each[1], each[0])):
        named = left_out.named[kind]
        rest = ", …" if count > len(named) else ""
        say(f"left out {kind} ({count:,}): {', '.join(named)}{rest}")


def plan_index(
    chunking: options.ChunkingOptions,
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    paths: Annotated[
        list[str] | None,
        argument("Folders, files, or - for stdin.", metavar="PATH", show_default=False),
    ] = None,
    count: int | None = option(None, "Plan for so many passages.", "--passages", min=1),
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Say what RAM and disk each index type would take, and how long it takes to embed.

    Bytes are computed; the encoder is measured on a sample, on this machine. Give a corpus, a
    number of passages, or both: then the corpus is the sample.

    Example: rag plan-index docs/

    Without a corpus: rag plan-index --passages 21015324
    """
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents
    from ragcli.indexing.plan import Sampled, made_up, sample_passages
    from ragcli.indexing.plan import plan_index as plan
    from ragcli.models.encoders import load_encoder

    if paths:
        documents = read_documents(paths, corpus.on_error, corpus.format, strict=corpus.strict)
        sampled = sample_passages(p for d in documents for p in passages(d, chunking))
        say_left_out(documents.left_out)
        sampled = Sampled(count or sampled.count, sampled.passages)
    elif count is not None:
        sampled = made_up(count, chunking.words)
    else:
        raise SettingsError("give a corpus, or --passages N")
    with working("measuring"):
        planned = plan(load_encoder(encoder, placement=placement), sampled)
    put(json, [asdict(planned)], lambda: _show_plan(planned))


def _show_plan(plan: IndexPlan) -> None:
    embedding, speed = console.duration(plan.embedding_seconds), plan.passages_per_second
    more = f"   {embedding} to embed, at {speed:,.0f} a second"
    line(many(plan.passages, "passage"), "bold", (more, "dim"))
    rows = [(row.type, row.factory, size(row.ram), size(row.disk)) for row in plan.types]
    print_table(("type", "FAISS", "RAM>", "disk>"), rows)


def build_index(
    paths: options.PathsArgument,
    new: options.NewVersion,
    chunking: options.ChunkingOptions,
    indexing: options.IndexingOptions,
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    encoder: options.EncoderOption = None,
    precision: Precision = option(
        "fp32",
        "Precision of the embedded encoder: int8 and bf16 are faster and less exact; queries of "
        "the index are embedded alike.",
    ),
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
    with console.interruptible(console.SAME_COMMAND), Progress() as progress:
        made = {"name": new.name, "chunking": chunking, "indexing": indexing, **new.made}
        report = build(store, loaded, paths, progress=progress, **made, **asdict(corpus))
    put_build(report, json)


def put_build(report: BuildReport, json: bool) -> None:
    """What a build or an update made, and what it left out."""
    say_left_out(report.left_out)
    put(json, [records.build_record(report)], lambda: _show_build(report))
    if report.active and not json:
        named = "" if report.name == DEFAULT_NAME else f" --index {report.name}"
        say(f'ask it something: rag ask "your question"{named}')


def _show_build(report: BuildReport) -> None:
    nouns = ("document", "passage", "word")
    counts = ", ".join(many(getattr(report, f"{noun}s"), noun) for noun in nouns)
    more = f"   {counts} in {report.seconds:.1f} s"
    line(f"{report.name}@{report.version}", "bold", (more, ""))
    origin = report.manifest.origin
    if origin.parent is not None:
        added, embedded = many(origin.added, "document"), many(report.embedded, "passage")
        changes = f"{added} added, {origin.changed:,} changed, {origin.removed:,} removed"
        line(f"from {origin.parent}: {changes}; {embedded} embedded", "dim")
    if report.resumed:
        line(f"{many(report.resumed, 'passage')} embedded before it was interrupted", "dim")
    if not report.active:
        named = "" if report.name == DEFAULT_NAME else f"{report.name}@"
        line(f"not active; make it current with: rag swap-index {named}{report.version}", "dim")


_FROM = option(
    None,
    "The version to start from; the current one by default.",
    "--from",
    metavar="VERSION",
    autocompletion=completion.versions,
)


def update_index(
    paths: options.PathsArgument,
    new: options.NewVersion,
    indexing: Annotated[Indexing, options.INDEXING.only("batch_size")],
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    parent: str | None = _FROM,
    keep_missing: bool = option(False, "Keep documents that are not in the corpus any more."),
    allow_shrink: bool = option(False, "Let go of more than a tenth of the documents unasked."),
    type: str | None = option(None, "Another FAISS type than before."),
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make a new version from an older one; only new and changed passages are embedded.

    A folder or file that the older version was built from, or one inside, is read again, and the
    rest stays as it is; paths that are new are added. If all of them are new, they are the whole
    corpus. Documents that are not there any more go, more than a tenth of them only if you say so.

    Example: rag update-index docs/ --version 2019

    One folder of it: rag update-index docs/hr
    """
    from ragcli.corpus.read import require_paths
    from ragcli.indexing.update import update_index as update
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
        named = encoder and load_encoder(encoder, placement=placement)
        loaded = named or encoder_of(built, placement)
    with console.interruptible(console.SAME_COMMAND), Progress() as progress:
        made = {"batch_size": indexing.batch_size, "keep_missing": keep_missing, **new.made}
        made["allow_shrink"] = allow_shrink or partial(_asked, progress)
        # The reference is resolved again under the builders' lock: another may be current by then.
        report = update(
            store, loaded, paths, reference, type=type, progress=progress, **made, **asdict(corpus)
        )
    put_build(report, json)


def _asked(progress: Progress, loss: str) -> bool:
    """Ask on a terminal whether a version may lose many documents; elsewhere it may not."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        command = shlex.join(["rag", *sys.argv[1:], "--allow-shrink"])
        raise ShrinkError(loss, f"keep them with --keep-missing, or let them go: {command}")
    with progress.paused():
        say(f"{loss}.", always=True)
        if not typer.confirm("Let them go?", err=True):
            raise ShrinkError("stopped, and nothing was changed", "--keep-missing keeps them")
    return True


def _parent(store: Store, new: options.NewVersion, parent: str | None) -> str:
    """The version to start from as a reference; the current one of the index by default."""
    if parent is None:
        return f"{new.name}@"
    return "@".join(options.version_reference(store, parent, new.index))


def delete_documents(
    ids: Annotated[list[str], argument("Ids of documents.", metavar="ID", show_default=False)],
    new: options.NewVersion,
    store: options.StoreOption,
    parent: str | None = _FROM,
    json: options.JsonOption = False,
) -> None:
    """Make a new version without some documents, and without a trace of them; nothing is embedded.

    Older versions still hold them until they are removed (rag remove-index, rag prune-index).

    Example: rag delete-documents peru.md chile.md --version 2019
    """
    from ragcli.indexing.update import delete_documents as delete

    reference = _parent(store, new, parent)
    with Progress() as progress:
        report = delete(store, ids, reference, progress=progress, **new.made)
    put_build(report, json)


def export_index(
    file: Annotated[Path, argument("FILE.tar.zst, or FILE.parquet for other tools.")],
    store: options.StoreOption,
    index: options.IndexOption = DEFAULT_NAME,
    overwrite: bool = option(False, "Replace the file if it exists."),
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
    opened = store.open(options.index_reference(store, index), verify=True)
    with opened as version, Progress() as progress:
        progress.phase("exporting", len(version) if parquet else version.manifest.bytes)
        (export_parquet if parquet else export_archive)(version, file, progress.advance)
        name = f"{version.name}@{version.version}"
    line(f"{name} → {file}, {size(file.stat().st_size)}")


def import_index(
    file: Annotated[Path, argument("An archive of rag export-index, or DPR's psgs_w100.tsv.")],
    new: options.NewVersion,
    indexing: Annotated[Indexing, options.INDEXING.only("type")],
    placement: options.EncoderPlacement,
    store: options.StoreOption,
    embeddings: list[Path] | None = option(
        None, "DPR's embedding files for the passages of a .tsv; once for each.", show_default=False
    ),
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Read a version from an archive, or from DPR's passages and embeddings.

    An archive's checksums are verified, and anything else in it is refused. Its version keeps its
    names unless you give it others.

    Example: rag import-index wiki.tar.zst

    From DPR: rag import-index psgs_w100.tsv --embeddings wikipedia_passages_0
    --encoder QUERY,DOCUMENT
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
            made = {"name": new.name, "indexing": indexing, "progress": progress, **new.made}
            report = import_dpr(store, loaded, file, embeddings, **made)
        return put_build(report, json)
    if file.suffix == ".tsv":
        raise SettingsError(f"{file}: DPR's passages need their vectors: --embeddings FILE")
    with Progress("importing") as progress:
        named = (new.index, new.version, new.activate)
        manifest = import_archive(store, file, *named, progress.advance)
    held = manifest.counts
    counts = f"{many(held.documents, 'document')}, {many(held.passages, 'passage')}"
    said = f"{manifest.name}@{manifest.version}   {counts} from {file}"
    put(json, [records.import_record(manifest, new.activate)], lambda: line(said))
