"""`rag plan-index`: what an index would take, before it is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.corpus import say_left_out
from ragcli.cli.options import ChunkingOptions, CorpusOptions, EncoderOption, JsonOption
from ragcli.errors import SettingsError

if TYPE_CHECKING:
    from ragcli.indexing.plan import IndexPlan


def plan_index(
    chunking: ChunkingOptions,
    corpus: CorpusOptions,
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Folders, files, or - for stdin.", metavar="PATH", show_default=False),
    ] = None,
    count: Annotated[
        int | None, typer.Option("--passages", help="Plan for so many passages.", min=1)
    ] = None,
    encoder: EncoderOption = None,
    json: JsonOption = False,
) -> None:
    """Say what RAM and disk each index type would take, and how long it takes to embed.

    Bytes are computed; the encoder is measured on a sample, on this machine. Give a corpus, a
    number of passages, or both: then the corpus is the sample.

    Examples: rag plan-index docs/  |  rag plan-index --passages 21015324
    """
    from ragcli.cli.console import print_json, working
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents
    from ragcli.indexing.plan import Sampled, made_up, sample_passages
    from ragcli.indexing.plan import plan_index as plan
    from ragcli.json_form.indexes import plan_record
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
        planned = plan(load_encoder(encoder), sampled)
    if json:
        print_json(plan_record(planned))
    else:
        _show(planned)


def _show(plan: IndexPlan) -> None:
    from rich.table import Table
    from rich.text import Text

    from ragcli.cli.console import out

    head = Text(f"{plan.passages:,} passages", style="bold")
    embedding = (
        f"   {_time(plan.embedding_seconds)} to embed, at {plan.passages_per_second:,.0f} a second"
    )
    out().print(head.append(embedding, style="dim"))
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("type", no_wrap=True)
    table.add_column("FAISS", overflow="fold")
    for name in ("RAM", "disk"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in plan.types:
        table.add_row(*map(Text, (row.type, row.factory, _size(row.ram), _size(row.disk))))
    out().print(table)


def _size(count: int) -> str:
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"


def _time(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds:.1f} s"
