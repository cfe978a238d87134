"""The datasets of the paper and KILT, in the formats in which they are published."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ragcli.datasets import fields
from ragcli.datasets.fields import json_lines, text_of, texts_of
from ragcli.datasets.formats import DatasetFormat
from ragcli.errors import QuestionError
from ragcli.records import QAExample

_DESCRIPTION = re.compile(r'\(description (?:"((?:[^"\\]|\\.)*)"|([^\s()]+))\)')
_FEVER = {"SUPPORTS": "supports", "REFUTES": "refutes", "NOT ENOUGH INFO": "unknown"}
_FEVER_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def _example(
    place: str, record: dict[str, Any], id: str, question: str, answers: Iterable[str], **more: Any
) -> QAExample:
    """An example whose id and question stand in the fields of these names."""
    text = text_of(record, question, place)
    return QAExample(fields.id_of(record, id, place), text, tuple(answers), place=place, **more)


def _nq(path: Path, patterns: bool = False) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        answers = texts_of(record.get("answer"), "answer", place)
        if patterns:
            fields.require_patterns(answers, place)
        yield _example(place, record, "id", "question", answers, patterns=patterns)


def _trivia_qa(path: Path) -> Iterator[QAExample]:
    whole = fields.json_file(path)
    data = whole.get("Data") if isinstance(whole, dict) else None
    for place, record in fields.entries(data, path, "Data"):
        answer = record.get("Answer")
        if not isinstance(answer, dict):
            raise QuestionError(f"{place}: no Answer")
        value = text_of(answer, "Value", f"{place}: Answer")
        aliases = answer.get("Aliases") or []
        others = texts_of(aliases, "Aliases", place) if aliases else ()
        yield _example(place, record, "QuestionId", "Question", dict.fromkeys((value, *others)))


def _web_questions(path: Path) -> Iterator[QAExample]:
    for place, record in fields.entries(fields.json_file(path), path, "questions"):
        target = text_of(record, "targetValue", place)
        found = _DESCRIPTION.findall(target)
        answers = [(quoted or bare).replace('\\"', '"') for quoted, bare in found]
        if not answers:
            raise QuestionError(f"{place}: no description in targetValue {target[:60]!r}")
        yield _example(place, record, "id", "utterance", answers)


def _ms_marco(path: Path) -> Iterator[QAExample]:
    for place, record in _ms_marco_records(path):
        formed = record.get("wellFormedAnswers")
        answers = formed if isinstance(formed, list) and formed else record.get("answers")
        yield _example(place, record, "query_id", "query", texts_of(answers, "answers", place))


def _ms_marco_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Version 2.1 is one object of columns, each from number to value; others are lines."""
    columns: Any = None
    with suppress(QuestionError):
        columns = fields.json_file(path)
    if not isinstance(columns, dict) or not isinstance(columns.get("query"), dict):
        yield from json_lines(path)
        return
    names = ("query", "query_id", "answers", "wellFormedAnswers")
    held = {name: columns[name] for name in names if isinstance(columns.get(name), dict)}
    for row in columns["query"]:
        yield f"{path}:{row}", {name: column.get(row) for name, column in held.items()}


def _fever(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        label = record.get("label")
        if not isinstance(label, str) or label not in _FEVER:
            raise QuestionError(f"{place}: the label {label!r} is not one of {', '.join(_FEVER)}")
        gold = tuple(dict.fromkeys(_fever_pages(record.get("evidence"))))
        yield _example(place, record, "id", "claim", (_FEVER[label],), gold=gold)


def _fever2(path: Path) -> Iterator[QAExample]:
    return (example for example in _fever(path) if example.answers != ("unknown",))


def _fever_pages(evidence: Any) -> Iterator[str]:
    """Titles of the pages in all sets of evidence, without the dataset's escapes."""
    sets = evidence if isinstance(evidence, list) else []
    for line in chain.from_iterable(lines for lines in sets if isinstance(lines, list)):
        if isinstance(line, list) and len(line) >= 3 and isinstance(line[2], str):
            page = line[2]
            for escape, character in _FEVER_ESCAPES.items():
                page = page.replace(escape, character)
            yield page


def _kilt(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        output = record.get("output")
        outputs = [o for o in output if isinstance(o, dict)] if isinstance(output, list) else []
        given = [o["answer"] for o in outputs if o.get("answer")]
        answers = texts_of(given, "answer in output", place)
        lists = [found for o in outputs if isinstance(found := o.get("provenance"), list)]
        told = chain.from_iterable(lists)
        ids = [a["wikipedia_id"] for a in told if isinstance(a, dict) and a.get("wikipedia_id")]
        gold = tuple(dict.fromkeys(map(str, ids)))
        yield _example(place, record, "id", "input", dict.fromkeys(answers), gold=gold)


nq = DatasetFormat(_nq)
tqa = DatasetFormat(_trivia_qa)
wq = DatasetFormat(_web_questions)
ct = DatasetFormat(partial(_nq, patterns=True))
msmarco = DatasetFormat(_ms_marco, "generation")
fever = DatasetFormat(_fever, "classification", tuple(_FEVER.values()))
fever2 = DatasetFormat(_fever2, "classification", ("supports", "refutes"))
kilt = DatasetFormat(_kilt)
