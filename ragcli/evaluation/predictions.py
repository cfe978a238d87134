"""Predictions on disk: JSON lines that grow while an evaluation runs, beside its fingerprint.

    FILE             one prediction a line, in the order of the examples
    FILE.run.json    everything they depend on: digests of model and index, settings, seed, versions

What is there is taken up again only if the fingerprint is the same to the last byte; a last line
that was cut short is dropped. Lines of `rag ask - --json` and of other tools can be read as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ragcli.datasets.fields import json_lines, text_of, texts_of
from ragcli.errors import QuestionError, StoreError
from ragcli.records import Evidence, Prediction, QAExample
from ragcli.store.files import replace_file, writing


def read_predictions(path: Path) -> list[tuple[str, Prediction, tuple[str, ...]]]:
    """Each prediction of a file with its place and, if the line has them, accepted answers."""
    found = []
    for place, record in json_lines(path):
        if "error" in record and "answer" not in record:
            raise QuestionError(f"{place}: a question that was not answered: {record['error']}")
        given = record.get("answers", record.get("gold_answers"))
        accepted = texts_of(given, "answers", place) if given is not None else ()
        found.append((place, _prediction(record, place), accepted))
    if not found:
        raise QuestionError(f"{path}: no predictions")
    return found


def _prediction(record: dict[str, Any], place: str) -> Prediction:
    answer = record.get("answer", record.get("prediction"))
    if not isinstance(answer, str):
        raise QuestionError(f"{place}: no answer")
    passages = record.get("passages") or []
    if not isinstance(passages, list) or not all(isinstance(p, dict) for p in passages):
        raise QuestionError(f"{place}: passages must be a list of objects")
    evidence = tuple(_evidence(passage) for passage in passages)
    labels, top_k = record.get("labels"), record.get("top_k") or 0
    if not isinstance(top_k, int) or top_k < 0:
        raise QuestionError(f"{place}: top_k must be a whole number, not {top_k!r}")
    return Prediction(
        id=str(record["id"]) if record.get("id") is not None else "",
        question=text_of(record, "question", place),
        answer=answer,
        passages=evidence,
        top_k=top_k or len(evidence) or 1,
        log_prob=_number(record, "log_prob", place),
        gold_log_prob=_number(record, "gold_log_prob", place),
        labels=labels if isinstance(labels, dict) else None,
    )


def _number(record: dict[str, Any], name: str, place: str) -> float | None:
    value = record.get(name)
    if value is not None and not (isinstance(value, int | float) and math.isfinite(value)):
        raise QuestionError(f"{place}: {name} must be a number, not {value!r}")
    return None if value is None else float(value)


def _evidence(record: dict[str, Any]) -> Evidence:
    names = ("id", "document", "title", "text", "source")
    told: dict[str, Any] = {name: str(record.get(name) or "") for name in names}
    told |= {name: record.get(name) for name in ("prior", "posterior", "page", "line")}
    return Evidence(**told, headings=tuple(map(str, record.get("headings") or ())))


def matched(
    path: Path, examples: Sequence[QAExample] | None = None
) -> tuple[list[QAExample], list[Prediction]]:
    """The predictions of a file in the order of the examples, found by id or else by question.

    Without examples, every line must bring its accepted answers.
    """
    found = read_predictions(path)
    if examples is None:
        own = []
        for n, (place, p, accepted) in enumerate(found, 1):
            if not accepted:
                hint = "name the questions as well: rag evaluate QUESTIONS --predictions FILE"
                raise QuestionError(f"{place}: no accepted answers", hint)
            own.append(QAExample(p.id or str(n), p.question, accepted))
        return own, [prediction for _, prediction, _ in found]
    by_id: dict[str, Prediction] = {}
    for place, p, _ in found:
        if p.id and by_id.setdefault(p.id, p).answer != p.answer:
            raise QuestionError(f"{place}: another answer to {p.id} stands above")
    by_question = {p.question: p for _, p, _ in found}
    predictions = []
    for example in examples:
        # Ids may be other numbers in another tool: the question decides where they disagree.
        prediction = by_id.get(example.id)
        if prediction is None or prediction.question != example.question:
            prediction = by_question.get(example.question, prediction)
        if prediction is None:
            raise QuestionError(f"{path}: no answer to {example.id} ({example.question[:60]})")
        predictions.append(prediction)
    return list(examples), predictions


class PredictionLog:
    """Predictions that are written as they come and taken up again after an interruption."""

    def __init__(self, path: Path, fingerprint: dict[str, Any]) -> None:
        self._path, self._sidecar = path, path.with_name(f"{path.name}.run.json")
        self._fingerprint = fingerprint

    def begin(self, examples: Sequence[QAExample], each: int) -> list[tuple[Prediction, ...]]:
        """What an earlier run with the same fingerprint left: whole examples, `each` lines for one.

        Raises if the file belongs to another run.
        """
        with writing(self._path.parent):
            if self._path.exists() or self._sidecar.exists():
                self._require_same()
            else:
                data = json.dumps(self._fingerprint, indent=1, ensure_ascii=False)
                replace_file(self._sidecar, data.encode())
            kept = self._kept(examples, each)
            lines = [line for group in kept for line in map(_line, group)]
            replace_file(self._path, "".join(lines).encode())
        return kept

    def _require_same(self) -> None:
        try:
            earlier = json.loads(self._sidecar.read_bytes())
            different = differences(earlier, self._fingerprint)
            wrong = f"was made with other settings: {', '.join(different)}" if different else ""
        except (OSError, ValueError, AttributeError):
            wrong = f"has no readable {self._sidecar.name} to say what it depends on"
        if wrong:
            hint = "name another file with --save, or remove both"
            raise StoreError(f"{self._path} {wrong}", hint)

    def _kept(self, examples: Sequence[QAExample], each: int) -> list[tuple[Prediction, ...]]:
        if not self._path.exists():
            return []
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1].splitlines()
        try:
            read = [_prediction(json.loads(line), str(self._path)) for line in whole]
        except (ValueError, AttributeError, QuestionError) as error:
            raise StoreError(f"{self._path} is damaged: {error}", "remove it") from None
        groups = [tuple(read[n : n + each]) for n in range(0, len(read) - each + 1, each)]
        ids = [group[0].id for group in groups]
        if ids != [example.id for example in examples[: len(ids)]]:
            raise StoreError(f"{self._path} holds other questions", "name another file with --save")
        return groups

    def add(self, predictions: Sequence[Prediction]) -> None:
        """Write one example's predictions at once."""
        with writing(self._path.parent), self._path.open("a", encoding="utf-8") as stream:
            stream.write("".join(map(_line, predictions)))


def _line(prediction: Prediction) -> str:
    return json.dumps(asdict(prediction), ensure_ascii=True, allow_nan=False) + "\n"


def differences(a: dict[str, Any], b: dict[str, Any], above: str = "") -> list[str]:
    """The names whose values are not the same, in order, nested names with dots."""
    found = []
    for name in sorted(a.keys() | b.keys()):
        first, second = a.get(name), b.get(name)
        if isinstance(first, dict) and isinstance(second, dict):
            found += differences(first, second, f"{above}{name}.")
        elif first != second:
            found.append(f"{above}{name}")
    return found
