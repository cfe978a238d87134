"""One grammar for versions: `2018`, `@2018`, `NAME@2018`, and tags wherever a version may stand.

A version without a name is one of the home index: the one of ragcli.toml or $RAG_INDEX, else
`default`.
"""

from __future__ import annotations

import os

from ragcli.cli.settings_file import common_settings, nearest
from ragcli.errors import IndexNotFoundError
from ragcli.store.store import DEFAULT_NAME, Store


def home_index() -> str:
    """The index that is meant where none is named."""
    found = common_settings().get("index")
    text = os.environ.get("RAG_INDEX") or (found.value if found else DEFAULT_NAME)
    return str(text).partition("@")[0] or DEFAULT_NAME


def index_reference(store: Store, text: str) -> str:
    """What `--index` names, an index or a version, as NAME or NAME@VERSION.

    An index of that name wins over a version or a tag of the home index.
    """
    name, at, version = text.partition("@")
    home = home_index()
    if at:
        return f"{name or home}@{version}"
    names = store.names()
    versions = [*store.versions(home), *store.tags(home)]
    if text in names or text not in versions:
        try:
            store.resolve(text)
        except IndexNotFoundError as error:
            if text in names or not versions:
                raise
            hint = nearest(text, [*names, *versions]) or error.hint
            raise IndexNotFoundError(f"{error.message}, nor a version of {home}", hint) from None
        return text
    return f"{home}@{text}"


def version_reference(store: Store, text: str, index: str | None = None) -> tuple[str, str]:
    """The name and the version that a text names, where `--index` may stand beside it."""
    named = "@" in text and not text.startswith("@")
    return store.version_reference(text, index or (None if named else home_index()))
