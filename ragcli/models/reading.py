"""What a generator has read: encoded pairs, decoded step by step or scored target by target.

Beam search, marginal beam search and rescoring share a `TorchReading`: the encoder states and the
cross-attention keys and values of each pair are computed once and then only selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.models.copying import CopyRows, CopyState
from ragcli.models.output import Output
from ragcli.protocols import Doubles, Ints, TokenLogProbs

if TYPE_CHECKING:
    import torch

_RESCORED_ROWS = 64


class TorchReading:
    """Encoded pairs: states (rows, width, d), their mask, and the cross-attention cache."""

    def __init__(
        self,
        output: Output,
        hidden: torch.Tensor,
        mask: torch.Tensor,
        start: tuple[int, ...],
        no_answer: int | None = None,
        copying: CopyRows | None = None,
    ) -> None:
        self.copying = copying
        self.output, self.hidden, self.mask, self.start = output, hidden, mask, start
        self.no_answer = no_answer
        self.cross: Any = None
        self._first: torch.Tensor | None = None

    @property
    def rows(self) -> int:
        return int(self.hidden.shape[0])

    def select(self, rows: Ints) -> TorchReading:
        """Some of the pairs, in the order given, with padding that none of them needs cut off."""
        mask = self.mask[rows]
        width = int(mask.sum(dim=1).max())
        hidden = self.hidden[rows][:, :width]
        copying = self.copying.select(rows, width) if self.copying else None
        return TorchReading(
            self.output, hidden, mask[:, :width], self.start, self.no_answer, copying
        )

    def stepper(self) -> TorchStepper:
        return TorchStepper(self)

    def begun(self, log_probs: torch.Tensor, cross: Any) -> None:
        """Keep what the first step over all rows computed, for everything that follows."""
        self.cross, self._first = cross, log_probs

    def silence(self) -> Doubles | None:
        """p(no answer|x,z) of each pair, for models that can say so."""
        if self.no_answer is None:
            return None
        return self.first()[:, self.no_answer].exp().double().numpy()

    def first(self) -> torch.Tensor:
        """log p(y_1|x,z) of every token, "no answer" included."""
        if self._first is None:
            self.stepper().step(None, np.arange(self.rows))
        assert self._first is not None
        return self._first

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs:
        """Teacher-forced log-probabilities of each target under its pair."""
        import torch

        self.first()
        width = max((len(t) for t in targets), default=0)
        device = self.hidden.device
        found = torch.zeros((2, len(targets), width), dtype=_precise(self.hidden), device=device)
        mask = torch.zeros((len(targets), width), dtype=torch.bool, device=device)
        # Rows of equal length and of the same pair stand together: little padding, local reads.
        order = sorted(range(len(targets)), key=lambda n: (len(targets[n]), int(rows[n])))
        with torch.no_grad():
            for first in range(0, len(order), _RESCORED_ROWS):
                batch = order[first : first + _RESCORED_ROWS]
                longest = max(len(targets[n]) for n in batch)
                y = torch.zeros((len(batch), longest), dtype=torch.long, device=device)
                for i, n in enumerate(batch):
                    y[i, : len(targets[n])] = torch.tensor(targets[n], device=device)
                    mask[n, : len(targets[n])] = True
                source = torch.as_tensor(rows[np.array(batch)], device=device)
                found[:, batch, :longest] = self._forced(source, y, mask[batch][:, :longest])
        answered = None if self.no_answer is None else found[1].cpu()
        return TokenLogProbs(found[0].cpu(), mask.cpu(), answered)

    def _forced(self, source: torch.Tensor, y: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """log p(y_i|x,z,y_<i) of targets y (n, t) and log p(answered|x,z,y_<i): (2, n, t).

        Both are 0 where the mask is false.
        """
        import torch
        from transformers import DynamicCache, EncoderDecoderCache

        given = torch.tensor([self.start], device=y.device).expand(len(y), -1)
        logits = self.output.logits(
            lambda states: states[:, len(self.start) - 1 :][mask][None],
            encoder_outputs=_states(self.hidden[source]),
            attention_mask=self.mask[source],
            decoder_input_ids=torch.cat([given, y[:, :-1]], dim=1),
            past_key_values=EncoderDecoderCache(DynamicCache(), _select(self.cross, source)),
            use_cache=True,
        )[0]
        logits = logits.to(_precise(logits))
        total, answered = totals(logits, self.no_answer)
        found = torch.zeros((2, *y.shape), dtype=logits.dtype, device=y.device)
        found[0, mask] = logits.gather(-1, y[mask][:, None]).squeeze(-1) - total
        if answered is not None:
            found[1, mask] = answered - total
        return found


class TorchStepper:
    """Incremental decoding with cached keys and values; rows may multiply, move and end."""

    def __init__(self, reading: TorchReading) -> None:
        self._reading = reading
        self._source: Ints = np.zeros(0, dtype=np.int64)
        self._cache: Any = None
        self._states: tuple[Any, Any] | None = None
        self._copying: CopyState | None = None
        self._columns = reading.copying.columns if reading.copying else None
        self._answered: torch.Tensor | None = None

    def step(self, tokens: Ints | None, parents: Ints) -> torch.Tensor:
        import torch

        with torch.no_grad():
            if tokens is None:
                self._begin(parents)
                start = torch.tensor([self._reading.start], device=self._reading.hidden.device)
                inputs = start.expand(len(parents), -1)
            else:
                self._follow(parents)
                if self._copying is not None:
                    self._copying = self._copying.follow(tokens, parents)
                inputs = torch.as_tensor(tokens, device=self._reading.hidden.device)[:, None]
            hidden, mask = self._states or (None, None)
            logits = self._reading.output.logits(
                lambda states: states[:, -1:],
                encoder_outputs=_states(hidden),
                attention_mask=mask,
                decoder_input_ids=inputs,
                past_key_values=self._cache,
                use_cache=True,
            )[:, -1]
            # The search runs on the CPU, whatever the network runs on.
            log_probs = torch.log_softmax(logits.to(_precise(logits)), dim=-1).cpu()
            if self._reading.cross is None and len(parents) == self._reading.rows:
                self._reading.begun(log_probs, self._cache.cross_attention_cache)
            log_probs = log_probs.clone() if tokens is None else log_probs
            if self._reading.no_answer is not None:
                log_probs[:, self._reading.no_answer] = -torch.inf
                self._answered = log_probs.logsumexp(-1)
            return log_probs if self._columns is None else log_probs[:, self._columns]

    @property
    def columns(self) -> Ints | None:
        return self._columns

    def allowed(self) -> NDArray[np.bool_] | None:
        if self._copying is None or self._columns is None:
            return None
        return self._copying.allowed(self._columns)

    def answered(self) -> torch.Tensor | None:
        return self._answered

    def _begin(self, rows: Ints) -> None:
        from transformers import DynamicCache, EncoderDecoderCache

        if self._reading.copying is not None:
            self._copying = self._reading.copying.begin(rows)

        whole = np.array_equal(rows, np.arange(self._reading.rows))
        cross = self._reading.cross
        if cross is None:
            cross = DynamicCache()
        elif not whole:
            cross = _select(cross, rows)
        self._source = rows
        self._cache = EncoderDecoderCache(DynamicCache(), cross)
        self._states = self._select_states()

    def _follow(self, parents: Ints) -> None:
        """Each row becomes a copy of its parent; the pair's own cache moves only if it must."""
        import torch
        from transformers import EncoderDecoderCache

        source = self._source[parents]
        past = self._cache.self_attention_cache
        past.batch_select_indices(torch.as_tensor(parents, device=self._reading.hidden.device))
        if not np.array_equal(source, self._source):
            cross = _select(self._cache.cross_attention_cache, parents)
            self._cache = EncoderDecoderCache(past, cross)
            self._source = source
            self._states = self._select_states()

    def _select_states(self) -> tuple[Any, Any]:
        reading = self._reading
        return reading.hidden[self._source], reading.mask[self._source]


