"""Every metric on predictions whose values can be counted on one's fingers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragcli.errors import QuestionError
from ragcli.evaluation.metrics import NOT_RETRIEVED, RETRIEVED, WRONG, measure_run
from ragcli.evaluation.paper import HOT_SWAP, PAPER
from ragcli.records import Evidence, Prediction, QAExample


def example(n: int, answer: str, gold: tuple[str, ...] = (), patterns: bool = False) -> QAExample:
    return QAExample(str(n), f"question {n}", (answer,), gold, patterns)


def predicted(
    n: int, answer: str, *passages: str, gold_log_prob: float | None = None
) -> Prediction:
    evidence = tuple(Evidence(f"d{n}#{j}", f"d{n}", "", p) for j, p in enumerate(passages))
    return Prediction(
        str(n), f"question {n}", answer, evidence, len(evidence) or 1, -1.0, gold_log_prob
    )


def test_question_answering() -> None:
    examples = [
        example(1, "Lima", ("d1",)),
        example(2, "The Who", ("elsewhere",)),
        example(3, "Ann Lee"),
        example(4, "Bo Li"),
    ]
    predictions = [
        predicted(1, "lima", "in Lima", "x", gold_log_prob=-1.0),
        predicted(2, "the who", "nothing", "y", gold_log_prob=-3.0),
        predicted(3, "Ann", "it was Ann Lee", "z"),
        predicted(4, "nobody", "nothing", "w"),
    ]
    measured = measure_run(examples, predictions, "qa")
    values = {name: (m.value, m.n) for name, m in measured.metrics.items()}
    assert values == {
        "exact_match": (pytest.approx(2 / 4), 4),
        "f1": (pytest.approx((1 + 1 + 2 / 3 + 0) / 4), 4),
        "answer_recall": (pytest.approx(2 / 4), 4),
        "right_without_passage": (pytest.approx(1 / 2), 4),
        "gold_recall": (pytest.approx(1 / 2), 2),
        "gold_log_prob": (pytest.approx(-2.0), 2),
    }
    assert [t.failure for t in measured.trials] == [None, None, RETRIEVED, NOT_RETRIEVED]
    assert all(m.low <= m.value <= m.high for m in measured.metrics.values())
    assert measured.top_k == 2


def test_calibration_error_by_hand() -> None:
    """Bins: 0.9–1 with one right of two at 1.9 in all, 0.2–0.3 with one right at 0.25."""
    examples = [example(n, "Lima") for n in range(4)]
    sure = {0: ("Lima", 0.95), 1: ("Quito", 0.95), 2: ("Lima", 0.25), 3: ("Lima", None)}
    predictions = [replace(predicted(n, text), confidence=p) for n, (text, p) in sure.items()]
    found = measure_run(examples, predictions, "qa").metrics["expected_calibration_error"]
    assert (found.value, found.n) == (pytest.approx((0.9 + 0.75) / 3), 3)
    assert 0 <= found.low <= found.value <= found.high <= 1
    without = measure_run(examples[3:], predictions[3:], "qa")
    assert "expected_calibration_error" not in without.metrics


def test_regular_expressions() -> None:
    examples = [example(1, r"19\d\d", patterns=True), example(2, "^x", patterns=True)]
    predictions = [predicted(1, "1963", "in 1963"), predicted(2, "ax", "ax")]
    measured = measure_run(examples, predictions, "qa")
    assert measured.metrics["exact_match"].value == 0.5
    assert measured.metrics["answer_recall"].value == 0.5
    assert "f1" not in measured.metrics


def test_generation() -> None:
    examples = [example(1, "the cat sat on the mat"), example(2, "a dog ran off")]
    predictions = [predicted(1, "the cat sat on the mat"), predicted(2, "the cat sat")]
    measured = measure_run(examples, predictions, "generation")
    metrics = {name: m.value for name, m in measured.metrics.items()}
    # 6 of 9 words match, 10 words of reference: 6/9 × exp(1 − 10/9).
    assert metrics["bleu1"] == pytest.approx(6 / 9 * 2.718281828 ** (1 - 10 / 9))
    assert metrics["rouge_l"] == pytest.approx(0.5)
    assert metrics["distinct_trigrams"] == pytest.approx(4 / 5)
    assert metrics["exact_match"] == 0.5
    assert 0 < metrics["q_bleu1"] < 1
    assert "answer_recall" not in metrics


def test_classification_ignores_case() -> None:
    examples = [example(1, "SUPPORTS", ("d1",)), example(2, "refutes", ("no",))]
    predictions = [predicted(1, "supports", "x"), predicted(2, "supports", "y")]
    measured = measure_run(examples, predictions, "classification")
    assert {name: m.value for name, m in measured.metrics.items()} == {
        "accuracy": 0.5,
        "gold_recall": 0.5,
    }
    assert measured.trials[1].failure == NOT_RETRIEVED


def test_nothing_to_measure() -> None:
    with pytest.raises(QuestionError, match="no examples"):
        measure_run([], [], "qa")
    with pytest.raises(QuestionError, match="example 1 has no accepted answer"):
        measure_run([QAExample("1", "q", ())], [predicted(1, "a")], "qa")


def test_the_papers_tables() -> None:
    assert PAPER["nq"].rows["RAG-Sequence"] == {"exact_match": 0.445}
    assert PAPER["tqa"].rows["RAG-Sequence"] == {"exact_match": 0.568}
    assert PAPER["ct"].rows["RAG-Token"] == {"exact_match": 0.500}
    assert PAPER["jeopardy"].rows["RAG-Token"]["q_bleu1"] == 0.222
    assert PAPER["msmarco"].rows["RAG-Sequence"]["rouge_l"] == 0.408
    assert PAPER["fever2"].rows["BART"] == {"accuracy": 0.811}
    assert [list(row.values()) for row in HOT_SWAP.values()] == [[0.70, 0.04], [0.12, 0.68]]


def test_what_cannot_be_told_is_only_wrong_and_mixed_files_count_whole() -> None:
    examples = [example(1, "Lima"), example(2, r"19\d\d", patterns=True)]
    predictions = [predicted(1, "Quito"), predicted(2, "1963", "in 1963")]
    measured = measure_run(examples, predictions, "qa")
    assert measured.trials[0].failure == WRONG
    both = measure_run(examples, [predicted(1, "Lima", "Lima"), predictions[1]], "qa")
    assert (both.metrics["answer_recall"].value, both.metrics["answer_recall"].n) == (1.0, 2)
