"""The watch on retrieval, with numbers that can be checked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ragcli.core.collapse import RetrievalHealth, collapse, retrieval_health

WELL = RetrievalHealth(questions=40, passages=100, distinct=30, entropy=0.5, explained=0.3)


def test_the_measures_by_hand() -> None:
    found = retrieval_health(
        np.array([3, 3, 5]),
        np.log(np.array([[0.5, 0.5], [0.5, 0.5], [0.75, 0.25]])),
        np.array([1.0, 2.0, 3.0]),
        np.array([4.0, 4.0, 4.0]),
        passages=9,
    )
    uneven = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25)) / math.log(2)
    assert (found.questions, found.passages, found.distinct) == (3, 9, 2)
    assert found.entropy == pytest.approx((2 + uneven) / 3)
    assert found.explained == pytest.approx(0.5)


def test_one_passage_has_no_entropy() -> None:
    ones = np.ones(2)
    assert retrieval_health(np.array([0, 1]), np.zeros((2, 1)), ones, ones, 2).entropy == 0


def test_few_passages_are_a_collapse_if_there_were_more_or_they_explain_nothing() -> None:
    few = replace(WELL, distinct=4)
    assert collapse(WELL, WELL) is None
    assert collapse(few, few) is None  # perhaps the questions need no more
    assert "4 different top-1 passages for 40 questions, 30 at the start" in str(
        collapse(few, WELL)
    )
    assert "explain 0.5 % of the loss" in str(collapse(replace(few, explained=0.005), few))
    assert collapse(replace(few, distinct=5), WELL) is None


def test_a_single_question_or_passage_cannot_collapse() -> None:
    alone = RetrievalHealth(questions=1, passages=9, distinct=1, entropy=0, explained=0)
    assert collapse(alone, alone) is None
