"""`rag chunk`, and what commands say of documents that they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragcli.cli.options import ChunkingOptions, CorpusOptions, PathsArgument

if TYPE_CHECKING:
    from ragcli.errors import CorpusError
    from ragcli.records import Passage

_PROBLEMS_SHOWN = 20


def chunk(paths: PathsArgument, chunking: ChunkingOptions, corpus: CorpusOptions) -> None:
    """Cut documents into passages and print them as JSON lines.

    Example: rag chunk docs/ | head -2
    """
    from ragcli.cli.console import print_json
    from ragcli.core.chunking import passages
    from ragcli.corpus.read import read_documents

    problems: list[CorpusError] = []
    ignored: Counter[str] = Counter()
    for document in read_documents(paths, corpus.on_error, problems, corpus.format, ignored):
        for passage in passages(document, chunking):
            print_json(passage_record(passage))
    say_left_out(problems, ignored)


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


def say_left_out(problems: Sequence[CorpusError], ignored: Mapping[str, int]) -> None:
    """Say on stderr which documents could not be read and which files were left out."""
    from ragcli.cli.console import say

    for problem in problems[:_PROBLEMS_SHOWN]:
        say(f"skipped {problem.message}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"… and {len(problems) - _PROBLEMS_SHOWN} more")
    if problems:
        were = "was" if len(problems) == 1 else "were"
        say(f"{_many(len(problems), 'document')} could not be read and {were} skipped")
    if ignored:
        kinds = ", ".join(f"{suffix} {count}" for suffix, count in sorted(ignored.items()))
        say(f"{_many(sum(ignored.values()), 'file')} of other types left out: {kinds}")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
