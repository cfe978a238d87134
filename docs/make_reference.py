"""Writes docs/command-line.md from the commands themselves.

    python docs/make_reference.py      # or: make docs

The text is what `--help` says, so the page cannot fall behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import typer

from ragcli.cli.app import app
from ragcli.cli.commands import COMMANDS, GROUPS, Command, load

PAGE = Path(__file__).parent / "command-line.md"
INTRODUCTION = """\
# The command line

`make docs` writes this page from what each command says with `--help`.

The exit code is 0 if all went well, 1 after an error, 2 if the command or a setting makes no sense,
3 if a rate is below `--fail-under`, and 130 after Ctrl-C. An error is one line on stderr that says
what to do next; it stands below the usage if an option or an argument is wrong. Data goes to stdout
and everything else to stderr. With `--json`, stdout is JSON lines; [records.md](records.md)
describes their keys.

## Settings

What you would say with every command can stand in `ragcli.toml`, in the folder you are in or in
your configuration folder (`~/.config/ragcli` on Linux). A key is the long name of an option. Those
above the tables hold for every command that shares the option; a table is for one command, may hold
any of its options, and wins for that command:

```toml
store = "~/indexes"
index = "wiki"
top-k = 10

[evaluate]
batch-size = 32

[train]
epochs = 5
```

`RAG_TOP_K=10` in the environment does the same for one setting. The command line wins, then the
environment, the folder's file, your own file, the model, and last the default. `rag config` shows
each common setting, its value, and who says so. Training takes its numbers from the command line
and from its own table alone, so that a setting for answers never changes how a model learns.

## Every command has
"""


def reference() -> str:
    """The whole page."""
    rag: Any = typer.main.get_command(app)
    context = rag.make_context("rag", [], resilient_parsing=True)
    commands = {name: load(name) for name in COMMANDS}
    lines = [INTRODUCTION, *_parameters(rag, context)]
    for title, names in GROUPS.items():
        lines += ["", f"## {title}", "", "| command | what it does |", "|---|---|"]
        for name in names:
            first = _cell(_paragraphs(commands[name])[0])
            lines.append(f"| [`rag {name}`](#rag-{name}) | {first} |")
        for name in names:
            lines += ["", f"### rag {name}", "", *_section(name, commands[name], context)]
    return "\n".join(lines) + "\n"


def _paragraphs(command: Any) -> list[str]:
    return re.split(r"\n\s*\n", cleandoc(command.help or ""))


def _section(name: str, command: Any, parent: Any) -> Iterator[str]:
    """What a command is for, how it is called, and its arguments and options."""
    for paragraph in _paragraphs(command):
        yield from _prose_or_example(paragraph)
        yield ""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    yield from _parameters(command, context)


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


def _parameters(command: Any, context: Any) -> Iterator[str]:
    """A table of arguments, then options."""
    yield "| argument or option | meaning |"
    yield "|---|---|"
    for kind in ("argument", "option"):
        for name, meaning in Command.rows(command, context, kind):
            if "--help" not in name:
                yield f"| `{_cell(name)}` | {_cell(meaning)} |"


def _cell(text: str) -> str:
    """A text that fits into one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
