"""Our own format: JSON lines with `question`, `answers` and, if known, where the answer stands.

`answers` is a text, a list of texts, or an object from a key (a year, say) to either. `passage` or
`document` names what should be retrieved, `positive` is the text of a passage to train a retriever
with, `patterns` says that the answers are regular expressions, and `changed` whether they differ
from key to key, which is told by comparing them where it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragcli.datasets.fields import id_of, json_lines, require_patterns, text_of, texts_of
from ragcli.datasets.formats import DatasetFormat
from ragcli.errors import QuestionError
from ragcli.records import QAExample


def read(path: Path, key: str | None = None, among: Sequence[str] = ()) -> Iterator[QAExample]:
    """Every line of a file; an example without answers has a `positive`.

    Where answers depend on a key, those of `key` are taken. With `among` they must depend on one,
    and only the answers of these keys decide whether they changed.
    """
    for place, record in json_lines(path):
        question = text_of(record, "question", place)
        if among and not isinstance(record.get("answers"), dict):
            raise QuestionError(
                f"{place}: answers must be an object from version to accepted answers",
                'for example {"2016": ["Barack Obama"], "2018": ["Donald Trump"]}',
            )
        gold = record.get("passage") or record.get("document")
        patterns = bool(record.get("patterns", False))
        answers: tuple[str, ...] = ()
        if "answers" in record or "positive" not in record:  # a pair of texts needs none
            answers = _texts(record.get("answers"), "answers", key, place)
        if patterns:
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


jsonl = DatasetFormat(read, read_key=read)


def _texts(value: Any, what: str, key: str | None, place: str) -> tuple[str, ...]:
    """The texts of a value, or of what an object of values holds under `key`."""
    if not isinstance(value, dict):
        return texts_of(value, what, place)
    names = ", ".join(map(repr, value))
    if key is None:
        raise QuestionError(f"{place}: the {what} depend on {names}", "choose one with --key")
    if key not in value:
        raise QuestionError(
            f"{place}: no {what} for {key!r}, only for {names}",
            "choose one of these with --key, or two with --keys FIRST,SECOND",
        )
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
