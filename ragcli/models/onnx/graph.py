"""Networks as ONNX graphs without weights: what the graph of any architecture is made of.

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

from ragcli.errors import ModelError

OPSET = 20
OURS = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""

INT8, SCALE = ".int8", ".scale"
"""What is added to the name of a weight for its integers, transposed, and their scales."""

WEIGHTS = "weights"
"""The external file that a graph names and that does not exist: the runtime is given arrays."""

ACTIVATIONS: Mapping[str, tuple[str, str, Mapping[str, float]]] = {
    "gelu": ("Gelu", OURS, {}),
    "gelu_new": ("FastGelu", OURS, {}),
    "relu": ("Relu", "", {}),
    "silu": ("QuickGelu", OURS, {"alpha": 1.0}),
}
"""What a configuration calls an activation → the operator, its domain and its attributes."""


class Graph:
    """A graph in the making: each call of `op` adds a node and gives the name of its output.

    Linear layers have a bias or, if not `biased`, none. With `int8` they multiply eight-bit
    integers: a scale for each output of the weights, and one for each batch of inputs.
    """

    def __init__(self, int8: bool = False, biased: bool = True) -> None:
        self._int8, self._biased = int8, biased
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
        self._nodes.append(_node("Identity", [value], [name], "", {}))
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
        return self._constant(np.array(values, dtype=np.int64))

    def _constant(self, array: Any) -> str:
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node; the name of its first output."""
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(_node(kind, inputs, [name], domain, attributes))
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
        """x Wᵀ, or x Wᵀ + b, of rows x (n, width)."""
        name = f"{layer}.weight"
        bias = [self.weight(f"{layer}.bias", out)] if self._biased else []
        if not self._int8:
            return self.op("Gemm", x, self.weight(name, out, width), *bias, transB=1)
        whole = self.weight(name + INT8, width, out, kind="INT8")
        scale = self.weight(name + SCALE, out)
        return self.op("DynamicQuantizeMatMul", x, whole, scale, "", *bias, domain=OURS)

    def scaled(self, x: str, factor: float) -> str:
        """x · factor."""
        return x if factor == 1 else self.op("Mul", x, self._constant(np.float32(factor)))

    def norm(self, x: str, layer: str, width: int, epsilon: float) -> str:
        """LayerNorm(x)."""
        gamma, beta = (self.weight(f"{layer}.{part}", width) for part in ("weight", "bias"))
        return self.op("LayerNormalization", x, gamma, beta, axis=-1, epsilon=epsilon)

    def add_and_norm(self, x: str, skip: str, layer: str, width: int, epsilon: float) -> str:
        """LayerNorm(x + skip)."""
        gamma, beta = (self.weight(f"{layer}.{part}", width) for part in ("weight", "bias"))
        return self.op("SkipLayerNormalization", x, skip, gamma, beta, domain=OURS, epsilon=epsilon)

    def rms_norm(self, x: str, layer: str, width: int, epsilon: float) -> str:
        """x / √mean(x²), weighted."""
        gamma = self.weight(f"{layer}.weight", width)
        return self.op("SimplifiedLayerNormalization", x, gamma, axis=-1, epsilon=epsilon)

    def add_and_rms_norm(
        self, x: str, skip: str, layer: str, width: int, epsilon: float
    ) -> tuple[str, str]:
        """x + skip, and its RMS norm."""
        gamma, number = self.weight(f"{layer}.weight", width), len(self._nodes)
        total, normal = f"Sum_{number}", f"Normal_{number}"
        kind, outputs = "SkipSimplifiedLayerNormalization", [normal, "", "", total]
        self._nodes.append(_node(kind, [x, skip, gamma], outputs, OURS, {"epsilon": epsilon}))
        return total, normal

    def activation(self, x: str, name: str) -> str:
        """The function between the layers of a feed-forward network."""
        if name not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            raise ModelError(f"no ONNX graphs for networks with {name}: {known} are known")
        kind, domain, attributes = ACTIVATIONS[name]
        return self.op(kind, x, domain=domain, **attributes)

    def feed_forward(
        self, x: str, inner: str, outer: str, sizes: tuple[int, int], activation: str
    ) -> str:
        """W₂ f(W₁ x) of rows x."""
        width, hidden = sizes
        raised = self.activation(self.linear(x, inner, hidden, width), activation)
        return self.linear(raised, outer, width, hidden)

    def rows(self, x: str, width: int) -> str:
        """Any shape that ends with `width` as rows."""
        return self.op("Reshape", x, self.constant(-1, width))

    def heads(self, x: str, outer: str, heads: int, size: int) -> str:
        """Rows as (outer, heads, rows of each, size), where `outer` is a list of one number."""
        shape = self.op("Concat", outer, self.constant(-1, heads, size), axis=0)
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])

    def attend(self, query: str, key: str, value: str, bias: str, scale: float) -> str:
        """softmax(scale · q kᵀ + bias) v of (B, heads, rows, size), as (B, rows, heads, size)."""
        scores = self.op("FusedMatMul", query, key, domain=OURS, transB=1, alpha=scale)
        weights = self.op("Softmax", self.op("Add", scores, bias), axis=-1)
        return self.op("Transpose", self.op("MatMul", weights, value), perm=[0, 2, 1, 3])

    def self_attention(
        self,
        states: str,
        names: Sequence[str],
        batch: str,
        mask: str,
        sizes: tuple[int, int, int],
        bias: str = "",
        **scale: float,
    ) -> str:
        """What rows (B·S, D) read in each other, before the output projection.

        `sizes` are the number of heads, D, and the width of all heads together. `bias` (1, H, S, S)
        is added to the scores.
        """
        heads, width, inner = sizes
        shape = self.op("Concat", batch, self.constant(-1, inner), axis=0)
        given = [self.op("Reshape", self.linear(states, n, inner, width), shape) for n in names]
        given += ["", mask, bias] if bias else ["", mask]
        read = self.op("MultiHeadAttention", *given, domain=OURS, num_heads=heads, **scale)
        return self.rows(read, inner)


def _value(name: str, shape: Sequence[int | str], kind: str) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, getattr(TensorProto, kind), shape)


def _node(
    kind: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    domain: str,
    attributes: Mapping[str, Any],
) -> Any:
    from onnx import helper

    return helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **attributes)
