"""How a model under training does on questions it is not trained on, and whether it retrieves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ragcli.core.collapse import RetrievalHealth, retrieval_health
from ragcli.core.metrics import exact_match, f1, holds_answer
from ragcli.pipeline.ask import ask
from ragcli.pipeline.learner import Learner
from ragcli.records import QAExample
from ragcli.settings import Decoding, Retrieval

_BATCH = 8
HEALTH_QUESTIONS = 64
"""How many questions the watch on retrieval looks at; each costs two passes."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Means over the dev questions; recall@1 and recall@k by answer match."""

    em: float
    f1: float
    recall_1: float
    recall_k: float
    loss: float

    @property
    def rank(self) -> tuple[float, float, float]:
        """What makes one checkpoint better than another: EM, then F1, then the loss."""
        return (self.em, self.f1, -self.loss)

    def to_json(self) -> dict[str, float]:
        return asdict(self)


def measure(learner: Learner, examples: Sequence[QAExample]) -> Measures:
    """Ask every question, greedily, and compare with its answers."""
    questions = [example.question for example in examples]
    decoding = Decoding(variant=learner.training.variant, beams=1, n_best=1)
    found: list[tuple[float, float, float, float]] = []
    with learner.at_rest():
        encoder, retrieval = learner.encoder(), Retrieval(learner.top_k)
        answers = ask(
            learner.index, encoder, learner.generator, questions, retrieval, decoding, _BATCH
        )
        for example, answer in zip(examples, answers, strict=True):
            texts = [f"{r.passage.title} {r.passage.text}" for r in answer.passages]
            held = [holds_answer(text, example.answers) for text in texts]
            right = exact_match(answer.text, example.answers)
            found.append((right, f1(answer.text, example.answers), held[0], any(held)))
    em, overlap, first, any_of_k = np.array(found, dtype=np.float64).mean(axis=0).tolist()
    loss = float(_losses(learner, examples)["losses"].mean())
    return Measures(em, overlap, first, any_of_k, loss)


def health(learner: Learner, examples: Sequence[QAExample]) -> RetrievalHealth:
    """Whether retrieval is at work, on the first few different questions."""
    different = list({example.question: example for example in examples}.values())
    found = _losses(learner, different[:HEALTH_QUESTIONS], empty=True)
    return retrieval_health(
        found["rows"][:, 0],
        found["log_prior"],
        found["losses"],
        found["empty"],
        len(learner.index),
    )


def _losses(learner: Learner, examples: Sequence[QAExample], empty: bool = False) -> dict[str, Any]:
    """-log p(y|x) of the first answer of each question, batch by batch."""
    parts: dict[str, list[Any]] = {"losses": [], "rows": [], "log_prior": [], "empty": []}
    with learner.at_rest():
        for start in range(0, len(examples), _BATCH):
            batch = examples[start : start + _BATCH]
            questions = [example.question for example in batch]
            targets = [learner.generator.tokenize(example.answers[0]) for example in batch]
            losses = learner.losses(questions, targets)
            parts["losses"].append(losses.values.numpy())
            parts["rows"].append(losses.rows)
            parts["log_prior"].append(losses.log_prior)
            if empty:
                parts["empty"].append(learner.empty_losses(questions, targets).numpy())
    return {name: np.concatenate(values) for name, values in parts.items() if values}
