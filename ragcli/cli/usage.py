"""What the parser has to say, in our words: one line that says what was wanted, and an example.

typer's own words are those of its libraries, and its types those of Python.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import typer

from ragcli.errors import SettingsError

UsageError: Any = typer.BadParameter.__base__
"""Base of all that the parser raises; typer has no public name for it."""


_TEXTS = ("question", "text")
"""Arguments of which a shell makes several when the quotes are forgotten."""


def kind_of(param: Any) -> str | None:
    """What an option or an argument takes: `a whole number of at least 1`; None for any text."""
    described = getattr(param, "type_descriptor", None)
    if described is None:
        return None
    if described.choices:
        *most, last = map(str, described.choices)
        return f"{', '.join(most)} or {last}"
    wanted = str(described.annotation)
    number = "a whole number" if "int" in wanted else "a number" if "float" in wanted else None
    return number and f"{number}{_limits(param)}"


def _limits(param: Any) -> str:
    least, most = (getattr(param, name, None) for name in ("min", "max"))
    if most is not None:
        return f" from {least:g} to {most:g}"
    return "" if least is None else f" of at least {least:g}"


def of_value(name: str, error: Any, param: Any) -> str:
    """What is wrong with a value: `--words takes a whole number, not 'x'`."""
    found = getattr(error.__cause__, "errors", None)
    kind = kind_of(param)
    if found is None or kind is None:
        return f"{name}: {error.message}"
    return f"{name} takes {kind}, not {found()[0]['input']!r}"


def usage_error(error: Any) -> SettingsError:
    """An error of the parser as one of ours."""
    sort, param, ctx = type(error).__name__, getattr(error, "param", None), error.ctx
    path = ctx.command_path if ctx else "rag"
    hint, command = f"{path} --help tells more", path.removeprefix("rag ")
    told = str(error.message)
    if sort == "NoSuchOption":
        known = {
            name.strip("-"): name for p in ctx.command.params for name in p.opts if not p.hidden
        }
        close = get_close_matches(error.option_name.strip("-"), [*known, "help"], 1)
        told = f"{command} has no option {error.option_name}"
        hint = f"did you mean {known.get(close[0], '--help')}?" if close else hint
    elif sort == "BadOptionUsage":
        told = f"{error.option_name} {'takes no' if 'not take' in told else 'needs a'} value"
    elif sort == "MissingParameter":
        told, hint = f"{command} needs {_missing(ctx, param)}", _example(ctx) or hint
    elif extra := re.fullmatch(r"Got unexpected extra arguments?\S* \((.*)\)", told):
        told = f"{extra[1]!r} is too much for {command}"
        if any(each.name in _TEXTS for each in ctx.command.params):
            hint = "a text of several words needs quotes around it"
    elif param is not None:
        told = of_value(_name(param), error, param)
    return SettingsError(told, hint)


def _name(param: Any) -> str:
    """An argument or an option as help shows it."""
    is_argument = param.param_type_name == "argument"
    return str(param.metavar or param.name) if is_argument else max(param.opts, key=len)


def _missing(ctx: Any, first: Any) -> str:
    """The option that is missing, or the first argument and those after it, and what they are."""
    from ragcli.cli.commands import filled

    missing = [first]
    if first.param_type_name == "argument":
        params = ctx.command.params
        rest = params[params.index(first) + 1 :]
        missing += [p for p in rest if p.param_type_name == "argument" and p.required]
    said = (filled(param.help).rstrip(".") for param in missing)
    named = zip(map(_name, missing), said, strict=True)
    return "; and ".join(f"{name}: {_within(help)}" for name, help in named)


def _within(text: str) -> str:
    """A text as it stands within a sentence: `the question`, but `JSON lines`."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _example(ctx: Any) -> str | None:
    """The example in the help of a command."""
    found = re.search(r"Example: (rag .*)", ctx.command.help or "")
    return f"for example: {found[1]}" if found else None
