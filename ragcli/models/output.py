"""A generator's output layer, d → vocabulary: computed where it is needed, and packed for speed.

At every step it is the largest matrix of a small decoder. Two things are spared: positions whose
distribution nobody asked for, and the memory traffic of a plain layout, by a copy of the weights
that oneDNN has packed. Logits are the same up to the rounding of single precision.

The model itself is not touched: a twin that shares every weight has another layer in the place of
the output layer, and what to keep is known to the calling thread alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Keep = Callable[[Any], Any]
"""From (rows, t, n) to the positions wanted, in any shape that ends with n."""


class Output:
    """Runs a Hugging Face encoder–decoder for the logits of chosen positions only."""

    def __init__(self, model: Any) -> None:
        import torch

        self._model = model
        self._layer = model.get_output_embeddings()
        self._asked = threading.local()
        self._packed: tuple[tuple[int, ...], Any] = ((), None)
        self._twin: Any = None
        if type(self._layer) is torch.nn.Linear:
            self._twin = _with_layer(model, self._layer, self._head())

    def logits(self, keep: Keep, **inputs: Any) -> torch.Tensor:
        """`keep` of the logits of the model's forward pass."""
        if self._twin is None:
            kept: torch.Tensor = keep(self._model(**inputs).logits)
            return kept
        # The rest of the forward pass (scales, biases) stays the model's own business.
        self._asked.keep = keep
        logits: torch.Tensor = self._twin(**inputs).logits
        return logits

    def _head(self) -> Any:
        import torch

        output, layer = self, self._layer

        class Head(torch.nn.Module):
            """The output layer, for the positions that the calling thread wants."""

            def __init__(self) -> None:
                super().__init__()
                self.weight, self.bias = layer.weight, layer.bias

            def forward(self, hidden: torch.Tensor) -> torch.Tensor:
                return output._project(output._asked.keep(hidden))

        return Head()

    def _project(self, hidden: torch.Tensor) -> torch.Tensor:
        import torch

        weight, bias = self._layer.weight, self._layer.bias
        if torch.is_grad_enabled() or not _can_pack(weight):
            return torch.nn.functional.linear(hidden, weight, bias)
        # Training changes weights in place, which their version counts.
        state = (weight.data_ptr(), weight._version, *weight.shape)
        stands_for, packed = self._packed
        if state != stands_for:
            packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach())
            self._packed = (state, packed)
        projected: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            hidden, packed, bias, "none", [], ""
        )
        return projected


def _with_layer(model: Any, layer: Any, other: Any) -> Any:
    """A model that shares everything with `model` but has `other` where `layer` is."""
    [path] = [name for name, module in model.named_modules() if module is layer][:1]
    twin = _shallow(model)
    *above, last = path.split(".")
    inner = twin
    for name in above:
        inner._modules[name] = _shallow(inner._modules[name])
        inner = inner._modules[name]
    inner._modules[last] = other
    return twin


def _shallow(module: Any) -> Any:
    twin = copy(module)
    twin._modules = dict(module._modules)
    return twin


def _can_pack(weight: torch.Tensor) -> bool:
    """True on a CPU with oneDNN, in single precision."""
    import torch

    return (
        weight.device.type == "cpu"
        and weight.dtype == torch.float32
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
    )
