"""log p(answer | question) of answers that the user names, under both variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragcli.core import marginalize as m
from ragcli.errors import QuestionError
from ragcli.pipeline.decode import read
from ragcli.protocols import Generator
from ragcli.records import RetrievedPassage


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """An answer's marginals, and for each passage log p(y|x,z) and p(z|x,y)."""

    answer: str
    sequence_log_prob: float
    token_log_prob: float
    log_likelihoods: tuple[float, ...]
    posterior: tuple[float, ...]


def score(
    generator: Generator,
    question: str,
    answers: Sequence[str],
    retrieved: Sequence[RetrievedPassage],
) -> list[ScoredAnswer]:
    """Score each answer under RAG-Sequence and RAG-Token over the same passages."""
    if not answers:
        raise QuestionError("no answers to score")
    targets = [generator.tokenize(answer) for answer in answers]
    for answer, target in zip(answers, targets, strict=True):
        if not answer.strip():
            raise QuestionError("an answer to score is empty")
        if len(target) > generator.max_tokens:
            raise QuestionError(
                f"the answer {answer[:40]!r} takes {len(target)} tokens and the generator writes "
                f"at most {generator.max_tokens}"
            )
    k = len(retrieved)
    reading = read(generator, [question], [retrieved])
    rows = np.tile(np.arange(k), len(targets))
    repeated = [target for target in targets for _ in range(k)]
    log_probs, mask = (np.asarray(x) for x in reading.token_log_probs(rows, repeated))
    shape = (len(targets), k, -1)
    log_probs, masks = log_probs.astype(np.float64).reshape(shape), mask.reshape(shape)
    prior = np.array([r.log_prior for r in retrieved])
    likelihoods = m.sequence_log_likelihood(log_probs, masks)
    sequence = m.sequence_marginal(prior, likelihoods)
    token = m.token_sequence_marginal(prior, log_probs, masks[:, 0])
    posterior = m.posterior(prior, likelihoods)
    return [
        ScoredAnswer(
            answer,
            float(sequence[n]),
            float(token[n]),
            tuple(map(float, likelihoods[n])),
            tuple(map(float, posterior[n])),
        )
        for n, answer in enumerate(answers)
    ]
