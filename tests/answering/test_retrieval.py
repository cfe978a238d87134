"""BM25 by its formula, the hybrid by hand, the closed book: all with a prior that sums to 1."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from ragcli.answering.kinds import RETRIEVERS, Retriever
from ragcli.answering.retrieval import best_rows
from ragcli.answering.retrievers import Bm25
from ragcli.answering.session import Session
from ragcli.errors import QuestionError, SettingsError
from ragcli.indexing.build import build_index
from ragcli.store.store import Store
from ragcli.store.version import IndexVersion
from tests.fakes import HashEncoder

TEXTS = {
    "peru": "Lima is the capital of Peru. Lima lies near the ocean.",
    "france": "Paris is the capital of France.",
    "chile": "Santiago is the capital of Chile, between ocean and mountains.",
    "empty": "Nothing of note.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexVersion]:
    folder: Path = tmp_path_factory.mktemp("index")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / f"{name}.txt").write_text(text)
    store = Store(folder / "store")
    build_index(store, HashEncoder(), [str(folder / "docs")], version="v")
    with store.open("default@v") as opened:
        yield opened


def made(name: str, index: IndexVersion, encoder: HashEncoder | None = None) -> Retriever:
    """A retriever by name; what is not needed is not there."""
    generator: Any = None
    return RETRIEVERS.load(name)(Session(index, encoder or HashEncoder(), generator))


def slow_bm25(index: IndexVersion, question: list[str]) -> list[float]:
    """Lucene's BM25 with k1 = 1.5, b = 0.75, written out: idf × tf / (tf + k1 (1 − b + b l/L))."""
    import bm25s

    texts = [f"{p.title} {p.text}" for p in index.passages]
    words = bm25s.tokenize(texts, stopwords="en", return_ids=False, show_progress=False)
    mean = sum(map(len, words)) / len(words)
    scores = []
    for text in words:
        score = 0.0
        for word in question:
            df = sum(word in other for other in words)
            idf = math.log(1 + (len(words) - df + 0.5) / (df + 0.5))
            tf = text.count(word)
            score += idf * tf / (tf + 1.5 * (0.25 + 0.75 * len(text) / mean))
        scores.append(score)
    return scores


def bm25(index: IndexVersion) -> Bm25:
    return cast(Bm25, made("bm25", index))


def test_bm25_is_its_formula_and_the_prior_its_softmax(index: IndexVersion) -> None:
    expected = slow_bm25(index, ["capital", "peru", "ocean"])
    scores = bm25(index).scores("What is the capital of Peru, at the ocean?")
    assert scores == pytest.approx(expected, rel=1e-5)
    (found,) = bm25(index).retrieve(["What is the capital of Peru, at the ocean?"], 2)
    assert [r.passage.document_id for r in found] == ["peru.txt", "chile.txt"]
    assert [r.score for r in found] == pytest.approx(sorted(expected, reverse=True)[:2], rel=1e-5)
    weights = [math.exp(r.score) for r in found]
    assert [math.exp(r.log_prior) for r in found] == pytest.approx(
        [weight / sum(weights) for weight in weights]
    )


def test_words_that_no_passage_has(index: IndexVersion) -> None:
    (found,) = bm25(index).retrieve(["Zzz?"], 3)
    assert [r.row for r in found] == [0, 1, 2]
    assert [math.exp(r.log_prior) for r in found] == pytest.approx([1 / 3] * 3)


def test_hybrid_is_the_mean_of_both_scores(index: IndexVersion) -> None:
    encoder = HashEncoder(score_scale=20.0)
    question = "capital of Peru"
    (found,) = made("hybrid", index, encoder).retrieve([question], 4)
    query = encoder.encode_queries([question])[0]
    sparse = slow_bm25(index, ["capital", "peru"])
    for item in found:
        dense = 20 * float(np.dot(index.embeddings[item.row], query))
        assert item.score == pytest.approx((dense + sparse[item.row]) / 2, rel=1e-4)
    assert sum(math.exp(r.log_prior) for r in found) == pytest.approx(1)
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)


@pytest.mark.parametrize("name", ["dense", "bm25", "hybrid", "none"])
def test_every_retriever_gives_a_prior_and_knows_its_limits(index: IndexVersion, name: str) -> None:
    retriever = made(name, index)
    found = retriever.retrieve(["capital of Chile", "ocean"], 10)
    assert [len(each) for each in found] == ([1, 1] if name == "none" else [4, 4])
    for each in found:
        assert sum(math.exp(r.log_prior) for r in each) == pytest.approx(1, abs=1e-6)
    assert retriever.retrieve([], 3) == []
    with pytest.raises(QuestionError, match="empty"):
        retriever.retrieve([" "], 3)


def test_the_closed_book_has_one_empty_passage(index: IndexVersion) -> None:
    ((found,),) = made("none", index).retrieve(["Who?"], 5)
    assert (found.passage.text, found.log_prior, found.row) == ("", 0.0, -1)


def test_unknown_retrievers_are_refused(index: IndexVersion) -> None:
    with pytest.raises(SettingsError, match=r"no retriever 'magic' \(one of dense, bm25, hybrid"):
        made("magic", index)


def test_best_rows_breaks_ties_by_row() -> None:
    assert best_rows(np.array([1.0, 3.0, 1.0, 1.0]), 3).tolist() == [1, 0, 2]
    assert best_rows(np.array([0.0, 0.0]), 2).tolist() == [0, 1]


def test_bm25_over_stop_words_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A B C")
    store = Store(tmp_path / "store")
    build_index(store, HashEncoder(), [str(tmp_path / "a.txt")], version="v")
    with store.open() as opened:
        [found] = bm25(opened).retrieve(["who is it ?"], 3)
    assert [(r.passage.text, r.score, r.log_prior) for r in found] == [("A B C", 0.0, 0.0)]
