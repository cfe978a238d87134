"""Options that belong together are written once, as the fields of a dataclass.

A command takes `decoding: DecodingOptions`, which is `Annotated[Decoding, Options(beams=…)]`; the
user gives `--beams 8`. `expanded` turns the one into the other: each field in the table stands on
the command line as an option with the field's type and default, and the command is called with the
object made of them. A dataclass that checks itself checks the options with it. One that is there
for the command line alone needs no table: its fields are made by `option`, as are the options that
one command has alone.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, Field, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Self, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo


def flag(help: str, flags: str = "", **settings: Any) -> Any:
    """An option in a table, which leaves its default to the dataclass."""
    return typer.Option(..., *flags.split(), help=help, **settings)


def argument(help: str, **settings: Any) -> Any:
    """What stands on the command line without a flag."""
    return typer.Argument(help=help, **settings)


def option(default: Any, help: str, flags: str = "", **settings: Any) -> Any:
    """A field of a dataclass, or the default of a command's parameter, that is an option."""
    return field(default=default, metadata={"option": flag(help, flags, **settings)})


class Options(dict[str, Any]):
    """Field → its `flag`; fields that are not named keep their defaults."""

    @classmethod
    def of(cls, kind: Any) -> Self:
        """The table of a dataclass whose fields are made by `option`."""
        return cls({each.name: each.metadata["option"] for each in fields(kind) if each.metadata})

    def only(self, *names: str) -> Self:
        """The same table for a command that takes a few of the fields."""
        return type(self)({name: self[name] for name in names})

    def without(self, *names: str) -> Self:
        """The same table for a command that leaves some fields out."""
        return type(self)({name: option for name, option in self.items() if name not in names})

    def common(self, *names: str) -> Self:
        """The same table; these, or all, may also be set in ragcli.toml and the environment."""
        made = type(self)({name: _with_flag(option, name) for name, option in self.items()})
        for option in (made.only(*names) if names else made).values():
            option.envvar = f"RAG_{option.param_decls[0][2:].upper().replace('-', '_')}"
            option.show_envvar = False  # rag config tells them all
        return made


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with one parameter for each option, as typer wants it."""
    hints = get_type_hints(command, include_extras=True)
    flat: dict[str, Parameter] = {}
    gathered: dict[str, tuple[Callable[..., Any], list[str]]] = {}

    def take(name: str, kind: Any, mark: Any, default: Any) -> None:
        hint = kind if mark is None else Annotated[kind, _with_flag(mark, name)]
        default = Parameter.empty if default is MISSING else default
        flat[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)

    for name, given in signature(command).parameters.items():
        annotated = get_origin(hint := hints[name]) is Annotated
        kind, mark = get_args(hint)[:2] if annotated else (hint, None)
        if is_dataclass(kind):
            options, types = mark or Options.of(kind), get_type_hints(kind)
            found = [each for each in fields(kind) if each.name in options]
            gathered[name] = kind, [each.name for each in found]  # type: ignore[assignment]
            for each in found:
                take(each.name, types[each.name], options[each.name], each.default)
        elif isinstance(given.default, Field):
            take(name, kind, given.default.metadata["option"], given.default.default)
        else:
            take(name, kind, mark, given.default)

    @wraps(command)
    def called(**values: Any) -> None:
        for name, (kind, names) in gathered.items():
            values[name] = kind(**{each: values.pop(each) for each in names})
        command(**values)

    called.__signature__ = Signature(list(flat.values()))  # type: ignore[attr-defined]
    called.__annotations__ = {name: each.annotation for name, each in flat.items()}
    return called


def _with_flag(option: Any, name: str) -> Any:
    """A copy of the option with its flag: `top_k` is `--top-k` unless it says otherwise.

    Typer would take a switch without a flag of its own for `--verify/--no-verify`.
    """
    option = copy(option)
    if isinstance(option, OptionInfo) and not option.param_decls:
        option.param_decls = (f"--{name.replace('_', '-')}",)
    return option
