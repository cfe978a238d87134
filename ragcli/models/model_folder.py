"""The folder that training makes: query encoder, generator, and a manifest that ties them.

MODEL/manifest.json     settings, digests, the index and the data it was trained with
MODEL/query_encoder/    q(x) in its library's format, with encoder.json
MODEL/generator/        the encoder–decoder with its tokenizer, and rag.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError
from ragcli.models.catalog import Model
from ragcli.models.devices import dtype_of
from ragcli.models.language import EXTRA
from ragcli.models.query_network import NetworkEncoder
from ragcli.models.seq2seq import load_generator, open_generator
from ragcli.models.source import Source, has_graphs, quiet_libraries
from ragcli.models.torch_generator import TorchGenerator
from ragcli.models.trained_encoder import TRAINED as TRAINED_ENCODER
from ragcli.protocols import Generator
from ragcli.settings import Placement

MANIFEST, QUERY_ENCODER, GENERATOR = "manifest.json", "query_encoder", "generator"
SCHEMA = 1


def is_model_folder(folder: Path) -> bool:
    return (folder / MANIFEST).is_file() and (folder / GENERATOR).is_dir()


def save_generator(folder: Path, generator: TorchGenerator) -> None:
    with quiet_libraries():
        generator.model.save_pretrained(folder)
        generator.tokenizer.save_pretrained(folder)
    replace(generator.said, prompting=generator.prompting).write(folder / EXTRA)


def read_model_manifest(folder: Path) -> Mapping[str, Any]:
    path = folder / MANIFEST
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if record["schema"] != SCHEMA:
            raise ModelError(f"{path}: schema {record['schema']}, this ragcli reads {SCHEMA}")
        for name in ("training", "digests"):
            record[name].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: not the manifest of a model: {error!r}") from error
    return record


def load_encoder_part(folder: Path, placement: Placement) -> NetworkEncoder:
    """The query encoder, after its digest was compared with the manifest."""
    encoder = TRAINED_ENCODER.load(str(folder / QUERY_ENCODER), placement)
    _require_recorded(folder, QUERY_ENCODER, encoder.settings.query_digest)
    return encoder


def open_generator_part(folder: Path, name: str, placement: Placement) -> Generator:
    """The generator on the engine that it can run on, if it is the recorded one."""
    source = Source(name, str(folder / GENERATOR), local=True)
    if not placement.uses_onnx(name, has_graphs(folder / GENERATOR)):
        return load_generator_part(folder, name, placement)
    generator = open_generator(source, placement)
    _require_recorded(folder, GENERATOR, generator.digest)
    return generator


def load_generator_part(folder: Path, name: str, placement: Placement) -> TorchGenerator:
    """The generator in torch, after its digest was compared with the manifest.

    The digest is that of single precision, in which models are trained and saved.
    """
    source = Source(name, str(folder / GENERATOR), local=True)
    generator = load_generator(source, Placement(placement.device))
    _require_recorded(folder, GENERATOR, generator.digest)
    generator.model.to(dtype_of(placement))
    return generator


def _require_recorded(folder: Path, part: str, digest: str) -> None:
    if read_model_manifest(folder)["digests"].get(part) != digest:
        raise ModelError(f"the {part} in {folder} is not the one that its manifest records")


class TrainedModel:
    """A folder that `rag train` made: query encoder, generator and how they were trained."""

    def takes(self, source: Source) -> bool:
        return is_model_folder(Path(source.location))

    def open(self, source: Source, placement: Placement) -> Model:
        folder = Path(source.location)
        training = read_model_manifest(folder)["training"]
        return Model(
            load_generator=lambda: open_generator_part(folder, source.name, placement),
            load_encoder=lambda: load_encoder_part(folder, placement),
            top_k=training["top_k"],
            variant=training["variant"],
            margin=training.get("margin", 0),  # release 0.1 knew none
        )


TRAINED = TrainedModel()
