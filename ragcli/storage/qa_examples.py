"""Questions with their answers: what training and evaluation read.

One JSON object a line: `question`, `answers` (a text or a list of texts) and, for the retriever, a
`positive` passage in place of answers or beside them. Every line is checked before any is used.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragcli.errors import QuestionError
from ragcli.records import QAExample

_EXAMPLE = '{"question": "Who wrote Emma?", "answers": ["Jane Austen"]}'


def read_qa_examples(path: Path, positives: bool = False) -> list[QAExample]:
    """All examples of a file, in order; with `positives`, a line may name a passage for answers."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise QuestionError(f"{path}: cannot be read: {error.strerror}") from None
    examples = [
        _example(line, positives, str(path), number)
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    if not examples:
        raise QuestionError(f"{path}: no examples", f"one a line, as {_EXAMPLE}")
    return examples


def _example(line: bytes, positives: bool, source: str, number: int) -> QAExample:
    place = f"{source}:{number}"
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise QuestionError(f"{place}: not UTF-8") from None
    except ValueError as error:
        raise QuestionError(f"{place}: not JSON: {error}") from None
    if not isinstance(record, dict):
        raise QuestionError(f"{place}: not a JSON object", f"one a line, as {_EXAMPLE}")
    question = _text(record, "question", place)
    positive = _text(record, "positive", place) if positives and "positive" in record else None
    if positive is not None and "answers" not in record:
        return QAExample(question, (), source, number, positive)
    return QAExample(question, _answers(record, place), source, number, positive)


def _text(record: dict[str, Any], name: str, place: str) -> str:
    if name not in record:
        raise QuestionError(f"{place}: no field `{name}` (fields: {', '.join(record) or 'none'})")
    value = record[name]
    if not isinstance(value, str) or not value.strip():
        raise QuestionError(f"{place}: the field `{name}` must be a text that is not empty")
    return value.strip()


def _answers(record: dict[str, Any], place: str) -> tuple[str, ...]:
    if "answers" not in record:
        raise QuestionError(f"{place}: no field `answers` (fields: {', '.join(record)})")
    values = record["answers"]
    values = [values] if isinstance(values, str) else values
    if not isinstance(values, list) or not values:
        raise QuestionError(f"{place}: `answers` must be a list of texts with at least one in it")
    for number, value in enumerate(values, 1):
        if not isinstance(value, str) or not value.strip():
            raise QuestionError(f"{place}: answer {number} must be a text that is not empty")
    return tuple(value.strip() for value in values)
