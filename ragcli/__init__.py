"""ragcli: retrieval-augmented generation (Lewis et al. 2020) as a command and a library.

The public names below are loaded when they are first used; importing ragcli costs nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragcli.api import Rag
    from ragcli.corpus.read import read_documents
    from ragcli.errors import RagError
    from ragcli.indexing.build import build_index, delete_documents, update_index
    from ragcli.models.encoders import load_encoder
    from ragcli.records import Answer, Candidate, Document, Passage, RetrievedPassage
    from ragcli.settings import Chunking, Decoding, Indexing, Retrieval, Training
    from ragcli.store.store import Store
    from ragcli.training.joint import train

__version__ = "0.1.0"

_HOMES = {
    "Answer": "ragcli.records",
    "Candidate": "ragcli.records",
    "Chunking": "ragcli.settings",
    "Decoding": "ragcli.settings",
    "Document": "ragcli.records",
    "Indexing": "ragcli.settings",
    "Passage": "ragcli.records",
    "Rag": "ragcli.api",
    "RagError": "ragcli.errors",
    "Retrieval": "ragcli.settings",
    "RetrievedPassage": "ragcli.records",
    "Store": "ragcli.store.store",
    "Training": "ragcli.settings",
    "build_index": "ragcli.indexing.build",
    "delete_documents": "ragcli.indexing.build",
    "load_encoder": "ragcli.models.encoders",
    "read_documents": "ragcli.corpus.read",
    "train": "ragcli.training.joint",
    "update_index": "ragcli.indexing.build",
}

__all__ = [
    "Answer",
    "Candidate",
    "Chunking",
    "Decoding",
    "Document",
    "Indexing",
    "Passage",
    "Rag",
    "RagError",
    "Retrieval",
    "RetrievedPassage",
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


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ragcli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
