"""Questions whose answers depend on the version: what `rag swap-experiment` reads.

One JSON object a line: `question`, `answers` as an object from key (a year, say) to the accepted
spellings, and `changed`, false for controls whose answers are the same everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragcli.datasets.json_lines import json_lines
from ragcli.errors import QuestionError
from ragcli.records import SwapQuestion


def read_swap_questions(path: Path, keys: tuple[str, str]) -> list[SwapQuestion]:
    """All questions of a file, each with accepted answers for both keys."""
    questions = [_question(record, keys, place) for place, record in json_lines(path)]
    if not questions:
        raise QuestionError(f"{path}: no questions")
    return questions


def _question(record: dict[str, Any], keys: tuple[str, str], place: str) -> SwapQuestion:
    question, answers = record.get("question"), record.get("answers")
    if not isinstance(question, str) or not question.strip():
        raise QuestionError(f"{place}: no question")
    if not isinstance(answers, dict):
        raise QuestionError(
            f"{place}: answers must be an object from version to accepted answers",
            'for example {"2016": ["Barack Obama"], "2018": ["Donald Trump"]}',
        )
    first, second = (_accepted(answers, key, place) for key in keys)
    changed = record.get("changed", set(first) != set(second))
    if not isinstance(changed, bool):
        raise QuestionError(f"{place}: changed must be true or false")
    return SwapQuestion(question, (first, second), changed)


def _accepted(answers: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
    if key not in answers:
        raise QuestionError(
            f"{place}: no answers for {key!r}, only for {', '.join(map(repr, answers))}",
            "name the keys with --keys FIRST,SECOND",
        )
    values = answers[key]
    values = [values] if isinstance(values, str) else values
    texts = isinstance(values, list) and all(isinstance(v, str) and v.strip() for v in values)
    if not values or not texts:
        raise QuestionError(f"{place}: the answers for {key!r} must be a list of texts")
    return tuple(values)
