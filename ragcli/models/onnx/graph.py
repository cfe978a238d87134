"""Networks as ONNX graphs without weights: BERT encoders and BART encoder–decoders.

A graph names its weights as the safetensors file does and holds none of them; `runtime.py` hands
them over, so that a model's weights exist once.  Linear layers keep torch's layout (out, in).

Shapes: B inputs, S tokens, D the width of the network, H heads of size D/H.  Token embeddings are
looked up outside (`embeds`, B x S x D): the largest table of a small model is then never copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

OPSET = 20
OURS = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""

INT8, SCALE = ".int8", ".scale"
"""What is added to the name of a weight for its integers, transposed, and their scales."""

WEIGHTS = "weights"
"""The external file that a graph names and that does not exist: the runtime is given arrays."""


class Graph:
    """A graph in the making: each call of `op` adds a node and gives the name of its output.

    With `int8` linear layers multiply eight-bit integers: a scale for each output of the weights,
    and one for each batch of inputs.
    """

    def __init__(self, int8: bool = False) -> None:
        self._int8 = int8
        self._nodes: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._constants: list[Any] = []
        self._weights: dict[str, Any] = {}

    @property
    def weights(self) -> list[str]:
        """The names of the weights that the graph takes."""
        return list(self._weights)

    def input(self, name: str, shape: Sequence[int | str], kind: str = "FLOAT") -> str:
        """An input of the graph: floats, or integers."""
        self._inputs.append(_value(name, shape, kind))
        return name

    def output(self, value: str, name: str, shape: Sequence[int | str]) -> None:
        """Give `value` out under a name."""
        self._nodes.append(_node("Identity", [value], name, "", {}))
        self._outputs.append(_value(name, shape, "FLOAT"))

    def weight(self, name: str, *shape: int, kind: str = "FLOAT") -> str:
        """A weight by its name in the safetensors file."""
        from onnx import TensorProto

        if name not in self._weights:
            number = TensorProto.DataType.Value(kind)
            tensor = TensorProto(name=name, dims=shape, data_type=number)
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=WEIGHTS)
            self._weights[name] = tensor
        return name

    def constant(self, *values: int) -> str:
        """A list of integers."""
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        array = np.array(values, dtype=np.int64)
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node; the name of its first output."""
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(_node(kind, inputs, name, domain, attributes))
        return name

    def save(self, path: Path) -> None:
        """Write the graph."""
        from onnx import helper

        tensors = [*self._constants, *self._weights.values()]
        graph = helper.make_graph(self._nodes, path.stem, self._inputs, self._outputs, tensors)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(OURS, 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=10)
        path.write_bytes(model.SerializeToString())

    # What networks are made of

    def linear(self, x: str, layer: str, out: int, width: int) -> str:
        """x Wᵀ + b of rows x (n, width)."""
        name, bias = f"{layer}.weight", self.weight(f"{layer}.bias", out)
        if not self._int8:
            return self.op("Gemm", x, self.weight(name, out, width), bias, transB=1)
        whole = self.weight(name + INT8, width, out, kind="INT8")
        scale = self.weight(name + SCALE, out)
        return self.op("DynamicQuantizeMatMul", x, whole, scale, "", bias, domain=OURS)

    def add_and_norm(self, x: str, skip: str, layer: str, width: int, epsilon: float) -> str:
        """LayerNorm(x + skip)."""
        gamma, beta = (self.weight(f"{layer}.{part}", width) for part in ("weight", "bias"))
        return self.op("SkipLayerNormalization", x, skip, gamma, beta, domain=OURS, epsilon=epsilon)

    def feed_forward(self, x: str, inner: str, outer: str, sizes: tuple[int, int]) -> str:
        """W₂ gelu(W₁ x) of rows x."""
        width, hidden = sizes
        raised = self.op("Gelu", self.linear(x, inner, hidden, width), domain=OURS)
        return self.linear(raised, outer, width, hidden)

    def rows(self, x: str, width: int) -> str:
        """Any shape that ends with `width` as rows."""
        return self.op("Reshape", x, self.constant(-1, width))

    def heads(self, x: str, outer: str, heads: int, size: int) -> str:
        """Rows as (outer, heads, rows of each, size), where `outer` is a list of one number."""
        shape = self.op("Concat", outer, self.constant(-1, heads, size), axis=0)
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])

    def attend(self, query: str, key: str, value: str, bias: str, size: int) -> str:
        """softmax(q kᵀ / √size + bias) v of (…, heads, rows, size), as rows."""
        scores = self.op("FusedMatMul", query, key, domain=OURS, transB=1, alpha=size**-0.5)
        weights = self.op("Softmax", self.op("Add", scores, bias), axis=-1)
        return self.op("Transpose", self.op("MatMul", weights, value), perm=[0, 2, 1, 3])


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
    states = g.rows(_norm(g, states, "embeddings.LayerNorm", width, epsilon), width)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        names = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        read = _self_attention(g, states, names, batch, mask, (heads, width))
        read = g.linear(read, f"{layer}.attention.output.dense", width, width)
        states = g.add_and_norm(read, states, f"{layer}.attention.output.LayerNorm", width, epsilon)
        more = g.feed_forward(states, f"{layer}.intermediate.dense", f"{layer}.output.dense", sizes)
        states = g.add_and_norm(more, states, f"{layer}.output.LayerNorm", width, epsilon)
    shape = g.op("Concat", batch, length, g.constant(width), axis=0)
    g.output(g.op("Reshape", states, shape), "states", ("B", "S", width))
    return g


