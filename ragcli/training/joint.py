"""End-to-end training: questions and answers in, a model folder out; the index stays frozen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragcli import __version__
from ragcli.answering.session import Session
from ragcli.datasets.read import read_examples
from ragcli.digests import file_digest
from ragcli.errors import QuestionError, SettingsError, StoreBusyError
from ragcli.models import model_folder as model
from ragcli.records import QAExample
from ragcli.settings import Training
from ragcli.store.files import new_folder, replace_file, sweep, writing
from ragcli.training.learner import Learner
from ragcli.training.loop import SilentTraining, Trainer, TrainingProgress


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What a training made; `records` are the lines of its log."""

    folder: Path
    steps: int
    best_step: int
    examples: int
    stopped: str | None
    history: tuple[dict[str, Any], ...]
    records: tuple[dict[str, Any], ...]
    manifest: dict[str, Any]


def train(
    session: Session,
    data: Path | str,
    output: Path | str,
    training: Training = Training(),  # noqa: B008 (frozen)
    *,
    dev: Path | str | None = None,
    resume: bool = False,
    format: str = "jsonl",
    key: str | None = None,
    progress: TrainingProgress | None = None,
) -> TrainingReport:
    """Train query encoder and generator on `data` and write a model folder to `output`.

    `session` is a `Rag`, whose index stays frozen. Nothing is written before every line of the data
    has been checked. `resume` goes on from the last checkpoint in `output`, or begins if there is
    none.
    """
    output, told = Path(output), progress or SilentTraining()
    files = {"data": Path(data)} | ({"dev": Path(dev)} if dev else {})
    read = {name: read_examples(path, format, key) for name, path in files.items()}
    check_output(output, resume)
    said = session.settings
    variant, top_k = training.variant or said.variant, training.top_k or said.top_k
    margin = said.margin if training.margin is None else training.margin
    decided: dict[str, Any] = {"variant": variant, "top_k": top_k, "margin": margin}
    training = replace(training, **decided)
    learner = Learner(session.using(**decided), training)
    check_examples([example for each in read.values() for example in each], learner)
    if learner.top_k < top_k:
        told.warned(
            f"top-k {top_k} is more than the index holds; using all {learner.top_k} passages"
        )
    described = {
        name: {"file": path.name, "sha256": file_digest(path), "format": format, "key": key}
        for name, path in files.items()
    }
    identity = _identity(learner) | {"dev": None} | described
    with writing(output), _alone(output):
        trainer = Trainer(learner, read["data"], read.get("dev", []), output, identity, told)
        done = trainer.run(resume)
        outcome = {
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "steps": done.step,
            "best_step": done.best_step,
            "stopped": done.stopped,
            "history": done.history,
        }
        manifest = write_model(output, learner, identity | outcome)
        trainer.checkpoints.clear()
        records = tuple(trainer.log.records())
    count, history = len(trainer.pairs), tuple(done.history)
    return TrainingReport(
        output, done.step, done.best_step, count, done.stopped, history, records, manifest
    )


def check_examples(examples: Sequence[QAExample], learner: Learner) -> None:
    """Every question can be encoded and read, every answer written; else which line cannot."""
    most = learner.generator.max_tokens
    for example in examples:
        with placed(example):
            if example.patterns:
                raise QuestionError(
                    "its answers are regular expressions, which no generator can learn to write",
                    "give answers as texts",
                )
            learner.network.features([example.question])
            learner.inputs([(example.question, "", "")])
            length = max(len(learner.generator.tokenize(answer)) for answer in example.answers)
            if length > most:
                raise QuestionError(
                    f"an answer of {length} tokens, and the generator writes at most {most}",
                    "shorten the answer, or leave it out",
                )


@contextmanager
def placed(example: QAExample) -> Iterator[None]:
    """Whatever is wrong with an example is told with its place."""
    try:
        yield
    except QuestionError as error:
        raise QuestionError(f"{example.place}: {error.message}", error.hint) from None


def check_output(output: Path, resume: bool) -> None:
    """Never write over anything: a new folder, or one to be resumed."""
    if (output / model.MANIFEST).exists():
        raise SettingsError(f"{output} holds a model that is finished", "train into another folder")
    if output.exists() and not output.is_dir():
        raise SettingsError(f"{output} is a file", "name a folder for the model")
    if not resume and output.is_dir() and any(output.iterdir()):
        raise SettingsError(
            f"{output} is not empty", "go on with --resume, or train into another folder"
        )


def _identity(learner: Learner) -> dict[str, Any]:
    """What decides the result of a training; a resumed one must have it in common."""
    index, network, generator = learner.index, learner.network, learner.generator
    return {
        "ragcli": __version__,
        "training": asdict(learner.training),
        "index": {
            "name": index.name,
            "version": index.version,
            "digests": dict(index.digests),
            "document_digest": index.encoder.document_digest,
        },
        "base": {
            "query_encoder": network.settings.query_name,
            "query_encoder_digest": network.digest,
            "score_scale": network.settings.score_scale,
            "generator": generator.name,
            "generator_digest": generator.digest,
            "prompting": asdict(generator.prompting),
            "manner": generator.manner,
        },
    }


def write_model(output: Path, learner: Learner, manifest: dict[str, Any]) -> dict[str, Any]:
    """Write both networks beside the checkpoints, and the manifest last: then it is a model."""
    settings = learner.encoder_settings()
    learner.whole.eval()
    encoder, generator = output / model.QUERY_ENCODER, output / model.GENERATOR
    for part in (encoder, generator):  # a training may have been killed here
        shutil.rmtree(part, ignore_errors=True)
    with new_folder(encoder) as folder:
        learner.network.save(folder, settings)
    with new_folder(generator) as folder:
        model.save_generator(folder, learner.generator)
    digests = {encoder.name: settings.query_digest, generator.name: learner.generator.digest}
    whole = {"schema": model.SCHEMA, **manifest, "digests": digests}
    text = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
    replace_file(output / model.MANIFEST, text.encode())
    return whole


@contextmanager
def _alone(output: Path) -> Iterator[None]:
    """One training at a time in a folder."""
    from filelock import FileLock, Timeout

    output.mkdir(parents=True, exist_ok=True)
    lock = FileLock(output / ".lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StoreBusyError(f"another process is training into {output}") from None
    sweep(output)
    try:
        yield
    finally:
        lock.release()
        (output / ".lock").unlink(missing_ok=True)
