"""The paper's index hot-swap (section 4.5): the same model, the same questions, two versions.

Each version is evaluated against the answers of its own key. An answer that is right for the
version's own year is matched, one that is right for the other year is mismatched: with a model that
reads what it retrieves the first is high and the second low, whatever it may have learnt in
training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragcli.answering.session import Session
from ragcli.core.statistics import McNemar, mcnemar
from ragcli.evaluation.evaluate import Evaluation, evaluate
from ragcli.evaluation.metrics import Trial, is_right
from ragcli.evaluation.predict import Asking
from ragcli.records import QAExample

Pair = tuple[Trial, Trial]
"""One question asked of both versions."""


class SwapReport:
    """The evaluations of both versions over the same questions, and what they come to together.

    `pairs` are both versions' trials in the order of the questions: those whose answer `changed`
    from one key to the other, and the others as a `control`.
    """

    def __init__(self, evaluations: tuple[Evaluation, Evaluation]) -> None:
        self.evaluations, (first, second) = evaluations, evaluations
        self.index, self.top_k = str(first.run["index"]), first.main.top_k
        self.versions = str(first.run["version"]), str(second.run["version"])
        self.pairs: list[Pair] = list(zip(first.main.trials, second.main.trials, strict=True))
        self.changed = [pair for pair in self.pairs if pair[0].example.changed]
        self.control = [pair for pair in self.pairs if not pair[0].example.changed]

    def rate(self, version: int, answers: int) -> float | None:
        """Share of the changed questions that `version` answers as of `answers`; None if none."""
        return _share([right_for(pair, version, answers) for pair in self.changed])

    def control_rate(self, version: int) -> float | None:
        """Share of the unchanged questions that `version` answers right."""
        return _share([pair[version].right for pair in self.control])

    @property
    def flipped(self) -> int:
        """Changed questions whose answer is right under both versions: it flipped as it should."""
        return sum(a.right and b.right for a, b in self.changed)

    def recall(self, version: int) -> float | None:
        """Share of all questions for which a retrieved passage holds the version's own answer."""
        return _share([bool(pair[version].retrieved) for pair in self.pairs])

    @property
    def mcnemar(self) -> McNemar:
        """Answers right for their own version only, for the other only, and the exact test."""
        asked = [(pair, version) for pair in self.changed for version in (0, 1)]
        return mcnemar([(pair[v].right, right_for(pair, v, 1 - v)) for pair, v in asked])

    @property
    def worst(self) -> float:
        """The lowest of the matched and control rates: what `--fail-under` looks at."""
        rates = [r for v in (0, 1) for r in (self.rate(v, v), self.control_rate(v))]
        return min(rate for rate in rates if rate is not None)


def right_for(pair: Pair, version: int, answers: int) -> bool:
    """Whether what `version` answered is right by the key of `answers`."""
    return is_right(pair[version].prediction.answer, pair[answers].example)


def swap_experiment(
    sessions: tuple[Session, Session],
    examples: tuple[Sequence[QAExample], Sequence[QAExample]],
    batch_size: int = 8,
    progress: Callable[[int], None] | None = None,
) -> SwapReport:
    """Ask each version the same questions; `examples` hold the answers of either version's key."""
    first, second = (
        evaluate(session, asked, asking=Asking(batch_size=batch_size), progress=progress)
        for session, asked in zip(sessions, examples, strict=True)
    )
    return SwapReport((first, second))


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
