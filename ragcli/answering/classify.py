"""Texts to labels: the marginal p(label | text) over the retrieved passages (the paper's FEVER)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ragcli.answering.decode import Retrieved
from ragcli.answering.margins import evidence
from ragcli.answering.score import score_many
from ragcli.answering.session import Session
from ragcli.core.marginalize import log_prior
from ragcli.core.prompting import told
from ragcli.errors import SettingsError
from ragcli.protocols import Generator, Reading
from ragcli.records import Classification, several
from ragcli.settings import LABEL, Variant


def require_labels(labels: str | Sequence[str]) -> tuple[str, ...]:
    """At least two labels, none empty, none twice."""
    labels = several(labels)
    if len(labels) < 2 or not all(labels) or len({label.lower() for label in labels}) < len(labels):
        raise SettingsError(
            f"labels must be two or more different words with commas between, not {labels!r}",
            "for example --labels supports,refutes,unknown",
        )
    return tuple(labels)


def classify(
    session: Session, texts: str | Sequence[str], labels: Sequence[str], batch_size: int = 8
) -> Iterator[Classification]:
    """Classify `texts` in order, `batch_size` of them at a time."""
    texts, labels = several(texts), require_labels(labels)
    for start in range(0, len(texts), batch_size):
        batch = texts[start : start + batch_size]
        found = evidence(session, batch)
        variant = session.settings.variant
        yield from classify_retrieved(session.generator, batch, found, labels, variant)


def labelled(generator: Generator, texts: Sequence[str]) -> list[str]:
    """The texts as the generator is asked for their labels, if it has a style for that."""
    style = LABEL if LABEL in generator.prompting.styles else "short"
    return told(texts, style, generator.prompting)


def classify_retrieved(
    generator: Generator,
    texts: Sequence[str],
    retrieved: Sequence[Retrieved],
    labels: Sequence[str],
    variant: Variant,
    reading: Reading | None = None,
) -> list[Classification]:
    """Score every label for texts that have the same number of passages, in one batch."""
    asked = labelled(generator, texts)
    scored = score_many(generator, asked, [labels] * len(texts), retrieved, reading)
    classified = []
    for text, passages, each in zip(texts, retrieved, scored, strict=True):
        log_probs = np.array([item.log_prob(variant) for item in each])
        classified.append(
            Classification(
                text=text,
                labels=tuple(labels),
                log_probs=tuple(log_probs.tolist()),
                probs=tuple(np.exp(log_prior(log_probs)).tolist()),
                passages=tuple(passages),
                posterior=each[int(np.argmax(log_probs))].posterior,
                variant=variant,
            )
        )
    return classified
