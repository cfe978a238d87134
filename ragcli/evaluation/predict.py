"""Answer every example of a dataset, in batches, for one top-k or for several at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragcli.answering.ask import require_fitting, together
from ragcli.answering.classify import classify_retrieved
from ragcli.answering.decode import Retrieved, decode, read
from ragcli.answering.score import score_many
from ragcli.answering.session import Session
from ragcli.answering.settle import settle
from ragcli.core.marginalize import log_prior
from ragcli.errors import QuestionError
from ragcli.protocols import Generator, Reading
from ragcli.records import Evidence, Prediction, QAExample, RetrievedPassage

_SETTLED_TOGETHER = 4


@dataclass(frozen=True, slots=True)
class Asking:
    """How examples are answered: with `labels` they are classified instead.

    Each is answered for every one of `top_ks`; none stand for the session's own. With
    `answers_only` no log-probabilities are given, and thorough RAG-Sequence for one top-k reads
    only as many passages as settle the answer (see answering/settle.py).
    """

    top_ks: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    answers_only: bool = False
    batch_size: int = 8


def predict(
    session: Session, examples: Sequence[QAExample], asking: Asking
) -> Iterator[tuple[Prediction, ...]]:
    """For each example in order its predictions, one for each top-k.

    The search is done once, for the largest k, and each (question, passage) pair is read once;
    smaller k take the first of the same passages and renormalise p(z|x) over them.
    """
    # Only the best answer is measured, which spares thorough decoding most of its rescoring.
    session = session.using(n_best=1, top_k=max(asking.top_ks))
    settings = session.settings
    require_fitting(session.generator, settings)
    thorough = settings.variant == "sequence" and settings.mode == "thorough"
    one = len(asking.top_ks) == 1 and not asking.labels
    settles = asking.answers_only and thorough and one
    # Settling reads one passage of each question first, so that more questions fit together.
    size = together(asking.batch_size * (_SETTLED_TOGETHER if settles else 1), settings)
    for start in range(0, len(examples), size):
        batch = examples[start : start + size]
        found = session.retriever.retrieve([e.question for e in batch], settings.top_k)
        if settles:
            yield from _settled(session, batch, found)
        else:
            yield from _predict(session, asking, batch, found)


def _settled(
    session: Session, examples: Sequence[QAExample], retrieved: Sequence[Retrieved]
) -> Iterator[tuple[Prediction, ...]]:
    """Only the answers, from as few passages as settle them."""
    questions = [example.question for example in examples]
    answers = settle(session.generator, questions, retrieved, session.settings)
    for example, passages, answer in zip(examples, retrieved, answers, strict=True):
        yield (_prediction(example, answer.text, passages, answer.posterior),)


def _predict(
    session: Session,
    asking: Asking,
    examples: Sequence[QAExample],
    retrieved: Sequence[Retrieved],
) -> Iterator[tuple[Prediction, ...]]:
    """All k for one batch of examples."""
    count = len(retrieved[0])
    whole = read(session.generator, [e.question for e in examples], retrieved)
    run = _labelled if asking.labels else _answered
    columns = []
    for k in asking.top_ks:
        rows = np.arange(len(examples) * count).reshape(-1, count)[:, :k].reshape(-1)
        reading = whole if k >= count else whole.select(rows)
        nearest = [nearest_passages(passages, k) for passages in retrieved]
        found = run(session, asking, examples, nearest, reading)
        columns.append([replace(prediction, top_k=k) for prediction in found])
    return zip(*columns, strict=True)


def nearest_passages(passages: Retrieved, k: int) -> list[RetrievedPassage]:
    """The first k passages, with p(z|x) renormalised over them."""
    priors = log_prior(np.array([r.log_prior for r in passages[:k]]))
    return [
        replace(r, log_prior=float(prior)) for r, prior in zip(passages[:k], priors, strict=True)
    ]


def _answered(
    session: Session,
    asking: Asking,
    examples: Sequence[QAExample],
    retrieved: Sequence[Retrieved],
    reading: Reading,
) -> Iterator[Prediction]:
    questions = [example.question for example in examples]
    decoded = decode(session.generator, questions, retrieved, session.settings, reading=reading)
    golds = [[] if asking.answers_only else _scorable(session.generator, e) for e in examples]
    scored = score_many(session.generator, questions, golds, retrieved, reading)
    for example, passages, result, gold in zip(examples, retrieved, decoded, scored, strict=True):
        best = result.candidates[0]
        log_probs = best.log_prob, gold[0].log_prob(session.settings.variant) if gold else None
        yield _prediction(example, best.text, passages, best.posterior, *log_probs)


def _scorable(generator: Generator, example: QAExample) -> list[str]:
    """The first accepted answer, if it is a text that the generator could write."""
    if example.patterns or not example.answers:
        return []
    gold = example.answers[0]
    return [gold] if len(generator.tokenize(gold)) <= generator.max_tokens else []


def _labelled(
    session: Session,
    asking: Asking,
    examples: Sequence[QAExample],
    retrieved: Sequence[Retrieved],
    reading: Reading,
) -> Iterator[Prediction]:
    texts, variant = [example.question for example in examples], session.settings.variant
    classified = classify_retrieved(
        session.generator, texts, retrieved, asking.labels, variant, reading
    )
    for example, result in zip(examples, classified, strict=True):
        by_label = dict(zip(result.labels, result.log_probs, strict=True))
        log_probs = by_label[result.label], by_label[label_of(example, asking.labels)]
        found = _prediction(example, result.label, result.passages, result.posterior, *log_probs)
        yield replace(found, labels=dict(zip(result.labels, result.probs, strict=True)))


def label_of(example: QAExample, labels: Sequence[str]) -> str:
    """The label among `labels` that the example has, whatever its case."""
    given = example.answers[0] if example.answers else ""
    for label in labels:
        if label.lower() == given.lower():
            return label
    raise QuestionError(
        f"example {example.id}: the label {given!r} is not one of {', '.join(labels)}",
        "name every label of the file with --labels",
    )


def _prediction(
    example: QAExample,
    answer: str,
    passages: Retrieved,
    posterior: Sequence[float],
    log_prob: float | None = None,
    gold_log_prob: float | None = None,
) -> Prediction:
    evidence = tuple(
        Evidence(
            id=r.passage.id,
            document=r.passage.document_id,
            title=r.passage.title,
            text=r.passage.text,
            prior=math.exp(r.log_prior),
            posterior=share,
        )
        for r, share in zip(passages, posterior, strict=True)
        if r.row >= 0
    )
    log_probs = _finite(log_prob), _finite(gold_log_prob)
    return Prediction(example.id, example.question, answer, evidence, len(passages), *log_probs)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
