"""Answer a dataset and measure it; the report records all that its numbers depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ragcli import __version__
from ragcli.answering.classify import require_labels
from ragcli.answering.session import Session
from ragcli.digests import file_digest
from ragcli.errors import QuestionError, SettingsError
from ragcli.evaluation.metrics import MAIN, METRICS, Measured, measure_run, metrics_of
from ragcli.evaluation.predict import Asking, label_of, predict
from ragcli.evaluation.predictions import PredictionLog, matched
from ragcli.records import QAExample
from ragcli.settings import AnswerSettings, Task

_LIBRARIES = tuple(
    "bm25s faiss-cpu numpy rouge-score sacrebleu sentence-transformers torch transformers".split()
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What each top-k came to, smallest first, and everything the numbers depend on."""

    task: Task
    results: tuple[Measured, ...]
    run: dict[str, Any]

    @property
    def main(self) -> Measured:
        """The largest top-k: the one whose questions are shown."""
        return self.results[-1]

    @property
    def worst(self) -> tuple[str, float]:
        """The label of the task's main metric, and its lowest value for any k."""
        name = MAIN[self.task]
        return METRICS.load(name).label, min(each.metrics[name].value for each in self.results)


def evaluate(
    session: Session,
    examples: Sequence[QAExample],
    task: Task = "qa",
    asking: Asking = Asking(),  # noqa: B008 (frozen)
    seed: int = 0,
    save: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Answer the examples and measure.

    With `save`, predictions are written there as they come; a run that was interrupted goes on
    from them if model, index, settings, seed, versions and questions are all the same.
    """
    if not examples:
        raise QuestionError("no questions to ask")
    labels = asking.labels
    if (task == "classification") != bool(labels):
        raise SettingsError("classification needs labels, and only classification takes them")
    if labels:
        require_labels(labels)
        for example in examples:
            label_of(example, labels)
    metrics_of(task)  # what is not installed is told before any question is answered
    ks = sorted({session.retriever.available(k) for k in asking.top_ks}) or [session.top_k]
    asking = replace(asking, top_ks=tuple(ks))
    run = fingerprint(session, asking) | _common(examples, task, labels, seed)
    tell = progress or (lambda _: None)
    log = PredictionLog(save, run) if save else None
    rows = log.begin(examples, len(ks)) if log else []
    tell(len(rows))
    for row in predict(session, examples[len(rows) :], asking):
        if log:
            log.add(row)
        rows.append(row)
        tell(1)
    columns = zip(*rows, strict=True)
    results = tuple(measure_run(examples, column, task, seed) for column in columns)
    return Evaluation(task, results, run)


def evaluate_predictions(
    path: Path,
    examples: Sequence[QAExample] | None,
    task: Task = "qa",
    labels: Sequence[str] = (),
    seed: int = 0,
) -> Evaluation:
    """Measure what another run or another tool answered."""
    found, predictions = matched(path, examples)
    for example in found if labels else ():
        label_of(example, labels)
    run = {"predictions": file_digest(path)} | _common(found, task, labels, seed)
    return Evaluation(task, (measure_run(found, predictions, task, seed),), run)


def fingerprint(session: Session, asking: Asking) -> dict[str, Any]:
    """What the answers depend on besides the questions, as JSON values."""
    index, generator, settings = session.index, session.generator, session.settings
    run = {
        "model": generator.name,
        "model_digest": generator.digest,
        "prompting": asdict(generator.prompting),
        "generator": generator.manner,
        "index": index.name,
        "version": index.version,
        "index_digests": dict(index.digests),
        "retriever": settings.retriever,
        "top_k": list(asking.top_ks),
        "decoding": _without(settings, "retriever", "top_k", "min_confidence"),
        "answers_only": asking.answers_only,
    }
    if generator.confidence is not None:
        run["confidence"] = asdict(generator.confidence)
    if session.retriever.encodes:  # a word index needs no query encoder
        encoder = session.encoder.settings
        run |= {
            "encoder": encoder.query_name,
            "encoder_digest": encoder.query_digest,
            "score_scale": encoder.score_scale,
        }
    return run


def _common(
    examples: Sequence[QAExample], task: Task, labels: Sequence[str], seed: int
) -> dict[str, Any]:
    """What the numbers depend on, whoever answered."""
    return {
        "ragcli": __version__,
        "task": task,
        "labels": list(labels),
        "seed": seed,
        "questions": examples_digest(examples),
        "versions": versions(),
    }


def _without(record: AnswerSettings | QAExample, *names: str) -> dict[str, Any]:
    return {name: value for name, value in asdict(record).items() if name not in names}


def examples_digest(examples: Sequence[QAExample]) -> str:
    """sha256 over ids, questions, answers and gold passages in their order."""
    digest = hashlib.sha256()
    for example in examples:
        # Where an example stands changes nothing, nor what only training reads.
        read = _without(example, "changed", "place", "positive")
        digest.update(json.dumps(read, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """The versions of the libraries that the numbers depend on, where they are installed."""
    found = {}
    for name in _LIBRARIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
