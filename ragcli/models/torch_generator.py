"""p(y|x,z) by torch: any Hugging Face encoder–decoder with its tokenizer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcli.errors import ModelError, SettingsError
from ragcli.models.copying import Copier
from ragcli.models.output import Output
from ragcli.models.reading import TorchReading
from ragcli.models.source import weights_digest
from ragcli.settings import Prompting

if TYPE_CHECKING:
    import torch

EXTRA = "rag.json"
_ENCODER_ROWS = 16
_CALL = 32
"""What one more call of the encoder costs, in tokens: padding is worth less than that."""


def read_extra(path: Path) -> dict[str, Any]:
    """The contents of a model folder's `rag.json`, or nothing if it has none."""
    if not path.is_file():
        return {}
    try:
        extra: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        Prompting(**extra.get("prompting", {}))
    except (OSError, ValueError, TypeError, AttributeError, SettingsError) as error:
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
        self.ends = _ends(model)
        self.eos = self.ends[0]
        vocabulary = int(model.config.vocab_size)
        self._copier = _copier(tokenizer, self.ends, vocabulary) if copies else None
        self.model, self.tokenizer, self.name = model.eval(), tokenizer, name
        self.output = Output(model)
        longest = _positions(model.config, "encoder")
        self.prompting = prompting or Prompting(
            prefix=getattr(model.config, "prefix", None) or "", max_length=min(300, longest)
        )
        generation = model.generation_config
        start = _single(
            generation.decoder_start_token_id,
            getattr(model.config, "decoder_start_token_id", None),
            "decoder start",
        )
        forced = generation.forced_bos_token_id
        # A forced first token is given, not chosen: it belongs to the start, with no probability.
        self.start: tuple[int, ...] = (start,) if forced is None else (start, int(forced))

    @property
    def device(self) -> torch.device:
        """Where the network is: every tensor follows it."""
        found: torch.device = self.model.device
        return found

    @property
    def digest(self) -> str:
        """sha256 over the weights as they are now: training changes them."""
        return weights_digest(self.model.state_dict().items())

    @property
    def manner(self) -> dict[str, Any]:
        """What besides weights and prompting decides the answers, as JSON values."""
        return {
            "start": list(self.start),
            "ends": list(self.ends),
            "no_answer": self.no_answer,
            "uncased": self.uncased,
            "copies": self.copies,
            "target_prefix": self.target_prefix,
        }

    @property
    def max_tokens(self) -> int:
        return min(512, _positions(self.model.config, "decoder")) - len(self.start) + 1

    def encode(self, inputs: Sequence[Sequence[int]]) -> TorchReading:
        """Read each input once, in batches of similar length."""
        import torch

        width = max(len(row) for row in inputs)
        mask = torch.zeros((len(inputs), width), dtype=torch.long, device=self.device)
        hidden: torch.Tensor | None = None
        encoder = self.model.get_encoder()
        with torch.no_grad():
            for batch in similar([len(row) for row in inputs]):
                longest = max(len(inputs[i]) for i in batch)
                ids = torch.zeros((len(batch), longest), dtype=torch.long, device=self.device)
                for n, i in enumerate(batch):
                    ids[n, : len(inputs[i])] = torch.tensor(inputs[i], device=self.device)
                    mask[i, : len(inputs[i])] = 1
                states = encoder(
                    input_ids=ids, attention_mask=mask[batch][:, :longest]
                ).last_hidden_state
                if hidden is None:
                    hidden = states.new_zeros((len(inputs), width, states.shape[-1]))
                hidden[batch, :longest] = states
        assert hidden is not None
        copying = self._copier.passages(inputs, width) if self._copier else None
        return TorchReading(self.output, hidden, mask, self.start, self.no_answer, copying)

    @property
    def reserved(self) -> tuple[str, ...]:
        return tuple(self.tokenizer.all_special_tokens)

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self.tokenizer(texts).input_ids
        return ids

    def tokenize(self, answer: str) -> tuple[int, ...]:
        ids = [int(i) for i in self.tokenizer(text_target=self.target_prefix + answer).input_ids]
        ids = ids if ids and ids[-1] in self.ends else [*ids, self.eos]
        # What the decoder is given to start with is not part of the answer: a forced first token,
        # or a start token that the tokenizer writes as well.
        return tuple(ids[1:]) if ids[0] == self.start[-1] else tuple(ids)

    def text(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()

    def token_texts(self, tokens: Sequence[int]) -> tuple[str, ...]:
        return tuple(str(self.tokenizer.decode([t])).strip() for t in tokens)


def _copier(tokenizer: Any, ends: Sequence[int], vocabulary: int) -> Copier:
    pieces = tokenizer.convert_ids_to_tokens(range(min(vocabulary, len(tokenizer))))
    return Copier(pieces, int(tokenizer.sep_token_id), ends, vocabulary)


def similar(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Which inputs to read together: sorted by length, and apart where padding costs too much."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch:
            padding = (lengths[i] - lengths[batch[-1]]) * len(batch)
            if padding > _CALL or len(batch) == _ENCODER_ROWS:
                yield batch
                batch = []
        batch.append(i)
    if batch:
        yield batch


def _positions(config: Any, part: str) -> int:
    """How many tokens the encoder or decoder can take; relative positions set no limit."""
    own = getattr(config, part, config)  # composed models have a configuration for each part
    for name in (f"max_{part}_position_embeddings", "max_position_embeddings"):
        if positions := getattr(own, name, None):
            return int(positions)
    return 4096


def _ends(model: Any) -> tuple[int, ...]:
    """Every token that the configuration calls an end of sequence."""
    named = model.generation_config.eos_token_id
    named = model.config.eos_token_id if named is None else named
    first = _single(named, None, "end-of-sequence")
    return tuple(dict.fromkeys([first, *map(int, named if isinstance(named, list) else [])]))


def _single(value: Any, fallback: Any, what: str) -> int:
    value = fallback if value is None else value
    value = next(iter(value), None) if isinstance(value, list) else value
    if value is None:
        raise ModelError(f"the generator's configuration names no {what} token")
    return int(value)
