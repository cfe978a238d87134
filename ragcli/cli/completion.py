"""What the shell offers for a word that is not finished.

Nothing but names of folders is read: those of the store for indexes, versions and tags, and those
of the hub's cache for models. What goes wrong is nothing to say while somebody types.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from pathlib import Path

import typer

from ragcli.cli.commands import COMMANDS
from ragcli.cli.settings_file import home_index
from ragcli.errors import RagError
from ragcli.store.files import folders
from ragcli.store.store import Store

DEVICES = ["auto", "cpu", "cuda", "mps"]
MODEL, ENCODER = "embedded", "all-MiniLM-L6-v2"
_BEFORE = "_RAG_COMPLETE_BEFORE"


def index_names(ctx: typer.Context) -> list[str]:
    """NAME."""
    return _offered(ctx, Store.names)


def references(ctx: typer.Context) -> list[str]:
    """NAME, NAME@VERSION and @VERSION."""
    return _offered(ctx, lambda store: [*store.names(), *_pinned(store)])


def versions(ctx: typer.Context) -> list[str]:
    """VERSION of the index that was named, NAME@VERSION and @VERSION."""
    index = ctx.params.get("index")
    return _offered(ctx, lambda s: [*_versions(s, index or home_index()), *_pinned(s)])


def tags(ctx: typer.Context) -> list[str]:
    """TAG of any index."""
    return _offered(ctx, lambda store: {tag for name in store.names() for tag in store.tags(name)})


def join_words(environ: MutableMapping[str, str]) -> None:
    """Undo what bash does to `NAME@VERSION`: it hands over three words, and replaces `@VERSION`.

    The words are put together again, but of the one under the cursor what stands before the `@` is
    set aside for `_offered`.
    """
    words = environ["COMP_WORDS"].split("\n")
    cursor = int(environ["COMP_CWORD"])
    joined: list[str] = []
    for word in words[: cursor + 1]:
        apart = not joined or joined[-1] in COMMANDS or joined[-1].startswith("-")
        if joined and (joined[-1].endswith("@") or (word == "@" and not apart)):
            word = f"{joined.pop()}{word}"
        joined.append(word)
    before, at, rest = joined.pop().rpartition("@")
    joined.append(f"{at}{rest}")
    environ["COMP_WORDS"] = "\n".join(joined)
    environ["COMP_CWORD"] = str(len(joined) - 1)
    environ[_BEFORE] = before


def _offered(ctx: typer.Context, offer: Callable[[Store], Iterable[str]]) -> list[str]:
    """What can follow the part of the word that the shell does not replace."""
    before = os.environ.get(_BEFORE, "")
    try:
        found = sorted(offer(ctx.params.get("store") or Store()))
    except RagError:
        return []
    return [text[len(before) :] for text in found if text.startswith(before)]


def _versions(store: Store, index: str) -> list[str]:
    return [*store.versions(index), *store.tags(index)]


def _pinned(store: Store) -> Iterator[str]:
    for name in store.names():
        for version in _versions(store, name):
            yield f"{name}@{version}"
            if name == home_index():
                yield f"@{version}"


def cached() -> list[str]:
    """The models in the hub's cache, by the names of their folders: `models--OWNER--NAME`."""
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    cache = os.environ.get("HF_HUB_CACHE") or Path(home) / "hub"
    try:
        found = [name.split("--") for name in folders(Path(cache))]
    except RagError:
        return []
    return ["/".join(parts[1:]) for parts in found if parts[0] == "models"]