def totals(logits: torch.Tensor, no_answer: int | None) -> tuple[torch.Tensor, torch.Tensor | None]:
    """log Σ exp over the vocabulary (n), and the same without the token that says "no answer".

    The vocabulary is summed once: both come from the sum without that token.
    """
    import torch

    if no_answer is None:
        return logits.logsumexp(-1), None
    silent = torch.tensor([no_answer], device=logits.device)
    rest = logits.index_fill(-1, silent, -torch.inf)
    answered = rest.logsumexp(-1)
    return torch.logaddexp(answered, logits[:, no_answer]), answered


def _precise(tensor: torch.Tensor) -> torch.dtype:
    """Probabilities are summed in single precision at least."""
    import torch

    return torch.promote_types(tensor.dtype, torch.float32)


def _states(hidden: Any) -> Any:
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=hidden)


def _select(cache: Any, rows: Any) -> Any:
    """A new cache with the given rows of `cache` (keys and values copied once)."""
    import torch
    from transformers import DynamicCache
    from transformers.cache_utils import DynamicLayer

    index = torch.as_tensor(rows, device=cache.layers[0].keys.device)
    selected = DynamicCache()
    for layer in cache.layers:
        copy = DynamicLayer()
        copy.lazy_initialization(layer.keys, layer.values)
        copy.keys = layer.keys.index_select(0, index)
        copy.values = layer.values.index_select(0, index)
        selected.layers.append(copy)
    return selected
