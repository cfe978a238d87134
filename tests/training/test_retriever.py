"""Contrastive training: what is mined, what is learnt, and that the index stays frozen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import are_progress_bars_disabled

from ragcli.answering.belonging import check_encoder
from ragcli.answering.session import Session
from ragcli.errors import ModelError, QuestionError, SettingsError
from ragcli.indexing.build import build_index
from ragcli.models.encoders import encoder_of, load_encoder
from ragcli.records import Passage, QAExample
from ragcli.settings import RetrieverTraining
from ragcli.store.store import Store
from ragcli.training.mine import mine
from ragcli.training.retriever import _require_packages, train_both_encoders, train_query_encoder
from tests import tiny
from tests.code_words import CodeWords, make
from tests.training.test_joint import bytes_of, recall_1

TRAINING = RetrieverTraining(epochs=8, batch_size=8, negatives=2, rate=1e-2)
TEXTS = [
    "Lima is the capital of Peru",
    "Quito is the capital of Ecuador",
    "Peru has a long coast",
    "Bread is baked",
]


def quiet(record: dict[str, Any]) -> None:
    """Nobody looks."""


def passage(n: int, text: str) -> Passage:
    return Passage(f"{n}#0", str(n), "", text, "", "test", 1, 0, len(text.split()))


PASSAGES = [passage(n, text) for n, text in enumerate(TEXTS)]


def example(question: str, *answers: str, positive: str | None = None) -> QAExample:
    return QAExample("7", question, answers, positive=positive, place="pairs.jsonl:7")


def test_positives_hold_an_answer_and_negatives_only_look_right() -> None:
    mined = mine(PASSAGES, [example("What is the capital of Peru?", "Lima")], 2)
    assert mined.pairs[0].positive == 0
    assert set(mined.pairs[0].negatives) == {1, 2}


def test_named_positives_and_examples_without_a_passage() -> None:
    asked = [
        example("Which country has a coast?", positive="Peru has  a long coast"),
        example("Who wrote Emma?", "Jane Austen"),
    ]
    mined = mine(PASSAGES, asked, 1)
    assert [pair.positive for pair in mined.pairs] == [2]
    assert mined.unmatched == (asked[1],)
    with pytest.raises(QuestionError, match=r"pairs\.jsonl:7: its `positive` is not a passage"):
        mine(PASSAGES, [example("x", positive="nowhere")], 1)
    with pytest.raises(QuestionError, match="no passage holds an answer"):
        mine(PASSAGES, [example("Who wrote Emma?", "Jane Austen")], 1)


def test_negatives_are_drawn_by_lot_where_no_word_is_shared() -> None:
    """Else all such questions would have the same first passages as their negatives."""
    asked = [example(f"zyx{n}", positive=TEXTS[3]) for n in range(20)]
    drawn = [pair.negatives for pair in mine(PASSAGES, asked, 1).pairs]
    assert set(drawn) == {(0,), (1,), (2,)}
    assert drawn == [pair.negatives for pair in mine(PASSAGES, asked, 1).pairs]


def test_a_small_corpus_gives_every_pair_as_many_negatives_as_all_can_have() -> None:
    mined = mine(PASSAGES, [example("Capital of Peru?", "Lima")], 9)
    assert len(mined.pairs[0].negatives) == 3
    assert mine(PASSAGES, [example("Capital of Peru?", "Lima")], 0).pairs[0].negatives == ()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> CodeWords:
    return make(tmp_path_factory.mktemp("code_words"))


def test_the_query_encoder_learns_against_a_frozen_index(world: CodeWords, tmp_path: Path) -> None:
    before = bytes_of(world.store), bytes_of(Path(world.encoder))
    records: list[dict[str, Any]] = []
    with Store(world.store).open() as index:
        generator: Any = None
        assert not are_progress_bars_disabled()
        report = train_query_encoder(
            Session(index, load_encoder(world.encoder), generator),
            world.data,
            tmp_path / "encoder",
            TRAINING,
            records.append,
        )
    assert not are_progress_bars_disabled()  # they are the caller's
    assert (bytes_of(world.store), bytes_of(Path(world.encoder))) == before
    assert report.pairs == 64
    assert report.negatives == 2
    assert report.before <= 0.15
    assert report.after >= 0.9
    assert records[-1]["step"] == records[-1]["steps"]
    assert records[-1]["loss"] < records[0]["loss"]
    encoder = load_encoder(str(tmp_path / "encoder"))
    check_encoder(Store(world.store).open(), encoder)
    assert recall_1(world, encoder) >= 0.9
    # An index that is built with it finds it again by itself.
    store = Store(tmp_path / "store")
    build_index(store, encoder, [str(world.folder / "docs")], version="1")
    with store.open() as index:
        again = encoder_of(index.manifest.encoder)
        check_encoder(index, again)
        assert again.settings.query_digest == encoder.settings.query_digest
    record = json.loads((tmp_path / "encoder" / "retriever.json").read_text())
    assert record["recall_1"] == {"before": report.before, "after": report.after}


def test_a_dpr_query_encoder_learns_too(world: CodeWords, tmp_path: Path) -> None:
    query, document = tiny.dpr_pair(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("paris", "lyon", "lima"):
        (tmp_path / "docs" / f"{name}.txt").write_text(f"{name} is a city")
    data = tmp_path / "pairs.jsonl"
    data.write_text('{"question": "what is lima ?", "positive": "lima is a city"}\n' * 2)
    store = Store(tmp_path / "store")
    encoder = load_encoder(f"{query},{document}")
    build_index(store, encoder, [str(tmp_path / "docs")], version="1")
    with store.open() as index:
        generator: Any = None
        session = Session(index, encoder, generator)
        report = train_query_encoder(session, data, tmp_path / "out", RetrieverTraining(), quiet)
        check_encoder(index, load_encoder(str(tmp_path / "out")))
    assert report.pairs == 2
    with pytest.raises(SettingsError, match="not as a DPR pair"):
        train_both_encoders(
            load_encoder(f"{query},{document}"),
            [str(tmp_path / "docs")],
            data,
            tmp_path / "both",
            RetrieverTraining(),
            quiet,
        )


def test_both_encoders_before_an_index_exists(world: CodeWords, tmp_path: Path) -> None:
    documents = str(world.folder / "docs")
    training = replace(TRAINING, epochs=14, rate=5e-3)
    report = train_both_encoders(
        load_encoder(world.encoder), [documents], world.data, tmp_path / "both", training, quiet
    )
    assert report.before <= 0.15
    assert report.after >= 0.9
    trained = load_encoder(str(tmp_path / "both"))
    assert trained.settings.document_digest != load_encoder(world.encoder).settings.document_digest
    build_index(Store(tmp_path / "store"), trained, [documents], version="1")
    with Store(tmp_path / "store").open() as index:
        check_encoder(index, trained)
    with pytest.raises(SettingsError, match="nothing is written over"):
        train_both_encoders(trained, [documents], world.data, tmp_path / "both", TRAINING, quiet)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcli.training.retriever.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"accelerate and datasets.*\.\[train\]"):
        _require_packages()


def test_a_copy_of_the_positive_is_no_negative() -> None:
    texts = ["lima is big", "lima is big", "lima is far"]
    passages = [passage(n, text) for n, text in enumerate(texts)]
    mined = mine(passages, [example("lima is big ?", positive="lima is big")], 2)
    assert [texts[row] for row in mined.pairs[0].negatives] == ["lima is far"]
