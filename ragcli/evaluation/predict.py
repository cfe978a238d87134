"""Answer every example of a dataset, in batches, for one top-k or for several at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragcli.answering.ask import require_fitting, together
from ragcli.answering.classify import classify_retrieved, labelled
from ragcli.answering.decode import Retrieved, decode, read
from ragcli.answering.margins import evidence
from ragcli.answering.score import score_many
from ragcli.answering.session import Session
from ragcli.answering.settle import settle
from ragcli.core.marginalize import log_prior
from ragcli.core.prompting import told
from ragcli.errors import QuestionError
from ragcli.protocols import Reading
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
        batch = _Batch(session, asking, examples[start : start + size])
        yield from batch.settled() if settles else batch.predicted()


class _Batch:
    """Examples that are retrieved and answered together."""

    def __init__(self, session: Session, asking: Asking, examples: Sequence[QAExample]) -> None:
        self.generator, self.settings = session.generator, session.settings
        self.asking, self.examples = asking, examples
        self.questions = [example.question for example in examples]
        if asking.labels:
            self.asked = labelled(self.generator, self.questions)
        else:
            self.asked = told(self.questions, self.settings.style, self.generator.prompting)
        self.retrieved = evidence(session, self.questions)

    def settled(self) -> Iterator[tuple[Prediction, ...]]:
        """Only the answers, from as few passages as settle them."""
        answers = settle(self.generator, self.asked, self.retrieved, self.settings)
        for example, passages, answer in zip(self.examples, self.retrieved, answers, strict=True):
            yield (_prediction(example, answer.text, passages, answer.posterior),)

    def predicted(self) -> Iterator[tuple[Prediction, ...]]:
        """All k."""
        count = len(self.retrieved[0])
        whole = read(self.generator, self.asked, self.retrieved)
        run = self._labelled if self.asking.labels else self._answered
        columns = []
        for k in self.asking.top_ks:
            rows = np.arange(whole.rows).reshape(-1, count)[:, :k].reshape(-1)
            reading = whole if k >= count else whole.select(rows)
            nearest = [nearest_passages(passages, k) for passages in self.retrieved]
            columns.append([replace(found, top_k=k) for found in run(nearest, reading)])
        return zip(*columns, strict=True)

    def _answered(self, retrieved: Sequence[Retrieved], reading: Reading) -> Iterator[Prediction]:
        given = self.generator, self.asked
        decoded = decode(*given, retrieved, self.settings, reading=reading)
        golds = [[] if self.asking.answers_only else self._scorable(e) for e in self.examples]
        scored = score_many(*given, golds, retrieved, reading)
        together = zip(self.examples, retrieved, decoded, scored, strict=True)
        for example, passages, result, gold in together:
            best = result.candidates[0]
            log_probs = best.log_prob, gold[0].log_prob(self.settings.variant) if gold else None
            yield _prediction(example, best.text, passages, best.posterior, *log_probs)

    def _scorable(self, example: QAExample) -> list[str]:
        """The first accepted answer, if it is a text that the generator could write."""
        if example.patterns or not example.answers:
            return []
        gold = example.answers[0]
        return [gold] if len(self.generator.tokenize(gold)) <= self.generator.max_tokens else []

    def _labelled(self, retrieved: Sequence[Retrieved], reading: Reading) -> Iterator[Prediction]:
        labels, variant = self.asking.labels, self.settings.variant
        classified = classify_retrieved(
            self.generator, self.questions, retrieved, labels, variant, reading
        )
        for example, result in zip(self.examples, classified, strict=True):
            by_label = dict(zip(result.labels, result.log_probs, strict=True))
            log_probs = by_label[result.label], by_label[label_of(example, labels)]
            posterior = result.posterior
            found = _prediction(example, result.label, result.passages, posterior, *log_probs)
            yield replace(found, labels=dict(zip(result.labels, result.probs, strict=True)))


def nearest_passages(passages: Retrieved, k: int) -> list[RetrievedPassage]:
    """The first k passages, with p(z|x) renormalised over them."""
    priors = log_prior(np.array([r.log_prior for r in passages[:k]]))
    return [
        replace(r, log_prior=float(prior)) for r, prior in zip(passages[:k], priors, strict=True)
    ]


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
    evidence = []
    for r, share in zip(passages, posterior, strict=True):
        if r.row >= 0:
            p, prior = r.passage, math.exp(r.log_prior)
            said = p.id, p.document_id, p.title, r.text
            where = p.source, p.page, p.line, p.headings
            evidence.append(Evidence(*said, prior, share, *where))
    found = Prediction(example.id, example.question, answer, tuple(evidence), len(passages))
    return replace(found, log_prob=_finite(log_prob), gold_log_prob=_finite(gold_log_prob))


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
