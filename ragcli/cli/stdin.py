"""Questions from stdin: plain lines or JSON objects, batched without waiting for more.

Answers keep their order. A line that cannot be read or answered is reported in its place, the rest
go on, and the exit code is 1.
"""

from __future__ import annotations

import io
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import typer

from ragcli.cli.console import print_error, put, say
from ragcli.errors import ExitCode, QuestionError, RagError, SettingsError
from ragcli.json_form.answers import error_record, merged

Result = TypeVar("Result")
Many = Callable[[list[str]], Iterable[Result]]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input: its question and other fields, or why it cannot be asked."""

    number: int
    question: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: RagError | None = None


def require_text(what: str, text: str, hint: str | None = "give one, or - to read stdin") -> None:
    """Raise if an argument holds nothing to answer."""
    if not text.strip():
        raise SettingsError(f"the {what} is empty", hint)


def answer(
    text: str,
    batch_size: int,
    many: Many[Result],
    record: Callable[[Result], dict[str, Any]],
    show: Callable[[Result], None],
    json: bool,
) -> None:
    """Hand a text, or with `-` the lines of stdin, to `many`; print each result for its reader."""
    if text != "-":
        [result] = many([text])
        put(json, [record(result)], partial(show, result))
        return
    count = failed = 0
    for batch in _batches(batch_size):
        for line, found in _results(batch, many):
            count += 1
            if isinstance(found, RagError):
                failed += 1
                told = type(found)(f"line {line.number}: {found.message}", found.hint)
                failure = error_record(line.number, line.question, found)
                put(json, [merged(failure, line.fields)], partial(print_error, told))
            else:
                put(json, [merged(record(found), line.fields)], partial(show, found))
    if failed:
        say(f"{failed} of {count} lines failed", always=True)
        raise typer.Exit(ExitCode.ERROR)


def _results(batch: list[Line], many: Many[Result]) -> Iterator[tuple[Line, Result | RagError]]:
    """Each line with its result or error; a line that fails does not take others along."""
    good = [line for line in batch if line.error is None]
    results: dict[int, Result | RagError] = {}
    try:
        found = many([line.question for line in good]) if good else ()
        results = {line.number: each for line, each in zip(good, found, strict=True)}
    except RagError:
        for line in good:
            try:
                [results[line.number]] = many([line.question])
            except RagError as error:
                results[line.number] = error
    for line in batch:
        yield line, line.error or results[line.number]


def _batches(size: int) -> Iterator[list[Line]]:
    """Lines in order, up to `size` at once; a slow writer gets its answer without delay."""
    lines: queue.Queue[Line | None] = queue.Queue(maxsize=4 * size)

    def fill() -> None:
        try:
            for number, raw in enumerate(_stdin(), 1):
                if raw.strip():
                    lines.put(parse(raw, number))
        finally:
            lines.put(None)

    threading.Thread(target=fill, daemon=True).start()
    line = lines.get()
    while line is not None:
        batch = [line]
        while len(batch) < size and not lines.empty() and (line := lines.get()) is not None:
            batch.append(line)
        yield batch
        line = line and lines.get()


def _stdin() -> Iterator[bytes]:
    """Lines of stdin, read without Python's buffer: a thread that waits in it blocks the exit."""
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, io.UnsupportedOperation):
        yield from sys.stdin.buffer
        return
    rest = b""
    while block := os.read(descriptor, 1 << 16):
        *whole, rest = (rest + block).split(b"\n")
        yield from whole
    if rest:
        yield rest


def parse(raw: bytes, number: int) -> Line:
    """A plain line is the question; an object has it under `question`, and more may follow."""
    try:
        text = raw.decode("utf-8").strip().removeprefix("\ufeff")
        if not text.startswith("{"):
            return Line(number, text)
        fields = json.loads(text)
        # What cannot be written again cannot be kept: infinities, half characters, endless depth.
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeDecodeError as error:
        return Line(number, error=QuestionError(f"the line is not UTF-8 (byte {error.start + 1})"))
    except (ValueError, RecursionError) as error:
        return Line(number, error=QuestionError(f"the line is not a JSON object: {error}"))
    question = fields.get("question")
    if not isinstance(question, str):
        wrong = "no question in the object" if question is None else "the question is not a string"
        return Line(number, "", fields, QuestionError(wrong))
    del fields["question"]
    empty = None if question.strip() else QuestionError("the question is empty")
    return Line(number, question.strip(), fields, empty)
