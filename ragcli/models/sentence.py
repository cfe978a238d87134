"""sentence-transformers models: one network embeds questions and passages."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcli.errors import ModelNotFoundError
from ragcli.models.devices import device_of
from ragcli.models.query_network import QueryNetwork, require_length, token_lengths
from ragcli.models.source import (
    GRAPH,
    WEIGHTS,
    Source,
    cached,
    fetch,
    loading,
    locate,
    on_machine,
    quiet_libraries,
    stable_name,
    weights_digest,
)
from ragcli.protocols import Encoder, Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings, Placement, Precision

if TYPE_CHECKING:
    import torch

COSINE_SCALE = 20.0
"""What cosine encoders were trained with; a softmax over bare cosines would be almost flat."""

_PASSAGES_A_BLOCK = 512


class SentenceEncoder:
    """Any sentence-transformers model, in single precision unless bfloat16 is asked for."""

    def __init__(
        self, source: Source, name: str, placement: Placement, precision: Precision = "fp32"
    ) -> None:
        self._model = _load(source, placement)
        self._lock = threading.Lock()  # its tokenizer is set up anew by every call
        longest = self._model.max_seq_length
        normalize = self._model.similarity_fn_name == "cosine"
        digest = weights_digest(self._model.state_dict().items())
        prompts = self._model.prompts or {}
        self.settings = EncoderSettings(
            kind="sentence-transformers",
            query_name=stable_name(name),
            document_name=stable_name(name),
            dimension=int(self._model.get_embedding_dimension() or 0),
            normalize=normalize,
            score_scale=COSINE_SCALE if normalize else 1.0,
            # Static embeddings read any length.
            max_length=int(longest) if longest and math.isfinite(longest) else 1_000_000,
            query_prefix=prompts.get("query") or "",
            document_prefix=prompts.get("document") or "",
            query_digest=digest,
            document_digest=digest,
            precision=precision,
        )
        # After the digest, which is that of the weights as they are stored.
        (self._model.bfloat16 if precision == "bf16" else self._model.float)()

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        if questions:
            prefixed = [self.settings.query_prefix + question for question in questions]
            with self._lock:
                lengths = token_lengths(self._model.tokenizer, prefixed)
            require_length(lengths, self.settings)
        return self._encode(self._model.encode_query, list(questions), 32)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        texts = [passage_text(passage) for passage in passages]
        blocks = []
        # sentence-transformers sorts each call by length; blocks only let progress be seen.
        for start in range(0, len(texts), _PASSAGES_A_BLOCK):
            block = texts[start : start + _PASSAGES_A_BLOCK]
            blocks.append(self._encode(self._model.encode_document, block, batch_size))
            if progress:
                progress(len(block))
        return np.concatenate(blocks) if blocks else self._empty()

    def query_network(self) -> SentenceNetwork:
        """q(x) to be trained: a copy, because the same network is also d(z)."""
        model = deepcopy(self._model)
        return SentenceNetwork(model, model.tokenizer, self.settings)

    def _encode(self, encode: Any, texts: list[str], batch_size: int) -> Floats:
        if not texts:
            return self._empty()
        with self._lock:
            rows = encode(
                texts,
                batch_size=batch_size,
                show_progress_bar=False,
                normalize_embeddings=self.settings.normalize,
            )
        return np.ascontiguousarray(rows, dtype=np.float32)

    def _empty(self) -> Floats:
        return np.zeros((0, self.settings.dimension), dtype=np.float32)


class SentenceNetwork(QueryNetwork):
    """A sentence-transformers model as a function with gradient."""

    def read(self, texts: list[str]) -> dict[str, Any]:
        return dict(self.module.preprocess(texts))

    def pool(self, features: dict[str, Any]) -> torch.Tensor:
        pooled: torch.Tensor = self.module(features)["sentence_embedding"]
        return pooled

    def save_module(self, folder: Path) -> None:
        with quiet_libraries():
            self.module.save_pretrained(str(folder), create_model_card=False)


def passage_text(passage: Passage) -> str:
    """A passage as these encoders embed it: caption and text."""
    return f"{passage.caption}\n{passage.text}" if passage.caption else passage.text


class SentenceKind:
    """Takes every folder and hub id that no other kind does."""

    def takes(self, name: str) -> bool:
        return True

    def load(self, name: str, placement: Placement) -> Encoder:
        folder = with_graph(name, placement)
        if placement.uses_onnx(name, folder is not None) and folder is not None:
            from ragcli.models.onnx.encoder import open_with_graph
            from ragcli.models.onnx.runtime import usable

            source = Source(name, str(folder), local=True)
            with usable(source):
                return open_with_graph(source, placement)
        return SentenceEncoder(locate(name), name, placement)

    def name_of(self, settings: EncoderSettings) -> str:
        return settings.query_name

    def network(
        self, source: Source, settings: EncoderSettings, placement: Placement
    ) -> SentenceNetwork:
        module = _load(source, placement)
        return SentenceNetwork(module, module.tokenizer, settings)

    def embeds_without_torch(self, name: str) -> bool:
        """Whether d(z) of this name is on this machine, with a graph."""
        from ragcli.models.encoders import EMBEDDED_ENCODER

        if name == EMBEDDED_ENCODER:
            return True
        return on_machine(name) and with_graph(name, Placement("cpu")) is not None

    def documents(self, name: str, placement: Placement) -> Encoder:
        from ragcli.models.encoders import load_encoder

        return load_encoder(name, placement=placement)


SENTENCE = SentenceKind()


def with_graph(name: str, placement: Placement) -> Path | None:
    """The folder of a model that carries a graph for ONNX Runtime.

    A hub id is fetched if nothing of it is on this machine, or if the engine onnx was asked for.
    """
    from ragcli.models.onnx.encoder import has_graph, runs_here
    from ragcli.models.onnx.runtime import usable

    if not placement.allows_onnx:
        return None
    source = locate(name, (*WEIGHTS, GRAPH))
    folder = Path(source.location)
    with usable(source):
        if folder.is_dir():
            return folder if has_graph(folder) else None
        if graph := cached(name, [GRAPH]):
            return graph.parents[1] if has_graph(graph.parents[1]) else None
        if source.local and placement.engine != "onnx":
            return None
        # Weights as well: an index knows its encoder by them, on whichever engine. The graph comes
        # last, because a cache that has it is taken to have everything.
        folder = fetch(name, "*.json")
        for pattern in ("model.safetensors", f"{GRAPH}_data", GRAPH):
            if not runs_here(folder):
                return None
            folder = fetch(name, pattern)
        return folder if has_graph(folder) else None


def _load(source: Source, placement: Placement) -> Any:
    from sentence_transformers import SentenceTransformer

    folder = Path(source.location)
    if folder.is_dir():
        names = ("modules.json", "config.json")
        if not any(os.path.isfile(folder / name) for name in names):
            raise ModelNotFoundError(
                f"{folder} holds no sentence-transformers model ({' or '.join(names)})"
            )
    with loading(source, "sentence-transformers model"):
        model = SentenceTransformer(
            source.location, device=str(device_of(placement)), local_files_only=source.local
        )
    return model.eval()
