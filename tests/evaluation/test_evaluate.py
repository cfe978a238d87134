"""Batches equal single questions, a sweep equals separate runs, and runs resume or refuse."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ragcli.answering.classify import require_labels
from ragcli.answering.decode import decode
from ragcli.answering.kinds import RETRIEVERS
from ragcli.answering.retrievers import Dense
from ragcli.answering.session import Session
from ragcli.answering.settle import settle
from ragcli.api import Rag
from ragcli.errors import QuestionError, SettingsError, StoreError
from ragcli.evaluation.compare import compare
from ragcli.evaluation.evaluate import evaluate, evaluate_predictions
from ragcli.evaluation.predict import Asking, predict
from ragcli.indexing.build import build_index
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import QAExample, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Variant
from ragcli.store.store import Store
from tests import tiny
from tests.answering.test_decode import QUESTION, passages, tiny_generator
from tests.fakes import HashEncoder

TEXTS = {
    "peru": "the president of peru is king . lima is the capital of peru",
    "paris": "paris is the capital of france , in the river seine .",
    "lyon": "lyon is a city of france , in the river rhone .",
    "numbers": "one two three four five six",
}
EXAMPLES = [
    QAExample("a", "what is the capital of france ?", ("paris",), ("paris.txt",)),
    QAExample("b", "who is the president of peru ?", ("king", "queen"), ("peru.txt",)),
    QAExample("c", "where is the river rhone ?", ("lyon",)),
    QAExample("d", "what is one two ?", ("t(hr)?ee",), patterns=True),
    QAExample("e", "where is lima ?", ("peru",)),
]


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rag]:
    folder = tmp_path_factory.mktemp("rag")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / f"{name}.txt").write_text(text)
    store = Store(folder / "store")
    build_index(store, HashEncoder(), [str(folder / "docs")], version="v")
    generator = TorchGenerator(tiny.bart(seed=3).double(), tiny.tokenizer(), "tiny")
    index = store.open("default@v")
    with Rag(index, HashEncoder(), generator, Settings(3, max_tokens=5)) as opened:
        yield opened


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_batches_answer_as_one_by_one(rag: Rag, variant: Variant) -> None:
    rag = rag.using(variant=variant)
    predictions = [row[0] for row in predict(rag, EXAMPLES, Asking((3,), batch_size=4))]
    for example, prediction in zip(EXAMPLES, predictions, strict=True):
        alone = rag.ask(example.question)
        assert prediction.answer == alone.text
        assert prediction.log_prob == pytest.approx(alone.best.log_prob)
        assert [e.id for e in prediction.passages] == [r.passage.id for r in alone.passages]
        assert [e.posterior for e in prediction.passages] == pytest.approx(alone.best.posterior)
        if example.patterns:
            assert prediction.gold_log_prob is None
        else:
            gold = rag.score(example.question, [example.answers[0]])[0].log_prob(variant)
            assert prediction.gold_log_prob == pytest.approx(gold)


class CountingDense(Dense):
    asked: ClassVar[list[int]] = []

    def retrieve(self, questions: Sequence[str], top_k: int) -> list[list[RetrievedPassage]]:
        self.asked.append(top_k)
        return super().retrieve(questions, top_k)


class CountingGenerator(TorchGenerator):
    encoded = 0

    def encode(self, inputs: Sequence[Sequence[int]]) -> Any:
        self.encoded += len(inputs)
        return super().encode(inputs)


def test_a_sweep_searches_and_reads_once_and_equals_separate_runs(
    rag: Rag, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny.bart(seed=3).double()
    generator = CountingGenerator(model, tiny.tokenizer(), "tiny")
    monkeypatch.setitem(RETRIEVERS._table, "dense", f"{__name__}:CountingDense")
    counted = Session(rag.index, rag.encoder, generator, rag.settings)
    whole = list(predict(counted, EXAMPLES, Asking((1, 2, 4, 9))))
    assert CountingDense.asked == [9]
    assert generator.encoded == len(EXAMPLES) * 4  # the index holds 4 passages, not 9
    for n, k in enumerate([1, 2, 4, 9]):
        alone = [row[0] for row in predict(rag, EXAMPLES, Asking((k,), batch_size=1))]
        for row, single in zip(whole, alone, strict=True):
            assert (row[n].answer, row[n].top_k) == (single.answer, k)
            assert row[n].log_prob == pytest.approx(single.log_prob)
            assert [e.prior for e in row[n].passages] == pytest.approx(
                [e.prior for e in single.passages]
            )


def test_classification_is_the_renormalised_marginal(rag: Rag) -> None:
    labels = ("one", "two", "three four")
    for variant in ("sequence", "token"):
        other = rag.using(variant=variant)
        result = other.classify("lima is the capital of peru", labels)
        scored = other.score("lima is the capital of peru", labels)
        expected = [math.exp(s.log_prob(variant)) for s in scored]
        assert result.log_probs == pytest.approx([math.log(e) for e in expected])
        assert result.probs == pytest.approx([e / sum(expected) for e in expected])
        assert result.label == labels[expected.index(max(expected))]
        assert result.posterior == scored[expected.index(max(expected))].posterior
    many = list(rag.classify_many(["one two", "lima"], labels, batch_size=2))
    assert [m.probs for m in many] == [
        pytest.approx(rag.classify(text, labels).probs) for text in ("one two", "lima")
    ]


def test_evaluating_classification(rag: Rag) -> None:
    claims = [QAExample("1", "lima is in peru", ("ONE",)), QAExample("2", "paris", ("two",))]
    report = evaluate(rag, claims, "classification", Asking(labels=("one", "two")))
    assert set(report.main.metrics) == {"accuracy", "gold_log_prob"}
    shares = report.main.trials[0].prediction.labels
    assert shares is not None
    assert sum(shares.values()) == pytest.approx(1)
    with pytest.raises(QuestionError, match="example 1: the label 'ONE' is not one of two, three"):
        evaluate(rag, claims, "classification", Asking(labels=("two", "three")))
    with pytest.raises(QuestionError, match="no questions to ask"):
        evaluate(rag, [])
    with pytest.raises(SettingsError, match="needs labels"):
        evaluate(rag, claims, "classification")
    for wrong in (["one"], ["one", ""], ["one", "One"]):
        with pytest.raises(SettingsError, match="two or more different"):
            require_labels(wrong)


def test_the_closed_book_shows_no_passage(rag: Rag) -> None:
    closed = rag.using(retriever="none")
    report = evaluate(closed, EXAMPLES[:2])
    assert closed.top_k == 1
    assert all(not t.prediction.passages for t in report.main.trials)
    assert "answer_recall" not in report.main.metrics


def test_a_run_resumes_only_as_the_same_run(rag: Rag, tmp_path: Path) -> None:
    save = tmp_path / "p.jsonl"
    whole = evaluate(rag, EXAMPLES, asking=Asking((1, 2)), save=save)
    lines = save.read_text().splitlines(keepends=True)
    assert len(lines) == 2 * len(EXAMPLES)
    save.write_text("".join(lines[:5]))
    asked: list[int] = []
    again = evaluate(rag, EXAMPLES, asking=Asking((1, 2)), save=save, progress=asked.append)
    assert asked == [2, 1, 1, 1]  # two examples were whole
    # Equal but for rounding: the rest was read in another batch.
    for resumed, unbroken in zip(again.results, whole.results, strict=True):
        assert [t.prediction.answer for t in resumed.trials] == [
            t.prediction.answer for t in unbroken.trials
        ]
        assert {n: m.value for n, m in resumed.metrics.items()} == pytest.approx(
            {n: m.value for n, m in unbroken.metrics.items()}
        )
    assert save.read_text().splitlines(keepends=True)[:4] == lines[:4]
    for changed in (
        lambda: evaluate(rag, EXAMPLES, asking=Asking((1, 3)), save=save),
        lambda: evaluate(rag, EXAMPLES[:4], asking=Asking((1, 2)), save=save),
        lambda: evaluate(rag, EXAMPLES, asking=Asking((1, 2)), save=save, seed=1),
    ):
        with pytest.raises(StoreError, match="other settings"):
            changed()
    with pytest.raises(QuestionError, match="another answer to"):  # one of each k
        evaluate_predictions(save, EXAMPLES)
    single = evaluate(rag, EXAMPLES, asking=Asking((2,)), save=tmp_path / "single.jsonl")
    given = evaluate_predictions(tmp_path / "single.jsonl", EXAMPLES)
    assert given.main.metrics["exact_match"] == single.main.metrics["exact_match"]


def test_the_report_says_what_it_depends_on(rag: Rag) -> None:
    run = evaluate(rag, EXAMPLES[:1]).run
    assert run["model_digest"] == rag.generator.digest
    assert run["index_digests"]["passages-0.arrow"]
    assert run["decoding"]["beams"] == 4
    assert {"torch", "sacrebleu", "bm25s"} <= run["versions"].keys()


def record(*right: bool, task: str = "qa") -> dict[str, Any]:
    return {
        "task": task,
        "trials": [
            {
                "id": str(n),
                "question": f"q{n}",
                "accepted": ["x"],
                "answer": "x" if r else "y",
                "right": r,
                "f1": float(r),
                "retrieved": True,
                "gold_recall": None,
                "gold_log_prob": -1.0 - n,
            }
            for n, r in enumerate(right)
        ],
    }


def test_comparison() -> None:
    first = record(*[True] * 10, *[False] * 2, *[True] * 8)
    second = record(*[False] * 10, *[True] * 2, *[True] * 8)
    result = compare(first, second)
    assert result.mcnemar == (10, 2, pytest.approx(2 * 79 / 4096))
    assert result.differences["exact_match"].value == pytest.approx(-8 / 20)
    assert result.differences["exact_match"].high < 0
    assert result.differences["gold_log_prob"].value == 0
    assert "gold_recall" not in result.differences
    assert len(result.differing) == 12
    with pytest.raises(QuestionError, match="1 questions are in one run only, for example '2'"):
        compare(record(True, True), record(True, True, True))
    with pytest.raises(QuestionError, match="one run is qa and the other generation"):
        compare(record(True), record(True, task="generation"))


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("seed", range(4))
def test_settled_answers_are_those_of_thorough_decoding(kind: str, seed: int) -> None:
    """Over priors that are flat and priors that are sharp; some are settled before the end."""
    generator = tiny_generator(kind, seed)
    priors = [(0.5, 0.3, 0.2), (0.9, 0.07, 0.03), (0.98, 0.01, 0.01), (0.34, 0.33, 0.33)]
    found = [passages(prior) for prior in priors]
    questions = [QUESTION] * len(priors)
    decoding = Settings(max_tokens=5)
    answers = settle(generator, questions, found, decoding)
    whole = decode(generator, questions, found, decoding)
    for answer, decoded in zip(answers, whole, strict=True):
        assert answer.text == decoded.candidates[0].text
        if answer.read == 3:
            assert answer.posterior == pytest.approx(decoded.candidates[0].posterior)


def test_a_sure_answer_is_settled_early_and_is_the_same() -> None:
    """The surer the model is of its (empty) answer, the fewer passages it takes to settle it."""
    reads = []
    for bias in (6.0, 9.0, 12.0, 20.0):
        generator = tiny_generator("bart", seed=1)
        generator.model.final_logits_bias[0, 2] = bias
        for prior in ((0.6, 0.3, 0.1), (0.98, 0.01, 0.01)):
            found = [passages(prior)]
            (answer,) = settle(generator, [QUESTION], found, Settings(max_tokens=5))
            (whole,) = decode(generator, [QUESTION], found, Settings(max_tokens=5))
            assert answer.text == whole.candidates[0].text
            reads.append(answer.read)
    assert (reads[0], reads[-1]) == (3, 1)


def test_answers_only_equals_the_full_evaluation(rag: Rag) -> None:
    whole = evaluate(rag, EXAMPLES).main
    quick = evaluate(rag, EXAMPLES, asking=Asking(answers_only=True)).main
    assert [t.prediction.answer for t in quick.trials] == [
        t.prediction.answer for t in whole.trials
    ]
    assert quick.metrics.keys() == whole.metrics.keys() - {"gold_log_prob"}
    assert all(quick.metrics[name] == whole.metrics[name] for name in quick.metrics)
