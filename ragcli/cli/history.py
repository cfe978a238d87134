"""`rag log-index`, `tag-index`, `remove-index` and `prune-index`: the versions of an index."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ragcli.cli.options import IndexNameOption, JsonOption, StoreOption
from ragcli.errors import StoreError
from ragcli.store.history import Entry, index_entries
from ragcli.store.store import DEFAULT_NAME, Store

ReferenceArgument = Annotated[
    str, typer.Argument(help="NAME@VERSION, or @VERSION of the default index.")
]


def log_index(
    index: IndexNameOption = DEFAULT_NAME, json: JsonOption = False, store: StoreOption = None
) -> None:
    """Show where each version of an index came from, newest first.

    `size` is what a version holds, `own` what it shares with no other version and removing it
    would free.

    Example: rag log-index
    """
    from ragcli.cli.console import print_json

    place = Store(store)
    place.require_index(index)
    entries = sorted(index_entries(place, index), key=_age, reverse=True)
    found = (_log_record(place, entry) for entry in entries)
    records = [record for record in found if record is not None]
    if json:
        for record in records:
            print_json(record)
    else:
        _show_log(records)


def _age(entry: Entry) -> tuple[str, str]:
    return ("" if isinstance(entry.manifest, Exception) else entry.manifest.created, entry.version)


def _log_record(store: Store, entry: Entry) -> dict[str, Any] | None:
    """What the log says about a version; nothing if it has been removed by now."""
    from ragcli.json_form.indexes import log_record
    from ragcli.store.history import own_bytes

    current = store.current(entry.name)
    tags = store.tags(entry.name)
    try:
        own = own_bytes([store.versions_folder(entry.name) / entry.version])
    except FileNotFoundError:
        return None
    named = [tag for tag, version in tags.items() if version == entry.version]
    previous = current is not None and current.previous == entry.version
    return log_record(entry, previous, named, own)


def _show_log(records: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from ragcli.cli.console import out, print_table

    rows = []
    for record in records:
        mark = "*" if record["current"] else "previous" if record["previous"] else ""
        cells = (record["version"], mark, " ".join(record["tags"]), *_log_cells(record))
        rows.append([Text(cell, style="bold" if record["current"] else "") for cell in cells])
    columns = "version||tags|from|created|documents>|passages>|recall>|size>|own>".split("|")
    print_table(columns, rows, spare=("recall", "passages", "own", "size", "created"))
    for record in records:
        if "error" in record:
            damage = f"{record['version']} is damaged: {record['error']}"
            out().print(Text(damage, style="red"), soft_wrap=True)


def _log_cells(record: dict[str, Any]) -> tuple[str, ...]:
    if "error" in record:
        return ("",) * 7
    origin, recall = record["origin"], record["recall"]
    changes = f"+{origin['added']} ~{origin['changed']} −{origin['removed']}"
    return (
        f"{origin['how']} of {origin['parent']}" if origin["parent"] else origin["how"],
        record["created"].replace("T", " ")[:16],
        f"{record['counts']['documents']:,}" + (f" ({changes})" if origin["parent"] else ""),
        f"{record['counts']['passages']:,}",
        f"{recall['value']:.3f} @{recall['k']}" if recall else "",
        f"{record['bytes'] / 1e6:,.1f} MB",
        f"{record['own_bytes'] / 1e6:,.1f} MB",
    )


def tag_index(
    reference: ReferenceArgument,
    tag: Annotated[str, typer.Argument(help="Another name for the version.")],
    delete: Annotated[
        bool, typer.Option("--delete", help="Take the tag away from the version.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Give a version another name, which can stand wherever a version does; prune-index keeps it.

    Examples: rag tag-index @2018 stable  |  rag tag-index @stable stable --delete
    """
    from ragcli.cli.console import out

    place = Store(store)
    name, version = place.resolve(reference)
    if delete and (tagged := place.tags(name).get(tag, version)) != version:
        raise StoreError(f"the tag {tag} stands for {name}@{tagged}, not for {name}@{version}")
    place.tag(name, tag, None if delete else version)
    said = "is no tag any more" if delete else f"is {name}@{version}"
    out().print(f"{name}@{tag} {said}", markup=False)


def remove_index(
    reference: ReferenceArgument,
    force: Annotated[
        bool,
        typer.Option("--force", help="Even the current version; the previous becomes current."),
    ] = False,
    store: StoreOption = None,
) -> None:
    """Remove a version; who reads it now goes on reading it.

    Example: rag remove-index default@2016
    """
    from ragcli.cli.console import out, say
    from ragcli.store.history import remove_version

    if not reference.partition("@")[2]:
        raise typer.BadParameter("name a version: NAME@VERSION or @VERSION")
    place = Store(store)
    name, version = place.resolve(reference)
    freed = remove_version(place, name, version, force)
    out().print(f"{name}@{version} removed, {freed / 1e6:,.1f} MB free", markup=False)
    if force:
        current = place.current(name)
        say(f"{name}@{current.version} is current" if current else f"{name} has no current version")


def prune_index(
    keep: Annotated[int, typer.Option("--keep", help="How many of the newest versions to keep.")],
    index: IndexNameOption = DEFAULT_NAME,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say which versions would go.")
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Remove old versions; the current one and tagged ones always stay.

    Example: rag prune-index --keep 3
    """
    from ragcli.cli.console import out, print_json, say
    from ragcli.json_form.indexes import prune_record
    from ragcli.store.history import prune_versions

    removed = prune_versions(Store(store), index, keep, dry_run)
    if json:
        print_json(prune_record(index, removed, dry_run))
        return
    for version in removed:
        word = "would be removed" if dry_run else "removed"
        out().print(f"{index}@{version} {word}", markup=False)
    if not removed:
        say("nothing to remove")
