"""q(x) and d(z) by ONNX Runtime: sentence-transformers models without torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.errors import ModelError
from ragcli.models.file_digests import known_digest
from ragcli.models.language import similar
from ragcli.models.onnx.runtime import Array, Folder, Weights, open_session
from ragcli.models.onnx.words import Tokenizer, read_json
from ragcli.models.query_network import QueryNetwork, require_length
from ragcli.models.sentence import COSINE_SCALE, passage_text
from ragcli.models.source import GRAPH, Source, array_digest, stable_name
from ragcli.protocols import Floats, Ints, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings, Placement, Precision

Network = Callable[[Ints, Array], Array]
"""Token ids (n, t) and their mask to states (n, t, width)."""

POOLINGS: Mapping[str, Callable[[Array, Array], Array]] = {
    "mean": lambda states, mask: _mean(states, mask),
    "cls": lambda states, mask: states[:, 0],
    "max": lambda states, mask: np.where(mask[..., None] > 0, states, -np.inf).max(axis=1),
    "lasttoken": lambda states, mask: states[np.arange(len(mask)), mask.sum(axis=1) - 1],
}
"""Name → from states (n, t, width) and mask (n, t) to rows (n, width)."""
_OLD_POOLINGS = {
    "mean": "pooling_mode_mean_tokens",
    "cls": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "mean_sqrt_len": "pooling_mode_mean_sqrt_len_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}


def _mean(states: Array, mask: Array) -> Array:
    weights = mask.astype(np.float32)
    total = np.matmul(weights[:, None], states)[:, 0]
    mean: Array = total / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return mean


class OnnxEncoder:
    """A sentence-transformers model whose graph is there."""

    def __init__(
        self,
        source: Source,
        network: Network,
        digest: str,
        placement: Placement,
        precision: Precision = "fp32",
    ) -> None:
        folder = Path(source.location)
        about = read_json(folder / "config_sentence_transformers.json")
        pooling = read_json(folder / "1_Pooling" / "config.json")
        prompts = about.get("prompts") or {}
        cosine = (about.get("similarity_fn_name") or "cosine") == "cosine"
        self.settings = EncoderSettings(
            kind="sentence-transformers",
            query_name=stable_name(source.name),
            document_name=stable_name(source.name),
            dimension=int(
                pooling.get("embedding_dimension") or pooling["word_embedding_dimension"]
            ),
            normalize=cosine,
            score_scale=COSINE_SCALE if cosine else 1.0,
            max_length=_max_length(folder),
            query_prefix=prompts.get("query") or "",
            document_prefix=prompts.get("document") or "",
            query_digest=digest,
            document_digest=digest,
            precision=precision,
        )
        self._source, self._placement = source, placement
        self._network, self._tokenizer = network, Tokenizer(folder)
        self._pool = POOLINGS[_pooling(pooling)]
        self._unit = cosine or "Normalize" in _modules(folder)

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        ids = self._tokenizer.ids([self.settings.query_prefix + each for each in questions])
        if ids:
            require_length([len(row) for row in ids], self.settings)
        return self._encode(ids, 32, None)

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        prefix, longest = self.settings.document_prefix, self.settings.max_length
        ids = self._tokenizer.ids([prefix + passage_text(passage) for passage in passages])
        # The last token ends the text, and stays.
        fitting = [row if len(row) <= longest else [*row[: longest - 1], row[-1]] for row in ids]
        return self._encode(fitting, batch_size, progress)

    def query_network(self) -> QueryNetwork:
        """q(x) to be trained: the same weights in torch."""
        from ragcli.models.sentence import SentenceEncoder

        in_torch = replace(self._placement, engine="torch")
        return SentenceEncoder(self._source, self._source.name, in_torch).query_network()

    def _encode(
        self, ids: Sequence[Sequence[int]], batch_size: int, progress: Progress | None
    ) -> Floats:
        found = np.zeros((len(ids), self.settings.dimension), dtype=np.float32)
        if self.settings.precision == "int8":
            batch_size = 1  # inputs share a scale: with others a text would get another vector
        for batch in similar([len(row) for row in ids], batch_size):
            shape = (len(batch), len(ids[batch[-1]]))
            tokens, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
            for n, i in enumerate(batch):
                tokens[n, : len(ids[i])], mask[n, : len(ids[i])] = ids[i], 1
            rows = self._pool(self._network(tokens, mask), mask)
            if self._unit:
                rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            found[batch] = rows
            if progress:
                progress(len(batch))
        return found


def has_graph(folder: Path) -> bool:
    """Whether a sentence-transformers folder carries a graph, and nothing that we could not run."""
    return (folder / GRAPH).is_file() and runs_here(folder)


def runs_here(folder: Path) -> bool:
    """Whether a sentence-transformers folder says nothing but what `OnnxEncoder` does.

    Weights must be named as torch would name them: indexes know an encoder by these.
    """
    modules, weights = _modules(folder), folder / "model.safetensors"
    return (
        all((folder / name).is_file() for name in ("tokenizer.json", "1_Pooling/config.json"))
        and {"Transformer", "Pooling"} <= modules <= {"Transformer", "Pooling", "Normalize"}
        and _pooling(read_json(folder / "1_Pooling" / "config.json")) in POOLINGS
        and (not weights.is_file() or "embeddings.word_embeddings.weight" in Weights(weights))
    )


def open_with_graph(source: Source, placement: Placement) -> OnnxEncoder:
    """A folder that brings its own graph, weights included."""
    folder = Path(source.location)
    session = open_session(folder / GRAPH, placement)
    wanted = {each.name for each in session.get_inputs()}
    if other := wanted - {"input_ids", "attention_mask", "token_type_ids"}:
        raise ModelError(
            f"{folder / GRAPH} wants {', '.join(sorted(other))}, which no text gives",
            "use --engine torch",
        )
    if len(session.get_outputs()[0].shape or ()) != 3:
        raise ModelError(f"{folder / GRAPH} gives no state for each token", "use --engine torch")

    def network(tokens: Ints, mask: Array) -> Array:
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": tokens * 0}
        feeds = {name: value for name, value in given.items() if name in wanted}
        states: Array = session.run([session.get_outputs()[0].name], feeds)[0]
        return states

    weights = folder / "model.safetensors"
    if weights.is_file():  # then torch would load those, and see the same digest
        return OnnxEncoder(source, network, known_digest(weights, bert_digest), placement)
    return OnnxEncoder(source, network, known_digest(folder / GRAPH), placement)


def open_with_weights(
    source: Source, graphs: Path, placement: Placement, precision: Precision
) -> OnnxEncoder:
    """A BERT folder whose weights are its own and whose graphs, without weights, are ours."""
    path = Path(source.location) / "model.safetensors"
    weights = Weights(path)
    table = weights["embeddings.word_embeddings.weight"]
    session = Folder(graphs, placement).session(precision, weights)

    def network(tokens: Ints, mask: Array) -> Array:
        feeds = {"embeds": table[tokens].astype(np.float32), "mask": mask.astype(np.int32)}
        states: Array = session.run(None, feeds)[0]
        return states

    return OnnxEncoder(source, network, known_digest(path, bert_digest), placement, precision)


def bert_digest(path: Path) -> str:
    """The digest that `weights_digest` gives for the sentence-transformers model of a file."""
    tensors = Weights(path)
    kept = (name for name in tensors if not name.endswith("position_ids"))
    return array_digest((f"0.model.{name}", tensors[name]) for name in kept)


def _modules(folder: Path) -> set[str]:
    """The kinds of modules that a folder chains."""
    found: Any = read_json(folder / "modules.json")
    return {str(each.get("type")).rpartition(".")[2] for each in found}


def _max_length(folder: Path) -> int:
    """How many tokens are read: what the folder says, its tokenizer, or what positions allow."""
    longest = read_json(folder / "sentence_bert_config.json").get("max_seq_length")
    if longest is None:
        tokens = read_json(folder / "tokenizer_config.json").get("model_max_length", math.inf)
        longest = min(tokens, read_json(folder / "config.json")["max_position_embeddings"])
    return int(longest)


def _pooling(config: Mapping[str, Any]) -> str:
    """The way of pooling that a configuration names, in the new form or the old one."""
    if "pooling_mode" in config:
        named = [str(config["pooling_mode"])]
    else:
        named = [name for name, key in _OLD_POOLINGS.items() if config.get(key)]
    return " and ".join(named)
