"""FAISS against plain numpy: the same rows, by inner product, for every type."""

import itertools
import os

import faiss
import numpy as np
import pytest

from ragcli.errors import CorruptIndexError, SettingsError
from ragcli.store.shards import Embeddings, Shard, write_shard
from ragcli.store.vectors import (
    build_faiss,
    candidates_for,
    exact,
    faiss_factory,
    open_faiss,
    rank,
    search,
    uses_inner_product,
)

COUNT, DIMENSION, K = 3000, 24, 10


@pytest.fixture(scope="module")
def embeddings() -> np.ndarray:
    """Vectors of different lengths, so that inner product, cosine and L2 give other orders."""
    generator = np.random.default_rng(1)
    vectors = generator.standard_normal((COUNT, DIMENSION)).astype(np.float32)
    return vectors * generator.uniform(0.5, 2.0, (COUNT, 1)).astype(np.float32)


@pytest.fixture(scope="module")
def queries() -> np.ndarray:
    return np.random.default_rng(2).standard_normal((40, DIMENSION)).astype(np.float32)


def brute_force(embeddings: np.ndarray, queries: np.ndarray, k: int) -> tuple:
    scores = queries @ embeddings.T
    rows = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(scores, rows, axis=1), rows


def built(tmp_path, embeddings: np.ndarray, type: str, seed: int = 0):
    factory = faiss_factory(type, *embeddings.shape)
    build_faiss(embeddings, factory, seed, tmp_path / "index.faiss")
    return open_faiss(tmp_path / "index.faiss")


def test_embeddings_are_written_in_blocks_and_read(tmp_path, embeddings):
    path = tmp_path / "embeddings.npy"
    blocks = (embeddings[start : start + 700] for start in range(0, COUNT, 700))
    write_shard(path, (COUNT, DIMENSION), blocks)
    shard = Shard(path)
    assert shard.shape == (COUNT, DIMENSION)
    np.testing.assert_array_equal(shard.read(0, COUNT), embeddings)
    np.testing.assert_array_equal(shard.read(5, 2), embeddings[5:7])
    np.testing.assert_array_equal(np.load(path), embeddings)


def test_embeddings_read_like_an_array(tmp_path, embeddings):
    """Shards of uneven sizes under shuffled rows, against numpy on the whole."""
    bounds = [0, 1, 700, 701, 2500, COUNT]
    shards = []
    for start, end in itertools.pairwise(bounds):
        shards.append(tmp_path / f"{start}.npy")
        write_shard(shards[-1], (end - start, DIMENSION), [embeddings[start:end]])
    order = np.random.default_rng(0).permutation(COUNT)
    for rows in (None, order, np.sort(order[:50]), np.repeat(order[:7], 3)):
        whole = embeddings if rows is None else embeddings[rows]
        view = Embeddings(shards, rows)
        assert view.shape == whole.shape
        np.testing.assert_array_equal(view[:], whole)
        some = np.random.default_rng(1).integers(0, len(whole), (4, 9))
        for key in (0, -1, slice(3, 700), slice(None), slice(2, 9, 3), some, [1, 1, 0], some[:0]):
            np.testing.assert_array_equal(view[key], whole[key])


@pytest.mark.parametrize("pread", [True, False])
def test_a_shard_cut_while_it_is_open_is_an_error(tmp_path, embeddings, monkeypatch, pread):
    if not pread:
        monkeypatch.delattr("os.pread", raising=False)
    path = tmp_path / "e.npy"
    write_shard(path, embeddings.shape, [embeddings])
    shard = Shard(path)
    os.truncate(path, path.stat().st_size - 4)
    np.testing.assert_array_equal(shard.read(COUNT - 3, 2), embeddings[-3:-1])
    with pytest.raises(CorruptIndexError, match=r"e\.npy: embeddings .* they are cut short"):
        shard.read(COUNT - 2, 2)


