"""`rag list-models`: what can be used here and now."""

from __future__ import annotations

from ragcli.cli.options import JsonOption

_WHERE = {"embedded": "embedded", "disk": "on disk", "network": "needs the network"}


def list_models(json: JsonOption = False) -> None:
    """List the models that are embedded, on disk, or would need the network.

    Example: rag list-models
    """
    from ragcli.cli.console import out, print_json
    from ragcli.json_form.models import model_record
    from ragcli.models.inventory import inventory

    entries = list(inventory())
    if json:
        for entry in entries:
            print_json(model_record(entry))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("model", "serves as", "where"):
        table.add_column(name)
    table.add_column("size", justify="right")
    for entry in entries:
        size = "" if entry.bytes is None else f"{entry.bytes / 1e6:,.0f} MB"
        table.add_row(entry.name, entry.role, _WHERE[entry.where], size)
    out().print(table)
