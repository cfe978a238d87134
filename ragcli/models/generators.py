"""p(y|x,z): any Hugging Face encoder–decoder, read once for each (question, passage) pair.

Beam search, marginal beam search and rescoring share a `TorchReading`: the encoder states and the
cross-attention keys and values of each pair are computed once and then only selected.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import ModelError
from ragcli.models.copying import Copier, CopyRows, CopyState
from ragcli.models.source import (
    Source,
    loading,
    quiet_transformers,
    require_tokenizer,
    weights_digest,
)
from ragcli.protocols import Ints
from ragcli.settings import Prompting

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]

EXTRA = "rag.json"
_ENCODER_ROWS = 16
_RESCORED_ROWS = 64


def load_generator(source: Source) -> TorchGenerator:
    """Load an encoder–decoder (BART, T5, …) from a folder or the hub.

    A folder may carry `rag.json` with what its config.json cannot say: `prompting` (fields of
    `Prompting`), `uncased`, `no_answer_token_id`, `copies` and `target_prefix`.
    """
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    quiet_transformers()
    with loading(source, "encoder–decoder"):
        model = AutoModelForSeq2SeqLM.from_pretrained(
            source.location, local_files_only=source.local
        ).float()
        tokenizer = AutoTokenizer.from_pretrained(source.location, local_files_only=source.local)
    require_tokenizer(tokenizer, int(model.config.vocab_size), source)
    extra = read_extra(Path(source.location) / EXTRA)
    prompting = Prompting(**extra["prompting"]) if "prompting" in extra else None
    return TorchGenerator(
        model,
        tokenizer,
        source.name,
        prompting,
        uncased=bool(extra.get("uncased", False)),
        no_answer=extra.get("no_answer_token_id"),
        copies=bool(extra.get("copies", False)),
        target_prefix=str(extra.get("target_prefix", "")),
    )


def read_extra(path: Path) -> dict[str, Any]:
    """The contents of a model folder's `rag.json`, or nothing if it has none."""
    if not path.is_file():
        return {}
    try:
        extra: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        Prompting(**extra.get("prompting", {}))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: {error}") from error
    return extra


