"""Writes docs/command-line.md from the commands themselves.

    python docs/make_reference.py      # or: make docs

The text is what `--help` says, so the page has nothing to add and cannot fall behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import typer

from ragcli.cli.app import app

PAGE = Path(__file__).parent / "command-line.md"
INTRODUCTION = """\
# The command line

This page is written by `make docs` from what each command says with `--help`.

The exit code is 0 if all went well, 1 after an error (one line on stderr says what to do), 2 if the
command was not understood, and 130 after Ctrl-C. Data goes to stdout and everything else to stderr;
with `--json` stdout is JSON lines, whose keys are described in [records.md](records.md).
"""


def reference() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(app)
    context = group.make_context("rag", [], resilient_parsing=True)
    names = group.list_commands(context)
    commands = {name: group.get_command(context, name) for name in names}
    lines = [INTRODUCTION, "| command | what it does |", "|---|---|"]
    for name, command in commands.items():
        lines.append(f"| [`rag {name}`](#rag-{name}) | {_cell(_paragraphs(command)[0])} |")
    for name, command in commands.items():
        lines += ["", f"## rag {name}", "", *_section(name, command, context)]
    return "\n".join(lines) + "\n"


def _paragraphs(command: Any) -> list[str]:
    return re.split(r"\n\s*\n", cleandoc(command.help or ""))


def _section(name: str, command: Any, parent: Any) -> Iterator[str]:
    """What a command is for, how it is called, and its arguments and options."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    for paragraph in _paragraphs(command):
        yield from _prose_or_example(paragraph)
        yield ""
    yield "| argument or option | meaning |"
    yield "|---|---|"
    for parameter in command.params:
        if record := parameter.get_help_record(context):  # a hidden one has none
            yield f"| `{_cell(record[0])}` | {_cell(record[1])} |"


def _prose_or_example(paragraph: str) -> Iterator[str]:
    """A paragraph as it is, or `Example: rag …  |  rag …` as commands."""
    example = re.match(r"[A-Z][\w ]*: (?=(?:\S+ )*rag )", paragraph)
    if example is None:
        yield paragraph
        return
    yield "```console"
    for command in re.split(r"\s+\|\s{2,}", paragraph[example.end() :]):
        yield "$ " + " ".join(command.split())
    yield "```"


def _cell(text: str) -> str:
    """A text that fits into one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
