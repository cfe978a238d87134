"""One example with what was answered to it: right or wrong, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragcli.core.metrics import (
    exact_match,
    f1,
    holds_answer,
    holds_pattern,
    matches_pattern,
    recall_of_gold,
)
from ragcli.errors import QuestionError
from ragcli.records import Evidence, Prediction, QAExample
from ragcli.settings import Task

NOT_RETRIEVED, RETRIEVED, WRONG = "not retrieved", "retrieved and wrong", "wrong"


@dataclass(frozen=True, slots=True)
class Trial:
    """One example with its prediction and its own values of the metrics.

    `retrieved` is whether a passage holds the answer (for classification: is a gold passage), None
    where that cannot be told. `f1` is None where the answers are patterns or labels.
    """

    example: QAExample
    prediction: Prediction
    right: bool
    f1: float | None
    retrieved: bool | None
    gold_recall: float | None

    @property
    def failure(self) -> str | None:
        """What went wrong, or None if the answer is right."""
        if self.right:
            return None
        if self.retrieved is None:
            return WRONG
        return RETRIEVED if self.retrieved else NOT_RETRIEVED


def trial(example: QAExample, prediction: Prediction, task: Task) -> Trial:
    """One prediction against its example."""
    if not example.answers:
        raise QuestionError(f"example {example.id} has no accepted answer")
    found = [_gold_name(e, example.gold) for e in prediction.passages]
    gold_recall = None
    if example.gold and found:
        gold_recall = recall_of_gold(found, example.gold)
    if task == "classification":
        return Trial(
            example,
            prediction,
            right=prediction.answer.lower() == example.answers[0].lower(),
            f1=None,
            retrieved=None if gold_recall is None else gold_recall > 0,
            gold_recall=gold_recall,
        )
    return Trial(
        example,
        prediction,
        right=is_right(prediction.answer, example),
        f1=None if example.patterns else f1(prediction.answer, example.answers),
        retrieved=holds(example, prediction.passages) if prediction.passages else None,
        gold_recall=gold_recall,
    )


def is_right(answer: str, example: QAExample) -> bool:
    """Whether an answer is one of those accepted, by exact match or by pattern."""
    return (matches_pattern if example.patterns else exact_match)(answer, example.answers)


def holds(example: QAExample, passages: Sequence[Evidence]) -> bool:
    """Whether one of the passages holds an accepted answer."""
    test = holds_pattern if example.patterns else holds_answer
    return any(test(f"{e.title} {e.text}", example.answers) for e in passages)


def _gold_name(evidence: Evidence, gold: Sequence[str]) -> str:
    """The gold name that a passage goes by (its id, document or title), else its own id."""
    names = (evidence.id, evidence.document, evidence.title)
    return next((name for name in names if name in gold), evidence.id)
