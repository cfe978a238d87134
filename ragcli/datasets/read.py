"""The datasets of the paper in the formats in which they are published.

| format | file | question | answers | gold passages |
|---|---|---|---|---|
| jsonl | JSON lines | `question` | `answers` (or an object by key) | `passage`, `document` |
| nq | NQ-open JSON lines | `question` | `answer` | |
| tqa | TriviaQA JSON | `Data[].Question` | `Answer.Value`, `Answer.Aliases` | |
| wq | WebQuestions JSON | `utterance` | `targetValue`'s descriptions | |
| ct | CuratedTREC JSON lines | `question` | `answer`, regular expressions | |
| msmarco | MS-MARCO QA 2.1 JSON, or lines | `query` | `wellFormedAnswers` or `answers` | |
| fever, fever2 | FEVER JSON lines | `claim` | `label` | titles in `evidence` |
| kilt | KILT JSON lines | `input` | `output[].answer` | `provenance`'s articles |

A jsonl line may also name a `positive`, the text of a passage to train a retriever with.
`fever` turns NOT ENOUGH INFO into `unknown`; `fever2` leaves such claims out, as the paper's 2-way
task does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from ragcli.datasets.json_lines import json_file, json_lines, text_of, texts_of
from ragcli.errors import QuestionError
from ragcli.records import QAExample

DatasetFormat = Literal["jsonl", "nq", "tqa", "wq", "ct", "msmarco", "fever", "fever2", "kilt"]

_DESCRIPTION = re.compile(r'\(description (?:"((?:[^"\\]|\\.)*)"|([^\s()]+))\)')
_FEVER = {"SUPPORTS": "supports", "REFUTES": "refutes", "NOT ENOUGH INFO": "unknown"}
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def read_examples(
    path: Path, format: DatasetFormat = "jsonl", key: str | None = None, pairs: bool = False
) -> list[QAExample]:
    """All examples of a file. `key` chooses among answers that depend on one (a year, say).

    With `pairs` a jsonl line that names a `positive` passage may leave its answers out.
    """
    if key is not None and format != "jsonl":
        raise QuestionError(f"a key chooses among the answers of jsonl files, not of {format}")
    found = _own(path, key, pairs) if format == "jsonl" else _READERS[format](path)
    examples = list(found)
    if not examples:
        raise QuestionError(f"{path}: no questions")
    seen: dict[str, QAExample] = {}
    for example in examples:
        if (first := seen.setdefault(example.id, example)) is not example:
            raise QuestionError(
                f"{example.place}: two questions have the id {example.id!r}, the other at "
                f"{first.place}"
            )
    return examples


def _own(path: Path, key: str | None, pairs: bool) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        gold = _keyed(record.get("passage") or record.get("document") or [], key, place)
        positive = text_of(record, "positive", place) if "positive" in record else None
        answers = _keyed(record.get("answers"), key, place)
        left_out = pairs and positive is not None and "answers" not in record
        accepted = () if left_out else texts_of(answers, "answers", place)
        patterns = bool(record.get("patterns", False))
        yield QAExample(
            id=_id(record, "id", place),
            question=text_of(record, "question", place),
            answers=_patterns(accepted, place) if patterns else accepted,
            gold=texts_of(gold, "gold passages", place) if gold else (),
            patterns=patterns,
            positive=positive,
            place=place,
        )


def _keyed(value: Any, key: str | None, place: str) -> Any:
    """The value itself, or what an object of values holds under `key`."""
    if not isinstance(value, dict):
        return value
    if key not in value:
        names = ", ".join(map(repr, value))
        raise QuestionError(
            f"{place}: the answers depend on {names}" + (f", not on {key!r}" if key else ""),
            "choose one with --key",
        )
    return value[key]


def _id(record: dict[str, Any], name: str, place: str) -> str:
    """The example's own id, else the number of its line."""
    value = record.get(name)
    return str(value) if value is not None else place.rpartition(":")[2]


def _nq(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        answers = texts_of(record.get("answer"), "answer", place)
        question = text_of(record, "question", place)
        yield QAExample(_id(record, "id", place), question, answers, place=place)


def _curated_trec(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        patterns = _patterns(texts_of(record.get("answer"), "answer", place), place)
        question = text_of(record, "question", place)
        yield QAExample(_id(record, "id", place), question, patterns, patterns=True, place=place)


def _patterns(texts: tuple[str, ...], place: str) -> tuple[str, ...]:
    """The texts, all of which must be regular expressions."""
    for text in texts:
        try:
            re.compile(text)
        except re.error as error:
            raise QuestionError(f"{place}: {text!r} is not a regular expression: {error}") from None
    return texts


def _trivia_qa(path: Path) -> Iterator[QAExample]:
    whole = json_file(path)
    data = whole.get("Data") if isinstance(whole, dict) else None
    for place, record in _entries(data, path, "Data"):
        answer = record.get("Answer")
        if not isinstance(answer, dict):
            raise QuestionError(f"{place}: no Answer")
        value = text_of(answer, "Value", f"{place}: Answer")
        aliases = answer.get("Aliases") or []
        others = texts_of(aliases, "Aliases", place) if aliases else ()
        accepted = tuple(dict.fromkeys((value, *others)))
        question = text_of(record, "Question", place)
        yield QAExample(_id(record, "QuestionId", place), question, accepted, place=place)


def _web_questions(path: Path) -> Iterator[QAExample]:
    for place, record in _entries(json_file(path), path, "questions"):
        target = text_of(record, "targetValue", place)
        answers = [
            (quoted or bare).replace('\\"', '"') for quoted, bare in _DESCRIPTION.findall(target)
        ]
        if not answers:
            raise QuestionError(f"{place}: no description in targetValue {target[:60]!r}")
        question = text_of(record, "utterance", place)
        yield QAExample(_id(record, "id", place), question, tuple(answers), place=place)


def _entries(data: Any, path: Path, what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list in a JSON file, placed `FILE:NUMBER`, counted from 1."""
    if not isinstance(data, list):
        raise QuestionError(f"{path}: no list of {what}")
    for number, record in enumerate(data, 1):
        if not isinstance(record, dict):
            raise QuestionError(f"{path}:{number}: not a JSON object")
        yield f"{path}:{number}", record


def _ms_marco(path: Path) -> Iterator[QAExample]:
    for place, record in _ms_marco_records(path):
        formed = record.get("wellFormedAnswers")
        answers = formed if isinstance(formed, list) and formed else record.get("answers")
        yield QAExample(
            _id(record, "query_id", place),
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
        if label not in _FEVER:
            raise QuestionError(f"{place}: the label {label!r} is not one of {', '.join(_FEVER)}")
        yield QAExample(
            _id(record, "id", place),
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
    for escape, character in _BRACKETS.items():
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
            _id(record, "id", place),
            text_of(record, "input", place),
            tuple(dict.fromkeys(texts_of(answers, "answer in output", place))),
            gold=tuple(dict.fromkeys(articles)),
            place=place,
        )


_READERS: dict[str, Callable[[Path], Iterator[QAExample]]] = {
    "nq": _nq,
    "tqa": _trivia_qa,
    "wq": _web_questions,
    "ct": _curated_trec,
    "msmarco": _ms_marco,
    "fever": _fever,
    "fever2": _fever2,
    "kilt": _kilt,
}