class TorchGenerator:
    """An encoder–decoder with its tokenizer; `prompting` defaults to the paper's form.

    `no_answer` is the token by which a model says that the passage does not hold the answer. Its
    probability is withheld, not shared out: such a passage then adds almost nothing to any answer.
    `copies` says that it was trained to copy: the search then follows the passages' own words (see
    `ragcli.models.copying`), and probabilities stay what they are. `target_prefix` stood before
    every answer in training: a space, for byte-level vocabularies in which " Paris" is not "Paris".
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        name: str,
        prompting: Prompting | None = None,
        uncased: bool = False,
        no_answer: int | None = None,
        copies: bool = False,
        target_prefix: str = "",
    ) -> None:
        self.target_prefix = target_prefix
        self.uncased, self.no_answer, self.copies = uncased, no_answer, copies
        vocabulary = int(model.config.vocab_size)
        self._copier = Copier(tokenizer, _end(model), vocabulary) if copies else None
        self.model, self.tokenizer, self.name = model.eval(), tokenizer, name
        longest = _positions(model.config, "encoder")
        self.prompting = prompting or Prompting(
            prefix=getattr(model.config, "prefix", None) or "", max_length=min(300, longest)
        )
        generation = model.generation_config
        self.eos = _end(model)
        start = _single(
            generation.decoder_start_token_id,
            getattr(model.config, "decoder_start_token_id", None),
            "decoder start",
        )
        forced = generation.forced_bos_token_id
        # A forced first token is given, not chosen: it belongs to the start, with no probability.
        self.start: tuple[int, ...] = (start,) if forced is None else (start, int(forced))

    @cached_property
    def digest(self) -> str:
        return weights_digest(self.model.state_dict().items())

    @property
    def max_tokens(self) -> int:
        return min(512, _positions(self.model.config, "decoder")) - len(self.start) + 1

    def encode(self, inputs: Sequence[Sequence[int]]) -> TorchReading:
        """Read each input once, in length-sorted batches."""
        import torch

        width = max(len(row) for row in inputs)
        mask = torch.zeros((len(inputs), width), dtype=torch.long)
        hidden: torch.Tensor | None = None
        order = sorted(range(len(inputs)), key=lambda i: len(inputs[i]))
        encoder = self.model.get_encoder()
        with torch.no_grad():
            for start in range(0, len(order), _ENCODER_ROWS):
                batch = order[start : start + _ENCODER_ROWS]
                longest = max(len(inputs[i]) for i in batch)
                ids = torch.zeros((len(batch), longest), dtype=torch.long)
                for n, i in enumerate(batch):
                    ids[n, : len(inputs[i])] = torch.tensor(inputs[i])
                    mask[i, : len(inputs[i])] = 1
                states = encoder(
                    input_ids=ids, attention_mask=mask[batch][:, :longest]
                ).last_hidden_state
                if hidden is None:
                    hidden = states.new_zeros((len(inputs), width, states.shape[-1]))
                hidden[batch, :longest] = states
        assert hidden is not None
        copying = self._copier.passages(inputs, width) if self._copier else None
        return TorchReading(self.model, hidden, mask, self.start, self.no_answer, copying)

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self.tokenizer(texts).input_ids
        return ids

    def tokenize(self, answer: str) -> tuple[int, ...]:
        ids = [int(i) for i in self.tokenizer(text_target=self.target_prefix + answer).input_ids]
        ids = ids if ids and ids[-1] == self.eos else [*ids, self.eos]
        # What the decoder is given to start with is not part of the answer: a forced first token,
        # or a start token that the tokenizer writes as well.
        return tuple(ids[1:]) if ids[0] == self.start[-1] else tuple(ids)

    def text(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()

    def token_texts(self, tokens: Sequence[int]) -> tuple[str, ...]:
        return tuple(str(self.tokenizer.decode([t])).strip() for t in tokens)


class TorchReading:
    """Encoded pairs: states (rows, width, d), their mask, and the cross-attention cache."""

    def __init__(
        self,
        model: Any,
        hidden: torch.Tensor,
        mask: torch.Tensor,
        start: tuple[int, ...],
        no_answer: int | None = None,
        copying: CopyRows | None = None,
    ) -> None:
        self.copying = copying
        self.model, self.hidden, self.mask, self.start = model, hidden, mask, start
        self.no_answer = no_answer
        self.cross: Any = None
        self._silence: torch.Tensor | None = None

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
            self.model, hidden, mask[:, :width], self.start, self.no_answer, copying
        )

    def stepper(self) -> TorchStepper:
        return TorchStepper(self)

    def begun(self, log_probs: torch.Tensor, cross: Any) -> None:
        """Keep what the first step over all rows computed, for everything that follows."""
        self.cross = cross
        if self.no_answer is not None:
            self._silence = log_probs[:, self.no_answer].exp()

    def silence(self) -> Floats | None:
        """p(no answer|x,z) of each pair, for models that can say so."""
        if self.no_answer is not None and self._silence is None:
            self.stepper().step(None, np.arange(self.rows))
        return None if self._silence is None else self._silence.double().numpy()

    def token_log_probs(
        self, rows: Ints, targets: Sequence[tuple[int, ...]]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Teacher-forced log-probabilities (n, t) of each target under its pair, and the mask."""
        import torch

        if self.cross is None:
            self.stepper().step(None, np.arange(self.rows))
        width = max((len(t) for t in targets), default=0)
        log_probs = torch.zeros((len(targets), width), dtype=self.hidden.dtype)
        mask = torch.zeros((len(targets), width), dtype=torch.bool)
        # Rows of equal length and of the same pair stand together: little padding, local reads.
        order = sorted(range(len(targets)), key=lambda n: (len(targets[n]), int(rows[n])))
        with torch.no_grad():
            for first in range(0, len(order), _RESCORED_ROWS):
                batch = order[first : first + _RESCORED_ROWS]
                longest = max(len(targets[n]) for n in batch)
                y = torch.zeros((len(batch), longest), dtype=torch.long)
                for i, n in enumerate(batch):
                    y[i, : len(targets[n])] = torch.tensor(targets[n])
                    mask[n, : len(targets[n])] = True
                source = torch.as_tensor(rows[np.array(batch)])
                log_probs[batch, :longest] = self._forced(source, y)
        return log_probs, mask

    def _forced(self, source: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        import torch
        from transformers import DynamicCache, EncoderDecoderCache

        given = torch.tensor([self.start]).expand(len(y), -1)
        logits = self.model(
            encoder_outputs=_states(self.hidden[source]),
            attention_mask=self.mask[source],
            decoder_input_ids=torch.cat([given, y[:, :-1]], dim=1),
            past_key_values=EncoderDecoderCache(DynamicCache(), _select(self.cross, source)),
            use_cache=True,
        ).logits[:, len(self.start) - 1 :]
        log_probs: torch.Tensor = logits.log_softmax(-1).gather(-1, y[..., None]).squeeze(-1)
        return log_probs


class TorchStepper:
    """Incremental decoding with cached keys and values; rows may multiply, move and end."""

    def __init__(self, reading: TorchReading) -> None:
        self._reading = reading
        self._source: Ints = np.zeros(0, dtype=np.int64)
        self._cache: Any = None
        self._states: tuple[Any, Any] | None = None
        self._copying: CopyState | None = None

    def step(self, tokens: Ints | None, parents: Ints) -> torch.Tensor:
        import torch

        with torch.no_grad():
            if tokens is None:
                self._begin(parents)
                inputs = torch.tensor([self._reading.start]).expand(len(parents), -1)
            else:
                self._follow(parents)
                if self._copying is not None:
                    self._copying = self._copying.follow(tokens, parents)
                inputs = torch.as_tensor(tokens)[:, None]
            hidden, mask = self._states or (None, None)
            logits = self._reading.model(
                encoder_outputs=_states(hidden),
                attention_mask=mask,
                decoder_input_ids=inputs,
                past_key_values=self._cache,
                use_cache=True,
            ).logits[:, -1]
            log_probs = torch.log_softmax(logits, dim=-1)
            if self._reading.cross is None and len(parents) == self._reading.rows:
                self._reading.begun(log_probs, self._cache.cross_attention_cache)
            if self._reading.no_answer is not None:
                log_probs[:, self._reading.no_answer] = -torch.inf
            return log_probs

    def allowed(self) -> torch.Tensor | None:
        return None if self._copying is None else self._copying.allowed()

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
        past.batch_select_indices(torch.as_tensor(parents))
        if not np.array_equal(source, self._source):
            cross = _select(self._cache.cross_attention_cache, parents)
            self._cache = EncoderDecoderCache(past, cross)
            self._source = source
            self._states = self._select_states()

    def _select_states(self) -> tuple[Any, Any]:
        reading = self._reading
        return reading.hidden[self._source], reading.mask[self._source]


def _states(hidden: Any) -> Any:
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=hidden)


