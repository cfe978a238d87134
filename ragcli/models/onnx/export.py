"""Graphs for models that have none: what `rag export-model --onnx` and the recipes call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ragcli.digests import file_digest
from ragcli.errors import ModelError
from ragcli.models.onnx import graph
from ragcli.models.onnx.runtime import GRAPHS
from ragcli.models.onnx.words import read_json

Make = Callable[[Mapping[str, Any]], graph.Graph]

NETWORKS: Mapping[str, Mapping[str, Make]] = {
    "bert": {"fp32": graph.bert, "int8": partial(graph.bert, int8=True)},
    "bart": {"reader": graph.bart_reader, "writer": graph.bart_writer},
}
"""A model's type → the graphs that it needs and what makes them."""


def write_graphs(model: Path, out: Path, digest: str | None = None) -> None:
    """Write the graphs of the network in `model`; `digest` is that of its weights as tensors."""
    config = read_json(model / "config.json")
    kind = str(config.get("model_type"))
    if kind not in NETWORKS:
        known = " and ".join(NETWORKS)
        raise ModelError(f"no ONNX graphs for networks of the type {kind}: {known} are known")
    if config.get("activation_function", config.get("hidden_act")) != "gelu":
        raise ModelError(f"{model}: ONNX graphs are made for networks with gelu only")
    if not config.get("tie_word_embeddings", True):
        raise ModelError(f"{model}: ONNX graphs are made for tied word embeddings only")
    out.mkdir(parents=True, exist_ok=True)
    names: dict[str, list[str]] = {}
    for name, make in NETWORKS[kind].items():
        made = make(config)
        made.save(out / f"{name}.onnx")
        names[name] = made.weights
    about: dict[str, Any] = {"graphs": names}
    if digest is not None:
        about |= {"digest": digest, "sha256": file_digest(model / "model.safetensors")}
    (out / GRAPHS).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
