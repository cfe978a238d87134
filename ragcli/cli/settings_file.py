"""ragcli.toml: options that need not be given each time.

A key is an option's long name. Above the tables stand settings for every command that shares the
option; a table `[ask]` is for one command, and may hold any of its options. typer takes what is
found as the options' defaults, below the command line and the environment (see `Options.common`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ragcli.cli.usage import of_value
from ragcli.errors import SettingsError
from ragcli.store.store import DEFAULT_NAME

NAME = "ragcli.toml"


class Setting(NamedTuple):
    """What a file says of an option, for all commands or in the table of one."""

    value: Any
    file: Path
    table: str | None


def options_of(command: Any) -> dict[str, Any]:
    """Key → option of a command; arguments and what every command has are no settings."""
    return {
        next(flag for flag in param.opts if flag.startswith("--"))[2:]: param
        for param in command.params
        if param.param_type_name == "option" and not param.hidden
    }


def settings_of(name: str, command: Any, common: Iterable[str]) -> dict[str, Setting]:
    """Parameter → what the files say of it; keys in `common` may stand above the tables."""
    from ragcli.cli.commands import COMMANDS

    options = options_of(command)
    found: dict[str, Setting] = {}
    for file, record in _files():
        tables = {key: value for key, value in record.items() if isinstance(value, dict)}
        shared = {key: value for key, value in record.items() if key not in tables}
        _require_known(file, shared, common, "a common setting")
        _require_known(file, tables, COMMANDS, "a command")
        own = tables.get(name, {})
        _require_known(file, own, options, f"an option of rag {name}")
        for table, values in ((name, own), (None, shared)):
            for key in values.keys() & options.keys():
                option = options[key]
                if table or option.envvar:
                    value = _checked(f"{file}: {key}", values[key], option, command)
                    found.setdefault(option.name, Setting(value, file, table))
    for option in options.values():  # typer would not say which variable it dislikes
        if option.envvar and (text := os.environ.get(option.envvar)):
            _taken(f"${option.envvar}", text, option, command)
    return found


def common_settings() -> dict[str, Setting]:
    """What the files say for all commands; `rag config` has every option that they share."""
    from ragcli.cli.commands import load

    command = load("config")
    return settings_of("config", command, options_of(command))


def home_index() -> str:
    """The index that is meant where none is named."""
    found = common_settings().get("index")
    text = os.environ.get("RAG_INDEX") or (found.value if found else DEFAULT_NAME)
    return str(text).partition("@")[0] or DEFAULT_NAME


def given(ctx: typer.Context, parameter: str) -> bool:
    """Whether the user gave the option on the command line, rather than once and for all."""
    source = ctx.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """A hint for a slip of the fingers."""
    close = get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]}?" if close else None


def _files() -> list[tuple[Path, dict[str, Any]]]:
    import tomllib

    from platformdirs import user_config_path

    found = []
    for path in (Path(NAME), user_config_path("ragcli") / NAME):
        try:
            found.append((path, tomllib.loads(path.read_text(encoding="utf-8"))))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{path}: not TOML: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: cannot be read: {error}") from None
    return found


def _require_known(file: Path, keys: Iterable[str], known: Iterable[str], what: str) -> None:
    for key in keys:
        if key not in known:
            there = "rag config shows the common settings; others belong in a table, as [train]"
            raise SettingsError(f"{file}: {key} is not {what}", nearest(key, known) or there)


def _checked(place: str, value: Any, option: Any, command: Any) -> Any:
    """The value, if the option could take it, and if it is written as TOML writes such values."""
    kinds: dict[type | None, str] = {bool: "true or false", list: "a list"}
    wanted = bool if option.is_flag else list if option.multiple else None
    if (type(value) if type(value) in kinds else None) is not wanted:
        raise SettingsError(f"{place} takes {kinds.get(wanted, 'one value')}, not {value!r}")
    if isinstance(value, str):
        value = os.path.expanduser(value)
    taken = _taken(place, value, option, command)
    if isinstance(taken, int | float) != isinstance(value, int | float):
        kind = "a number" if isinstance(taken, int | float) else "a text in quotes"
        raise SettingsError(f"{place} takes {kind}, not {value!r}")
    return value


def _taken(place: str, value: Any, option: Any, command: Any) -> Any:
    """What the option makes of the value."""
    try:
        return option.process_value(typer.Context(command), value)
    except typer.BadParameter as error:
        raise SettingsError(of_value(place, error, option)) from None
