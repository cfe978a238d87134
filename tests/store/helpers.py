"""Small indexes for the tests of the store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ragcli.indexing.build import BuildReport, build_index
from ragcli.settings import Indexing
from ragcli.store.store import Store
from tests.fakes import HashEncoder

FILES = (
    "embeddings-0.npy",
    "embeddings.rows.npy",
    "index.faiss",
    "passages-0.arrow",
    "passages.rows.npy",
    "places.arrow",
)
"""The files of a small version, its manifest aside."""

CAPITALS = {
    "Peru": "Lima",
    "Chile": "Santiago",
    "Bolivia": "Sucre",
    "Ecuador": "Quito",
    "Venezuela": "Caracas",
    "Uruguay": "Montevideo",
}


def corpus(folder: Path, names: Sequence[str] = tuple(CAPITALS), note: str = "") -> str:
    """A JSON-lines file with one document, and one passage, for each country; returns its path."""
    path = folder / f"corpus{note or ''}.jsonl"
    lines = [
        {
            "id": name,
            "title": name,
            "text": f"The capital city of {name} is {CAPITALS[name]}. {note}",
        }
        for name in names
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def build(
    store: Store,
    path: str,
    version: str | None = None,
    *,
    name: str = "default",
    activate: bool = True,
    type: str = "flat",
    dimension: int = 16,
) -> BuildReport:
    return build_index(
        store,
        HashEncoder(dimension),
        [path],
        name=name,
        version=version,
        activate=activate,
        indexing=Indexing(type),
    )
