"""The generator as it is trained: cross-entropy, supervised attention, a span head, marginals.

Weights and activations are bfloat16; `train.py` keeps the single-precision copy that is stepped.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from batches import IGNORED, SILENT, Batch
from torch import nn
from torch.nn import functional
from transformers import BartForConditionalGeneration

SUPERVISED_LAYERS = 2
"""How many decoder layers, counted from the last, have supervised cross-attention."""

SUPERVISED_HEADS = 6
"""How many heads of such a layer are told where each answer token stands."""

FIRST = 3.0
"""The weight of an answer's first token: it decides whether a passage answers at all, and what."""


@dataclass(frozen=True)
class Losses:
    """The losses of a batch, each a scalar."""

    words: torch.Tensor
    attention: torch.Tensor
    span: torch.Tensor


class Reader(nn.Module):
    """A BART generator with what only training needs: attention maps and a span head.

    The span head says from the encoder's states where the answer begins and ends.  It is
    the most direct signal there is for finding, and it is thrown away after training.
    """

    def __init__(self, bart: BartForConditionalGeneration) -> None:
        super().__init__()
        self.bart = bart
        self.span_head = nn.Linear(bart.config.d_model, 2)
        self.bias = nn.Parameter(torch.zeros(bart.config.vocab_size))
        nn.init.zeros_(self.span_head.weight)
        bart.model.shared.requires_grad_(False)
        # Flash attention's backward pass in bfloat16 takes a third of a step on a CPU; this takes
        # a tenth, and gives the attention maps as well.
        bart.set_attn_implementation("eager")
        self._maps: list[torch.Tensor] = []
        for layer in bart.model.decoder.layers[-SUPERVISED_LAYERS:]:
            layer.encoder_attn.register_forward_hook(self._keep_map)

    def _keep_map(self, module: nn.Module, inputs: object, output: tuple) -> None:
        self._maps.append(output[1])

    def decode(self, states: torch.Tensor, batch: Batch) -> torch.Tensor:
        """The decoder's states at the start token and after each forced one, B x T x d."""
        start = batch.forced.new_full((len(batch.forced), 1), SILENT)
        self._maps = []
        return self.bart.model.decoder(
            input_ids=torch.cat([start, batch.forced], dim=1),
            encoder_hidden_states=states,
            encoder_attention_mask=batch.mask,
            use_cache=False,
        ).last_hidden_state

    def log_probs(self, hidden: torch.Tensor) -> torch.Tensor:
        """log p over the vocabulary, in single precision; (n, d) to (n, vocabulary)."""
        logits = functional.linear(hidden, self.bart.model.shared.weight).float()
        return torch.log_softmax(logits + self.bias.float(), dim=-1)

    def attention_loss(self, batch: Batch) -> torch.Tensor:
        """-log of the weight that supervised heads give to the place of each copied token."""
        used = batch.places >= 0
        total = torch.zeros(())
        if not used.any():
            return total
        index = batch.places.clamp_min(0)[:, None, :, None]
        for weights in self._maps:
            heads = weights[:, :SUPERVISED_HEADS]
            picked = heads.gather(3, index.expand(-1, heads.size(1), -1, 1)).squeeze(3)
            total = total - picked.float().clamp_min(1e-9).log().transpose(1, 2)[used].mean()
        return total / len(self._maps)

    def span_loss(self, states: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Cross-entropy of the first and last place of the answer; place 0 is no answer."""
        known = batch.places[:, 0] >= 0
        if not known.any():
            return torch.zeros(())
        logits = self.span_head(states[known]).float()
        spots = torch.arange(states.size(1))
        blocked = (spots < batch.passage[known][:, None]) & (spots > 0) | (batch.mask[known] == 0)
        logits = logits.masked_fill(blocked[..., None], -1e4)
        lengths = (batch.target[known] != IGNORED).sum(1)
        places = batch.places[known]
        first = places[:, 0]
        last = places.gather(1, (lengths - 2).clamp_min(0)[:, None]).squeeze(1)
        last = torch.where(first == 0, first, last)
        begin = functional.cross_entropy(logits[..., 0], first)
        return (begin + functional.cross_entropy(logits[..., 1], last)) / 2

    def forward(self, batch: Batch) -> Losses:
        """The losses of a batch."""
        states = self.bart.model.encoder(
            input_ids=batch.source, attention_mask=batch.mask
        ).last_hidden_state
        hidden = self.decode(states, batch)
        used = batch.target != IGNORED
        scores = self.log_probs(hidden[used]).gather(1, batch.target[used][:, None]).squeeze(1)
        weights = torch.ones(batch.target.shape)
        weights[:, 0] = FIRST
        words = -(weights[used] * scores).sum() / weights[used].sum()
        return Losses(words, self.attention_loss(batch), self.span_loss(states, batch))
