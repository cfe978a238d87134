"""The loop of a training: steps, measurements, checkpoints, and going on after a stop.

The order of the examples, the learning rates and the position in the data are functions of the seed
and the step, so a checkpoint needs only the weights, the optimizer's moments and torch's random
state: resumed on one thread, a training ends with the very bits of one that was never stopped. The
random state is that of the processor: on an accelerator dropout draws other numbers after a stop.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ragcli.answering.session import Session
from ragcli.core.collapse import RetrievalHealth, collapse, retrieval_health
from ragcli.core.loss import rate_factor
from ragcli.errors import SettingsError
from ragcli.evaluation.metrics import holds, trial
from ragcli.evaluation.predict import Asking, predict
from ragcli.evaluation.predictions import differences
from ragcli.records import QAExample
from ragcli.settings import AnswerSettings
from ragcli.training.checkpoints import Checkpoint, Checkpoints, TrainingLog
from ragcli.training.learner import Learner

if TYPE_CHECKING:
    import torch

_BATCH = 8
_HEALTH_QUESTIONS = 64
"""How many questions the watch on retrieval looks at; each costs two passes."""


class TrainingProgress(Protocol):
    """Told how a training goes on: each step, each measurement, and warnings."""

    def stepped(self, record: dict[str, Any]) -> None:
        return None

    def measured(self, record: dict[str, Any]) -> None:
        return None

    def warned(self, message: str) -> None:
        return None


class SilentTraining(TrainingProgress):
    """Tells nobody."""


@dataclass(slots=True)
class Position:
    """How far a training has come: what a checkpoint keeps besides tensors.

    `best` ranks the measurement of `best_step`, `start` is the health of retrieval at step 0, and
    `stopped` says why the training ended early.
    """

    step: int = 0
    best_step: int = 0
    best: list[float] | None = None
    start: dict[str, Any] | None = None
    stopped: str | None = None
    history: list[dict[str, Any]] = field(default_factory=list)


class Trainer:
    """Runs a training in a folder; every step and every measurement goes to its log."""

    def __init__(
        self,
        learner: Learner,
        examples: Sequence[QAExample],
        dev: Sequence[QAExample],
        folder: Path,
        identity: dict[str, Any],
        progress: TrainingProgress,
    ) -> None:
        import torch

        self.learner, self.training, self.identity = learner, learner.training, identity
        self.examples, self.dev, self.progress = examples, dev, progress
        self.pairs = [
            (example.question, learner.generator.tokenize(answer.strip()))
            for example in examples
            for answer in example.answers
        ]
        self.size = self.training.batch_size * self.training.accumulate
        self.steps_an_epoch = math.ceil(len(self.pairs) / self.size)
        self.steps = self.training.steps or self.training.epochs * self.steps_an_epoch
        self.checkpoints = Checkpoints(folder / "checkpoints")
        self.log = TrainingLog(folder / "log.jsonl")
        decay = self.training.weight_decay
        self.optimizer = torch.optim.AdamW(learner.groups(), weight_decay=decay)
        self.at = Position()

    def run(self, resume: bool) -> Position:
        """Train to the end, from the last checkpoint if resumed; the weights are then the best."""
        import torch

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.training.seed)
            checkpoint = self.checkpoints.latest() if resume else None
            if checkpoint is None:
                self.log.cut(None)
                self._measure(0.0)
            else:
                self._restore(checkpoint)
                self.log.cut(self.at.step)
            while self.at.step < self.steps and self.at.stopped is None:
                self._step()
        if self.at.best_step != self.at.step:
            self.learner.set_weights(self.checkpoints.read(self.at.best_step)[0])
        return self.at

    def _step(self) -> None:
        """One update of the weights, then what is due: a measurement, a checkpoint."""
        import torch

        began = time.perf_counter()
        self.learner.train()
        factor = rate_factor(self.at.step, self.steps, self.training.warmup, self.training.schedule)
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * factor
        batch = self._batch(self.at.step)
        total = self._backward(batch)
        weights = [w for group in self.optimizer.param_groups for w in group["params"]]
        norm = float(torch.nn.utils.clip_grad_norm_(weights, self.training.clip))
        if not math.isfinite(total["loss"]) or not math.isfinite(norm):
            raise SettingsError(
                f"the loss is not a finite number at step {self.at.step + 1}",
                "lower the learning rates, then train again",
            )
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.at.step += 1
        self._report(total, factor, norm, len(batch) / (time.perf_counter() - began))
        due = self.training.checkpoint_every
        if self.at.step % self.steps_an_epoch == 0 or self.at.step == self.steps:
            self._measure(self.at.step / self.steps_an_epoch)
        elif due and self.at.step % due == 0:
            self._save()

    def _batch(self, step: int) -> list[int]:
        """Which examples a step learns from: a new order each epoch, from the seed alone."""
        epoch, position = divmod(step, self.steps_an_epoch)
        order = np.random.default_rng([self.training.seed, epoch]).permutation(len(self.pairs))
        return [int(n) for n in order[position * self.size :][: self.size]]

    def _backward(self, batch: Sequence[int]) -> dict[str, float]:
        """Gradients of the mean loss over the batch, added up in parts of `batch_size`."""
        size = self.training.batch_size
        loss = entropy = 0.0
        tops: set[int] = set()
        for first in range(0, len(batch), size):
            part = [self.pairs[n] for n in batch[first : first + size]]
            found = self.learner.losses([q for q, _ in part], [target for _, target in part])
            value: torch.Tensor = found.values.sum() / len(batch)
            value.backward()
            loss += float(value.detach())
            entropy -= float((np.exp(found.log_prior) * found.log_prior).sum()) / len(batch)
            tops |= {int(row) for row in found.rows[:, 0]}
        return {"loss": loss, "prior_entropy": entropy, "distinct_top_1": len(tops)}

    def _report(self, total: dict[str, float], factor: float, norm: float, speed: float) -> None:
        record = {
            "step": self.at.step,
            "steps": self.steps,
            "epoch": round(self.at.step / self.steps_an_epoch, 4),
            **total,
            "gradient_norm": norm,
            "rate_factor": factor,
            "rates": [group["lr"] for group in self.optimizer.param_groups],
            "scale": self.learner.scale_value,
            "examples_a_second": speed,
        }
        self.log.add(record)
        self.progress.stepped(record)

    def _measure(self, epoch: float) -> None:
        """Measure on dev, watch for collapse, keep the best, and write a checkpoint."""
        now = health(self.learner, self.dev or self.examples)
        measures = measure_dev(self.learner, self.dev) if self.dev else {}
        # EM makes one checkpoint better than another, then F1, then the loss.
        rank = [measures["em"], measures["f1"], -measures["loss"]] if measures else None
        record: dict[str, Any] = {
            "step": self.at.step,
            "epoch": epoch,
            **{f"dev_{name}": value for name, value in measures.items()},
            "distinct_top_1": now.distinct,
            "questions": now.questions,
            "prior_entropy": now.entropy,
            "explained": now.explained,
        }
        if rank is None or self.at.best is None or rank > self.at.best:
            self.at.best, self.at.best_step = rank, self.at.step
        start = RetrievalHealth(**self.at.start) if self.at.start else now
        self.at.start = self.at.start or asdict(now)
        if (warning := collapse(now, start)) and self.at.step:
            record["warning"] = warning
            self.progress.warned(warning)
            if self.training.stop_on_collapse:
                self.at.stopped = warning
        self.at.history.append(record)
        self.log.add(record)
        self.progress.measured(record)
        self._save()

    def _save(self) -> None:
        import torch

        tensors = self.learner.weights() | {"torch.random": torch.get_rng_state()}
        for n, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{n}.{name}": value for name, value in moments.items()}
        # A copy of each: tied or viewed memory cannot be written to safetensors.
        copies = {name: tensor.clone().contiguous() for name, tensor in tensors.items()}
        state = asdict(self.at) | {"identity": self.identity}
        self.checkpoints.write(self.at.step, (copies, state))
        self.checkpoints.keep({self.at.step, self.at.best_step})

    def _restore(self, checkpoint: Checkpoint) -> None:
        import torch

        tensors, state = checkpoint
        check_identity(state.pop("identity"), self.identity)
        self.at = Position(**state)
        self.learner.set_weights(tensors)
        torch.set_rng_state(tensors["torch.random"])
        moments: dict[int, dict[str, Any]] = defaultdict(dict)
        for name, tensor in tensors.items():
            if name.startswith("optimizer."):
                _, n, moment = name.split(".")
                moments[int(n)][moment] = tensor
        self.optimizer.load_state_dict(self.optimizer.state_dict() | {"state": moments})


def check_identity(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """A training goes on only with the data, index, model and settings it began with."""
    if different := differences(found, wanted):
        raise SettingsError(
            f"the training to be resumed has another {', '.join(different)}",
            "resume with what it began with, or train into another folder",
        )


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
        for start in range(0, min(len(different), _HEALTH_QUESTIONS), _BATCH):
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
