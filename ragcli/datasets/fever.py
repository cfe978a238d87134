"""FEVER's claims: `fever` turns NOT ENOUGH INFO into `unknown`, `fever2` leaves such claims out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragcli.datasets.formats import DatasetFormat
from ragcli.datasets.json_lines import id_of, json_lines, text_of
from ragcli.errors import QuestionError
from ragcli.records import QAExample

_LABELS = {"SUPPORTS": "supports", "REFUTES": "refutes", "NOT ENOUGH INFO": "unknown"}
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def _read(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        label = record.get("label")
        if not isinstance(label, str) or label not in _LABELS:
            raise QuestionError(f"{place}: the label {label!r} is not one of {', '.join(_LABELS)}")
        yield QAExample(
            id_of(record, "id", place),
            text_of(record, "claim", place),
            (_LABELS[label],),
            gold=_pages(record.get("evidence")),
            place=place,
        )


def _read_two(path: Path) -> Iterator[QAExample]:
    return (example for example in _read(path) if example.answers != ("unknown",))


def _pages(evidence: Any) -> tuple[str, ...]:
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
    for escape, character in _ESCAPES.items():
        page = page.replace(escape, character)
    return page


fever = DatasetFormat(_read, "classification", tuple(_LABELS.values()))
fever2 = DatasetFormat(_read_two, "classification", ("supports", "refutes"))
