"""T5, its version 1.1, Flan-T5 and mT5 as graphs.

Norms come before each part and only scale, linear layers have no bias, scores are not scaled, and
positions are known from a learnt bias on the scores alone: one for each distance, in buckets that
widen, the same in all layers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ragcli.models.onnx.architecture import Architecture, first_of
from ragcli.models.onnx.decoder import Decoder, give_cross
from ragcli.models.onnx.graph import Graph
from ragcli.models.onnx.runtime import MASKED, Array
from ragcli.protocols import Ints

_SHARED, _HEAD = "shared.weight", "lm_head.weight"


class _Shape:
    """The sizes and switches in a config.json; older ones leave some to their defaults."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.width, self.hidden = int(config["d_model"]), int(config["d_ff"])
        self.heads, self.size = int(config["num_heads"]), int(config["d_kv"])
        self.inner = self.heads * self.size
        self.layers = int(config["num_layers"])
        self.written = int(config.get("num_decoder_layers") or self.layers)
        self.vocabulary = int(config["vocab_size"])
        self.epsilon = float(config.get("layer_norm_epsilon", 1e-6))
        kind, _, named = str(config.get("feed_forward_proj", "relu")).rpartition("-")
        self.gated = kind == "gated"
        self.activation = "gelu_new" if self.gated and named == "gelu" else named
        # The first T5 shrinks states before its tied output layer; those after it do not.
        tied = config.get("tie_word_embeddings", True)
        shrinks = config["model_type"] == "t5" and config.get("scale_decoder_outputs", tied)
        self.factor = self.width**-0.5 if shrinks else 1.0
        self.buckets = int(config.get("relative_attention_num_buckets", 32))
        self.farthest = int(config.get("relative_attention_max_distance", 128))


def reader(config: Mapping[str, Any]) -> Graph:
    """The encoder, and what every decoder layer attends to: keys and values (B, H, S, D/H)."""
    g, shape = Graph(biased=False), _Shape(config)
    width, inner = shape.width, shape.inner
    embeds, mask = g.input("embeds", ("B", "S", width)), g.input("mask", ("B", "S"), "INT32")
    places = g.input("places", (1, shape.heads, "S", "S"))
    batch = g.op("Shape", embeds, start=0, end=1)
    states = g.rows(embeds, width)
    normal = g.rms_norm(states, "encoder.block.0.layer.0.layer_norm", width, shape.epsilon)
    for number in range(shape.layers):
        layer = f"encoder.block.{number}.layer"
        names = [f"{layer}.0.SelfAttention.{part}" for part in "qkv"]
        sizes = shape.heads, width, inner
        read = g.self_attention(normal, names, batch, mask, sizes, places, scale=1.0)
        read = g.linear(read, f"{layer}.0.SelfAttention.o", width, inner)
        norm = f"{layer}.1.layer_norm"
        states, normal = g.add_and_rms_norm(read, states, norm, width, shape.epsilon)
        more = _feed_forward(g, normal, f"{layer}.1.DenseReluDense", shape)
        norm = _next_norm("encoder", number + 1, shape.layers)
        states, normal = g.add_and_rms_norm(more, states, norm, width, shape.epsilon)
    for number in range(shape.written):
        names = [f"decoder.block.{number}.layer.1.EncDecAttention.{part}" for part in "kv"]
        give_cross(g, normal, batch, number, names, (width, shape.heads, shape.size))
    return g


