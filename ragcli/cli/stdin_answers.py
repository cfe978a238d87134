"""Answers to lines of stdin: order kept, bad lines reported in place, exit code 1 if any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import typer

from ragcli.cli.console import print_error, print_json, say
from ragcli.cli.stdin import Line, batches, error_record, merge
from ragcli.errors import ExitCode, RagError

Result = TypeVar("Result")


def answer_lines(
    batch_size: int,
    many: Callable[[list[str]], Iterable[Result]],
    record: Callable[[Result], dict[str, Any]],
    show: Callable[[Result], None],
    json: bool,
) -> None:
    """Hand stdin to `many` in batches; print each result as a `record`, or `show` it to people."""
    count = failed = 0
    for batch in batches(batch_size):
        for line, result in _results(batch, many):
            count += 1
            if isinstance(result, RagError):
                failed += 1
                if json:
                    print_json(error_record(line, result))
                else:
                    print_error(type(result)(f"line {line.number}: {result.message}", result.hint))
            elif json:
                print_json(merge(line, record(result)))
            else:
                show(result)
    if failed:
        say(f"{failed} of {count} lines failed", always=True)
        raise typer.Exit(ExitCode.ERROR)


def _results(
    batch: list[Line], many: Callable[[list[str]], Iterable[Result]]
) -> Iterator[tuple[Line, Result | RagError]]:
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
