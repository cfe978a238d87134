"""Predictions on disk: taken up again only by the same run, and read from other tools."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ragcli.errors import QuestionError, StoreError
from ragcli.evaluation.predictions import (
    PredictionLog,
    matched,
    read_predictions,
)
from ragcli.records import Evidence, Prediction, QAExample

EXAMPLES = [QAExample(str(n), f"question {n}?", (f"gold {n}",)) for n in range(3)]
RUN: dict[str, Any] = {"model": "m", "seed": 0, "versions": {"torch": "2"}}


def prediction(n: int, top_k: int = 1) -> Prediction:
    evidence = Evidence("d#0", "d", "t", "line\u2028text", 0.5, 0.25)
    return Prediction(str(n), f"question {n}?", f"answer {n}", (evidence,), top_k, -1.5, -2.5)


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    log = PredictionLog(path, RUN)
    assert log.begin(EXAMPLES, 2) == []
    log.add([prediction(0, 1), prediction(0, 5)])
    log.add([prediction(1, 1), prediction(1, 5)])
    # Killed in the middle of a line: the second example has only one of its two k.
    text = path.read_text()
    path.write_text(text[:-20])
    log = PredictionLog(path, RUN)
    kept = log.begin(EXAMPLES, 2)
    assert kept == [(prediction(0, 1), prediction(0, 5))]
    log.add([prediction(1, 1), prediction(1, 5)])
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"model": "other"}, "model"),
        ({"seed": 1}, "seed"),
        ({"versions": {"torch": "3"}}, "versions.torch"),
        ({"new": True}, "new"),
    ],
)
def test_nothing_stale_is_reused(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    path = tmp_path / "p.jsonl"
    log = PredictionLog(path, RUN)
    log.begin(EXAMPLES, 1)
    log.add([prediction(0)])
    before = path.read_text()
    with pytest.raises(StoreError, match=f"other settings: {named} \\("):
        PredictionLog(path, RUN | change).begin(EXAMPLES, 1)
    assert path.read_text() == before


def test_files_of_unknown_origin_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("mine\n")
    with pytest.raises(StoreError, match=r"no readable p\.jsonl\.run\.json"):
        PredictionLog(path, RUN).begin(EXAMPLES, 1)
    assert path.read_text() == "mine\n"
    (tmp_path / "p.jsonl.run.json").write_text(json.dumps(RUN))
    with pytest.raises(StoreError, match="is damaged"):
        PredictionLog(path, RUN).begin(EXAMPLES, 1)
    path.write_text(json.dumps(asdict(prediction(2))) + "\n")
    with pytest.raises(StoreError, match="other questions"):
        PredictionLog(path, RUN).begin(EXAMPLES, 1)


def test_what_another_tool_answered(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"question": "question 1?", "prediction": "b"}\n'
        '{"id": 0, "question": "put otherwise", "answer": "a", "passages": [{"text": "t"}]}\n'
    )
    found, predictions = matched(path, EXAMPLES[:2])
    assert found == EXAMPLES[:2]
    assert [p.answer for p in predictions] == ["a", "b"]
    with pytest.raises(QuestionError, match=r"no answer to 2 \(question 2\?\)"):
        matched(path, EXAMPLES)
    with pytest.raises(
        QuestionError, match=r"p\.jsonl:1: no accepted answers .*evaluate QUESTIONS --predictions"
    ):
        matched(path)
    path.write_text('{"question": "q?", "answer": "a", "answers": ["A", "B"]}\n')
    own, _ = matched(path)
    assert own == [QAExample("1", "q?", ("A", "B"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no predictions"),
        ('{"question": "q"}', ":1: no answer"),
        ('{"answer": "a"}', ":1: no question"),
        ('{"question": "q", "error": "too long"}', ":1: a question that was not answered"),
        ('{"question": "q", "answer": "a", "passages": 3}', ":1: passages must be a list"),
        ('{"question": "q", "answer": "a", "top_k": "all"}', ":1: top_k must be a whole number"),
        ('{"question": "q", "answer": "a", "log_prob": NaN}', ":1: log_prob must be a number"),
        ('{"question": "q", "answer": "a", "x": ' + "[" * 9999, ":1: not JSON"),
    ],
)
def test_bad_predictions(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p").write_text(text)
    with pytest.raises(QuestionError, match=message):
        read_predictions(tmp_path / "p")


def test_ids_that_are_counted_otherwise(tmp_path: Path) -> None:
    """Another tool counts from 1: the questions decide, not the numbers."""
    path = tmp_path / "p.jsonl"
    lines = [
        {"id": n + 1, "question": e.question, "answer": f"answer {e.id}"}
        for n, e in enumerate(EXAMPLES)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, predictions = matched(path, EXAMPLES)
    assert [p.answer for p in predictions] == [f"answer {e.id}" for e in EXAMPLES]
    path.write_text(path.read_text() + '{"id": 1, "question": "q", "answer": "other"}\n')
    with pytest.raises(QuestionError, match=r"another answer to 1 stands above"):
        matched(path, EXAMPLES)


def test_confidence_is_kept_and_not_missed_in_older_files(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    lines = [
        {"question": "old?", "answer": "a"},
        {"question": "new?", "answer": "b", "confidence": 0.75},
        {"question": "withheld?", "answer": None, "confidence": 0.25},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = [(p.answer, p.confidence) for _, p, _ in read_predictions(path)]
    assert found == [("a", None), ("b", 0.75), ("", 0.25)]
    path.write_text('{"question": "q?", "answer": "a", "confidence": "high"}')
    with pytest.raises(QuestionError, match="confidence must be a number"):
        read_predictions(path)
