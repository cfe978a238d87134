"""The paper's open-domain questions: NQ-open, TriviaQA, WebQuestions and CuratedTREC."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

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


nq = DatasetFormat(_nq)
tqa = DatasetFormat(_trivia_qa)
wq = DatasetFormat(_web_questions)
ct = DatasetFormat(_curated_trec)
