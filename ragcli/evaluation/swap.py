"""The paper's index hot-swap (section 4.5): the same model, the same questions, two versions.

Every question is asked of both versions. An answer that is right for the version's own year is
matched, one that is right for the other year is mismatched: with a model that reads what it
retrieves the first is high and the second low, whatever it may have learnt in training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragcli.answering.ask import ask
from ragcli.core.metrics import exact_match, holds_answer
from ragcli.core.statistics import McNemar, mcnemar
from ragcli.errors import QuestionError
from ragcli.records import Answer, SwapQuestion

if TYPE_CHECKING:
    from ragcli.answering.session import Session


@dataclass(frozen=True, slots=True)
class Trial:
    """One question asked of one version: right for which of the two, and what was retrieved."""

    question: SwapQuestion
    version: int
    answer: str
    log_prob: float
    right: tuple[bool, bool]
    retrieved: bool
    top_passage: str

    @property
    def matched(self) -> bool:
        return self.right[self.version]

    @property
    def failure(self) -> str | None:
        """Why the version's own answer was not given, or None if it was."""
        if self.matched:
            return None
        return "retrieved, answered wrongly" if self.retrieved else "passage not retrieved"


@dataclass(frozen=True, slots=True)
class SwapReport:
    """Both versions' trials in the order of the questions, and what they come to."""

    index: str
    versions: tuple[str, str]
    trials: tuple[tuple[Trial, Trial], ...]

    @property
    def changed(self) -> list[tuple[Trial, Trial]]:
        return [pair for pair in self.trials if pair[0].question.changed]

    @property
    def control(self) -> list[tuple[Trial, Trial]]:
        return [pair for pair in self.trials if not pair[0].question.changed]

    def rate(self, version: int, answers: int) -> float | None:
        """Share of the changed questions that `version` answers as of `answers`; None if none."""
        return _share([pair[version].right[answers] for pair in self.changed])

    def control_rate(self, version: int) -> float | None:
        """Share of the unchanged questions that `version` answers right."""
        return _share([pair[version].matched for pair in self.control])

    @property
    def flipped(self) -> int:
        """Changed questions whose answer is right under both versions: it flipped as it should."""
        return sum(a.matched and b.matched for a, b in self.changed)

    def recall(self, version: int) -> float | None:
        """Share of all questions for which a retrieved passage holds the version's own answer."""
        return _share([pair[version].retrieved for pair in self.trials])

    @property
    def mcnemar(self) -> McNemar:
        """Answers right for their own version only, for the other only, and the exact test."""
        trials = [trial for pair in self.changed for trial in pair]
        return mcnemar([t.matched for t in trials], [t.right[1 - t.version] for t in trials])

    @property
    def worst(self) -> float:
        """The lowest of the matched and control rates: what `--fail-under` looks at."""
        rates = [r for v in (0, 1) for r in (self.rate(v, v), self.control_rate(v))]
        return min(rate for rate in rates if rate is not None)


def swap_experiment(
    sessions: tuple[Session, Session],
    questions: Sequence[SwapQuestion],
    batch_size: int = 8,
    progress: Callable[[int], None] | None = None,
) -> SwapReport:
    """Ask every question of both versions with the same model."""
    if not questions:
        raise QuestionError("no questions to ask")
    columns: list[list[Trial]] = []
    for version, session in enumerate(sessions):
        trials = []
        answers = ask(session, [q.question for q in questions], batch_size)
        for question, answer in zip(questions, answers, strict=True):
            trials.append(_trial(question, version, answer))
            if progress:
                progress(1)
        columns.append(trials)
    return SwapReport(
        index=sessions[0].index.name,
        versions=(sessions[0].index.version, sessions[1].index.version),
        trials=tuple(zip(*columns, strict=True)),
    )


def _trial(question: SwapQuestion, version: int, answer: Answer) -> Trial:
    own = question.answers[version]
    texts = [f"{r.passage.title} {r.passage.text}" for r in answer.passages]
    likeliest = max(range(len(texts)), key=lambda j: answer.best.posterior[j])
    return Trial(
        question=question,
        version=version,
        answer=answer.text,
        log_prob=answer.best.log_prob,
        right=(
            exact_match(answer.text, question.answers[0]),
            exact_match(answer.text, question.answers[1]),
        ),
        retrieved=any(holds_answer(text, own) for text in texts),
        top_passage=answer.passages[likeliest].passage.id,
    )


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
