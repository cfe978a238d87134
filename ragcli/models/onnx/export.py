"""Graphs for models that have none: what `rag export-model --onnx` and the recipes call.

Weights are not copied into the graphs: a folder holds them once, and both engines read them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from ragcli.digests import file_digest
from ragcli.models.onnx.architectures import architecture
from ragcli.models.onnx.encoder import runs_here
from ragcli.models.onnx.words import read_json
from ragcli.models.source import GRAPHS, ONNX, locate
from ragcli.settings import Placement


def write_graphs(model: Path, out: Path, digest: str | None = None) -> None:
    """Write the graphs of the network in `model`; `digest` is that of its weights as tensors."""
    config = read_json(model / "config.json")
    graphs = architecture(config).graphs
    out.mkdir(parents=True, exist_ok=True)
    names: dict[str, list[str]] = {}
    for name, make in graphs.items():
        made = make(config)
        made.save(out / f"{name}.onnx")
        names[name] = made.weights
    about: dict[str, Any] = {"graphs": names}
    if digest is not None:
        about |= {"digest": digest, "sha256": file_digest(model / "model.safetensors")}
    (out / GRAPHS).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def export_onnx(name: str, output: Path) -> list[str]:
    """Write a model with its graphs to a folder; returns the parts that still need torch.

    `name` is a folder that `rag train` made, or an encoder–decoder (folder or hub id).
    """
    from ragcli.models import model_folder as trained
    from ragcli.models.seq2seq import load_generator

    source = locate(name)
    if not trained.is_model_folder(folder := Path(source.location)):
        generator = load_generator(source, Placement("cpu"))
        trained.save_generator(output, generator, generator.confidence)
        write_graphs(output, output / ONNX, generator.digest)
        return []
    for part in (trained.QUERY_ENCODER, trained.GENERATOR):
        shutil.copytree(folder / part, output / part)
    shutil.copy2(folder / trained.MANIFEST, output)
    digest = trained.load_generator_part(output, name, Placement("cpu")).digest
    write_graphs(output / trained.GENERATOR, output / trained.GENERATOR / ONNX, digest)
    query = output / trained.QUERY_ENCODER
    if read_json(query / "config.json").get("model_type") != "bert" or not runs_here(query):
        return [trained.QUERY_ENCODER]
    write_graphs(query, query / ONNX)
    return []
