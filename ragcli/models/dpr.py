"""DPR: two BERTs, q(x) and d(z), or the first of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


class DprDocuments(DprNetwork):
    """d(z) of a DPR pair: it reads the title with the text, and cuts what is too long."""

    def features(self, passages: Sequence[Any]) -> dict[str, Any]:
        with self.tokenizing:
            inputs = self.tokenizer(
                [p.caption for p in passages],
                [p.text for p in passages],
                padding=True,
                truncation=True,
                max_length=self.settings.max_length,
                return_tensors="pt",
            )
        return dict(inputs)

    def encode_passages(
        self, passages: Sequence[Passage], batch_size: int = 32, progress: Progress | None = None
    ) -> Floats:
        lengths = [len(p.caption) + len(p.text) for p in passages]
        return self.encode(passages, lengths, batch_size, progress)


class DprKind:
    """`QUERY,DOCUMENT`: two folders or hub ids."""

    def takes(self, name: str) -> bool:
        return "," in name and not Path(name).is_dir()

    def load(self, name: str, placement: Placement) -> NetworkEncoder:
        query, document = (locate(part.strip()) for part in name.split(",", 1))
        model, tokenizer = load_dpr("DPRQuestionEncoder", query, placement)
        documents = self.documents(document.name, placement)
        settings = replace(
            dpr_settings(model, stable_name(query.name)),
            document_name=stable_name(document.name),
            document_digest=documents.settings.query_digest,
        )
        network = DprNetwork(model, tokenizer, settings)
        return NetworkEncoder(network, settings, lambda _: documents)

    def name_of(self, settings: EncoderSettings) -> str:
        return f"{settings.query_name},{settings.document_name}"

    def network(
        self, source: Source, settings: EncoderSettings, placement: Placement
    ) -> DprNetwork:
        return DprNetwork(*load_dpr("DPRQuestionEncoder", source, placement), settings)

    def documents(self, name: str, placement: Placement) -> DprDocuments:
        model, tokenizer = load_dpr("DPRContextEncoder", locate(name), placement)
        return DprDocuments(model, tokenizer, dpr_settings(model, name))


DPR = DprKind()


def dpr_settings(model: Any, name: str) -> EncoderSettings:
    """Settings of a DPR encoder by itself: bare inner products, BERT's own length.

    A network that was stored in half precision runs in single precision from here on; the digest
    is that of what is stored.
    """
    config = model.config
    settings = EncoderSettings(
        kind="dpr",
        query_name=name,
        document_name="",
        dimension=int(config.projection_dim or config.hidden_size),
        normalize=False,
        score_scale=1.0,
        max_length=min(512, int(config.max_position_embeddings)),
        query_digest=weights_digest(model.state_dict().items()),
    )
    if model.dtype.itemsize < 4:
        model.float()
    return settings


def load_dpr(kind: str, source: Source, placement: Placement) -> tuple[Any, Any]:
    """A DPR encoder, which transformers has under the name of its kind, and its tokenizer."""
    import transformers

    where = {"local_files_only": source.local}
    with loading(source, "DPR encoder"):
        model = getattr(transformers, kind).from_pretrained(source.location, **where)
        tokenizer = transformers.AutoTokenizer.from_pretrained(source.location, **where)
    require_tokenizer(tokenizer, int(model.config.vocab_size), source)
    return model.eval().to(device_of(placement)), tokenizer
