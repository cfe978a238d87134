"""`rag doctor`: is everything in order, and what to run if it is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.options import JsonOption, StoreOption
from ragcli.errors import ExitCode, RagError
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.records import Finding

_STYLES = {"ok": "green", "note": "yellow", "problem": "red"}


def doctor(
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Remove what dead builds left, restore damaged files that another version of "
            "the index holds, and make damaged FAISS files again.",
        ),
    ] = False,
    only_store: Annotated[
        bool, typer.Option("--only-store", help="Leave encoders, models and libraries aside.")
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Check the store byte by byte, the models and the libraries; exit with 1 if problems are left.

    Examples: rag doctor  |  rag doctor --repair
    """
    from ragcli.cli.console import say, to_the_end

    left = 0
    for finding in _findings(Store(store), only_store):
        done = None
        if repair and finding.repair is not None:
            try:
                done = finding.repair()
            except RagError as error:
                say(f"could not be repaired: {error}", always=True)
        left += finding.level == "problem" and done is None
        with to_the_end():
            _show(finding, done, json)
    if left:
        say(f"{left} problem{'s' if left > 1 else ''} left", always=True)
        raise typer.Exit(ExitCode.ERROR)


def _findings(store: Store, only_store: bool) -> Iterator[Finding]:
    from ragcli.indexing.doctor import check_libraries, check_store, encoders_of

    if only_store:
        yield from check_store(store)
        return
    from ragcli.models.integrity import check_models, encoder_on_machine

    yield check_libraries()
    yield from check_models(encoders_of(store))
    yield from check_store(store, encoder_on_machine)


def _show(finding: Finding, done: str | None, json: bool) -> None:
    from rich.text import Text

    from ragcli.cli.console import out, print_json
    from ragcli.json_form.indexes import finding_record

    if json:
        print_json(finding_record(finding, done))
        return
    line = Text(f"{finding.level:8}", style=_STYLES[finding.level])
    line.append(f"{finding.about:10}{finding.message}", style="default")
    if done:
        line.append(f"\n        → {done}", style="green")
    elif finding.advice:
        line.append(f"\n        → {finding.advice}", style="dim")
    out().print(line, soft_wrap=True)
