"""A query encoder that was trained while the document encoder, and so every index, stood still."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ragcli.errors import ModelError, SettingsError
from ragcli.models.encoders import ENCODERS
from ragcli.models.query_network import SETTINGS, QueryNetwork
from ragcli.models.source import Source
from ragcli.protocols import Encoder, Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings, Placement

_QUERIES_A_BATCH = 32


class TrainableKind(Protocol):
    """A kind of encoder whose query side can be trained while its document side stands still."""

    def network(
        self, source: Source, settings: EncoderSettings, placement: Placement
    ) -> QueryNetwork: ...

    def documents(self, name: str, placement: Placement) -> Any:
        """Something with `encode_passages`."""
        ...


class TrainedEncoder:
    """q(x) of a trained network; d(z) of the untrained encoder it was trained against.

    `settings` name both by digest. The document encoder is looked for, by the name that the index
    gave it, only when passages are embedded.
    """

    def __init__(
        self,
        network: QueryNetwork,
        settings: EncoderSettings,
        placement: Placement = Placement(),  # noqa: B008 (frozen)
    ) -> None:
        self._network, self.settings, self._placement = network, settings, placement

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        import torch

        rows = np.zeros((len(questions), self.settings.dimension), dtype=np.float32)
        order = sorted(range(len(questions)), key=lambda n: len(questions[n]))
        with torch.no_grad():
            for first in range(0, len(order), _QUERIES_A_BATCH):
                batch = order[first : first + _QUERIES_A_BATCH]
                embedded = self._network([questions[n] for n in batch])
                rows[batch] = embedded.float().cpu().numpy()
        return rows

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        embedded: Floats = self._documents.encode_passages(passages, batch_size, progress)
        return embedded

    def query_network(self) -> QueryNetwork:
        """The network itself, to be trained further."""
        return self._network

    @cached_property
    def _documents(self) -> Any:
        kind = _trainable(self.settings.kind)
        return kind.documents(self.settings.document_name, self._placement)


class TrainedKind:
    """A folder that `QueryNetwork.save` wrote."""

    def takes(self, name: str) -> bool:
        return (Path(name) / SETTINGS).is_file()

    def load(self, name: str, placement: Placement) -> TrainedEncoder:
        return load_trained_encoder(Path(name), placement)

    def name_of(self, settings: EncoderSettings) -> str:
        return settings.query_name


TRAINED = TrainedKind()


def load_trained_encoder(
    folder: Path,
    placement: Placement = Placement(),  # noqa: B008 (frozen)
) -> TrainedEncoder:
    """Open a folder that `QueryNetwork.save` wrote; its weights must be the recorded ones."""
    try:
        settings = EncoderSettings(**json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, SettingsError) as error:
        raise ModelError(f"{folder / SETTINGS}: {error}") from error
    source = Source(str(folder), str(folder), local=True)
    network = _trainable(settings.kind).network(source, settings, placement)
    network.module.eval()
    if network.digest != settings.query_digest:
        raise ModelError(f"the weights in {folder} are not those that were trained and recorded")
    # An index that is built with it finds it again by its folder.
    found = replace(settings, query_name=str(folder.resolve()))
    return TrainedEncoder(network, found, placement)


def _trainable(kind: str) -> TrainableKind:
    found: Any = ENCODERS.load(kind)
    if not hasattr(found, "network"):
        raise ModelError(f"encoders of the kind {kind!r} cannot be trained")
    trainable: TrainableKind = found
    return trainable


def network_of(encoder: Encoder) -> QueryNetwork:
    """The network of an encoder, to be trained."""
    found = getattr(encoder, "query_network", None)
    if found is None:
        raise ModelError(f"the query encoder {encoder.settings.query_name} cannot be trained")
    network: QueryNetwork = found()
    return network
