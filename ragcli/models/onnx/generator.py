"""p(y|x,z) by ONNX Runtime: an encoder–decoder without torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ragcli.errors import ModelError
from ragcli.models.copying import Copier
from ragcli.models.file_digests import known_digest
from ragcli.models.language import EXTRA, Language, Manner, similar
from ragcli.models.onnx.architecture import Feeds
from ragcli.models.onnx.architectures import architecture
from ragcli.models.onnx.reading import OnnxReading, Pairs, Past
from ragcli.models.onnx.runtime import MASKED, Array, Folder, Weights
from ragcli.models.onnx.words import Tokenizer, read_json
from ragcli.models.source import Source
from ragcli.protocols import Ints
from ragcli.settings import Placement

if TYPE_CHECKING:
    from ragcli.models.torch_generator import TorchGenerator


class OnnxGenerator(Language):
    """An encoder–decoder as two graphs: `reader` and `writer`."""

    def __init__(self, source: Source, placement: Placement) -> None:
        folder = Path(source.location)
        self._source, self._placement = source, placement
        self.config = read_json(folder / "config.json")
        generation = read_json(folder / "generation_config.json")
        super().__init__(source.name, Manner.read(folder / EXTRA), self.config, generation)
        self._tokenizer = Tokenizer(folder)
        self.vocabulary = np.arange(int(self.config["vocab_size"]))
        self.copier: Copier | None = None
        if self.copies:
            pieces, separator = self._tokenizer.pieces(), self._tokenizer.separator
            self.copier = self.make_copier(pieces, separator, len(self.vocabulary))
        feeds = architecture(self.config).feeds
        if feeds is None:
            raise ModelError(f"{source.name} is no encoder–decoder")
        graphs = Folder(folder / "onnx", placement)
        weights = Weights(folder / "model.safetensors")
        if graphs.about["sha256"] != known_digest(weights.path):
            raise ModelError(
                f"the graphs in {graphs.graphs} were made for other weights",
                "make them again with rag export-model --onnx",
            )
        self.digest = str(graphs.about["digest"])
        self._feeds = feeds(self.config, weights)
        layers = range(self._feeds.layers)
        self._cross_names = [f"{part}.{n}" for n in layers for part in ("key", "value")]
        self._past_names = [f"past_{name}" for name in self._cross_names]
        # The larger one first: while a session is made, its weights are there twice.
        self._writer = graphs.session("writer", weights, **_without(self.no_answer, self._feeds))
        self._reader = graphs.session("reader", weights)

    def encode(self, inputs: Sequence[Sequence[int]]) -> OnnxReading:
        """Read each input once, in batches of similar length."""
        width = max(len(row) for row in inputs)
        bias = np.full((len(inputs), 1, 1, width), MASKED)
        cross: list[Array] = []
        for batch in similar([len(row) for row in inputs]):
            longest = max(len(inputs[i]) for i in batch)
            ids = np.zeros((len(batch), longest), dtype=np.int64)
            for n, i in enumerate(batch):
                ids[n, : len(inputs[i])] = inputs[i]
                bias[i, ..., : len(inputs[i])] = 0
            mask = (bias[batch, 0, 0, :longest] == 0).astype(np.int32)
            given = {"embeds": self._feeds.embed(ids, 0, 0), "mask": mask}
            found = self._reader.run(None, given | self._feeds.reader(longest))
            if len(batch) == len(inputs):
                cross = [part[np.argsort(batch)] for part in found]
                break
            if not cross:
                shape = (len(inputs), found[0].shape[1], width, found[0].shape[3])
                cross = [np.zeros(shape, dtype=np.float32) for _ in found]
            for part, new in zip(cross, found, strict=True):
                part[batch, :, :longest] = new
        copying = self.copier.passages(inputs, width) if self.copier else None
        return OnnxReading(self, cross, bias, copying)

    def write(
        self, tokens: Ints, past: Past, pairs: Pairs, wanted: Ints, columns: Ints
    ) -> tuple[Array, Array, list[Array]]:
        length, done = tokens.shape[1], past.arrays[0].shape[2]
        given = {
            "embeds": self._feeds.embed(tokens, 1, done),
            "causal": self._feeds.causal(length, done),
            "bias": pairs.bias,
            "parents": past.parents,
            "slots": pairs.slots,
            "filled": pairs.filled,
            "wanted": wanted,
            "columns": np.concatenate([self.ends[:1], columns]),
        }
        given |= zip(self._past_names, past.arrays, strict=True)
        given |= zip(self._cross_names, pairs.cross, strict=True)
        *new, log_probs, first, silent = self._writer.run(None, given)
        if self.no_answer is None:
            return log_probs[:, 1:], np.zeros(len(log_probs), dtype=np.float32), new
        # What everything but "no answer" sums to, from the end's logit and its share of that sum.
        others = first[:, 0] - log_probs[:, 0]
        answered = -np.logaddexp(0, silent[:, 0] - others)
        return log_probs[:, 1:] + answered[:, None], answered, new

    def no_past(self, rows: int) -> Past:
        empty = np.zeros((1, self._feeds.heads, 0, self._feeds.size), dtype=np.float32)
        return Past(np.zeros(rows, dtype=np.int64), [empty] * len(self._past_names))

    def in_torch(self) -> TorchGenerator:
        """The same weights on the engine that can train them."""
        from ragcli.models.seq2seq import load_generator

        return load_generator(self._source, replace(self._placement, engine="torch"))

    @property
    def reserved(self) -> tuple[str, ...]:
        return self._tokenizer.special

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        return self._tokenizer.ids(texts)

    def _target(self, text: str) -> list[int]:
        return self._tokenizer.ids([text])[0]

    def _decoded(self, tokens: Sequence[int], skip_special: bool) -> str:
        return self._tokenizer.text(tokens, skip_special)


def _without(token: int | None, feeds: Feeds) -> dict[str, Array]:
    """The output layer, with the token that says "no answer" taken out and given its own logit."""
    bias, spot = feeds.bias.copy(), token or 0
    own = bias[spot : spot + 1].copy()
    if token is not None:
        bias[token] = -np.inf
    weight = feeds.output[spot][:, None]
    return {
        feeds.head: feeds.output,
        "answer_bias": bias,
        "no_answer_weight": weight,
        "no_answer_bias": own,
    }