_BART_EPSILON = 1e-5


def bart_reader(config: Mapping[str, Any]) -> Graph:
    """BART's encoder, and what every decoder layer attends to: keys and values (B, H, S, D/H).

    Embeds (B, S, D) come with their positions.
    """
    g = Graph()
    width, heads = int(config["d_model"]), int(config["encoder_attention_heads"])
    embeds, mask = g.input("embeds", ("B", "S", width)), g.input("mask", ("B", "S"), "INT32")
    batch = g.op("Shape", embeds, start=0, end=1)
    top = "model.encoder"
    states = _norm(g, embeds, f"{top}.layernorm_embedding", width, _BART_EPSILON)
    states = g.rows(states, width)
    for number in range(config["encoder_layers"]):
        layer = f"{top}.layers.{number}"
        names = [f"{layer}.self_attn.{part}_proj" for part in "qkv"]
        read = _self_attention(g, states, names, batch, mask, (heads, width))
        read = g.linear(read, f"{layer}.self_attn.out_proj", width, width)
        states = g.add_and_norm(read, states, f"{layer}.self_attn_layer_norm", width, _BART_EPSILON)
        states = _bart_feed_forward(g, states, layer, (width, int(config["encoder_ffn_dim"])))
    heads = int(config["decoder_attention_heads"])
    for number in range(config["decoder_layers"]):
        for part, name in (("k", "key"), ("v", "value")):
            layer = f"model.decoder.layers.{number}.encoder_attn.{part}_proj"
            split = g.heads(g.linear(states, layer, width, width), batch, heads, width // heads)
            g.output(split, f"{name}.{number}", ("B", heads, "S", width // heads))
    return g


def bart_writer(config: Mapping[str, Any]) -> Graph:
    """BART's decoder over pairs that were read: T more tokens for each of R rows.

    `parents` says which row of the past each row continues.  To attend to its pair, a row is put
    into a slot beside it: every pair has as many slots as the busiest one, `filled` names the row
    in each slot (any, where there is none) and `slots` the slot of each row.  `wanted` picks n of
    the R·T positions.  Out come the past with the new tokens, log p of `columns` in a vocabulary
    without the token that says "no answer" (n, c), the logit of the first column and that token's
    logit (n, 1).
    """
    g = Graph()
    width, heads = int(config["d_model"]), int(config["decoder_attention_heads"])
    size, vocabulary = width // heads, int(config["vocab_size"])
    embeds, causal = g.input("embeds", ("R", "T", width)), g.input("causal", ("T", "P+T"))
    bias = g.input("bias", ("B", 1, 1, "S"))
    parents, slots = (g.input(name, ("R",), "INT64") for name in ("parents", "slots"))
    filled = g.input("filled", ("B*W",), "INT64")
    wanted, columns = g.input("wanted", ("n",), "INT64"), g.input("columns", ("c",), "INT64")
    rows, pairs = g.op("Shape", embeds, start=0, end=1), g.op("Shape", bias, start=0, end=1)
    length = g.op("Shape", embeds, start=1, end=2)
    each = g.op("Concat", rows, length, g.constant(width), axis=0)
    slot = g.op("Concat", g.constant(-1), length, g.constant(width), axis=0)
    top = "model.decoder"
    states = _norm(g, embeds, f"{top}.layernorm_embedding", width, _BART_EPSILON)
    states = g.rows(states, width)
    for number in range(config["decoder_layers"]):
        layer = f"{top}.layers.{number}"
        query, *new = (
            g.heads(
                g.linear(states, f"{layer}.self_attn.{p}_proj", width, width), rows, heads, size
            )
            for p in "qkv"
        )
        grown = []
        for name, value in zip(("key", "value"), new, strict=True):
            past = g.input(f"past_{name}.{number}", ("Q", heads, "P", size))
            kept = g.op("Gather", past, parents, axis=0)
            grown.append(g.op("Concat", kept, value, axis=2))
            g.output(grown[-1], f"new_{name}.{number}", ("R", heads, "P+T", size))
        read = g.rows(g.attend(query, grown[0], grown[1], causal, size), width)
        read = g.linear(read, f"{layer}.self_attn.out_proj", width, width)
        states = g.add_and_norm(read, states, f"{layer}.self_attn_layer_norm", width, _BART_EPSILON)
        asked = g.linear(states, f"{layer}.encoder_attn.q_proj", width, width)
        asked = g.op("Gather", g.op("Reshape", asked, each), filled, axis=0)
        query = g.heads(asked, pairs, heads, size)
        key, value = (
            g.input(f"{name}.{number}", ("B", heads, "S", size)) for name in ("key", "value")
        )
        read = g.op("Reshape", g.attend(query, key, value, bias, size), slot)
        read = g.rows(g.op("Gather", read, slots, axis=0), width)
        read = g.linear(read, f"{layer}.encoder_attn.out_proj", width, width)
        norm = f"{layer}.encoder_attn_layer_norm"
        states = g.add_and_norm(read, states, norm, width, _BART_EPSILON)
        states = _bart_feed_forward(g, states, layer, (width, int(config["decoder_ffn_dim"])))
    states = g.op("Gather", states, wanted, axis=0)
    table = g.weight("model.shared.weight", vocabulary, width)
    logits = g.op("Gemm", states, table, g.weight("answer_bias", vocabulary), transB=1)
    log_probs = g.op("LogSoftmax", logits, axis=-1)
    g.output(g.op("Gather", log_probs, columns, axis=1), "log_probs", ("n", "c"))
    first = g.op("Gather", logits, g.op("Slice", columns, g.constant(0), g.constant(1)), axis=1)
    g.output(first, "first_logit", ("n", 1))
    silent = g.op("MatMul", states, g.weight("no_answer_weight", width, 1))
    g.output(g.op("Add", silent, g.weight("no_answer_bias", 1)), "no_answer_logit", ("n", 1))
    return g


def _bart_feed_forward(g: Graph, states: str, layer: str, sizes: tuple[int, int]) -> str:
    more = g.feed_forward(states, f"{layer}.fc1", f"{layer}.fc2", sizes)
    return g.add_and_norm(more, states, f"{layer}.final_layer_norm", sizes[0], _BART_EPSILON)


def _self_attention(
    g: Graph, states: str, names: Sequence[str], batch: str, mask: str, sizes: tuple[int, int]
) -> str:
    """What rows (B·S, D) read in each other, before the output projection."""
    heads, width = sizes
    shape = g.op("Concat", batch, g.constant(-1, width), axis=0)
    split = [g.op("Reshape", g.linear(states, name, width, width), shape) for name in names]
    read = g.op("MultiHeadAttention", *split, "", mask, domain=OURS, num_heads=heads)
    return g.rows(read, width)


def _norm(g: Graph, x: str, layer: str, width: int, epsilon: float) -> str:
    gamma, beta = (g.weight(f"{layer}.{part}", width) for part in ("weight", "bias"))
    return g.op("LayerNormalization", x, gamma, beta, axis=-1, epsilon=epsilon)


def _value(name: str, shape: Sequence[int | str], kind: str) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, getattr(TensorProto, kind), shape)


def _node(
    kind: str, inputs: Sequence[str], output: str, domain: str, attributes: Mapping[str, Any]
) -> Any:
    from onnx import helper

    return helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes)
