"""Question files → examples, whatever their format; every mistake is told with its line.

Our own format is JSON lines with `question`, `answers` and, if known, where the answer stands.
`answers` is a text, a list of texts, or an object from a key (a year, say) to either. `passage` or
`document` names what should be retrieved, `positive` is the text of a passage to train a retriever
with, `patterns` says that the answers are regular expressions, and `changed` whether they differ
from key to key, which is told by comparing them where it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ragcli.datasets.fields import LINE, id_of, json_lines, require_patterns, text_of, texts_of
from ragcli.datasets.formats import FORMATS, DatasetFormat
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
    first, second = (_checked(_read(path, key, among=keys), path) for key in keys)
    return first, second


def _checked(found: Iterable[QAExample], path: Path, pairs: bool = False) -> list[QAExample]:
    """The examples as a list, each with an id of its own and, unless they are pairs, answers."""
    seen: dict[str, QAExample] = {}
    for example in found:
        if not example.answers and not pairs:
            raise QuestionError(f"{example.place}: no answers")
        if (first := seen.setdefault(example.id, example)) is not example:
            both = f"two questions have the id {example.id!r}, the other at {first.place}"
            raise QuestionError(f"{example.place}: {both}")
    if not seen:
        raise QuestionError(f"{path}: no questions")
    return list(seen.values())


def _read(path: Path, key: str | None = None, among: Sequence[str] = ()) -> Iterator[QAExample]:
    """Every line of a file of our own; an example without answers has a `positive`.

    Where answers depend on a key, those of `key` are taken. With `among` they must depend on one,
    and only the answers of these keys decide whether they changed.
    """
    for place, record in json_lines(path):
        if "question" not in record:
            raise QuestionError(f"{place}: no question", LINE)
        question = text_of(record, "question", place)
        if among and not isinstance(record.get("answers"), dict):
            raise QuestionError(
                f"{place}: answers must be an object from version to accepted answers",
                'for example {"2016": ["Barack Obama"], "2018": ["Donald Trump"]}',
            )
        gold = record.get("passage") or record.get("document")
        answers: tuple[str, ...] = ()
        if "answers" in record or "positive" not in record:  # a pair of texts needs none
            answers = _texts(record.get("answers"), "answers", key, place)
        if patterns := bool(record.get("patterns", False)):
            require_patterns(answers, place)
        yield QAExample(
            id=id_of(record, "id", place),
            question=question,
            answers=answers,
            gold=_texts(gold, "gold passages", key, place) if gold else (),
            patterns=patterns,
            positive=text_of(record, "positive", place) if "positive" in record else None,
            changed=_changed(record, among, place),
            place=place,
        )


jsonl = DatasetFormat(_read, read_key=_read)


def _texts(value: Any, what: str, key: str | None, place: str) -> tuple[str, ...]:
    """The texts of a value, or of what an object of values holds under `key`."""
    if not isinstance(value, dict):
        return texts_of(value, what, place)
    names = ", ".join(map(repr, value))
    if key is None:
        raise QuestionError(f"{place}: the {what} depend on {names}", "choose one with --key")
    if key not in value:
        choose = "choose one of these with --key, or two with --keys FIRST,SECOND"
        raise QuestionError(f"{place}: no {what} for {key!r}, only for {names}", choose)
    return texts_of(value[key], f"{what} for {key!r}", place)


def _changed(record: dict[str, Any], among: Sequence[str], place: str) -> bool | None:
    """What the line says, else whether the answers differ from key to key; None without keys."""
    answers, changed = record.get("answers"), record.get("changed")
    if "changed" in record and not isinstance(changed, bool):
        raise QuestionError(f"{place}: changed must be true or false")
    if changed is None and isinstance(answers, dict):
        return len({_spellings(answers.get(key)) for key in among or answers}) > 1
    return changed


def _spellings(value: Any) -> frozenset[str]:
    return frozenset(map(str, value if isinstance(value, list) else [value]))
