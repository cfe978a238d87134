"""log p(answer | question) of answers that the user names, under both variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragcli.answering.decode import Retrieved, log_priors, read
from ragcli.answering.margins import evidence
from ragcli.answering.session import Session
from ragcli.core import marginalize as m
from ragcli.core.prompting import told
from ragcli.errors import QuestionError
from ragcli.protocols import Generator, Reading
from ragcli.records import several


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """An answer's marginals, and for each passage log p(y|x,z) and p(z|x,y)."""

    answer: str
    sequence_log_prob: float
    token_log_prob: float
    log_likelihoods: tuple[float, ...]
    posterior: tuple[float, ...]

    def log_prob(self, variant: str) -> float:
        """The marginal of one variant."""
        return self.token_log_prob if variant == "token" else self.sequence_log_prob


def score(session: Session, question: str, answers: str | Sequence[str]) -> list[ScoredAnswer]:
    """Score each answer under RAG-Sequence and RAG-Token over the passages of the question."""
    if not answers:
        raise QuestionError("no answers to score")
    generator, settings = session.generator, session.settings
    found = evidence(session, [question])
    asked = told([question], settings.style, generator.prompting)
    return score_many(generator, asked, [several(answers)], found)[0]


def score_many(
    generator: Generator,
    questions: Sequence[str],
    answers: Sequence[Sequence[str]],
    retrieved: Sequence[Retrieved],
    reading: Reading | None = None,
) -> list[list[ScoredAnswer]]:
    """Score each question's answers; every question has the same number of passages.

    `reading` spares the encoder if these pairs were read before.
    """
    flat = [(q, answer) for q, each in enumerate(answers) for answer in each]
    targets = [_target(generator, answer) for _, answer in flat]
    if not flat:
        return [[] for _ in questions]
    reading = reading or read(generator, questions, retrieved)
    k = len(retrieved[0])
    rows = np.array([q * k + j for q, _ in flat for j in range(k)])
    found = reading.token_log_probs(rows, [target for target in targets for _ in range(k)])
    shape = (len(flat), k, -1)
    log_probs = np.asarray(found.log_probs, dtype=np.float64).reshape(shape)
    masks = np.asarray(found.mask).reshape(shape)
    answered = None if found.answered is None else np.asarray(found.answered).reshape(shape)
    prior = log_priors(retrieved)[[q for q, _ in flat]]
    likelihoods = m.sequence_log_likelihood(log_probs, masks)
    sequence = m.sequence_marginal(prior, likelihoods)
    token = m.token_sequence_marginal(prior, log_probs, masks[:, 0], answered)
    posterior = m.posterior(prior, likelihoods)
    scored: list[list[ScoredAnswer]] = [[] for _ in questions]
    for n, (q, answer) in enumerate(flat):
        shares = tuple(likelihoods[n].tolist()), tuple(posterior[n].tolist())
        scored[q].append(ScoredAnswer(answer, float(sequence[n]), float(token[n]), *shares))
    return scored


def _target(generator: Generator, answer: str) -> tuple[int, ...]:
    if not answer.strip():
        raise QuestionError("an answer to score is empty")
    target = generator.tokenize(answer)
    if len(target) > generator.max_tokens:
        raise QuestionError(
            f"the answer {answer[:40]!r} takes {len(target)} tokens and the generator writes "
            f"at most {generator.max_tokens}"
        )
    return target
