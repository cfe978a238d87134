"""Question files → examples, whatever their format; every mistake is told with its line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ragcli.datasets import own
from ragcli.datasets.formats import FORMATS
from ragcli.errors import QuestionError
from ragcli.records import QAExample


def read_examples(
    path: Path, format: str = "jsonl", key: str | None = None, pairs: bool = False
) -> list[QAExample]:
    """All examples of a file. `key` chooses among answers that depend on one (a year, say).

    With `pairs` an example that has a `positive` passage may have no answers.
    """
    dataset = FORMATS.load(format)
    if key is None:
        return _checked(dataset.read(path), path, pairs)
    if dataset.read_key is None:
        raise QuestionError(f"a key chooses among the answers of jsonl files, not of {format}")
    return _checked(dataset.read_key(path, key), path, pairs)


def read_keyed(path: Path, keys: tuple[str, str]) -> tuple[list[QAExample], list[QAExample]]:
    """The examples of a jsonl file with the answers of the one key, and with those of the other.

    Every answer must depend on a key, and `changed` says whether the answers of the two differ.
    """
    first, second = (_checked(own.read(path, key, among=keys), path) for key in keys)
    return first, second


def _checked(found: Iterable[QAExample], path: Path, pairs: bool = False) -> list[QAExample]:
    """The examples as a list, each with an id of its own and, unless they are pairs, answers."""
    seen: dict[str, QAExample] = {}
    for example in found:
        if not example.answers and not pairs:
            raise QuestionError(f"{example.place}: no answers")
        if (first := seen.setdefault(example.id, example)) is not example:
            raise QuestionError(
                f"{example.place}: two questions have the id {example.id!r}, the other at "
                f"{first.place}"
            )
    if not seen:
        raise QuestionError(f"{path}: no questions")
    return list(seen.values())
