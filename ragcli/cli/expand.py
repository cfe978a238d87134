"""Options that belong together are written once, as the fields of a dataclass.

A command takes `decoding: DecodingOptions`, which is `Annotated[Decoding, Options(beams=…)]`; the
user gives `--beams 8`. `expanded` turns the one into the other: each field in the table stands on
the command line as an option with the field's type and default, and the command is called with the
object made of them. A dataclass that checks itself checks the options with it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, Self, get_args, get_origin, get_type_hints


class Options(dict[str, Any]):
    """Field → its `typer.Option`; fields that are not named keep their defaults."""

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
        kind, options = _split(hints[name])
        if options is None:
            flat[name] = parameter(name, hints[name], given.default)
            continue
        found = {field.name: field for field in fields(kind) if field.name in options}
        types = get_type_hints(kind)
        gathered[name] = kind, list(found)
        for field in found.values():
            option = _flagged(options[field.name], field.name)
            hint = Annotated[types[field.name], option]  # type: ignore[valid-type,name-defined]
            flat[field.name] = parameter(field.name, hint, field.default)

    @wraps(command)
    def called(**values: Any) -> None:
        for name, (kind, names) in gathered.items():
            values[name] = kind(**{field: values.pop(field) for field in names})
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


def _split(hint: Any) -> tuple[Any, Options | None]:
    """A dataclass with its table of options, or no table for any other type."""
    if get_origin(hint) is Annotated:
        kind, *marks = get_args(hint)
        if is_dataclass(kind):
            [options] = marks
            return kind, options
    return hint, None


def _flagged(option: Any, name: str) -> Any:
    """A copy of the option with its flag: `top_k` is `--top-k` unless the table says otherwise.

    Typer would take a switch without a flag of its own for `--verify/--no-verify`.
    """
    option = copy(option)
    if _flag(option) is None:
        option.param_decls = (f"--{name.replace('_', '-')}",)
    return option


def _flag(option: Any) -> Any:
    """The first flag, which typer keeps in the place of the default, or None."""
    if option.default is not ...:
        return option.default
    return option.param_decls[0] if option.param_decls else None