def _select(cache: Any, rows: Any) -> Any:
    """A new cache with the given rows of `cache` (keys and values copied once)."""
    import torch
    from transformers import DynamicCache
    from transformers.cache_utils import DynamicLayer

    index = torch.as_tensor(rows)
    selected = DynamicCache()
    for layer in cache.layers:
        copy = DynamicLayer()
        copy.lazy_initialization(layer.keys, layer.values)
        copy.keys = layer.keys.index_select(0, index)
        copy.values = layer.values.index_select(0, index)
        selected.layers.append(copy)
    return selected


def _positions(config: Any, part: str) -> int:
    """How many tokens the encoder or decoder can take; relative positions set no limit."""
    own = getattr(config, part, config)  # composed models have a configuration for each part
    for name in (f"max_{part}_position_embeddings", "max_position_embeddings"):
        if positions := getattr(own, name, None):
            return int(positions)
    return 4096


def _end(model: Any) -> int:
    return _single(
        model.generation_config.eos_token_id, model.config.eos_token_id, "end-of-sequence"
    )


def _single(value: Any, fallback: Any, what: str) -> int:
    value = fallback if value is None else value
    value = next(iter(value), None) if isinstance(value, list) else value
    if value is None:
        raise ModelError(f"the generator's configuration names no {what} token")
    return int(value)
