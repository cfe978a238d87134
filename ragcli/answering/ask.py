"""Questions in, answers with their evidence out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragcli.answering.decode import Retrieved, decode
from ragcli.answering.margins import evidence
from ragcli.answering.session import Session
from ragcli.core.prompting import told
from ragcli.core.surface import find_surface
from ragcli.errors import SettingsError
from ragcli.protocols import Generator
from ragcli.records import Answer, RetrievedPassage, several
from ragcli.settings import AnswerSettings

_ROWS = 640
"""The most hypotheses decoded side by side: each row has its own copy of a passage's cache."""


def ask(
    session: Session, questions: str | Sequence[str], batch_size: int = 8, explain: bool = False
) -> Iterator[Answer]:
    """Answer `questions` in order, up to `batch_size` of them at a time."""
    questions, settings, generator = several(questions), session.settings, session.generator
    require_fitting(generator, settings)
    size = together(batch_size, settings)
    for start in range(0, len(questions), size):
        batch = questions[start : start + size]
        found = evidence(session, batch)
        asked = told(batch, settings.style, generator.prompting)
        decoded = decode(generator, asked, found, settings, explain)
        for question, passages, result in zip(batch, found, decoded, strict=True):
            yield Answer(
                question=question,
                candidates=result.candidates,
                passages=tuple(spotted(passages, result.candidates[0].text)),
                index=session.index.name,
                version=session.index.version,
                model=generator.name,
                variant=settings.variant,
                decoding=settings.mode if settings.variant == "sequence" else "beam",
                passes=result.passes,
                no_answer=result.no_answer,
            )


def spotted(passages: Retrieved, answer: str) -> Iterator[RetrievedPassage]:
    """The passages, each with the place where it says the answer."""
    return (replace(each, span=find_surface(answer, each.text)) for each in passages)


def require_fitting(generator: Generator, settings: AnswerSettings) -> None:
    """Never ask a decoder for more tokens than it has positions."""
    if settings.max_tokens > generator.max_tokens:
        raise SettingsError(
            f"max-tokens {settings.max_tokens} is more than {generator.name} writes "
            f"({generator.max_tokens})"
        )


def together(batch_size: int, settings: AnswerSettings) -> int:
    """How many questions to decode side by side, so that memory stays bounded."""
    return max(1, min(batch_size, _ROWS // (settings.top_k * settings.beams)))
