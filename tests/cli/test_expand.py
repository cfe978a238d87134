"""A dataclass of options: one option for each field, and the object when the command is called."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import typer

from ragcli.cli.commands import COMMANDS, function_of
from ragcli.cli.expand import Options, expanded, flag
from ragcli.errors import SettingsError


@dataclass(frozen=True)
class Frying:
    """Fields of every kind that an option has; `cook` is not on the command line."""

    egg_count: int = 2
    side: Literal["up", "over"] = "up"
    salted: bool = False
    heat: float | None = None
    cook: str = "me"

    def __post_init__(self) -> None:
        if self.egg_count > 12:
            raise SettingsError(f"the pan holds 12 eggs, not {self.egg_count}")


FRYING = Options(
    egg_count=flag("How many.", "--eggs -e", min=1),
    side=flag("Which side."),
    salted=flag("With salt."),
    heat=flag("How hot."),
)
called: list[tuple[object, ...]] = []


def fry(
    pan: Annotated[str, typer.Argument(help="The pan.")],
    frying: Annotated[Frying, FRYING],
    json: Annotated[bool, flag("For machines.")] = False,
) -> None:
    """Fry eggs."""
    called.append((pan, frying, json))


def run(*args: str) -> int:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command("fry")(expanded(fry))
    called.clear()
    with pytest.raises(SystemExit) as stop:
        app(list(args))
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_the_object_is_made_of_the_options() -> None:
    assert run("iron", "--eggs", "3", "--side", "over", "--salted", "--heat", "1.5", "--json") == 0
    assert called == [("iron", Frying(3, "over", True, 1.5), True)]


def test_the_defaults_are_those_of_the_dataclass() -> None:
    assert run("iron") == 0
    assert called == [("iron", Frying(), False)]


@pytest.mark.parametrize("args", [("--eggs", "0"), ("--side", "down"), ("--cook", "you"), ("-x",)])
def test_what_no_option_takes_is_a_mistake_in_usage(args: tuple[str, ...]) -> None:
    assert run("iron", *args) == 2
    assert called == []


def test_a_dataclass_checks_its_options() -> None:
    with pytest.raises(SettingsError, match="12 eggs, not 13"):
        expanded(fry)(pan="iron", egg_count=13, side="up", salted=False, heat=None, json=False)


def test_help_shows_names_choices_ranges_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "-e, --eggs <int range> How many. [default: 2; x>=1]" in text
    assert "--side <up|over> Which side. [default: up]" in text
    assert "--salted With salt." in text
    assert "--no-salted" not in text
    assert "--cook" not in text


def test_a_command_can_leave_fields_out() -> None:
    assert list(FRYING.without("side", "heat")) == ["egg_count", "salted"]
    assert list(FRYING.only("heat", "side")) == ["heat", "side"]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_has_help(name: str) -> None:
    for parameter in inspect.signature(expanded(function_of(name))).parameters.values():
        if parameter.annotation is typer.Context:
            continue
        [mark] = parameter.annotation.__metadata__
        assert mark.help, parameter.name