def test_too_few_or_too_many_embeddings_are_refused(tmp_path):
    path = tmp_path / "e.npy"
    with pytest.raises(ValueError, match="1 of 2 embeddings were written"):
        write_shard(path, (2, 3), [np.zeros((1, 3), np.float32)])
    for shape in ((3, 3), (1, 4)):
        with pytest.raises(ValueError, match="a block of shape"):
            write_shard(path, (2, 3), [np.zeros(shape, np.float32)])
    assert list(tmp_path.iterdir()) == []


def test_embeddings_that_are_none(tmp_path):
    path = tmp_path / "e.npy"
    for content in (b"", b"nonsense"):
        path.write_bytes(content)
        with pytest.raises(CorruptIndexError, match="embeddings that cannot be read"):
            Shard(path)
    whole = np.zeros((4, 3), np.float32)
    np.save(path, whole)
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(CorruptIndexError, match="cut short"):
        Shard(path)
    for array in (np.zeros(3, np.float32), np.zeros((2, 3))):
        np.save(path, array)
        with pytest.raises(CorruptIndexError, match="not embeddings"):
            Shard(path)


@pytest.mark.parametrize("type", ["bogus", "LSH", "IVF64,PQ8+16", "PQ7"])
def test_types_that_faiss_does_not_know_or_that_have_another_metric(type):
    with pytest.raises(SettingsError, match=r"the index type .* cannot be used: .*one of auto"):
        faiss_factory(type, 1000, DIMENSION)


@pytest.mark.parametrize("type", ["IDMap,Flat", "IVF5000,Flat"])
def test_types_that_fail_only_when_built(tmp_path, embeddings, type):
    with pytest.raises(SettingsError, match="cannot be used"):
        built(tmp_path, embeddings, type)


ALL = ["flat", "hnsw", "sq8", "ivf", "pq", "IVF16,PQ6x4", "PCA16,Flat", "HNSW16,SQ8", "NSG16,Flat"]


@pytest.mark.parametrize("type", ALL)
def test_every_type_uses_the_inner_product(tmp_path, embeddings, type):
    index = built(tmp_path, embeddings, type)
    assert uses_inner_product(index)
    assert (index.ntotal, index.d) == (COUNT, DIMENSION)


def test_another_metric_is_seen_also_inside():
    assert not uses_inner_product(faiss.index_factory(8, "HNSW16,Flat"))
    wrapped = faiss.IndexPreTransform(faiss.IndexFlatL2(8))
    assert not uses_inner_product(wrapped)


