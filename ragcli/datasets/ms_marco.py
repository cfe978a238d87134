"""MS-MARCO's questions, which are answered in whole sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragcli.datasets.formats import DatasetFormat
from ragcli.datasets.json_lines import id_of, json_file, json_lines, text_of, texts_of
from ragcli.errors import QuestionError
from ragcli.records import QAExample


def _read(path: Path) -> Iterator[QAExample]:
    for place, record in _records(path):
        formed = record.get("wellFormedAnswers")
        answers = formed if isinstance(formed, list) and formed else record.get("answers")
        yield QAExample(
            id_of(record, "query_id", place),
            text_of(record, "query", place),
            texts_of(answers, "answers", place),
            place=place,
        )


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
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


msmarco = DatasetFormat(_read, task="generation")
