"""DPR: two BERTs, q(x) and d(z), or the first of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcli.models.devices import device_of
from ragcli.models.query_network import NetworkEncoder, QueryNetwork
from ragcli.models.source import (
    Source,
    loading,
    locate,
    quiet_libraries,
    require_tokenizer,
    stable_name,
    weights_digest,
)
from ragcli.protocols import Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings, Placement

if TYPE_CHECKING:
    import torch


class DprDocuments:
    """d(z) of a DPR pair."""

    def __init__(self, source: Source, placement: Placement) -> None:
        from transformers import DPRContextEncoder

        self._model, self._tokenizer = load_dpr(DPRContextEncoder, source, placement)

    @property
    def digest(self) -> str:
        return weights_digest(self._model.state_dict().items())

    def encode_passages(
        self, passages: Sequence[Passage], batch_size: int = 32, progress: Progress | None = None
    ) -> Floats:
        """pooler_output of each title and text, in batches of similar length."""
        import torch

        model = self._model
        dimension, longest = _sizes(model)
        rows = np.zeros((len(passages), dimension), dtype=np.float32)
        order = np.argsort([-len(p.title) - len(p.text) for p in passages], kind="stable")
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            inputs = self._tokenizer(
                [passages[i].title for i in batch],
                [passages[i].text for i in batch],
                padding=True,
                truncation=True,
                max_length=longest,
                return_tensors="pt",
            )
            with torch.no_grad():
                rows[batch] = model(**inputs.to(model.device)).pooler_output.float().cpu().numpy()
            if progress:
                progress(len(batch))
        return rows


class DprNetwork(QueryNetwork):
    """A DPR question encoder as a function with gradient."""

    def read(self, texts: list[str]) -> dict[str, Any]:
        return dict(self.tokenizer(texts, padding=True, return_tensors="pt"))

    def pool(self, features: dict[str, Any]) -> torch.Tensor:
        pooled: torch.Tensor = self.module(**features).pooler_output
        return pooled

    def save_module(self, folder: Path) -> None:
        with quiet_libraries():
            self.module.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)


class DprKind:
    """`QUERY,DOCUMENT`: two folders or hub ids."""

    def takes(self, name: str) -> bool:
        return "," in name and not Path(name).is_dir()

    def load(self, name: str, placement: Placement) -> NetworkEncoder:
        from transformers import DPRQuestionEncoder

        query, document = (locate(part.strip()) for part in name.split(",", 1))
        model, tokenizer = load_dpr(DPRQuestionEncoder, query, placement)
        documents = DprDocuments(document, placement)
        names = stable_name(query.name), stable_name(document.name)
        settings = dpr_settings(model, *names, documents.digest)
        network = DprNetwork(model, tokenizer, settings)
        return NetworkEncoder(network, settings, lambda _: documents)

    def name_of(self, settings: EncoderSettings) -> str:
        return f"{settings.query_name},{settings.document_name}"

    def network(
        self, source: Source, settings: EncoderSettings, placement: Placement
    ) -> DprNetwork:
        from transformers import DPRQuestionEncoder

        return DprNetwork(*load_dpr(DPRQuestionEncoder, source, placement), settings)

    def documents(self, name: str, placement: Placement) -> DprDocuments:
        return DprDocuments(locate(name), placement)


DPR = DprKind()


def dpr_settings(
    model: Any, query_name: str, document_name: str, document_digest: str = ""
) -> EncoderSettings:
    """Settings of a DPR query encoder: bare inner products, BERT's own length."""
    dimension, longest = _sizes(model)
    return EncoderSettings(
        kind="dpr",
        query_name=query_name,
        document_name=document_name,
        dimension=dimension,
        normalize=False,
        score_scale=1.0,
        max_length=longest,
        query_digest=weights_digest(model.state_dict().items()),
        document_digest=document_digest,
    )


def _sizes(model: Any) -> tuple[int, int]:
    """The dimension of the vectors, and how many tokens are read."""
    config = model.config
    return int(config.projection_dim or config.hidden_size), min(
        512, config.max_position_embeddings
    )


def load_dpr(kind: Any, source: Source, placement: Placement) -> tuple[Any, Any]:
    """A DPR encoder and its tokenizer."""
    from transformers import AutoTokenizer

    with loading(source, "DPR encoder"):
        model = kind.from_pretrained(source.location, local_files_only=source.local).eval()
        tokenizer = AutoTokenizer.from_pretrained(source.location, local_files_only=source.local)
    require_tokenizer(tokenizer, int(model.config.vocab_size), source)
    return model.to(device_of(placement)), tokenizer
