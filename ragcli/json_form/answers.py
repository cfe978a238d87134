"""Passages, answers, scores and classifications as JSON values."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.json_form import Json
from ragcli.records import Answer, Candidate, Classification, Passage, RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.score import ScoredAnswer
    from ragcli.protocols import SearchableIndex


def passage_record(item: Passage | RetrievedPassage) -> Json:
    """A passage as it was cut, or as it was retrieved, with its score and p(z|x)."""
    passage = item.passage if isinstance(item, RetrievedPassage) else item
    record: Json = {
        "id": passage.id,
        "document": passage.document_id,
        "title": passage.title,
        "text": passage.text,
        "source": passage.source,
        "line": passage.line,
    }
    if isinstance(item, RetrievedPassage):
        record |= {"score": item.score, "prior": math.exp(item.log_prior)}
    else:
        record |= {"start": item.start, "end": item.end, "digest": item.digest}
    if passage.metadata:
        record["metadata"] = dict(passage.metadata)
    return record


def answer_record(answer: Answer) -> Json:
    """An answer with its evidence; null log-likelihoods are those that fast decoding left out."""
    best = answer.best
    record: Json = {
        "question": answer.question,
        "answer": best.text,
        "log_prob": best.log_prob,
        "prob": math.exp(best.log_prob),
        "doubted": answer.doubted,
        "index": answer.index,
        "version": answer.version,
        "model": answer.model,
        "variant": answer.variant,
        "decoding": answer.decoding,
        "top_k": len(answer.passages),
        "passages": [
            passage_record(item)
            | {"posterior": best.posterior[j], "log_likelihood": _finite(best.log_likelihoods[j])}
            for j, item in enumerate(answer.passages)
        ],
        "candidates": [_candidate(candidate) for candidate in answer.candidates],
        "passes": asdict(answer.passes),
    }
    if answer.no_answer is not None:
        record["no_answer_prob"] = answer.no_answer
    if best.token_posterior is not None:
        record["tokens"] = [
            {"token": token, "posterior": list(row)}
            for token, row in zip(best.token_texts, best.token_posterior, strict=True)
        ]
    return record


def _candidate(candidate: Candidate) -> Json:
    return {
        "answer": candidate.text,
        "log_prob": candidate.log_prob,
        "posterior": list(candidate.posterior),
        "log_likelihoods": [_finite(value) for value in candidate.log_likelihoods],
    }


def score_record(question: str, scored: ScoredAnswer) -> Json:
    """An answer that somebody named, under both variants."""
    return {
        "question": question,
        "answer": scored.answer,
        "sequence_log_prob": scored.sequence_log_prob,
        "token_log_prob": scored.token_log_prob,
        "log_likelihoods": [_finite(value) for value in scored.log_likelihoods],
        "posterior": list(scored.posterior),
    }


def classification_record(result: Classification, index: SearchableIndex) -> Json:
    """A text's labels with their shares, and the passages behind the likeliest one."""
    return {
        "question": result.text,
        "label": result.label,
        "labels": dict(zip(result.labels, result.probs, strict=True)),
        "log_probs": dict(zip(result.labels, result.log_probs, strict=True)),
        "index": index.name,
        "version": index.version,
        "variant": result.variant,
        "top_k": len(result.passages),
        "passages": [
            passage_record(item) | {"posterior": result.posterior[j]}
            for j, item in enumerate(result.passages)
        ],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
