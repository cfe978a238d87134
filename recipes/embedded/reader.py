"""The generator as it is trained: cross-entropy, supervised attention and a span head."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from batches import IGNORED, Batch
from groups import GroupBatch
from torch import nn
from torch.nn import functional
from transformers import BartForConditionalGeneration

from ragcli.core.marginalize import (
    sequence_log_likelihood,
    sequence_marginal,
    token_sequence_marginal,
)

SUPERVISED_LAYERS = 2
"""How many decoder layers, counted from the last, have supervised cross-attention."""

SUPERVISED_HEADS = 6
"""How many heads of such a layer are told where each answer token stands."""

FIRST = 3.0
"""The weight of an answer's first token: it decides whether a passage answers at all, and what."""


@dataclass(frozen=True)
class Losses:
    """The losses of a batch, each a scalar; `marginal` and `selection` are zero without groups."""

    words: torch.Tensor
    attention: torch.Tensor
    span: torch.Tensor
    marginal: torch.Tensor
    selection: torch.Tensor


class Reader(nn.Module):
    """A BART generator with what only training needs: attention maps and a span head.

    The span head says from the encoder's states where the answer begins and ends.  It is
    the most direct signal there is for finding, and it is thrown away after training.
    """

    def __init__(self, bart: BartForConditionalGeneration) -> None:
        super().__init__()
        self.bart = bart
        self.span_head = nn.Linear(bart.config.d_model, 2)
        self._maps: list[torch.Tensor] = []
        bart.set_attn_implementation("eager")
        fast = copy.deepcopy(bart.config)
        fast._attn_implementation = "sdpa"
        encoder = bart.model.encoder
        encoder.config = fast
        for layer in encoder.layers:
            layer.self_attn.config = fast
        for layer in bart.model.decoder.layers[-SUPERVISED_LAYERS:]:
            layer.encoder_attn.register_forward_hook(self._keep_map)
        bart.model.shared.weight.requires_grad_(False)
        encoder.embed_positions.weight.requires_grad_(False)

    def _keep_map(self, module: nn.Module, inputs: object, output: tuple) -> None:
        if self.training:
            self._maps.append(output[1])

    def encode(self, source: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Encoder states, B x S x d."""
        return self.bart.model.encoder(input_ids=source, attention_mask=mask).last_hidden_state

    def decode(
        self, states: torch.Tensor, mask: torch.Tensor, forced: torch.Tensor
    ) -> torch.Tensor:
        """Decoder states that predict the token after each forced one, B x T x d."""
        start = forced.new_full((len(forced), 1), self.bart.config.decoder_start_token_id)
        shifted = torch.cat([start, forced], dim=1)
        self._maps = []
        return self.bart.model.decoder(
            input_ids=shifted,
            encoder_hidden_states=states,
            encoder_attention_mask=mask,
            use_cache=False,
        ).last_hidden_state

    def log_probs(self, hidden: torch.Tensor, *targets: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """log p of each token of some targets, each B x T and zero at padding.

        The targets have the same padding; logits are made only where there is a target.
        """
        used = targets[0] != IGNORED
        logits = functional.linear(hidden[used], self.bart.model.shared.weight)
        scores = torch.log_softmax(logits, dim=1)
        return tuple(
            torch.zeros(target.shape).masked_scatter(
                used, scores.gather(1, target[used][:, None]).squeeze(1)
            )
            for target in targets
        )

    def attention_loss(self, batch: Batch) -> torch.Tensor:
        """-log of the weight that supervised heads give to the place of each target token."""
        used = batch.target != IGNORED
        total = torch.zeros(())
        for weights in self._maps:
            heads = weights[:, :SUPERVISED_HEADS]
            index = batch.places[:, None, :, None].expand(-1, heads.size(1), -1, 1)
            picked = heads.gather(3, index).squeeze(3).clamp_min(1e-9).log()
            total = total - picked.transpose(1, 2)[used].mean()
        return total / len(self._maps)

    def span_loss(self, states: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Cross-entropy of the first and last place of the answer; place 0 is no answer."""
        logits = self.span_head(states).float()
        spots = torch.arange(states.size(1))
        blocked = (spots < batch.passage[:, None]) & (spots > 0) | (batch.mask == 0)
        logits = logits.masked_fill(blocked[..., None], -1e4)
        lengths = (batch.target != IGNORED).sum(1)
        first = batch.places[:, 0]
        last = batch.places.gather(1, (lengths - 2).clamp_min(0)[:, None]).squeeze(1)
        last = torch.where(first == 0, first, last)
        begin = functional.cross_entropy(logits[..., 0], first)
        end = functional.cross_entropy(logits[..., 1], last)
        return (begin + end) / 2

    def forward(self, batch: Batch, group: GroupBatch | None = None) -> Losses:
        """The losses of a batch; with a group, also the loss of the marginal."""
        states = self.encode(batch.source, batch.mask)
        hidden = self.decode(states, batch.mask, batch.forced)
        used = batch.target != IGNORED
        targets = [batch.target]
        if group is not None:
            silent = torch.where(used, self.bart.config.decoder_start_token_id, IGNORED)
            targets += [group.answer, silent]
        scores = self.log_probs(hidden, *targets)
        weights = used.float()
        weights[:, 0] *= FIRST
        words = -(weights * scores[0]).sum() / weights.sum()
        marginal = selection = torch.zeros(())
        if group is not None:
            answered = torch.log(-torch.expm1(scores[2].clamp_max(-1e-5)))
            marginal = marginal_loss(scores[1], answered, used, group)
            selection = selection_loss(answered[:, 0] - scores[2][:, 0], group)
        attention, span = self.attention_loss(batch), self.span_loss(states, batch)
        return Losses(words, attention, span, marginal, selection)


def selection_loss(odds: torch.Tensor, group: GroupBatch) -> torch.Tensor:
    """-log of the share of a group's first passage, by p(z|x) and the odds of answering.

    `odds` are log p(answered|x,z) - log p(silent|x,z), one a row.  Cross-entropy is content when a
    passage is silent more often than not; what counts among five is who is least silent.
    """
    joint = (group.prior + odds).reshape(-1, group.size)
    return -joint.log_softmax(dim=1)[:, 0].mean()


def marginal_loss(
    scores: torch.Tensor, answered: torch.Tensor, used: torch.Tensor, group: GroupBatch
) -> torch.Tensor:
    """The mean of RAG-Sequence's and RAG-Token's -log p(y|x) per question, by the package's sums.

    `scores` are log p(y_i|x,z,y_<i) and `answered` log p(not silent|x,z,y_<i), rows x T.
    """
    shape = (-1, group.size, scores.size(1))
    tokens, going = scores.reshape(shape), answered.reshape(shape)
    prior, mask = group.prior.reshape(-1, group.size), used[:: group.size]
    per_sequence = sequence_marginal(prior, sequence_log_likelihood(tokens, mask[:, None]))
    per_token = token_sequence_marginal(prior, tokens, mask, going)
    return -(per_sequence + per_token).mean() / 2
