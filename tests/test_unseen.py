"""The documents and questions on which the embedded model's breadth is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

UNSEEN = Path(__file__).resolve().parent.parent / "recipes" / "embedded" / "unseen"


@pytest.mark.parametrize(
    ("name", "count"),
    [("encyclopedia", 144), ("institutions", 144), ("papers", 144), ("mixed", 198)],
)
def test_every_question_has_its_answer_in_its_document(name: str, count: int) -> None:
    folder = UNSEEN / name
    documents = {
        path.name: path.read_text(encoding="utf-8") for path in (folder / "documents").glob("*.md")
    }
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == count
    assert len({row["id"] for row in rows}) == count
    assert {row["document"] for row in rows} == set(documents)
    for row in rows:
        assert row["answers"][0].lower() in documents[row["document"]].lower(), row["id"]
