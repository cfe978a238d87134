"""A query encoder that was trained while the document encoder, and so every index, stood still."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, cast

from ragcli.errors import ModelError, SettingsError
from ragcli.models.encoders import ENCODERS
from ragcli.models.query_network import SETTINGS, NetworkEncoder, QueryNetwork
from ragcli.models.source import ONNX, Source, has_graphs
from ragcli.protocols import Encoder
from ragcli.settings import EncoderSettings, Placement


class TrainableKind(Protocol):
    """A kind of encoder whose query side can be trained while its document side stands still."""

    def network(
        self, source: Source, settings: EncoderSettings, placement: Placement
    ) -> QueryNetwork: ...

    def documents(self, name: str, placement: Placement) -> Any:
        """Something with `encode_passages`."""
        ...


def trained_encoder(
    network: Any,
    settings: EncoderSettings,
    placement: Placement = Placement(),  # noqa: B008 (frozen)
    probes: bool = True,
) -> NetworkEncoder:
    """q(x) of a trained network; d(z) of the untrained encoder it was trained against.

    `settings` name both by digest. The document encoder is looked for, by the name that the index
    gave it, only when passages are embedded.
    """

    def documents(settings: EncoderSettings) -> Any:
        return _trainable(settings.kind).documents(settings.document_name, placement)

    return NetworkEncoder(network, settings, documents, probes)


class TrainedKind:
    """A folder that `QueryNetwork.save` wrote."""

    def takes(self, name: str) -> bool:
        return (Path(name) / SETTINGS).is_file()

    def load(self, name: str, placement: Placement) -> NetworkEncoder:
        """Open the folder; its weights must be the recorded ones."""
        folder = Path(name)
        path = folder / SETTINGS
        try:
            settings = EncoderSettings(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, SettingsError) as error:
            raise ModelError(f"{path}: {error}") from error
        source = Source(name, name, local=True)
        network: Any
        probes = True
        if placement.uses_onnx(name, has_graphs(folder)):
            from ragcli.models.onnx.encoder import open_with_weights
            from ragcli.models.onnx.runtime import usable

            with usable(source):
                network = open_with_weights(source, folder / ONNX, placement, settings.precision)
            digest = network.settings.query_digest
            light = getattr(ENCODERS.load(settings.kind), "embeds_without_torch", None)
            probes = light is not None and light(settings.document_name)
        else:
            network = _trainable(settings.kind).network(source, settings, placement)
            network.module.eval()
            digest = network.digest
        if digest != settings.query_digest:
            raise ModelError(f"the weights in {name} are not those that were trained and recorded")
        # An index that is built with it finds it again by its folder.
        found = replace(settings, query_name=str(folder.resolve()))
        return trained_encoder(network, found, placement, probes)

    def name_of(self, settings: EncoderSettings) -> str:
        return settings.query_name


TRAINED = TrainedKind()


def _trainable(kind: str) -> TrainableKind:
    found: Any = ENCODERS.load(kind)
    if not hasattr(found, "network"):
        raise ModelError(f"encoders of the kind {kind!r} cannot be trained")
    return cast(TrainableKind, found)


def network_of(encoder: Encoder) -> QueryNetwork:
    """The network of an encoder, to be trained."""
    if not hasattr(encoder, "query_network"):
        raise ModelError(f"the query encoder {encoder.settings.query_name} cannot be trained")
    return cast(QueryNetwork, encoder.query_network())
