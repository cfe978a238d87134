"""`rag list-models`: what can be used here and now."""

from __future__ import annotations

from ragcli.cli.console import print_table, put
from ragcli.cli.options import JsonOption
from ragcli.json_form.models import model_record

_WHERE = {"embedded": "embedded", "disk": "on disk", "network": "needs the network"}


def list_models(json: JsonOption = False) -> None:
    """List the models that are embedded, on disk, or would need the network.

    Example: rag list-models
    """
    from ragcli.models.inventory import inventory

    entries = list(inventory())
    sizes = ("" if e.bytes is None else f"{e.bytes / 1e6:,.0f} MB" for e in entries)
    rows = [(e.name, e.role, _WHERE[e.where], size) for e, size in zip(entries, sizes, strict=True)]
    columns = ("model", "serves as", "where", "size>")
    put(json, map(model_record, entries), lambda: print_table(columns, rows))
