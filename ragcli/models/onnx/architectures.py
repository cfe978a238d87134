"""The architectures that have graphs: one file and one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragcli.errors import ModelError
from ragcli.models.onnx.architecture import Architecture
from ragcli.models.onnx.bart import BART
from ragcli.models.onnx.bert import BERT
from ragcli.models.onnx.t5 import T5

ARCHITECTURES: Mapping[str, Architecture] = {
    "bert": BERT,
    "bart": BART,
    "t5": T5,
    "mt5": T5,
}
"""What a config.json calls `model_type` → how it runs on ONNX Runtime."""


def architecture(config: Mapping[str, Any]) -> Architecture:
    """That of the network with this config.json."""
    kind = str(config.get("model_type"))
    if kind not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise ModelError(f"no ONNX graphs for networks of the type {kind}: {known} are known")
    return ARCHITECTURES[kind]
