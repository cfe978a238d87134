"""Choices among kinds, each a table with one line a kind, open to other packages.

A registry maps a name to its object, or to where that lives, `module:attribute`, which is imported
when it is loaded. Other packages add kinds by entry points of the group `ragcli.GROUP`:

    [project.entry-points."ragcli.readers"]
    log = "my_package.log_reader:reader"

Ours win where a name is taken, so that installing a package changes nothing that worked before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar, cast

from ragcli.errors import SettingsError

Kind = TypeVar("Kind")


class Registry(Generic[Kind]):
    """The kinds of one group by name; `what` is what an error calls one of them."""

    def __init__(self, group: str, what: str, table: Mapping[str, str | Kind]) -> None:
        self.group, self.what, self._table = group, what, dict(table)

    @cached_property
    def _foreign(self) -> dict[str, Any]:
        from importlib.metadata import entry_points

        found = entry_points(group=f"ragcli.{self.group}")
        return {entry.name: entry for entry in found if entry.name not in self._table}

    def names(self) -> list[str]:
        """Every name: ours in the order of the table, then those of other packages."""
        return [*self._table, *sorted(self._foreign)]

    def ours(self, name: str) -> bool:
        """Whether it stands in our own table."""
        return name in self._table

    def __contains__(self, name: str) -> bool:
        return name in self._table or name in self._foreign

    def load(self, name: str) -> Kind:
        """The object of a name, imported when it is first asked for."""
        if name not in self:
            raise SettingsError(f"no {self.what} {name!r}", f"one of {', '.join(self.names())}")
        if name in self._table:
            ours = self._table[name]
            return cast(Kind, resolve_name(ours)) if isinstance(ours, str) else ours
        try:
            return cast(Kind, self._foreign[name].load())
        except Exception as error:  # a foreign package may fail in any way
            where = self._foreign[name].value
            message = f"the {self.what} {name!r} cannot be loaded: {error} ({where})"
            raise SettingsError(message) from error
