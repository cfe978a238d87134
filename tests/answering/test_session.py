"""One object for every verb: loaded when needed, the same for eight threads as for one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragcli import Decoding, Rag, Retrieval
from ragcli.answering.session import Lazy
from ragcli.core.chunking import passages as cut
from ragcli.errors import EncoderMismatchError, SettingsError
from ragcli.indexing.build import build_index
from ragcli.models.catalog import load_model
from ragcli.models.encoders import load_encoder
from ragcli.records import Document
from ragcli.settings import AnswerSettings, Chunking
from ragcli.store.store import Store
from tests import tiny
from tests.fakes import HashEncoder

TEXTS = {
    "peru": "lima is the capital of peru the president is in lima",
    "france": "paris is the capital of france the seine is the river of paris",
    "rhone": "lyon is a city in france the rhone is the river of lyon",
    "king": "the king of peru is one of two the queen is in paris",
}
QUESTIONS = [
    "what is the capital of peru ?",
    "where is paris ?",
    "who is the king ?",
    "what river is in lyon ?",
    "who is the president of peru ?",
    "where is the queen ?",
    "what is lima ?",
    "is lyon in france ?",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, a sentence encoder and a generator in their real formats."""
    folder = tmp_path_factory.mktemp("session")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / f"{name}.txt").write_text(text)
    encoder = tiny.sentence_encoder(folder)
    tiny.bart(seed=3).save_pretrained(folder / "bart")
    tiny.tokenizer().save_pretrained(folder / "bart")
    store = Store(folder / "store")
    for version in ("1", "2"):
        build_index(store, load_encoder(str(encoder)), [str(folder / "docs")], version=version)
    for variant in ("token", "sequence"):
        tiny.rag_checkpoint(folder / f"rag-{variant}", variant, n_docs=3)
    return folder


@pytest.fixture
def rag(folder: Path) -> Iterator[Rag]:
    with Rag.open(store=folder / "store", model=str(folder / "bart")) as opened:
        yield opened


def open_with(folder: Path, model: str, **said: Any) -> AnswerSettings:
    with Rag.open(store=folder / "store", model=str(folder / model), **said) as rag:
        return rag.settings


def test_a_model_keeps_its_variant_when_only_beams_are_said(folder: Path) -> None:
    settings = open_with(folder, "rag-token", decoding=Decoding(beams=8))
    assert (settings.variant, settings.beams, settings.top_k) == ("token", 8, 3)


def test_a_model_keeps_its_k_when_only_the_retriever_is_said(folder: Path) -> None:
    settings = open_with(folder, "rag-token", retrieval=Retrieval(retriever="bm25"))
    assert (settings.top_k, settings.retriever) == (3, "bm25")
    assert open_with(folder, "rag-token", retrieval=Retrieval(2)).top_k == 2
    assert open_with(folder, "rag-sequence", decoding=Decoding("token")).variant == "token"
    assert open_with(folder, "bart").top_k == AnswerSettings().top_k


def test_a_checkpoint_reads_passages_as_they_were_cut_unless_told_otherwise(folder: Path) -> None:
    assert open_with(folder, "rag-token").margin == 0
    assert open_with(folder, "rag-token", retrieval=Retrieval(margin=9)).margin == 9
    assert open_with(folder, "bart").margin == AnswerSettings().margin == 25


def test_repr_says_what_is_open(rag: Rag) -> None:
    said = "default@2, 4 passages, dense retriever, top-k 5, RAG-Sequence"
    assert repr(rag) == f"<Rag {said}>"
    assert repr(rag.using(variant="token", top_k=2)).endswith("top-k 2, RAG-Token>")


@pytest.mark.parametrize("name", ["bm25", "none"])
def test_no_encoder_is_loaded_for_words_and_for_the_closed_book(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("ragcli.models.encoders.encoder_of", None)  # must not be called
    with Rag.open(
        store=folder / "store", model=str(folder / "bart"), retrieval=Retrieval(2, name)
    ) as rag:
        assert rag.ask(QUESTIONS[0]).version == "2"


def test_no_generator_is_loaded_to_retrieve(rag: Rag, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcli.models.seq2seq.load_generator", None)  # must not be called
    assert len(rag.retrieve(QUESTIONS[0])) == 4


def test_a_part_is_loaded_once_whichever_thread_asks_first() -> None:
    loaded: list[int] = []
    part = Lazy(load=lambda: loaded.append(1) or "part")  # type: ignore[func-returns-value]
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: part.get(), range(64))) == {"part"}
    assert loaded == [1]


