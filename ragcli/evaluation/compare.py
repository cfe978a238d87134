"""Two evaluations of the same questions: is one better, and where do they differ?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcli.core.statistics import McNemar, Measure, mcnemar, paired_bootstrap
from ragcli.datasets.fields import json_file
from ragcli.errors import QuestionError

_PER_QUESTION = ("f1", "retrieved", "gold_recall", "gold_log_prob")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences second − first, McNemar's test on right answers, and who differs.

    `settings` holds what the two runs did not have in common, by name, and `differing` the trials
    of both for each question that only one has right.
    """

    questions: int
    differences: dict[str, Measure]
    mcnemar: McNemar
    settings: dict[str, list[Any]]
    differing: tuple[tuple[dict[str, Any], dict[str, Any]], ...]


def read_report(path: Path) -> dict[str, Any]:
    """A file that `rag evaluate --json` wrote."""
    make = "make one: rag evaluate QUESTIONS --json > a.json"
    try:
        record = json_file(path)
    except QuestionError as error:
        raise QuestionError(error.message, make) from None
    if not isinstance(record, dict) or not {"task", "trials"} <= record.keys():
        raise QuestionError(f"{path}: not a report of rag evaluate", make)
    needed = {"id", "question", "right", "accepted", "answer"}
    trials = record["trials"]
    whole = isinstance(trials, list) and all(
        isinstance(trial, dict) and needed <= trial.keys() for trial in trials
    )
    if not whole or not trials:
        raise QuestionError(f"{path}: its trials are not those of a report")
    return record


def compare(first: Mapping[str, Any], second: Mapping[str, Any], seed: int = 0) -> Comparison:
    """Compare two records of `rag evaluate --json` question by question."""
    pairs = _pairs(first, second)
    right = [(bool(a["right"]), bool(b["right"])) for a, b in pairs]
    name = "accuracy" if first["task"] == "classification" else "exact_match"
    columns = {name: [(float(a), float(b)) for a, b in right]}
    for metric in _PER_QUESTION:
        known = [(a.get(metric), b.get(metric)) for a, b in pairs]
        numbers = [(float(a), float(b)) for a, b in known if a is not None and b is not None]
        if numbers:
            columns["answer_recall" if metric == "retrieved" else metric] = numbers
    return Comparison(
        questions=len(pairs),
        differences={name: paired_bootstrap(rows, seed) for name, rows in columns.items()},
        mcnemar=mcnemar(right),
        settings=_changed(first.get("run", {}), second.get("run", {})),
        differing=tuple(pair for pair, (a, b) in zip(pairs, right, strict=True) if a != b),
    )


def _pairs(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The trials of both runs side by side; they must be of the same task and questions."""
    if first["task"] != second["task"]:
        raise QuestionError(f"one run is {first['task']} and the other {second['task']}")
    a, b = ({(t["id"], t["question"]): t for t in run["trials"]} for run in (first, second))
    if a.keys() != b.keys():
        lone = sorted(a.keys() ^ b.keys())
        raise QuestionError(
            f"{len(lone)} questions are in one run only, for example {lone[0][0]!r}",
            "compare runs over the same questions",
        )
    for key, trial in a.items():
        if trial["accepted"] != b[key]["accepted"]:
            raise QuestionError(f"the accepted answers to {key[0]!r} are not the same in both runs")
    return [(trial, b[key]) for key, trial in a.items()]


def _changed(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values of both, by name, where they are not the same."""
    names = sorted(first.keys() | second.keys())
    both = {name: [first.get(name), second.get(name)] for name in names}
    return {name: [a, b] for name, (a, b) in both.items() if a != b}
