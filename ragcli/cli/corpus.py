"""`rag chunk`, and the options with which corpora are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli.kinds import known
from ragcli.corpus.readers import READERS
from ragcli.settings import Chunking, OnError

if TYPE_CHECKING:
    from ragcli.corpus.read import LeftOut
    from ragcli.records import Passage

PathsArgument = Annotated[
    list[str],
    typer.Argument(
        help="Folders, files, or - for stdin: .txt, .md, .html, .jsonl, .csv, .tsv.",
        metavar="PATH",
        show_default=False,
    ),
]
WordsOption = Annotated[
    int, typer.Option("--words", help="Words in a passage; the last of a document may be shorter.")
]
OnErrorOption = Annotated[
    OnError,
    typer.Option("--on-error", help="What to do about documents that cannot be read."),
]
DocumentFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="Format of stdin and of files named here, whatever their suffix: txt, md, html, "
        "jsonl, csv, tsv.",
        metavar="FORMAT",
        callback=known(READERS),
        show_default=False,
    ),
]

DEFAULT_WORDS = Chunking().words


def chunk(
    paths: PathsArgument,
    words: WordsOption = DEFAULT_WORDS,
    on_error: OnErrorOption = "fail",
    format: DocumentFormatOption = None,
) -> None:
    """Cut documents into passages and print them as JSON lines.

    Example: rag chunk docs/ | head -2
    """
    from ragcli.cli.console import print_json
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents

    chunking = Chunking(words)
    documents = read_documents(paths, on_error, format)
    for document in documents:
        for passage in passages(document, chunking):
            print_json(passage_record(passage))
    say_left_out(documents.left_out)


def passage_record(passage: Passage) -> dict[str, Any]:
    """A passage as `rag chunk` prints it; `rag build-index` reads such lines as well."""
    record: dict[str, Any] = {
        "id": passage.id,
        "document": passage.document_id,
        "title": passage.title,
        "text": passage.text,
        "source": passage.source,
        "line": passage.line,
        "start": passage.start,
        "end": passage.end,
        "digest": passage.digest,
    }
    if passage.metadata:
        record["metadata"] = dict(passage.metadata)
    return record


def say_left_out(left_out: LeftOut) -> None:
    """Say on stderr which documents could not be read and which files were left out."""
    from ragcli.cli.console import say

    for problem in left_out.problems:
        say(f"skipped {problem.message}")
    if more := left_out.skipped - len(left_out.problems):
        say(f"… and {more} more")
    if left_out.skipped:
        were = "was" if left_out.skipped == 1 else "were"
        say(f"{_many(left_out.skipped, 'document')} could not be read and {were} skipped")
    if left_out.ignored:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(left_out.ignored.items()))
        say(f"{_many(sum(left_out.ignored.values()), 'file')} of other types left out: {kinds}")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
