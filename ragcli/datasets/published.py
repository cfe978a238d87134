"""The datasets of the paper and KILT, in the formats in which they are published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragcli.datasets.formats import DatasetFormat
from ragcli.datasets.json_lines import (
    entries,
    id_of,
    json_file,
    json_lines,
    patterns_of,
    text_of,
    texts_of,
)
from ragcli.errors import QuestionError
from ragcli.records import QAExample

_DESCRIPTION = re.compile(r'\(description (?:"((?:[^"\\]|\\.)*)"|([^\s()]+))\)')
_FEVER = {"SUPPORTS": "supports", "REFUTES": "refutes", "NOT ENOUGH INFO": "unknown"}
_FEVER_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def _nq(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        answers = texts_of(record.get("answer"), "answer", place)
        question = text_of(record, "question", place)
        yield QAExample(id_of(record, "id", place), question, answers, place=place)


def _trivia_qa(path: Path) -> Iterator[QAExample]:
    whole = json_file(path)
    data = whole.get("Data") if isinstance(whole, dict) else None
    for place, record in entries(data, path, "Data"):
        answer = record.get("Answer")
        if not isinstance(answer, dict):
            raise QuestionError(f"{place}: no Answer")
        value = text_of(answer, "Value", f"{place}: Answer")
        aliases = answer.get("Aliases") or []
        others = texts_of(aliases, "Aliases", place) if aliases else ()
        accepted = tuple(dict.fromkeys((value, *others)))
        question = text_of(record, "Question", place)
        yield QAExample(id_of(record, "QuestionId", place), question, accepted, place=place)


def _web_questions(path: Path) -> Iterator[QAExample]:
    for place, record in entries(json_file(path), path, "questions"):
        target = text_of(record, "targetValue", place)
        answers = [
            (quoted or bare).replace('\\"', '"') for quoted, bare in _DESCRIPTION.findall(target)
        ]
        if not answers:
            raise QuestionError(f"{place}: no description in targetValue {target[:60]!r}")
        question = text_of(record, "utterance", place)
        yield QAExample(id_of(record, "id", place), question, tuple(answers), place=place)


def _curated_trec(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        patterns = patterns_of(texts_of(record.get("answer"), "answer", place), place)
        question = text_of(record, "question", place)
        yield QAExample(id_of(record, "id", place), question, patterns, patterns=True, place=place)


def _ms_marco(path: Path) -> Iterator[QAExample]:
    for place, record in _ms_marco_records(path):
        formed = record.get("wellFormedAnswers")
        answers = formed if isinstance(formed, list) and formed else record.get("answers")
        yield QAExample(
            id_of(record, "query_id", place),
            text_of(record, "query", place),
            texts_of(answers, "answers", place),
            place=place,
        )


def _ms_marco_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Version 2.1 is one object of columns, each from number to value; others are lines."""
    try:
        whole = json_file(path)
    except QuestionError:
        whole = None
    columns = whole if isinstance(whole, dict) and isinstance(whole.get("query"), dict) else None
    if columns is None:
        yield from json_lines(path)
        return
    for row in columns["query"]:
        names = ("query", "query_id", "answers", "wellFormedAnswers")
        held = {name: columns[name] for name in names if isinstance(columns.get(name), dict)}
        yield f"{path}:{row}", {name: column.get(row) for name, column in held.items()}


def _fever(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        label = record.get("label")
        if not isinstance(label, str) or label not in _FEVER:
            raise QuestionError(f"{place}: the label {label!r} is not one of {', '.join(_FEVER)}")
        yield QAExample(
            id_of(record, "id", place),
            text_of(record, "claim", place),
            (_FEVER[label],),
            gold=_fever_pages(record.get("evidence")),
            place=place,
        )


def _fever2(path: Path) -> Iterator[QAExample]:
    return (example for example in _fever(path) if example.answers != ("unknown",))


def _fever_pages(evidence: Any) -> tuple[str, ...]:
    """Titles of the pages in all sets of evidence, without the dataset's escapes."""
    sets = evidence if isinstance(evidence, list) else []
    lines = [line for each in sets if isinstance(each, list) for line in each]
    pages = [
        line[2]
        for line in lines
        if isinstance(line, list) and len(line) >= 3 and isinstance(line[2], str)
    ]
    return tuple(dict.fromkeys(_unescaped(page) for page in pages))


def _unescaped(page: str) -> str:
    for escape, character in _FEVER_ESCAPES.items():
        page = page.replace(escape, character)
    return page


def _kilt(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        output = record.get("output")
        outputs = [o for o in output if isinstance(o, dict)] if isinstance(output, list) else []
        answers = [o["answer"] for o in outputs if o.get("answer")]
        articles = [
            str(source["wikipedia_id"])
            for o in outputs
            for source in o.get("provenance") or []
            if isinstance(source, dict) and source.get("wikipedia_id")
        ]
        yield QAExample(
            id_of(record, "id", place),
            text_of(record, "input", place),
            tuple(dict.fromkeys(texts_of(answers, "answer in output", place))),
            gold=tuple(dict.fromkeys(articles)),
            place=place,
        )


nq = DatasetFormat(_nq)
tqa = DatasetFormat(_trivia_qa)
wq = DatasetFormat(_web_questions)
ct = DatasetFormat(_curated_trec)
msmarco = DatasetFormat(_ms_marco, "generation")
fever = DatasetFormat(_fever, "classification", tuple(_FEVER.values()))
fever2 = DatasetFormat(_fever2, "classification", ("supports", "refutes"))
kilt = DatasetFormat(_kilt)