@pytest.mark.parametrize(
    ("type", "least"),
    [("flat", 1.0), ("hnsw", 0.99), ("sq8", 1.0), ("ivf", 0.9), ("pq", 0.6)],
)
def test_the_same_rows_as_brute_force(tmp_path, embeddings, queries, type, least):
    """Recall of the exact top-k, after candidates are ranked by their exact scores."""
    index = built(tmp_path, embeddings, type)
    _, candidates = search(index, queries, candidates_for(K, COUNT))
    scores, rows = rank(embeddings, queries, candidates, K)
    expected_scores, expected_rows = brute_force(embeddings, queries, K)
    found = np.mean([len(set(a) & set(b)) / K for a, b in zip(rows, expected_rows, strict=True)])
    assert found >= least, found
    own = np.einsum("nd,nkd->nk", queries, embeddings[rows])
    np.testing.assert_allclose(scores, own, rtol=1e-4, atol=1e-5)
    if least == 1.0:
        np.testing.assert_array_equal(rows, expected_rows)
        np.testing.assert_allclose(scores, expected_scores, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("type", ["flat", "sq8", "hnsw", "ivf", "pq"])
def test_the_same_data_give_the_same_file(tmp_path, embeddings, type):
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        built(tmp_path / name, embeddings, type, seed=5)
        files.append((tmp_path / name / "index.faiss").read_bytes())
    assert files[0] == files[1]


def test_threads_are_as_before(tmp_path, embeddings):
    faiss.omp_set_num_threads(2)
    built(tmp_path, embeddings, "hnsw")
    assert faiss.omp_get_max_threads() == 2


def test_an_index_of_another_metric_is_refused(monkeypatch):
    monkeypatch.setattr(faiss, "index_factory", lambda *_: faiss.IndexFlatL2(8))
    with pytest.raises(SettingsError, match="it does not search by inner product"):
        faiss_factory("flat", 10, 8)


@pytest.mark.parametrize("type", ["flat", "hnsw", "sq8", "ivf", "pq", "NSG16,Flat"])
@pytest.mark.parametrize("count", [1, 2, 30, 150])
def test_small_corpora_and_all_of_k(tmp_path, type, count):
    if type.startswith("NSG") and count < 100:
        pytest.skip("NSG needs a hundred vectors")
    few = np.random.default_rng(0).standard_normal((count, 8)).astype(np.float32)
    index = built(tmp_path, few, type)
    _, candidates = search(index, few[:1], count)
    _, rows = rank(few, few[:1], candidates, count)
    assert sorted(rows[0]) == list(range(count))


def test_no_warning_on_stderr_for_few_points(tmp_path, embeddings, capfd):
    built(tmp_path, embeddings[:300], "pq")
    built(tmp_path, embeddings[:300], "ivf")
    assert capfd.readouterr().err == ""


def test_training_on_a_sample(tmp_path, embeddings, queries, monkeypatch):
    monkeypatch.setattr("ragcli.store.vectors.TRAINING_ROWS", 500)
    index = built(tmp_path, embeddings, "IVF4,Flat")
    assert index.ntotal == COUNT


def test_progress_counts_every_row(tmp_path, embeddings, monkeypatch):
    monkeypatch.setattr("ragcli.store.vectors._BLOCK", 1024)
    steps: list[int] = []
    build_faiss(embeddings, "Flat", 0, tmp_path / "i.faiss", steps.append)
    assert steps == [1024, 1024, 952]


def test_a_faiss_file_cut_short(tmp_path, embeddings):
    built(tmp_path, embeddings, "flat")
    path = tmp_path / "index.faiss"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CorruptIndexError, match=r"index\.faiss: FAISS cannot read it"):
        open_faiss(path)


def test_ties_come_in_the_order_of_rows():
    twins = np.repeat(np.eye(4, dtype=np.float32), 3, axis=0)  # rows 0-2, 3-5, … are equal
    query = np.array([[0.5, 1.0, 0.25, 0.0]], np.float32)
    shuffled = np.random.default_rng(0).permutation(12)[None, :]
    scores, rows = rank(twins, query, shuffled, 7)
    assert rows.tolist() == [[3, 4, 5, 0, 1, 2, 6]]
    assert scores.tolist() == [[1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.25]]


def test_rows_that_faiss_did_not_find_are_completed(embeddings, queries):
    """−1 for one query must not leak, nor disturb the query beside it."""
    _, full = brute_force(embeddings, queries[:2], K + 5)
    short = full.copy()
    short[1, 4:] = -1
    scores, rows = rank(embeddings, queries[:2], short, K)
    expected_scores, expected_rows = brute_force(embeddings, queries[:2], K)
    np.testing.assert_array_equal(rows, expected_rows)
    np.testing.assert_allclose(scores, expected_scores, rtol=1e-4)


def test_exact_search_is_brute_force_in_blocks(embeddings, queries, monkeypatch):
    monkeypatch.setattr("ragcli.store.vectors._BLOCK", 777)
    expected_scores, expected_rows = brute_force(embeddings, queries, K)
    scores, rows = exact(embeddings, queries, K)
    np.testing.assert_array_equal(rows, expected_rows)
    np.testing.assert_allclose(scores, expected_scores, rtol=1e-4)


def test_exact_search_gives_the_first_rows_of_many_that_are_equal(monkeypatch):
    monkeypatch.setattr("ragcli.store.vectors._BLOCK", 50)
    twins = np.tile(np.eye(2, dtype=np.float32), (200, 1))
    scores, rows = exact(twins, np.array([[0.0, 1.0], [2.0, 0.0]], np.float32), 4)
    assert rows.tolist() == [[1, 3, 5, 7], [0, 2, 4, 6]]
    assert scores.tolist() == [[1.0] * 4, [2.0] * 4]


def test_candidates_never_outnumber_passages():
    assert candidates_for(5, 1000) == 52
    assert candidates_for(5, 7) == 7
