"""DPR: two BERTs, q(x) and d(z), or the first of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcli.errors import ModelError
from ragcli.models.devices import device_of
from ragcli.models.query_network import QueryNetwork, require_length, token_lengths
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

_QUERIES_A_BATCH = 32


class DprEncoder:
    """The DPR pair: two BERTs, one for questions and one for passages."""

    def __init__(self, query: Source, document: Source, placement: Placement) -> None:
        from transformers import DPRQuestionEncoder

        self._query, self._tokenizer = load_dpr(DPRQuestionEncoder, query, placement)
        self._documents = DprDocuments(document, placement)
        names = stable_name(query.name), stable_name(document.name)
        self.settings = replace(
            dpr_settings(self._query, *names), document_digest=self._documents.digest
        )

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        return _queries(self._query, self._tokenizer, questions, self.settings)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        return self._documents.encode_passages(passages, batch_size, progress)

    def query_network(self) -> DprNetwork:
        """q(x) to be trained; d(z) is another network and stays as it is."""
        return DprNetwork(self._query, self._tokenizer, self.settings)


class DprDocuments:
    """d(z) of a DPR pair."""

    def __init__(self, source: Source, placement: Placement) -> None:
        from transformers import DPRContextEncoder

        self._model, self._tokenizer = load_dpr(DPRContextEncoder, source, placement)

    @property
    def digest(self) -> str:
        return weights_digest(self._model.state_dict().items())

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        titles, texts = [p.title for p in passages], [p.text for p in passages]
        return _encode(self._model, self._tokenizer, titles, texts, batch_size, progress)


class QuestionEncoder:
    """A DPR question encoder alone, as a paper checkpoint carries it: it cannot embed passages."""

    def __init__(self, model: Any, tokenizer: Any, name: str) -> None:
        self._model, self._tokenizer = model.eval(), tokenizer
        self.settings = dpr_settings(model, name, "")

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        return _queries(self._model, self._tokenizer, questions, self.settings)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        raise ModelError(
            f"{self.settings.query_name} has a query encoder only",
            "build the index with the DPR pair: --encoder QUERY,DOCUMENT",
        )

    def query_network(self) -> DprNetwork:
        return DprNetwork(self._model, self._tokenizer, self.settings)


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

    def load(self, name: str, placement: Placement) -> DprEncoder:
        query, _, document = name.partition(",")
        return DprEncoder(locate(query.strip()), locate(document.strip()), placement)

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


def dpr_settings(model: Any, query_name: str, document_name: str) -> EncoderSettings:
    """Settings of a DPR query encoder: bare inner products, BERT's own length."""
    return EncoderSettings(
        kind="dpr",
        query_name=query_name,
        document_name=document_name,
        dimension=int(model.config.projection_dim or model.config.hidden_size),
        normalize=False,
        score_scale=1.0,
        max_length=min(512, int(model.config.max_position_embeddings)),
        query_digest=weights_digest(model.state_dict().items()),
    )


def load_dpr(kind: Any, source: Source, placement: Placement) -> tuple[Any, Any]:
    """A DPR encoder and its tokenizer."""
    from transformers import AutoTokenizer

    with loading(source, "DPR encoder"):
        model = kind.from_pretrained(source.location, local_files_only=source.local).eval()
        tokenizer = AutoTokenizer.from_pretrained(source.location, local_files_only=source.local)
    require_tokenizer(tokenizer, int(model.config.vocab_size), source)
    return model.to(device_of(placement)), tokenizer


def _queries(
    model: Any, tokenizer: Any, questions: Sequence[str], settings: EncoderSettings
) -> Floats:
    if questions:
        require_length(token_lengths(tokenizer, questions), settings)
    return _encode(model, tokenizer, list(questions), None, _QUERIES_A_BATCH, None)


def _encode(
    model: Any,
    tokenizer: Any,
    texts: list[str],
    pairs: list[str] | None,
    batch_size: int,
    progress: Progress | None,
) -> Floats:
    """pooler_output of each text (or title and text), in batches sorted by length."""
    import torch

    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]) - len(pairs[i] if pairs else ""))
    dimension = int(model.config.projection_dim or model.config.hidden_size)
    rows: Floats = np.zeros((len(texts), dimension), dtype=np.float32)
    longest = min(512, int(model.config.max_position_embeddings))
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        inputs = tokenizer(
            [texts[i] for i in batch],
            [pairs[i] for i in batch] if pairs else None,
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        )
        with torch.no_grad():
            on_device = {name: tensor.to(model.device) for name, tensor in inputs.items()}
            rows[batch] = model(**on_device).pooler_output.float().cpu().numpy()
        if progress:
            progress(len(batch))
    return rows
