"""BART as graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ragcli.models.onnx.architecture import Architecture, first_of
from ragcli.models.onnx.decoder import Decoder, give_cross
from ragcli.models.onnx.graph import Graph
from ragcli.models.onnx.runtime import MASKED, Array
from ragcli.protocols import Ints

_EPSILON = 1e-5
_SHARED = "model.shared.weight"


def reader(config: Mapping[str, Any]) -> Graph:
    """The encoder, and what every decoder layer attends to: keys and values (B, H, S, D/H).

    Embeds (B, S, D) come with their positions.
    """
    g = Graph()
    width, heads = int(config["d_model"]), int(config["encoder_attention_heads"])
    embeds, mask = g.input("embeds", ("B", "S", width)), g.input("mask", ("B", "S"), "INT32")
    batch = g.op("Shape", embeds, start=0, end=1)
    top = "model.encoder"
    states = g.rows(g.norm(embeds, f"{top}.layernorm_embedding", width, _EPSILON), width)
    for number in range(config["encoder_layers"]):
        layer = f"{top}.layers.{number}"
        names = [f"{layer}.self_attn.{part}_proj" for part in "qkv"]
        read = g.self_attention(states, names, batch, mask, (heads, width, width))
        read = g.linear(read, f"{layer}.self_attn.out_proj", width, width)
        states = g.add_and_norm(read, states, f"{layer}.self_attn_layer_norm", width, _EPSILON)
        states = _feed_forward(g, states, layer, config, "encoder")
    heads = int(config["decoder_attention_heads"])
    for number in range(config["decoder_layers"]):
        layer = f"model.decoder.layers.{number}.encoder_attn"
        names = [f"{layer}.{part}_proj" for part in "kv"]
        give_cross(g, states, batch, number, names, (width, heads, width // heads))
    return g


def writer(config: Mapping[str, Any]) -> Graph:
    """The decoder: see `Decoder`. Embeds (R, T, D) come with their positions."""
    width, heads = int(config["d_model"]), int(config["decoder_attention_heads"])
    size = width // heads
    decoder = Decoder(Graph(), (width, heads, size), ("T", "P+T"), size**-0.5)
    g, top = decoder.graph, "model.decoder"
    states = g.norm(decoder.embeds, f"{top}.layernorm_embedding", width, _EPSILON)
    states = g.rows(states, width)
    for number in range(config["decoder_layers"]):
        layer = f"{top}.layers.{number}"
        read = decoder.own(states, number, [f"{layer}.self_attn.{part}_proj" for part in "qkv"])
        read = g.linear(read, f"{layer}.self_attn.out_proj", width, width)
        states = g.add_and_norm(read, states, f"{layer}.self_attn_layer_norm", width, _EPSILON)
        read = decoder.pair(states, number, f"{layer}.encoder_attn.q_proj")
        read = g.linear(read, f"{layer}.encoder_attn.out_proj", width, width)
        states = g.add_and_norm(read, states, f"{layer}.encoder_attn_layer_norm", width, _EPSILON)
        states = _feed_forward(g, states, layer, config, "decoder")
    return decoder.finish(states, _SHARED, int(config["vocab_size"]))


def _feed_forward(g: Graph, states: str, layer: str, config: Mapping[str, Any], part: str) -> str:
    sizes = int(config["d_model"]), int(config[f"{part}_ffn_dim"])
    kind = config.get("activation_function", "gelu")
    more = g.feed_forward(states, f"{layer}.fc1", f"{layer}.fc2", sizes, kind)
    return g.add_and_norm(more, states, f"{layer}.final_layer_norm", sizes[0], _EPSILON)


class BartFeeds:
    """Embeddings with learnt positions; what is written looks back only."""

    head = _SHARED

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Array]) -> None:
        width = int(config["d_model"])
        self.layers = int(config["decoder_layers"])
        self.heads = int(config["decoder_attention_heads"])
        self.size = width // self.heads
        self.output = first_of(weights, "lm_head.weight", _SHARED)
        self.bias = np.array(weights["final_logits_bias"], dtype=np.float32).reshape(-1)
        parts = ("encoder", "decoder")
        own = "model.{}.embed_tokens.weight"
        self._tables = [first_of(weights, own.format(part), _SHARED) for part in parts]
        self._scale = np.float32(width**0.5 if config.get("scale_embedding") else 1)
        self._places = [
            np.asarray(weights[f"model.{part}.embed_positions.weight"], dtype=np.float32)[2:]
            for part in parts
        ]

    def embed(self, ids: Ints, part: int, done: int) -> Array:
        found = self._tables[part][ids].astype(np.float32)
        if self._scale != 1:
            found *= self._scale
        return found + self._places[part][done : done + ids.shape[1]]

    def reader(self, length: int) -> dict[str, Array]:
        return {}

    def causal(self, length: int, done: int) -> Array:
        return np.triu(np.full((length, done + length), MASKED), done + 1)


BART = Architecture({"reader": reader, "writer": writer}, BartFeeds)
