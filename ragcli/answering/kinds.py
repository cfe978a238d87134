"""The retrievers by name, for whoever only wants to name them: nothing heavy is loaded.

To add one, write a class with the methods of `Retriever` that is made from a session, and add a
line to the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ragcli.records import RetrievedPassage
from ragcli.registry import Registry

if TYPE_CHECKING:
    from ragcli.answering.session import Session


class Retriever(Protocol):
    """The top-k passages of each question, best first, with log p(z|x)."""

    encodes: bool
    """Whether it needs q(x)."""

    def available(self, top_k: int) -> int:
        """How many passages a question gets when `top_k` are asked for."""
        ...

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        """The same number of passages for every question."""
        ...


RETRIEVERS: Registry[Callable[[Session], Retriever]] = Registry(
    "retrievers",
    "retriever",
    {
        "dense": "ragcli.answering.retrievers:Dense",
        "bm25": "ragcli.answering.retrievers:Bm25",
        "hybrid": "ragcli.answering.retrievers:Hybrid",
        "none": "ragcli.answering.retrievers:ClosedBook",
    },
)
