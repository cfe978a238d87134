"""How a model under training does on questions it is not trained on, and whether it retrieves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragcli.answering.session import Session
from ragcli.core.collapse import RetrievalHealth, retrieval_health
from ragcli.evaluation.metrics import holds, trial
from ragcli.evaluation.predict import Asking, predict
from ragcli.records import QAExample
from ragcli.settings import AnswerSettings
from ragcli.training.learner import Learner

_BATCH = 8
HEALTH_QUESTIONS = 64
"""How many questions the watch on retrieval looks at; each costs two passes."""


def measure_dev(learner: Learner, examples: Sequence[QAExample]) -> dict[str, float]:
    """Answer every question greedily, as `rag evaluate` would; the means of what is measured.

    recall@1 and recall@k are by answer match, and the loss is -log p(y|x) of the first accepted
    answer.
    """
    longest = min(AnswerSettings().max_tokens, learner.generator.max_tokens)
    settings = AnswerSettings(learner.top_k, variant=learner.variant, beams=1, max_tokens=longest)
    found: list[tuple[float, ...]] = []
    with learner.at_rest():
        session = Session(learner.index, learner.encoder(), learner.generator, settings)
        predictions = predict(session, examples, Asking((learner.top_k,), batch_size=_BATCH))
        for example, (prediction,) in zip(examples, predictions, strict=True):
            tried = trial(example, prediction, "qa")
            gold = prediction.gold_log_prob
            loss = np.inf if gold is None else -gold
            first = holds(example, prediction.passages[:1])
            found.append((tried.right, tried.f1 or 0.0, first, bool(tried.retrieved), loss))
    means = np.array(found, dtype=np.float64).mean(axis=0).tolist()
    return dict(zip(("em", "f1", "recall_1", "recall_k", "loss"), means, strict=True))


def health(learner: Learner, examples: Sequence[QAExample]) -> RetrievalHealth:
    """Whether retrieval is at work, on the first few different questions."""
    different = list({example.question: example for example in examples}.values())
    rows, priors, losses, empty = [], [], [], []
    with learner.at_rest():
        for start in range(0, min(len(different), HEALTH_QUESTIONS), _BATCH):
            batch = different[start : start + _BATCH]
            questions = [example.question for example in batch]
            targets = [learner.generator.tokenize(example.answers[0]) for example in batch]
            found = learner.losses(questions, targets)
            rows.append(found.rows[:, 0])
            priors.append(found.log_prior)
            losses.append(found.values.cpu().numpy())
            empty.append(learner.empty_losses(questions, targets).cpu().numpy())
    tops, log_prior, with_passages, without = map(np.concatenate, (rows, priors, losses, empty))
    return retrieval_health(tops, log_prior, with_passages, without, len(learner.index))
