"""p(y|x,z) by torch: any Hugging Face encoder–decoder with its tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragcli.models.copying import Copier
from ragcli.models.language import Language, Manner, similar
from ragcli.models.output import Output
from ragcli.models.reading import TorchReading
from ragcli.models.source import weights_digest

if TYPE_CHECKING:
    import torch


class TorchGenerator(Language):
    """An encoder–decoder with its tokenizer; prompting defaults to the paper's form."""

    def __init__(self, model: Any, tokenizer: Any, name: str, manner: Manner = Manner()) -> None:  # noqa: B008
        super().__init__(name, manner, model.config.to_dict(), model.generation_config.to_dict())
        self.model, self.tokenizer = model.eval(), tokenizer
        self.copier: Copier | None = None
        if self.copies:
            vocabulary = int(model.config.vocab_size)
            pieces = tokenizer.convert_ids_to_tokens(range(min(vocabulary, len(tokenizer))))
            self.copier = self.make_copier(pieces, int(tokenizer.sep_token_id), vocabulary)
        self.output = Output(model)

    @property
    def device(self) -> torch.device:
        """Where the network is: every tensor follows it."""
        found: torch.device = self.model.device
        return found

    @property
    def digest(self) -> str:
        """sha256 over the weights as they are now: training changes them."""
        return weights_digest(self.model.state_dict().items())

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
        copying = self.copier.passages(inputs, width) if self.copier else None
        return TorchReading(self.output, hidden, mask, self.start, self.no_answer, copying)

    @property
    def reserved(self) -> tuple[str, ...]:
        return tuple(self.tokenizer.all_special_tokens)

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self.tokenizer(texts).input_ids
        return ids

    def _target(self, text: str) -> list[int]:
        return [int(i) for i in self.tokenizer(text_target=text).input_ids]

    def _decoded(self, tokens: Sequence[int], skip_special: bool) -> str:
        return str(self.tokenizer.decode(list(tokens), skip_special_tokens=skip_special))