def writer(config: Mapping[str, Any]) -> Graph:
    """The decoder: see `Decoder`."""
    shape = _Shape(config)
    width, inner = shape.width, shape.inner
    causal = (shape.heads, "T", "P+T")
    decoder = Decoder(Graph(biased=False), (width, shape.heads, shape.size), causal, 1.0)
    g = decoder.graph
    states = g.rows(decoder.embeds, width)
    normal = g.rms_norm(states, "decoder.block.0.layer.0.layer_norm", width, shape.epsilon)
    for number in range(shape.written):
        layer = f"decoder.block.{number}.layer"
        names = [f"{layer}.0.SelfAttention.{part}" for part in "qkv"]
        read = decoder.own(normal, number, names)
        read = g.linear(read, f"{layer}.0.SelfAttention.o", width, inner)
        norm = f"{layer}.1.layer_norm"
        states, normal = g.add_and_rms_norm(read, states, norm, width, shape.epsilon)
        asked = f"{layer}.1.EncDecAttention"
        read = g.linear(decoder.pair(normal, number, f"{asked}.q"), f"{asked}.o", width, inner)
        norm = f"{layer}.2.layer_norm"
        states, normal = g.add_and_rms_norm(read, states, norm, width, shape.epsilon)
        more = _feed_forward(g, normal, f"{layer}.2.DenseReluDense", shape)
        norm = _next_norm("decoder", number + 1, shape.written)
        states, normal = g.add_and_rms_norm(more, states, norm, width, shape.epsilon)
    return decoder.finish(normal, _HEAD, shape.vocabulary, shape.factor)


def _next_norm(part: str, block: int, blocks: int) -> str:
    """The norm that follows a block: that of the next one, or the last of all."""
    if block == blocks:
        return f"{part}.final_layer_norm"
    return f"{part}.block.{block}.layer.0.layer_norm"


def _feed_forward(g: Graph, x: str, layer: str, shape: _Shape) -> str:
    sizes = shape.width, shape.hidden
    if not shape.gated:
        return g.feed_forward(x, f"{layer}.wi", f"{layer}.wo", sizes, shape.activation)
    raised, gate = (g.linear(x, f"{layer}.wi_{n}", shape.hidden, shape.width) for n in (0, 1))
    raised = g.op("Mul", g.activation(raised, shape.activation), gate)
    return g.linear(raised, f"{layer}.wo", *sizes)


class T5Feeds:
    """Embeddings as they are, and the bias of each distance between tokens."""

    head = _HEAD

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Array]) -> None:
        shape = _Shape(config)
        self.layers, self.heads, self.size = shape.written, shape.heads, shape.size
        self.output = first_of(weights, _HEAD, _SHARED)
        self.bias = np.zeros(shape.vocabulary, dtype=np.float32)
        parts = ("encoder", "decoder")
        self._tables = [first_of(weights, f"{p}.embed_tokens.weight", _SHARED) for p in parts]
        near = "block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        self._near = [np.asarray(weights[f"{p}.{near}"], dtype=np.float32) for p in parts]
        self._buckets, self._farthest = shape.buckets, shape.farthest

    def embed(self, ids: Ints, part: int, done: int) -> Array:
        return self._tables[part][ids].astype(np.float32)

    def reader(self, length: int) -> dict[str, Array]:
        distances = np.arange(length) - np.arange(length)[:, None]
        half = self._buckets // 2
        found = bucket(np.abs(distances), half, self._farthest) + half * (distances > 0)
        return {"places": self._near[0].T[None, :, found]}

    def causal(self, length: int, done: int) -> Array:
        back = np.arange(done, done + length)[:, None] - np.arange(done + length)
        near: Array = self._near[1].T[:, bucket(back.clip(0), self._buckets, self._farthest)]
        return near + np.where(back < 0, MASKED, np.float32(0))


def bucket(distances: Ints, buckets: int, farthest: int) -> Ints:
    """Which bias serves a distance: half of them one distance each, the others more and more.

    In single precision, as networks are trained: a distance on the edge must not change its bucket.
    """
    exact = buckets // 2
    ratio = np.log(np.maximum(distances, 1).astype(np.float32) / np.float32(exact))
    wider = ratio / np.float32(math.log(farthest / exact)) * np.float32(buckets - exact)
    found = np.minimum(exact + wider.astype(np.int64), buckets - 1)
    return np.where(distances < exact, distances, found)


T5 = Architecture({"reader": reader, "writer": writer}, T5Feeds)
