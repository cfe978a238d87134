"""How sure a generator is: the same in answers and predictions, and what is withheld."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragcli import Decoding, Rag, Store, build_index
from ragcli.errors import ModelError, SettingsError
from ragcli.evaluation.evaluate import evaluate, fingerprint
from ragcli.evaluation.predict import Asking, predict
from ragcli.json_form.answers import answer_record
from ragcli.models.language import Manner
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import QAExample
from ragcli.settings import AnswerSettings, Confidence, resolve
from tests import tiny
from tests.fakes import HashEncoder

QUESTIONS = ("what is the capital of france ?", "where is lima ?")
MODEL = Confidence({"log_prob": 0.5, "tokens": -1.0}, 1.5, 0.4)
SETTINGS = AnswerSettings(2, max_tokens=5)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("confidence")
    (folder / "paris.txt").write_text("paris is the capital of france .")
    (folder / "peru.txt").write_text("lima is the capital of peru")
    store = Store(folder / "store")
    build_index(store, HashEncoder(), sorted(folder.glob("*.txt")), version="v")
    return store


def opened(store: Store, model: Confidence | None) -> Rag:
    generator = TorchGenerator(
        tiny.bart(seed=3).double(), tiny.tokenizer(), "tiny", Manner(confidence=model)
    )
    return Rag(store.open("default@v"), HashEncoder(), generator, SETTINGS)


@pytest.fixture
def rag(store: Store) -> Iterator[Rag]:
    with opened(store, MODEL) as rag:
        yield rag


def test_answers_and_predictions_are_equally_sure(rag: Rag) -> None:
    examples = [QAExample(str(n), q, ("lima",)) for n, q in enumerate(QUESTIONS)]
    predictions = [found for (found,) in predict(rag, examples, Asking((2,)))]
    for answer, prediction in zip(rag.ask_many(QUESTIONS), predictions, strict=True):
        total = 0.5 * answer.best.log_prob - math.log(len(answer.best.tokens)) + 1.5
        assert answer.confidence == pytest.approx(1 / (1 + math.exp(-total)))
        assert prediction.confidence == pytest.approx(answer.confidence)
        assert answer.doubted is (answer.confidence < 0.4)
        assert answer_record(answer)["confidence"] == answer.confidence


def test_what_is_not_sure_enough_is_withheld(rag: Rag) -> None:
    sure = rag.ask(QUESTIONS[0])
    assert sure.confidence is not None
    same = rag.using(min_confidence=sure.confidence).ask(QUESTIONS[0])
    assert (same.withheld, same.text) == (False, sure.text)
    held = rag.using(min_confidence=sure.confidence + 1e-6).ask(QUESTIONS[0])
    assert (held.withheld, held.text, held.best.text) == (True, "", sure.best.text)
    record = answer_record(held)
    assert (record["answer"], record["confidence"]) == (None, sure.confidence)
    assert str(held).startswith("(no answer)\n")
    assert "<b>(no answer)</b>" in held._repr_html_()


def test_an_evaluation_measures_what_would_be_withheld(rag: Rag) -> None:
    example = QAExample("a", QUESTIONS[0], ("paris",))
    plain, strict = (
        evaluate(rag.using(min_confidence=least), [example], asking=Asking((2,)))
        for least in (0.0, 0.99)
    )
    assert plain.main.trials == strict.main.trials
    assert plain.run == strict.run
    gap = abs(plain.main.trials[0].right - (plain.main.trials[0].prediction.confidence or 0))
    assert plain.main.metrics["expected_calibration_error"].value == pytest.approx(gap)


def test_a_generator_that_says_nothing_of_it(store: Store) -> None:
    with opened(store, None) as rag:
        answer = rag.ask(QUESTIONS[0])
        assert (answer.confidence, answer.withheld) == (None, False)
        assert answer_record(answer)["confidence"] is None
        assert "confidence" not in fingerprint(rag, Asking((2,)))
        with pytest.raises(SettingsError, match="tiny does not say how sure it is"):
            rag.using(min_confidence=0.5).ask(QUESTIONS[0])


def test_unknown_features_stop_before_anything_is_read(store: Store) -> None:
    with opened(store, Confidence({"mood": 1.0}, 0.0, 0.5)) as rag:
        with pytest.raises(ModelError, match="mood"):
            rag.ask(QUESTIONS[0])
        with pytest.raises(ModelError, match="mood"):
            next(predict(rag, [QAExample("a", QUESTIONS[0], ("paris",))], Asking((2,))))


def test_answers_only_have_no_confidence(rag: Rag) -> None:
    example = QAExample("a", QUESTIONS[0], ("paris",))
    ((found,),) = predict(rag, [example], Asking((2,), answers_only=True))
    assert found.confidence is None


def test_min_confidence_is_a_setting_like_others() -> None:
    assert resolve(Decoding(min_confidence=0.5)).min_confidence == 0.5
    assert resolve(None).min_confidence == 0.0
    for wrong in (-0.1, 1.0, math.nan):
        with pytest.raises(SettingsError, match="min-confidence is a share"):
            Decoding(min_confidence=wrong)


def test_rag_json_keeps_it(tmp_path: Path) -> None:
    Manner(confidence=MODEL).write(tmp_path / "rag.json")
    assert Manner.read(tmp_path / "rag.json").confidence == MODEL
    Manner().write(tmp_path / "rag.json")
    assert Manner.read(tmp_path / "rag.json").confidence is None
    (tmp_path / "rag.json").write_text('{"confidence": {"bias": 1}}')
    with pytest.raises(ModelError, match=r"rag\.json"):
        Manner.read(tmp_path / "rag.json")
