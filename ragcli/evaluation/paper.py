"""The paper's own results (Tables 1, 2 and 5, test sets; section 4.5), to stand beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from ragcli.settings import Task

PaperTask = Literal["nq", "tqa", "wq", "ct", "msmarco", "jeopardy", "fever2", "fever3"]


@dataclass(frozen=True, slots=True)
class PaperResults:
    """A task of the paper: its name, and for each system the metrics as shares of 1."""

    title: str
    task: Task
    rows: dict[str, dict[str, float]]


_SYSTEMS = {"token": "RAG-Token", "sequence": "RAG-Sequence", "dpr": "DPR", "bart": "BART"}


def _results(task: Task, metrics: str, title: str, **rows: list[float]) -> PaperResults:
    names = metrics.split()
    named = {_SYSTEMS[key]: dict(zip(names, row, strict=True)) for key, row in rows.items()}
    return PaperResults(title, task, named)


_exact = partial(_results, "qa", "exact_match")
_fever = partial(_results, "classification", "accuracy")

PAPER: dict[PaperTask, PaperResults] = {
    "nq": _exact("Natural Questions", token=[0.441], sequence=[0.445], dpr=[0.415]),
    "tqa": _exact("TriviaQA", token=[0.552], sequence=[0.568], dpr=[0.579]),
    "wq": _exact("WebQuestions", token=[0.455], sequence=[0.452], dpr=[0.411]),
    "ct": _exact("CuratedTREC", token=[0.500], sequence=[0.522], dpr=[0.506]),
    "jeopardy": _results(
        "generation",
        "bleu1 q_bleu1 distinct_trigrams",
        "Jeopardy question generation",
        token=[0.173, 0.222, 0.468],
        sequence=[0.147, 0.214, 0.538],
        bart=[0.151, 0.197, 0.324],
    ),
    "msmarco": _results(
        "generation",
        "rouge_l bleu1 distinct_trigrams",
        "MS-MARCO",
        token=[0.401, 0.415, 0.778],
        sequence=[0.408, 0.442, 0.835],
        bart=[0.382, 0.416, 0.707],
    ),
    "fever3": _fever("FEVER, 3-way", token=[0.725], sequence=[0.725], bart=[0.640]),
    "fever2": _fever("FEVER, 2-way", token=[0.895], sequence=[0.895], bart=[0.811]),
}

HOT_SWAP = {"2016": {"2016": 0.70, "2018": 0.04}, "2018": {"2016": 0.12, "2018": 0.68}}
"""Index hot-swapping: for each index the shares of leaders of 2016 and of 2018 in its answers."""
