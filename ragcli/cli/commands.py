"""The commands by name, each loaded when it is run: `rag --help` needs only their first lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ragcli.cli.expand import expanded
from ragcli.cli.settings_file import nearest, options_of, settings_of
from ragcli.errors import SettingsError


def _of(module: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), module)


GROUPS = {
    "Documents and indexes": {
        **_of("indexes", "chunk plan-index build-index update-index delete-documents"),
        **_of("history", "list-indexes swap-index log-index diff-index tag-index"),
        **_of("history", "remove-index prune-index"),
        **_of("indexes", "export-index import-index"),
    },
    "Answers": _of("ask", "ask retrieve score classify"),
    "Evaluation": _of("evaluate", "evaluate compare swap-experiment"),
    "Training": _of("train", "train train-retriever export-model"),
    "Models and care": _of("care", "list-models doctor config"),
}
"""Group → name → module of ragcli.cli, in which a function of that name is the command."""
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}

SYNONYMS = {
    "ask": "query answer question",
    "build-index": "index build create",
    "chunk": "split cut passages",
    "config": "settings configure",
    "doctor": "check verify repair",
    "evaluate": "eval benchmark measure test",
    "list-indexes": "list ls indexes versions",
    "list-models": "models",
    "log-index": "history",
    "remove-index": "rm",
    "retrieve": "search find lookup",
    "swap-index": "use switch activate",
    "train": "finetune fit",
    "update-index": "add",
}
"""Command → what people call it who know other tools."""


def function_of(name: str) -> Any:
    """The function behind a command."""
    return getattr(import_module(f"ragcli.cli.{COMMANDS[name]}"), name.replace("-", "_"))


def first_line(name: str) -> str:
    """The first line of a command's help, read from its file without importing it.

    By a regular expression: to parse the files would cost `rag --help` a quarter more time.
    """
    try:
        source = Path(__file__).with_name(f"{COMMANDS[name]}.py").read_text(encoding="utf-8")
    except OSError:  # installed without its sources
        return str(function_of(name).__doc__).splitlines()[0]
    function = re.escape(name.replace("-", "_"))
    found = re.search(rf'^def {function}\(.*?^    """(.*?)(?:""")?$', source, re.M | re.S)
    return found[1] if found else ""


def load(name: str) -> Any:
    """The command as typer runs it, without what the settings files say."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(name, cls=Command)(expanded(function_of(name)))
    command = typer.main.get_command(alone)
    for param in command.get_params(typer.Context(command)):
        if param.param_type_name == "argument" and param.metavar is None:
            param.metavar = str(param.name).upper()
    return command


class Plain:
    """Takes what needs no checking as it is, and leaves the rest to typer.

    Typer checks values with pydantic, which takes longer to import than all else that the command
    line needs.
    """

    def __init__(self, checked: Callable[[], Any]) -> None:
        self.checked = checked

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        about = param.type_descriptor
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if value is param.default or (about.annotation is str and isinstance(value, str)):
            return value
        if about.parameter_info.parser and not param.multiple and param.nargs == 1:
            return about.parameter_info.parser(value)
        return self.checked().coerce(value, param=param, ctx=ctx)


def frugal(params: list[Any]) -> list[Any]:
    """The parameters, each with a `Plain` before typer's own check, where typer has one."""
    for param in params:
        checked = getattr(param, "get_runtime_param", None)
        if checked and "get_runtime_param" not in vars(param):
            param.get_runtime_param = partial(Plain, checked)
    return params


_TYPES = {
    r"<(?:list\[)?str\]?>": "<text>",
    r"<(?:list\[)?(?:int|float)(?: range)?\]?>": "<number>",
    r"<list\[path\]>": "<path>",
}
_LIMITS = {
    r"\b(\d+)<=x<=(\d+)": r"from \1 to \2",
    r"\bx>=(\d+)": r"at least \1",
    r"(\[default: [^]]*?);\s+": r"\1, ",
}


def filled(help: str) -> str:
    """A help with the names of the kinds of each registry."""
    from ragcli.cli.options import REGISTRIES

    return re.sub(r"{(\w+)}", lambda group: ", ".join(REGISTRIES[group[1]].names()), help)


def _plain(text: str, words: dict[str, str]) -> str:
    """A part of typer's help without Python's types and signs."""
    for pattern, said in words.items():
        text = re.sub(pattern, said, text, flags=re.I)
    return text


class Command(TyperCommand):
    """A command whose help names the kinds of each registry, those of other packages included."""

    def get_params(self, ctx: Any) -> list[Any]:
        return frugal(super().get_params(ctx))

    def rows(self, ctx: Any, kind: str) -> list[tuple[str, str]]:
        """Each `argument` or `option` with its meaning."""
        found = [p.get_help_record(ctx) for p in self.get_params(ctx) if p.param_type_name == kind]
        return [
            (
                name.partition(" <")[0] if kind == "argument" else _plain(name, _TYPES),
                filled(help),
            )
            for name, help in ((name, _plain(help, _LIMITS)) for name, help in filter(None, found))
        ]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands after the command's name, arguments without braces."""
        return [
            piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)
        ]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; an option that is given must say something."""
        rest = super().parse_args(ctx, args)
        for param in self.params:
            if param.param_type_name == "option" and ctx.params.get(str(param.name)) == "":
                hint = "leave the option out, or give it a value"
                raise SettingsError(f"{max(param.opts, key=len)} is empty", hint)
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for kind in ("argument", "option"):
            if rows := self.rows(ctx, kind):
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(rows)


class LazyGroup(TyperGroup):
    """A group of commands that lists them without loading them."""

    def get_params(self, ctx: Any) -> list[Any]:
        return frugal(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command with the defaults of the settings files, and with -v and -q, hidden."""
        command = load(cmd_name)
        for talk in map(copy, self.params):
            if talk.name in ("verbose", "quiet"):
                talk.hidden, talk.expose_value = True, False  # type: ignore[attr-defined]
                command.params.append(talk)
        settings = settings_of(cmd_name, command, options_of(load("config")))
        values = {parameter: setting.value for parameter, setting in settings.items()}
        command.context_settings["default_map"] = values
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was named; `help ask` is `ask --help`."""
        if args[0] == "help":
            if not args[1:]:
                typer.echo(ctx.get_help())
                raise typer.Exit
            args = [args[1], "--help"]
        if (word := args[0]) not in COMMANDS:
            called = [name for name, words in SYNONYMS.items() if word in words.split()]
            called += [name for name in COMMANDS if name.startswith(f"{word}-")]
            hint = f"did you mean {called[0]}?" if called else nearest(word, COMMANDS)
            raise SettingsError(f"no command {word!r}", hint or "rag --help lists them all")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), first_line(name)) for name in commands])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The shell wants names and first lines, which is all that these commands have."""
        self.commands = {name: TyperCommand(name, help=first_line(name)) for name in COMMANDS}
        return super().shell_complete(ctx, incomplete)
