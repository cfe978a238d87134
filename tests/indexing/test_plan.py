"""What a plan says against what a build gives."""

from __future__ import annotations

import faiss
import numpy as np
import pytest

from ragcli.core.chunking import passages
from ragcli.indexing.build import build_index
from ragcli.indexing.plan import SAMPLE, made_up, plan_index, sample_passages
from ragcli.records import Document
from ragcli.settings import Chunking, Indexing
from ragcli.store.index_types import INDEX_TYPES
from ragcli.store.store import Store
from ragcli.store.vectors import faiss_bytes
from tests.fakes import HashEncoder


@pytest.mark.parametrize(
    "factory",
    [
        *("Flat", "SQ8", "HNSW32,Flat", "HNSW16,SQ8", "IVF40,Flat"),
        *(pytest.param(pq, marks=pytest.mark.slow) for pq in ("IVF40,PQ8x8", "PQ8x8")),
    ],
)
def test_the_size_of_a_faiss_file(factory):
    vectors = np.random.default_rng(0).standard_normal((5000, 32)).astype(np.float32)
    index = faiss.index_factory(32, factory, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    assert faiss_bytes(factory, 5000, 32) == pytest.approx(
        len(faiss.serialize_index(index)), rel=0.01
    )


def test_the_sample_is_fair_and_the_count_exact():
    document = Document("d", "", " ".join(f"w{n}" for n in range(5000)), "d")
    picked: set[str] = set()
    for seed in range(40):
        sampled = sample_passages(passages(document, Chunking(5)), seed)
        assert (sampled.count, len(sampled.passages)) == (1000, SAMPLE)
        assert len({p.id for p in sampled.passages}) == SAMPLE
        picked |= {p.id for p in sampled.passages}
    assert len(picked) > 980  # each is left out of one sample in eight: 0.872^40 of them of all


def test_a_plan_for_a_corpus(tmp_path):
    """Bytes on disk within a tenth of what a build then takes, and more passages take more."""
    path = tmp_path / "corpus.txt"
    chance = np.random.default_rng(0)
    path.write_text(" ".join(f"word{n}" for n in chance.integers(0, 3000, 60_000)))
    document = Document("corpus.txt", "Corpus", path.read_text(), str(path))
    sampled = sample_passages(passages(document, Chunking(30)))
    encoder = HashEncoder(64)
    plan = plan_index(encoder, sampled)
    assert (plan.passages, [row.type for row in plan.types]) == (2000, INDEX_TYPES.names())
    assert plan.embedding_seconds == pytest.approx(2000 / plan.passages_per_second)
    store = Store(tmp_path / "store")
    for row in plan.types:
        manifest = build_index(
            store,
            encoder,
            [str(path)],
            version=row.type,
            chunking=Chunking(30),
            indexing=Indexing(row.type),
        ).manifest
        assert manifest.factory == row.factory
        assert row.disk == pytest.approx(manifest.bytes, rel=0.1), row.type
    rows = {row.type: row for row in plan.types}
    assert rows["sq8"].ram < rows["flat"].ram < rows["hnsw"].ram


def test_the_papers_wikipedia():
    """21,015,324 passages of 768 dimensions: DPR's flat index is 64.6 GB of vectors."""
    plan = plan_index(HashEncoder(768), made_up(21_015_324), ["flat", "sq8"])
    flat, sq8 = plan.types
    assert flat.ram == pytest.approx(64.56e9 + 0.34e9 + 0.15e9, rel=0.01)
    assert sq8.ram == pytest.approx(16.14e9 + 0.34e9 + 0.15e9, rel=0.01)
    assert plan.embedding_seconds == pytest.approx(21_015_324 / plan.passages_per_second)
