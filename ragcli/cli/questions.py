"""Questions from stdin: plain lines or JSON objects, batched without waiting for more.

A line that cannot be read becomes a `Line` with its error; the rest go on.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ragcli.errors import QuestionError, RagError


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input: its question and other fields, or why it cannot be asked."""

    number: int
    question: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: RagError | None = None


def batches(size: int, stream: BinaryIO | None = None) -> Iterator[list[Line]]:
    """Lines in order, up to `size` at once; a slow writer gets its answer without delay."""
    lines: queue.Queue[Line | None] = queue.Queue(maxsize=4 * size)
    source = sys.stdin.buffer if stream is None else stream

    def fill() -> None:
        for number, raw in enumerate(source, 1):
            if raw.strip():
                lines.put(parse(raw, number))
        lines.put(None)

    threading.Thread(target=fill, daemon=True).start()
    ended = False
    while not ended:
        batch: list[Line] = []
        while len(batch) < size and not ended:
            try:
                line = lines.get(block=not batch)
            except queue.Empty:
                break
            ended = line is None
            if line is not None:
                batch.append(line)
        if batch:
            yield batch


def parse(raw: bytes, number: int) -> Line:
    """A plain line is the question; an object has it under `question`, and more may follow."""
    try:
        text = raw.decode("utf-8").strip().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return Line(number, error=QuestionError(f"the line is not UTF-8 (byte {error.start + 1})"))
    if not text.startswith("{"):
        return Line(number, text)
    try:
        fields = json.loads(text)
    except ValueError as error:
        return Line(number, error=QuestionError(f"the line is not a JSON object: {error}"))
    question = fields.pop("question", None)
    if not isinstance(question, str) or not question.strip():
        problem = "no question in the object" if question is None else "the question is empty"
        return Line(number, "", fields, QuestionError(problem))
    return Line(number, question.strip(), fields)


def merge(line: Line, record: dict[str, Any]) -> dict[str, Any]:
    """Our record with the line's other fields; those whose names we use stand under `input`."""
    kept = {name: value for name, value in line.fields.items() if name not in record}
    taken = {name: value for name, value in line.fields.items() if name in record}
    return record | kept | ({"input": taken} if taken else {})


def error_record(line: Line, error: RagError) -> dict[str, Any]:
    """The record of a line that could not be answered."""
    record: dict[str, Any] = {"line": line.number, "error": str(error)}
    if line.question:
        record["question"] = line.question
    return merge(line, record)
