"""BERT encoders as graphs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ragcli.models.onnx.architecture import Architecture
from ragcli.models.onnx.graph import Graph


def bert(config: Mapping[str, Any], int8: bool = False) -> Graph:
    """A BERT encoder: embeds and mask (B, S) in, the last layer's states (B, S, D) out."""
    g = Graph(int8)
    width, epsilon = int(config["hidden_size"]), float(config["layer_norm_eps"])
    sizes, heads = (width, int(config["intermediate_size"])), int(config["num_attention_heads"])
    embeds, mask = g.input("embeds", ("B", "S", width)), g.input("mask", ("B", "S"), "INT32")
    batch = g.op("Shape", embeds, start=0, end=1)
    length = g.op("Shape", embeds, start=1, end=2)
    table = g.weight(
        "embeddings.position_embeddings.weight", config["max_position_embeddings"], width
    )
    places = g.op("Slice", table, g.constant(0), length, g.constant(0))
    kinds = g.weight("embeddings.token_type_embeddings.weight", config["type_vocab_size"], width)
    kind = g.op("Gather", kinds, g.constant(0), axis=0)
    states = g.op("Add", embeds, g.op("Add", places, kind))
    states = g.rows(g.norm(states, "embeddings.LayerNorm", width, epsilon), width)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        names = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        read = g.self_attention(states, names, batch, mask, (heads, width, width))
        read = g.linear(read, f"{layer}.attention.output.dense", width, width)
        states = g.add_and_norm(read, states, f"{layer}.attention.output.LayerNorm", width, epsilon)
        inner, outer = f"{layer}.intermediate.dense", f"{layer}.output.dense"
        more = g.feed_forward(states, inner, outer, sizes, config.get("hidden_act", "gelu"))
        states = g.add_and_norm(more, states, f"{layer}.output.LayerNorm", width, epsilon)
    shape = g.op("Concat", batch, length, g.constant(width), axis=0)
    g.output(g.op("Reshape", states, shape), "states", ("B", "S", width))
    return g


BERT = Architecture({"fp32": bert, "int8": partial(bert, int8=True)})
