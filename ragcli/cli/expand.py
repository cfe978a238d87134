"""Options that belong together are written once, as the fields of a dataclass.

A command takes `decoding: DecodingOptions`, which is `Annotated[Decoding, Options(beams=…)]`; the
user gives `--beams 8`. `expanded` turns the one into the other: each field in the table stands on
the command line as an option with the field's type and default, and the command is called with the
object made of them. A dataclass that checks itself checks the options with it. One that is there
for the command line alone needs no table: its fields are made by `option`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import MISSING, field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, Self, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo


def option(default: Any, help: str, *flags: str, **settings: Any) -> Any:
    """A field of a dataclass that is an option too."""
    return field(default=default, metadata={"option": typer.Option(*flags, help=help, **settings)})


class Options(dict[str, Any]):
    """Field → its `typer.Option`; fields that are not named keep their defaults."""

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
        made = type(self)({name: _flagged(option, name) for name, option in self.items()})
        for option in (made.only(*names) if names else made).values():
            option.envvar = f"RAG_{_flag(option)[2:].upper().replace('-', '_')}"
            option.show_envvar = False  # rag config tells them all
        return made


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with one parameter for each option, as typer wants it."""
    hints = get_type_hints(command, include_extras=True)
    flat: dict[str, inspect.Parameter] = {}
    gathered: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    for name, given in inspect.signature(command).parameters.items():
        kind, mark = _split(hints[name])
        if not is_dataclass(kind):
            hint = hints[name] if mark is None else Annotated[kind, _flagged(mark, name)]
            flat[name] = parameter(name, hint, given.default)
            continue
        options = mark or Options.of(kind)
        found = {each.name: each for each in fields(kind) if each.name in options}
        types = get_type_hints(kind)
        gathered[name] = kind, list(found)  # type: ignore[assignment]
        for each in found.values():
            hint = Annotated[types[each.name], _flagged(options[each.name], each.name)]
            default = inspect.Parameter.empty if each.default is MISSING else each.default
            flat[each.name] = parameter(each.name, hint, default)

    @wraps(command)
    def called(**values: Any) -> None:
        for name, (kind, names) in gathered.items():
            values[name] = kind(**{each: values.pop(each) for each in names})
        command(**values)

    return signed(called, flat.values())


def signed(
    function: Callable[..., None], parameters: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """The function, which typer now sees with these parameters."""
    parameters = list(parameters)
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in parameters}
    return function


def parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """A parameter that typer passes by its name."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _split(hint: Any) -> tuple[Any, Any]:
    """A type and what it is annotated with, if anything."""
    kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return kind, marks[0] if marks else None


def _flagged(option: Any, name: str) -> Any:
    """A copy of the option with its flag: `top_k` is `--top-k` unless it says otherwise.

    Typer would take a switch without a flag of its own for `--verify/--no-verify`.
    """
    option = copy(option)
    if isinstance(option, OptionInfo) and _flag(option) is None:
        option.param_decls = (f"--{name.replace('_', '-')}",)
    return option


def _flag(option: Any) -> Any:
    """The first flag, which typer keeps in the place of the default, or None."""
    if option.default is not ...:
        return option.default
    return option.param_decls[0] if option.param_decls else None
