"""The folder that training makes: query encoder, generator, and a manifest that ties them.

MODEL/manifest.json     settings, digests, the index and the data it was trained with
MODEL/query_encoder/    q(x) in its library's format, with encoder.json
MODEL/generator/        the encoder–decoder with its tokenizer, and rag.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError
from ragcli.models.generators import EXTRA, TorchGenerator, load_generator
from ragcli.models.source import Source
from ragcli.models.trained_encoder import TrainedEncoder, load_trained_encoder

MANIFEST, QUERY_ENCODER, GENERATOR = "manifest.json", "query_encoder", "generator"
SCHEMA = 1


def is_model_folder(folder: Path) -> bool:
    return (folder / MANIFEST).is_file() and (folder / GENERATOR).is_dir()


def save_generator(folder: Path, generator: TorchGenerator) -> None:
    generator.model.save_pretrained(folder)
    generator.tokenizer.save_pretrained(folder)
    extra: dict[str, Any] = {
        "prompting": asdict(generator.prompting),
        "uncased": generator.uncased,
        "copies": generator.copies,
        "target_prefix": generator.target_prefix,
    }
    if generator.no_answer is not None:
        extra["no_answer_token_id"] = generator.no_answer
    (folder / EXTRA).write_text(json.dumps(extra, indent=2) + "\n", encoding="utf-8")


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


def load_parts(folder: Path, name: str) -> tuple[TrainedEncoder, TorchGenerator]:
    """Both networks, after their digests were compared with the manifest."""
    manifest = read_model_manifest(folder)
    encoder = load_trained_encoder(folder / QUERY_ENCODER)
    generator = load_generator(Source(name, str(folder / GENERATOR), local=True))
    found = {"query_encoder": encoder.settings.query_digest, "generator": generator.digest}
    for part, digest in found.items():
        if manifest["digests"].get(part) != digest:
            raise ModelError(f"the {part} in {folder} is not the one that its manifest records")
    return encoder, generator
