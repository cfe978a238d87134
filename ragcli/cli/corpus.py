"""`rag chunk` and `rag plan-index`, and what commands say of documents that they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli import options
from ragcli.cli.console import (
    duration,
    line,
    many,
    print_json,
    print_table,
    put,
    say,
    size,
    working,
)
from ragcli.errors import SettingsError
from ragcli.json_form.answers import passage_record
from ragcli.json_form.indexes import plan_record

if TYPE_CHECKING:
    from ragcli.corpus.read import LeftOut
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
    from ragcli.corpus.read import read_documents

    documents = read_documents(paths, corpus.on_error, corpus.format)
    for document in documents:
        for passage in passages(document, chunking):
            print_json(passage_record(passage))
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
    if left_out.ignored:
        kinds = ", ".join(f"{kind} ({count:,})" for kind, count in sorted(left_out.ignored.items()))
        say(f"left out files of other types: {kinds}")


def plan_index(
    chunking: options.ChunkingOptions,
    corpus: options.CorpusOptions,
    placement: options.EncoderPlacement,
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Folders, files, or - for stdin.", metavar="PATH", show_default=False),
    ] = None,
    count: Annotated[
        int | None, typer.Option("--passages", help="Plan for so many passages.", min=1)
    ] = None,
    encoder: options.EncoderOption = None,
    json: options.JsonOption = False,
) -> None:
    """Say what RAM and disk each index type would take, and how long it takes to embed.

    Bytes are computed; the encoder is measured on a sample, on this machine. Give a corpus, a
    number of passages, or both: then the corpus is the sample.

    Examples: rag plan-index docs/  |  rag plan-index --passages 21015324
    """
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents
    from ragcli.indexing.plan import Sampled, made_up, sample_passages
    from ragcli.indexing.plan import plan_index as plan
    from ragcli.models.encoders import load_encoder

    if not paths and count is None:
        raise SettingsError("give a corpus, or --passages N")
    if paths:
        documents = read_documents(paths, corpus.on_error, corpus.format)
        sampled = sample_passages(p for d in documents for p in passages(d, chunking))
        say_left_out(documents.left_out)
        sampled = Sampled(count or sampled.count, sampled.passages)
    else:
        sampled = made_up(count or 0, chunking.words)
    with working("measuring"):
        planned = plan(load_encoder(encoder, placement=placement), sampled)
    put(json, [plan_record(planned)], lambda: _show(planned))


def _show(plan: IndexPlan) -> None:
    embedding = f"{duration(plan.embedding_seconds)} to embed"
    speed = f"   {embedding}, at {plan.passages_per_second:,.0f} a second"
    line(many(plan.passages, "passage"), "bold", (speed, "dim"))
    rows = [(row.type, row.factory, size(row.ram), size(row.disk)) for row in plan.types]
    print_table(("type", "FAISS", "RAM>", "disk>"), rows)
