"""q(x) with gradient: the network of a query encoder, trained apart from d(z)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcli.errors import QuestionError
from ragcli.models.source import weights_digest
from ragcli.settings import EncoderSettings

if TYPE_CHECKING:
    import torch

SETTINGS = "encoder.json"


class QueryNetwork:
    """The network behind `encode_queries`, as a tensor function of questions.

    `settings` are those of the encoder it came from; `module` holds the weights. A
    sentence-transformers model and a DPR question encoder differ only in how they read and pool.
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
        if self.settings.kind == "dpr":
            return dict(self.tokenizer(texts, padding=True, return_tensors="pt"))
        return dict(self.module.preprocess(texts))

    def embed(self, features: dict[str, Any]) -> torch.Tensor:
        import torch

        if self.settings.kind == "dpr":
            embedded: torch.Tensor = self.module(**features).pooler_output
        else:
            embedded = self.module(features)["sentence_embedding"]
        if self.settings.normalize:
            embedded = torch.nn.functional.normalize(embedded, dim=-1)
        return embedded

    @property
    def digest(self) -> str:
        return weights_digest(self.module.state_dict().items())

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """The network in its own library's format, and beside it which d(z) it belongs to."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.settings.kind == "dpr":
            self.module.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)
        else:
            self.module.save_pretrained(str(folder), create_model_card=False)
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
