"""What a kind of network needs to run on ONNX Runtime: graphs, and what these are fed with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ragcli.models.onnx.graph import Graph
from ragcli.models.onnx.runtime import Array
from ragcli.protocols import Ints

Config = Mapping[str, Any]


class Feeds(Protocol):
    """What an encoder–decoder's graphs are given besides what was read and written."""

    layers: int
    """How many the decoder has."""
    heads: int
    size: int
    """How many heads the decoder has, and their size."""
    head: str
    output: Array
    """The output layer (vocabulary, D): what the graph calls its weight, and the weight."""
    bias: Array
    """What is added to its logits (vocabulary)."""

    def embed(self, ids: Ints, part: int, done: int) -> Array:
        """Tokens (n, t) as the encoder (0) or, after `done` others, the decoder (1) takes them."""
        ...

    def reader(self, length: int) -> dict[str, Array]:
        """What else the encoder takes, for inputs of that many tokens."""
        ...

    def causal(self, length: int, done: int) -> Array:
        """What is added to the scores of `length` more tokens over all `done + length`."""
        ...


@dataclass(frozen=True, slots=True)
class Architecture:
    """Name → what makes a graph of a model's config.json; and for encoder–decoders their feeds.

    An encoder–decoder has two graphs: `reader` is the encoder with what every decoder layer attends
    to, and `writer` the decoder.
    """

    graphs: Mapping[str, Callable[[Config], Graph]]
    feeds: Callable[[Config, Mapping[str, Array]], Feeds] | None = None


def first_of(weights: Mapping[str, Array], *names: str) -> Array:
    """The weight by the first name that a file has: tables that are shared are there once."""
    return weights[next((name for name in names if name in weights), names[-1])]
