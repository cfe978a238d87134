"""Passages, answers, scores and classifications as JSON values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.errors import RagError
from ragcli.json_form import Json, picked
from ragcli.records import Answer, Classification, Passage, RetrievedPassage

if TYPE_CHECKING:
    from ragcli.answering.score import ScoredAnswer
    from ragcli.protocols import SearchableIndex


def passage_record(item: Passage | RetrievedPassage) -> Json:
    """A passage as it was cut, or as it was retrieved, with its score and p(z|x)."""
    passage = item.passage if isinstance(item, RetrievedPassage) else item
    record = picked(passage, "id document=document_id title headings text source page line")
    record["headings"] = list(passage.headings)
    if isinstance(item, RetrievedPassage):
        record |= {"score": item.score, "prior": math.exp(item.log_prior)}
    else:
        record |= picked(item, "start end digest")
    if passage.metadata:
        record["metadata"] = dict(passage.metadata)
    return record


def evidence_record(item: RetrievedPassage, posterior: float) -> Json:
    """A passage as the generator read it, with its share; `margin` counts what is beside it."""
    margin = [len(item.before and f"{item.before} "), len(item.after and f" {item.after}")]
    read = {"text": item.text, "margin": margin, "posterior": posterior}
    return passage_record(item) | read


def answer_record(answer: Answer) -> Json:
    """An answer with its evidence; null log-likelihoods are those that fast decoding left out."""
    best = answer.best
    evidence = zip(answer.passages, best.posterior, _finite(best.log_likelihoods), strict=True)
    record = {
        **picked(answer, "question answer=best.text log_prob=best.log_prob"),
        "prob": math.exp(best.log_prob),
        **picked(answer, "doubted index version model variant decoding"),
        "top_k": len(answer.passages),
        "passages": [
            evidence_record(item, posterior)
            | {"span": item.span and list(item.span), "log_likelihood": likelihood}
            for item, posterior, likelihood in evidence
        ],
        "candidates": [
            picked(each, "answer=text log_prob posterior")
            | {"log_likelihoods": _finite(each.log_likelihoods)}
            for each in answer.candidates
        ],
        **picked(answer, "passes"),
    }
    if answer.no_answer is not None:
        record["no_answer_prob"] = answer.no_answer
    if best.token_posterior is not None:
        tokens = zip(best.token_texts, best.token_posterior, strict=True)
        record["tokens"] = [{"token": token, "posterior": list(row)} for token, row in tokens]
    return record


def score_record(question: str, scored: ScoredAnswer) -> Json:
    """An answer that somebody named, under both variants."""
    values = picked(scored, "answer sequence_log_prob token_log_prob posterior")
    return {"question": question} | values | {"log_likelihoods": _finite(scored.log_likelihoods)}


def classification_record(result: Classification, index: SearchableIndex) -> Json:
    """A text's labels with their shares, and the passages behind the likeliest one."""
    evidence = zip(result.passages, result.posterior, strict=True)
    return {
        **picked(result, "question=text label variant"),
        "labels": dict(zip(result.labels, result.probs, strict=True)),
        "log_probs": dict(zip(result.labels, result.log_probs, strict=True)),
        **picked(index, "index=name version"),
        "top_k": len(result.passages),
        "passages": [evidence_record(item, share) for item, share in evidence],
    }


def error_record(line: int, question: str, error: RagError) -> Json:
    """A line of stdin that could not be answered."""
    record: Json = {"line": line, "error": str(error)}
    return record | ({"question": question} if question else {})


def merged(record: Json, fields: Json) -> Json:
    """Our record with the other fields of its line; those whose names we use go under `input`."""
    ours, kept = {*record, "error", "line", "input"}, dict(fields)
    taken = {name: kept.pop(name) for name in fields if name in ours}
    return record | kept | ({"input": taken} if taken else {})


def _finite(values: Sequence[float]) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values]
