"""A training step of ours beside Hugging Face's RAG class: same weights, passages and targets.

    python benchmarks/training.py [--repeats 3] [--questions 4] [--top-k 5] [--quick]

The network has the embedded model's size (random weights). Passages have the lengths of 100-word
passages in word pieces, the last passage of an article being shorter. A step is forward and
backward of -log p(y|x) summed over the batch, through generator and query encoder. Their retriever
pads every input to 300 tokens (`postprocess_docs`); theirs is also timed with inputs padded only to
the longest of the batch, which their retriever does not do. Losses and gradients are compared
first. Times are the best of the repeats, and only their ratios mean anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from common import bart, best_seconds, hugging_face_rag, options
from transformers import RagSequenceForGeneration, RagTokenForGeneration

from ragcli.core.loss import loss
from ragcli.models.torch_generator import TorchGenerator
from ragcli.models.trainable import TrainableGenerator

PADDED = 300


class Batch:
    """Questions × k inputs of passage lengths, targets of short answers, embeddings d(z)."""

    def __init__(self, questions: int, k: int) -> None:
        random = np.random.default_rng(0)
        lengths = random.normal(150, 18, questions * k).clip(60, 220).astype(int)
        short = random.random(questions * k) < 0.2
        lengths[short] = random.integers(30, 140, int(short.sum()))
        self.inputs = [random.integers(5, 30000, n).tolist() for n in lengths]
        self.targets = [
            (*random.integers(5, 30000, random.integers(2, 8)).tolist(), 2)
            for _ in range(questions)
        ]
        self.documents = torch.tensor(random.standard_normal((questions, k, 64)) / 8).float()
        self.asked = torch.tensor(random.integers(5, 30000, (questions, 16)))
        self.k = k

    def contexts(self, width: int) -> dict[str, torch.Tensor]:
        ids = torch.ones((len(self.inputs), width), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for n, row in enumerate(self.inputs):
            ids[n, : len(row)] = torch.tensor(row)
            mask[n, : len(row)] = 1
        return {"context_input_ids": ids, "context_attention_mask": mask}

    def labels(self) -> torch.Tensor:
        labels = torch.ones((len(self.targets), max(map(len, self.targets)) + 1), dtype=torch.long)
        for n, target in enumerate(self.targets):
            labels[n, : len(target) + 1] = torch.tensor([2, *target])
        return labels


def runs(batch: Batch, variant: Any, quick: bool) -> dict[str, Callable[[], torch.Tensor]]:
    """A training step of theirs, padded in two ways, and of ours."""
    model = bart(quick)
    kind = RagTokenForGeneration if variant == "token" else RagSequenceForGeneration
    theirs = hugging_face_rag(kind, model, batch.k)
    encoder = theirs.question_encoder
    scorer = TrainableGenerator(TorchGenerator(model, None, "benchmark"))

    def scores() -> torch.Tensor:
        query = encoder(batch.asked).pooler_output
        return torch.einsum("qd,qkd->qk", query, batch.documents)

    def their_step(width: int) -> torch.Tensor:
        value: torch.Tensor = theirs(
            **batch.contexts(width),
            doc_scores=scores(),
            labels=batch.labels(),
            n_docs=batch.k,
            reduce_loss=True,
        ).loss
        return value

    def our_step() -> torch.Tensor:
        scored = scorer.score(batch.inputs, batch.targets)
        value: torch.Tensor = loss(scores(), scored.log_probs, scored.mask, variant).sum()
        return value

    longest = max(map(len, batch.inputs))
    steps = {
        "theirs, padded as their retriever does": lambda: their_step(PADDED),
        "theirs, padded to the longest": lambda: their_step(longest),
        "ours": our_step,
    }
    weights = [*model.parameters(), *encoder.parameters()]

    def whole(step: Callable[[], torch.Tensor]) -> Callable[[], torch.Tensor]:
        def run() -> torch.Tensor:
            for weight in weights:
                weight.grad = None
            value = step()
            value.backward()
            return value.detach()

        return run

    done = {name: whole(step) for name, step in steps.items()}
    compare(done, weights)
    return done


def compare(done: dict[str, Callable[[], torch.Tensor]], weights: list[Any]) -> None:
    """All three compute one loss and one gradient."""
    found = {}
    for name, step in done.items():
        value = step().item()
        found[name] = (value, torch.cat([w.grad.flatten() for w in weights if w.grad is not None]))
    expected, gradient = found["theirs, padded to the longest"]
    for value, other in found.values():
        assert abs(value - expected) < 1e-3, (value, expected)
        assert float((other - gradient).norm() / gradient.norm()) < 1e-4


def main() -> None:
    chosen = options(__doc__, repeats=(3, 1), questions=(4, 2), top_k=(5, 2))
    batch = Batch(chosen.questions, chosen.top_k)
    lengths = sorted(map(len, batch.inputs))
    print(f"{chosen.questions} questions, k={chosen.top_k}, {torch.get_num_threads()} threads,")
    print(f"inputs of {lengths[0]} to {lengths[-1]} tokens, {np.mean(lengths):.0f} on average")
    for variant in ("sequence", "token"):
        best = best_seconds(runs(batch, variant, chosen.quick), chosen.repeats)
        print(f"\nRAG-{variant.capitalize():36}{'seconds':>9}{'examples/s':>12}{'ours is':>9}")
        for name, seconds in best.items():
            ratio = seconds / best["ours"]
            print(f"{name:40}{seconds:9.3f}{chosen.questions / seconds:12.2f}{ratio:8.2f}x")


if __name__ == "__main__":
    main()
