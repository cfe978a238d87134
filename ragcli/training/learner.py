"""Query encoder and generator as one trainable whole over a frozen index."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.answering.decode import Texts, pairs_of
from ragcli.answering.margins import completed
from ragcli.answering.retrieval import retrieved
from ragcli.answering.session import Session
from ragcli.core.loss import loss, smoothed
from ragcli.core.marginalize import log_prior
from ragcli.core.prompting import fit
from ragcli.errors import ModelError
from ragcli.models.torch_generator import TorchGenerator
from ragcli.models.trainable import Tokens, TrainableGenerator
from ragcli.models.trained_encoder import network_of, trained_encoder
from ragcli.protocols import Encoder, Ints
from ragcli.settings import EncoderSettings, Training

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Losses:
    """-log p(y|x) of each example, with gradient, and what was retrieved for it.

    `rows` (n, k) are index rows, best first; `log_prior` (n, k) is log p(z|x).
    """

    values: torch.Tensor
    rows: Ints
    log_prior: NDArray[Any]


class Learner:
    """p(y|x) with gradient to the query encoder, the generator and the score scale.

    Each question is searched with its present q(x); then score_scale · q(x)·d(z) is computed again
    from the stored embeddings, so that gradient reaches q(x) while the index stays as it is. How
    many passages, with which margin, and which variant, the session says.
    """

    def __init__(self, session: Session, training: Training) -> None:
        import torch

        index, network, generator = session.index, network_of(session.encoder), session.generator
        if in_torch := getattr(generator, "in_torch", None):
            generator = in_torch()
        if not isinstance(generator, TorchGenerator):
            raise ModelError(f"the generator {generator.name} cannot be trained")
        network.module.float()  # what was saved in half precision cannot be trained in it
        self.index, self.network, self.generator = index, network, generator
        self.training, self.variant = training, session.settings.variant
        self.top_k = min(session.settings.top_k, len(index))
        self.margin = session.settings.margin
        self.scorer = TrainableGenerator(generator, training.label_smoothing > 0)
        network.module.requires_grad_(not training.freeze_retriever)
        generator.model.requires_grad_(not training.freeze_generator)
        scale = torch.tensor(math.log(network.settings.score_scale), device=generator.device)
        self.log_scale = torch.nn.Parameter(scale, training.learn_scale)
        self.whole = torch.nn.ModuleDict(
            {
                "query_encoder": network.module,
                "generator": generator.model,
                "score": torch.nn.ParameterDict({"log_scale": self.log_scale}),
            }
        )

    @property
    def scale(self) -> torch.Tensor | float:
        """The score scale; what is not learnt stays as it was to the last bit."""
        learnt = self.training.learn_scale
        return self.log_scale.exp() if learnt else self.network.settings.score_scale

    @property
    def scale_value(self) -> float:
        return self.scale if isinstance(self.scale, float) else self.scale.item()

    def losses(self, questions: Sequence[str], targets: Sequence[Tokens]) -> Losses:
        """-log p(y|x) of targets, one a question."""
        import torch

        queries = self.network(questions)
        found = queries.detach().float().cpu().numpy()
        _, rows = self.index.search(found, self.top_k)
        documents = torch.as_tensor(
            self.index.vectors(rows), dtype=queries.dtype, device=queries.device
        )
        scores = self.scale * torch.einsum("qd,qkd->qk", queries, documents)
        known = scores.detach().float().cpu().numpy()
        nearest = [retrieved(self.index, *each) for each in zip(rows, known, strict=True)]
        read = completed(self.index, self.generator, questions, nearest, self.margin)
        values = self._values(scores, pairs_of(questions, read), targets)
        return Losses(values, rows, np.asarray(log_prior(scores.detach().cpu())))

    def empty_losses(self, questions: Sequence[str], targets: Sequence[Tokens]) -> torch.Tensor:
        """-log p(y|x, an empty passage): what the generator knows without retrieval."""
        scores = self.log_scale.new_zeros((len(questions), 1))
        return self._values(scores, [(question, "", "") for question in questions], targets)

    def _values(
        self, scores: torch.Tensor, pairs: Sequence[Texts], targets: Sequence[Tokens]
    ) -> torch.Tensor:
        scored = self.scorer.score(self.inputs(pairs), targets)
        given = scored.mask, self.variant, scored.answered
        values: torch.Tensor = loss(scores, scored.log_probs, *given)
        if scored.means is not None and values.requires_grad:  # smoothing is for learning only
            evenly = loss(scores, scored.means, *given)
            values = smoothed(values, evenly, self.training.label_smoothing)
        return values

    def inputs(self, pairs: Sequence[Texts]) -> list[list[int]]:
        """Each as the generator reads it."""
        generator = self.generator
        return fit(pairs, generator.prompting, generator.tokenize_inputs, generator.reserved)

    def groups(self) -> list[dict[str, Any]]:
        """The weights to be trained, each part with its learning rate."""
        parts = [
            (self.network.module.parameters(), self.training.encoder_rate),
            (self.generator.model.parameters(), self.training.generator_rate),
            ([self.log_scale], self.training.scale_rate),
        ]
        groups = [{"params": [w for w in part if w.requires_grad], "lr": r} for part, r in parts]
        groups[-1]["weight_decay"] = 0.0  # a scale that decays to 1 flattens the prior
        return [group | {"rate": group["lr"]} for group in groups if group["params"]]

    def weights(self) -> dict[str, torch.Tensor]:
        """Every weight that training changes, by name; tied weights once."""
        named = self.whole.named_parameters()
        return {name: weight.detach() for name, weight in named if weight.requires_grad}

    def set_weights(self, tensors: Mapping[str, torch.Tensor]) -> None:
        for name, weight in self.weights().items():
            weight.copy_(tensors[name])

    def train(self) -> None:
        """Dropout in the parts that learn; a frozen part stays itself."""
        self.network.module.train(not self.training.freeze_retriever)
        self.generator.model.train(not self.training.freeze_generator)

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """No dropout and no gradient, for measuring."""
        import torch

        self.whole.eval()
        with torch.no_grad():
            yield

    def encoder_settings(self) -> EncoderSettings:
        """The trained query encoder's settings: its own digest and scale, the index's d(z)."""
        return self.network.trained_for(self.index.encoder, self.scale_value)

    def encoder(self) -> Encoder:
        """The query encoder as it is now, for asking."""
        return trained_encoder(self.network, self.encoder_settings())