@pytest.mark.parametrize("variant", ["sequence", "token"])
@pytest.mark.parametrize("retriever", ["dense", "bm25", "hybrid"])
def test_eight_threads_answer_as_one_does(rag: Rag, variant: str, retriever: str) -> None:
    asked = QUESTIONS * 4
    session = rag.using(variant=variant, retriever=retriever, top_k=3, max_tokens=6)
    alone = {question: session.ask(question) for question in QUESTIONS}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(session.ask, asked))
    for question, answer in zip(asked, found, strict=True):
        expected = alone[question]
        assert answer.text == expected.text
        assert answer.best.log_prob == pytest.approx(expected.best.log_prob, abs=1e-5)
        assert [r.row for r in answer.passages] == [r.row for r in expected.passages]


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns after a microsecond, not after five thousand."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("kind", ["sentence", "dpr", "checkpoint", "trained"])
def test_eight_threads_encode_as_one_does(
    folder: Path, tmp_path: Path, kind: str, hurried: None
) -> None:
    """Every kind of encoder, with batches whose questions are padded to different lengths."""
    if kind == "sentence":
        encoder: Any = load_encoder(str(folder / "encoder"))
    elif kind == "checkpoint":
        encoder = load_model(str(folder / "rag-token")).encoder
    else:
        encoder = load_encoder(",".join(map(str, tiny.dpr_pair(tmp_path))))
    if kind == "trained":
        encoder.query_network().save(tmp_path / "trained", encoder.settings)
        encoder = load_encoder(str(tmp_path / "trained"))
    batches = [[" ".join(QUESTIONS[n : n + m]) for m in (1, 3, 2)] for n in range(4)] * 16
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(encoder.encode_queries, batches))
        if kind != "checkpoint":
            documents = [[Document("a", "b", text, "c") for text in b] for b in batches]
            passages = [[p for d in ds for p in cut(d, Chunking())] for ds in documents]
            embedded = list(pool.map(encoder.encode_passages, passages))
            expected = [encoder.encode_passages(each) for each in passages]
            np.testing.assert_allclose(embedded, expected, atol=1e-5)
    np.testing.assert_allclose(found, [encoder.encode_queries(b) for b in batches], atol=1e-5)


def test_other_settings_over_the_same_parts(rag: Rag) -> None:
    other = rag.using(beams=2)
    assert (other.settings.beams, rag.settings.beams) == (2, 4)
    assert other.generator is rag.generator
    assert type(other) is Rag
    with pytest.raises(SettingsError, match="beams must be at least 1"):
        rag.using(beams=0)


def test_one_text_is_one_text(rag: Rag) -> None:
    """And not the texts that its characters would be."""
    assert [answer.question for answer in rag.ask_many(QUESTIONS[0])] == QUESTIONS[:1]
    assert [scored.answer for scored in rag.score(QUESTIONS[0], "lima")] == ["lima"]
    assert [each.text for each in rag.classify_many("lima", ["yes", "no"])] == ["lima"]
    with pytest.raises(SettingsError, match=r"two or more different words .*, not \['ab'\]"):
        rag.classify("lima", "ab")


def test_a_hot_swap_uses_the_store_of_the_index(
    rag: Rag, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "another"))
    with rag.with_index("@1") as older:
        assert older.index.version == "1"
        assert older.generator is rag.generator
        assert older.ask(QUESTIONS[0]).version == "1"


def test_a_foreign_encoder_is_refused_when_it_is_first_used(rag: Rag) -> None:
    other = Rag(rag.index, Lazy(load=lambda: HashEncoder(32)), rag.generator)  # type: ignore[arg-type, return-value]
    assert rag.over(rag.index).encoder is rag.encoder
    with pytest.raises(EncoderMismatchError, match="does not belong"):
        _ = other.over(rag.index).encoder


def test_a_session_over_something_that_is_no_version(rag: Rag) -> None:
    """Whatever can be searched and gives passages may stand where a version stands."""

    class Half:
        """The first two rows of an index."""

        def __init__(self, index: Any) -> None:
            self._index = index
            self.name, self.version = "half", "0"
            self.encoder, self.digests = index.encoder, {"half": "of it"}

        def __len__(self) -> int:
            return 2

        def __iter__(self) -> Any:
            return iter(self.take([0, 1]))

        def search(self, queries: Any, k: int) -> Any:
            scores, rows = self._index.search(queries, len(self._index))
            keep = np.array([[i for i in range(len(row)) if row[i] < 2][:k] for row in rows])
            return np.take_along_axis(scores, keep, 1), np.take_along_axis(rows, keep, 1)

        def take(self, rows: Any) -> Any:
            return self._index.take(rows)

        def vectors(self, rows: Any) -> Any:
            return self._index.vectors(rows)

        def close(self) -> None:
            pass

    for retriever in ("dense", "bm25", "hybrid"):
        half = rag.over(Half(rag.index)).using(retriever=retriever)  # type: ignore[arg-type]
        answer = half.ask(QUESTIONS[0])
        assert (answer.index, len(answer.passages), half.top_k) == ("half", 2, 2)
        assert {r.row for r in answer.passages} == {0, 1}
    with pytest.raises(SettingsError, match="half is no version in a store"):
        half.with_index("@1")
    assert json.dumps(dict(half.index.digests))
