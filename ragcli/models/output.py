"""A generator's output layer, d → vocabulary: computed where it is needed, and packed for speed.

At every step it is the largest matrix of a small decoder. Two things are spared: positions whose
distribution nobody asked for, and the memory traffic of a plain layout, by a copy of the weights
that oneDNN has packed. Logits are the same up to the rounding of single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

Keep = Callable[[Any], Any]
"""From (rows, t, n) to the positions wanted, in any shape that ends with n."""


class Output:
    """Runs a Hugging Face encoder–decoder for the logits of chosen positions only."""

    def __init__(self, model: Any) -> None:
        self._model, self._layer = model, model.get_output_embeddings()
        self._packed: Any = None
        self._stands_for: tuple[int, ...] = ()

    def logits(self, keep: Keep, **inputs: Any) -> torch.Tensor:
        """`keep` of the logits of the model's forward pass; no gradient."""
        import torch

        layer = self._layer
        if type(layer) is not torch.nn.Linear or "forward" in vars(layer):
            kept: torch.Tensor = keep(self._model(**inputs).logits)
            return kept
        # The rest of the forward pass (scales, biases) stays the model's own business.
        vars(layer)["forward"] = lambda hidden: self._project(keep(hidden))
        try:
            logits: torch.Tensor = self._model(**inputs).logits
        finally:
            del vars(layer)["forward"]
        return logits

    def _project(self, hidden: torch.Tensor) -> torch.Tensor:
        import torch

        weight, bias = self._layer.weight, self._layer.bias
        if not _can_pack(weight):
            return torch.nn.functional.linear(hidden, weight, bias)
        # Training changes weights in place, which their version counts.
        state = (weight.data_ptr(), weight._version, *weight.shape)
        if state != self._stands_for:
            self._packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach())
            self._stands_for = state
        projected: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            hidden, self._packed, bias, "none", [], ""
        )
        return projected


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
