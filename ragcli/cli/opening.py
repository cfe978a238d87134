"""The one way from options to a `Rag`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcli.cli.console import say_clamped, working
from ragcli.cli.options import Opening
from ragcli.cli.references import index_reference
from ragcli.settings import Decoding, Retrieval
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.api import Rag


def open_rag(
    opening: Opening,
    retrieval: Retrieval | None = None,
    decoding: Decoding | None = None,
    *,
    generate: bool = True,
) -> Rag:
    """Open the index with the model, load what is needed, and say when k had to be clamped.

    `generate=False` loads no generator.
    """
    from ragcli.api import Rag

    store = Store(opening.store)
    with working("loading the model" if generate else "loading the encoder"):
        rag = Rag.open(
            index_reference(store, opening.index),
            store=store,
            model=opening.model,
            encoder=opening.encoder,
            retrieval=retrieval,
            decoding=decoding,
            frozen=opening.frozen,
            verify=opening.verify,
            trust_query_encoder=opening.trust_query_encoder,
            placement=opening.placement,
        )
        try:
            if rag.retriever.encodes:
                _ = rag.encoder
            if generate:
                _ = rag.generator
        except BaseException:
            rag.close()
            raise
    say_clamped(rag)
    return rag


@contextmanager
def open_two(
    opening: Opening, references: tuple[str, str], retrieval: Retrieval, decoding: Decoding
) -> Iterator[tuple[Rag, Rag]]:
    """One model over two versions."""
    first = open_rag(replace(opening, index=references[0]), retrieval, decoding)
    with first, first.with_index(references[1]) as second:
        say_clamped(second)
        yield first, second
