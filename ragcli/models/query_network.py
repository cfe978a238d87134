"""q(x) with gradient: the network of a query encoder, trained apart from d(z)."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcli.errors import QuestionError
from ragcli.models.source import weights_digest
from ragcli.settings import EncoderSettings

if TYPE_CHECKING:
    import torch

SETTINGS = "encoder.json"


class QueryNetwork(ABC):
    """The network behind `encode_queries`, as a tensor function of questions.

    `settings` are those of the encoder it came from; `module` holds the weights. Each kind of
    encoder says in a subclass how its network reads, pools and is saved.
    """

    def __init__(self, module: Any, tokenizer: Any, settings: EncoderSettings) -> None:
        self.module, self.tokenizer, self.settings = module, tokenizer, settings

    def __call__(self, questions: Sequence[str]) -> torch.Tensor:
        """q(x) (questions, dimension), with gradient if the network has it."""
        return self.embed(self.features(questions))

    def features(self, questions: Sequence[str]) -> dict[str, Any]:
        """The questions as the network reads them; one too long is refused, never cut."""
        texts = [self.settings.query_prefix + question for question in questions]
        require_length(token_lengths(self.tokenizer, texts), self.settings)
        return self.read(texts)

    def embed(self, features: dict[str, Any]) -> torch.Tensor:
        """q(x) of what `features` gave."""
        import torch

        device = next(self.module.parameters()).device
        on = {name: t.to(device) if hasattr(t, "to") else t for name, t in features.items()}
        embedded = self.pool(on)
        if self.settings.normalize:
            embedded = torch.nn.functional.normalize(embedded, dim=-1)
        return embedded

    @abstractmethod
    def read(self, texts: list[str]) -> dict[str, Any]:
        """Texts as tensors."""

    @abstractmethod
    def pool(self, features: dict[str, Any]) -> torch.Tensor:
        """One vector a row."""

    @abstractmethod
    def save_module(self, folder: Path) -> None:
        """Write network and tokenizer in their library's format."""

    @property
    def digest(self) -> str:
        return weights_digest(self.module.state_dict().items())

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """The network in its own library's format, and beside it which d(z) it belongs to."""
        folder.mkdir(parents=True, exist_ok=True)
        self.save_module(folder)
        text = json.dumps(settings.to_json(), indent=2, ensure_ascii=False) + "\n"
        (folder / SETTINGS).write_text(text, encoding="utf-8")


def token_lengths(tokenizer: Any, texts: Sequence[str]) -> list[int]:
    """Tokens of each text, by a transformers tokenizer or by a bare one (static embeddings)."""
    if hasattr(tokenizer, "encode_batch"):
        return [len(encoding.ids) for encoding in tokenizer.encode_batch(list(texts))]
    return [len(ids) for ids in tokenizer(list(texts)).input_ids]


def require_length(lengths: Sequence[int], settings: EncoderSettings) -> None:
    """A question that would be cut is refused: what is left of it may ask something else."""
    longest = max(lengths)
    if longest > settings.max_length:
        raise QuestionError(
            f"the question takes {longest} tokens and the query encoder reads "
            f"{settings.max_length}",
            "shorten the question",
        )
