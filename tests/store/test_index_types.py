"""Types of index by name, ours and those of other packages, and what FAISS is told."""

from importlib.metadata import EntryPoint

import pytest

from ragcli.registry import Registry
from ragcli.store import index_types
from ragcli.store.index_types import INDEX_TYPES, type_names
from ragcli.store.store import Store
from ragcli.store.vectors import faiss_factory
from tests.fakes import HashEncoder
from tests.store.helpers import build, corpus

DIMENSION = 24


def test_names():
    assert INDEX_TYPES.names() == ["flat", "sq8", "hnsw", "ivf", "pq"]
    assert type_names() == ["auto", "flat", "sq8", "hnsw", "ivf", "pq"]


@pytest.mark.parametrize(
    ("type", "count", "factory"),
    [
        ("auto", 50_000, "Flat"),
        ("auto", 50_001, "HNSW32,Flat"),
        ("FLAT", 10, "Flat"),
        ("hnsw", 10, "HNSW32,Flat"),
        ("sq8", 10, "SQ8"),
        ("ivf", 10, "IVF1,Flat"),
        ("ivf", 1_000_000, "IVF2000,Flat"),
        ("pq", 9_999, "PQ6x8"),
        ("pq", 1_000_000, "IVF2000,PQ6x8"),
        ("pq", 20, "PQ6x4"),
        ("pq", 1, "Flat"),
        (" IVF16,SQ8 ", 5000, "IVF16,SQ8"),
    ],
)
def test_factory_strings(type, count, factory):
    assert faiss_factory(type, count, DIMENSION) == factory


def small_graph(count: int, dimension: int) -> str:
    """A kind as another package would write it."""
    return f"HNSW{min(16, max(2, count // 2))},Flat"


def test_another_package_adds_a_type(tmp_path, monkeypatch):
    entry = EntryPoint("small", f"{__name__}:small_graph", "ragcli.index_types")
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [entry] if group == entry.group else [],
    )
    table = dict.fromkeys(["flat"], "ragcli.store.index_types:flat")
    monkeypatch.setattr(index_types, "INDEX_TYPES", Registry("index_types", "index type", table))
    assert type_names() == ["auto", "flat", "small"]
    assert faiss_factory("small", 100, DIMENSION) == "HNSW16,Flat"
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "1", type="Small")
    with store.open() as index:
        assert (index.manifest.type, index.manifest.factory) == ("Small", "HNSW3,Flat")
        _, rows = index.search(HashEncoder(16).encode_queries(["Peru Lima"]), 1)
        assert index.passages[rows[0, 0]].document_id == "Peru"
