"""q(x) with gradient: the network of a query encoder, trained apart from d(z)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcli.errors import ModelError, QuestionError
from ragcli.models.source import quiet_transformers, weights_digest
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
        found: dict[str, Any] = dict(self.tokenizer(texts, padding=True, return_tensors="pt"))
        longest = int(found["input_ids"].shape[1])
        if longest > self.settings.max_length:
            raise QuestionError(
                f"the question takes {longest} tokens and the query encoder reads "
                f"{self.settings.max_length}",
                "shorten the question",
            )
        return found

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


def load_query_network(folder: Path) -> QueryNetwork:
    """The network that `save` wrote; its weights must be the recorded ones."""
    quiet_transformers()
    try:
        settings = EncoderSettings(**json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{folder / SETTINGS}: {error}") from error
    network = (_load_dpr if settings.kind == "dpr" else _load_sentence)(folder, settings)
    if network.digest != settings.query_digest:
        raise ModelError(f"the weights in {folder} are not those that were trained and recorded")
    return network


def _load_dpr(folder: Path, settings: EncoderSettings) -> QueryNetwork:
    from transformers import AutoTokenizer, DPRQuestionEncoder

    module = DPRQuestionEncoder.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return QueryNetwork(module, tokenizer, settings)


def _load_sentence(folder: Path, settings: EncoderSettings) -> QueryNetwork:
    from sentence_transformers import SentenceTransformer

    module = SentenceTransformer(str(folder), device="cpu", local_files_only=True).eval()
    return QueryNetwork(module, module.tokenizer, settings)
