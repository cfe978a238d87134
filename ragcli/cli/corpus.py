"""`rag chunk`, and what commands say of documents that they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragcli.cli import options
from ragcli.cli.console import print_json, say
from ragcli.json_form.answers import passage_record

if TYPE_CHECKING:
    from ragcli.corpus.read import LeftOut


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
        say(f"{_many(left_out.skipped, 'document')} could not be read and {were} skipped")
    if left_out.ignored:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(left_out.ignored.items()))
        say(f"{_many(sum(left_out.ignored.values()), 'file')} of other types left out: {kinds}")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
