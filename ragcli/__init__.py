"""ragcli: retrieval-augmented generation (Lewis et al. 2020) as a command and a library.

The public names below are loaded when they are first used; importing ragcli costs nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragcli.answering.score import ScoredAnswer
    from ragcli.api import Rag
    from ragcli.corpus.read import read_documents
    from ragcli.errors import RagError
    from ragcli.indexing.build import build_index
    from ragcli.indexing.update import delete_documents, update_index
    from ragcli.models.encoders import load_encoder
    from ragcli.records import (
        Answer,
        Candidate,
        Classification,
        Document,
        Passage,
        RetrievedPassage,
    )
    from ragcli.settings import Chunking, Decoding, Indexing, Placement, Retrieval, Training
    from ragcli.store.store import Store
    from ragcli.training.joint import train

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Candidate",
    "Chunking",
    "Classification",
    "Decoding",
    "Document",
    "Indexing",
    "Passage",
    "Placement",
    "Rag",
    "RagError",
    "Retrieval",
    "RetrievedPassage",
    "ScoredAnswer",
    "Store",
    "Training",
    "__version__",
    "build_index",
    "delete_documents",
    "load_encoder",
    "read_documents",
    "train",
    "update_index",
]
_HOMES = {
    "Rag": "api",
    "RagError": "errors",
    "ScoredAnswer": "answering.score",
    "Store": "store.store",
    "build_index": "indexing.build",
    "delete_documents": "indexing.update",
    "load_encoder": "models.encoders",
    "read_documents": "corpus.read",
    "train": "training.joint",
    "update_index": "indexing.update",
    **dict.fromkeys("Chunking Decoding Indexing Placement Retrieval Training".split(), "settings"),
}
"""Where a public name is defined; the others are records."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"ragcli.{_HOMES.get(name, 'records')}"), name)
    raise AttributeError(f"module 'ragcli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
