"""`rag log-index`, `tag-index`, `remove-index` and `prune-index`: the versions of an index."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ragcli.cli import completion, options
from ragcli.cli.console import line, put, say, size
from ragcli.cli.indexes import show_versions
from ragcli.cli.references import home_index, index_reference, version_reference
from ragcli.errors import StoreError
from ragcli.json_form.indexes import log_record, prune_record
from ragcli.store.listing import Entry, index_entries
from ragcli.store.removal import own_bytes, prune_versions, remove_version
from ragcli.store.store import DEFAULT_NAME, Store

VersionArgument = Annotated[str, options.version_argument("The version")]


def log_index(
    index: options.IndexOption = DEFAULT_NAME,
    json: options.JsonOption = False,
    store: options.StoreOption = None,
) -> None:
    """Show where each version of an index came from, newest first; or where one version did.

    `size` is what a version holds, `own` what it shares with no other version and removing it
    would free.

    Examples: rag log-index  |  rag log-index --index wiki@2018
    """
    place = Store(store)
    name, _, version = index_reference(place, index).partition("@")
    place.require_index(name)
    wanted = place.version_of(name, version) if version else None
    entries = [e for e in index_entries(place, name) if wanted in (None, e.version)]
    entries.sort(key=_age, reverse=True)
    found = ((entry, _log_record(place, entry)) for entry in entries)
    log = [(entry, record) for entry, record in found if record is not None]

    def show() -> None:
        columns = "version||tags|from|created|documents>|passages>|recall>|size>|own>"
        rows = [(entry, _log_cells(record)) for entry, record in log]
        show_versions(columns, rows, spare=("recall", "passages", "own", "size", "created"))

    put(json, [record for _, record in log], show)


def _age(entry: Entry) -> tuple[str, str]:
    return ("" if isinstance(entry.manifest, Exception) else entry.manifest.created, entry.version)


def _log_record(store: Store, entry: Entry) -> dict[str, Any] | None:
    """What the log says about a version; nothing if it has been removed by now."""
    current = store.current(entry.name)
    try:
        own = own_bytes([store.versions_folder(entry.name) / entry.version])
    except FileNotFoundError:
        return None
    tags = store.tags(entry.name)
    named = [tag for tag, version in tags.items() if version == entry.version]
    previous = current is not None and current.previous == entry.version
    return log_record(entry, previous, named, own)


def _log_cells(record: dict[str, Any]) -> tuple[str, ...]:
    mark = "*" if record["current"] else "previous" if record["previous"] else ""
    known = (record["version"], mark, " ".join(record["tags"]))
    if "error" in record:
        return known
    origin, recall = record["origin"], record["recall"]
    changes = f"+{origin['added']} ~{origin['changed']} −{origin['removed']}"
    return (
        *known,
        f"{origin['how']} of {origin['parent']}" if origin["parent"] else origin["how"],
        record["created"].replace("T", " ")[:16],
        f"{record['counts']['documents']:,}" + (f" ({changes})" if origin["parent"] else ""),
        f"{record['counts']['passages']:,}",
        f"{recall['value']:.3f} @{recall['k']}" if recall else "",
        size(record["bytes"]),
        size(record["own_bytes"]),
    )


def tag_index(
    reference: VersionArgument,
    tag: Annotated[
        str,
        typer.Argument(help="Another name for the version.", autocompletion=completion.tags),
    ],
    delete: Annotated[
        bool, typer.Option("--delete", help="Take the tag away from the version.")
    ] = False,
    store: options.StoreOption = None,
) -> None:
    """Give a version another name, which can stand wherever a version does; prune-index keeps it.

    Examples: rag tag-index 2018 stable  |  rag tag-index stable stable --delete
    """
    place = Store(store)
    name, version = version_reference(place, reference)
    if delete and (tagged := place.tags(name).get(tag, version)) != version:
        raise StoreError(f"the tag {tag} stands for {name}@{tagged}, not for {name}@{version}")
    place.tag(name, tag, None if delete else version)
    said = "is no tag any more" if delete else f"is {name}@{version}"
    line(f"{name}@{tag} {said}")


def remove_index(
    reference: VersionArgument,
    force: Annotated[
        bool,
        typer.Option("--force", help="Even the current version; the previous becomes current."),
    ] = False,
    store: options.StoreOption = None,
) -> None:
    """Remove a version; who reads it now goes on reading it.

    Example: rag remove-index 2016
    """
    place = Store(store)
    name, version = version_reference(place, reference)
    freed = remove_version(place, name, version, force)
    line(f"{name}@{version} removed, {size(freed)} free")
    if force:
        current = place.current(name)
        say(f"{name}@{current.version} is current" if current else f"{name} has no current version")


def prune_index(
    keep: Annotated[int, typer.Option("--keep", help="How many of the newest versions to keep.")],
    index: options.IndexNameOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say which versions would go.")
    ] = False,
    json: options.JsonOption = False,
    store: options.StoreOption = None,
) -> None:
    """Remove old versions; the current one and tagged ones always stay.

    Example: rag prune-index --keep 3
    """
    name = index or home_index()
    removed = prune_versions(Store(store), name, keep, dry_run)

    def show() -> None:
        for version in removed:
            line(f"{name}@{version} {'would be removed' if dry_run else 'removed'}")
        if not removed:
            say("nothing to remove")

    put(json, [prune_record(name, removed, dry_run)], show)
