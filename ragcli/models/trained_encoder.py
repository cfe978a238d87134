"""A query encoder that was trained while the document encoder, and so every index, stood still."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.errors import ModelError
from ragcli.models.dpr import DprDocuments, load_dpr
from ragcli.models.encoders import load_encoder
from ragcli.models.query_network import SETTINGS, QueryNetwork
from ragcli.models.source import Source, loading, locate, quiet_transformers
from ragcli.protocols import Encoder, Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings

_QUERIES_A_BATCH = 32


class TrainedEncoder:
    """q(x) of a trained network; d(z) of the untrained encoder it was trained against.

    `settings` name both by digest. The document encoder is looked for, by the name that the index
    gave it, only when passages are embedded.
    """

    def __init__(self, network: QueryNetwork, settings: EncoderSettings) -> None:
        self._network, self.settings = network, settings

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        import torch

        rows = np.zeros((len(questions), self.settings.dimension), dtype=np.float32)
        order = sorted(range(len(questions)), key=lambda n: len(questions[n]))
        training = self._network.module.training
        self._network.module.eval()
        with torch.no_grad():
            for first in range(0, len(order), _QUERIES_A_BATCH):
                batch = order[first : first + _QUERIES_A_BATCH]
                rows[batch] = self._network([questions[n] for n in batch]).float().numpy()
        self._network.module.train(training)
        return rows

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        return self._documents.encode_passages(passages, batch_size, progress)

    def query_network(self) -> QueryNetwork:
        """The network itself, to be trained further."""
        return self._network

    @cached_property
    def _documents(self) -> Encoder | DprDocuments:
        name = self.settings.document_name
        return DprDocuments(locate(name)) if self.settings.kind == "dpr" else load_encoder(name)


def load_trained_encoder(folder: Path) -> TrainedEncoder:
    """Open a folder that `QueryNetwork.save` wrote; its weights must be the recorded ones."""
    quiet_transformers()
    try:
        settings = EncoderSettings(**json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{folder / SETTINGS}: {error}") from error
    source = Source(str(folder), str(folder), local=True)
    network = QueryNetwork(*_load(source, settings.kind), settings)
    if network.digest != settings.query_digest:
        raise ModelError(f"the weights in {folder} are not those that were trained and recorded")
    # An index that is built with it finds it again by its folder.
    return TrainedEncoder(network, replace(settings, query_name=str(folder.resolve())))


def _load(source: Source, kind: str) -> tuple[Any, Any]:
    """The network and its tokenizer."""
    if kind == "dpr":
        from transformers import DPRQuestionEncoder

        return load_dpr(DPRQuestionEncoder, source)
    from sentence_transformers import SentenceTransformer

    with loading(source, "sentence-transformers model"):
        module = SentenceTransformer(source.location, device="cpu", local_files_only=True).eval()
    return module, module.tokenizer


def network_of(encoder: Encoder) -> QueryNetwork:
    """The network of an encoder, to be trained."""
    found = getattr(encoder, "query_network", None)
    if found is None:
        raise ModelError(f"the query encoder {encoder.settings.query_name} cannot be trained")
    network: QueryNetwork = found()
    return network
