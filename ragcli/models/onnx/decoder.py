"""The decoder of an encoder–decoder as a graph: what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence

from ragcli.models.onnx.graph import Graph


class Decoder:
    """A decoder in the making, over pairs that were read: T more tokens for each of R rows.

    `parents` says which row of the past each row continues.  To attend to its pair, a row is put
    into a slot beside it: every pair has as many slots as the busiest one, `filled` names the row
    in each slot (any, where there is none) and `slots` the slot of each row.  `wanted` picks n of
    the R·T positions.  Out come the past with the new tokens, log p of `columns` in a vocabulary
    without the token that says "no answer" (n, c), the logit of the first column and that token's
    logit (n, 1).

    `sizes` are the width D, the number of heads, and the size of each; `causal` is the shape of
    what is added to the scores of the own tokens, and `scale` what scores are multiplied with.
    """

    def __init__(
        self,
        graph: Graph,
        sizes: tuple[int, int, int],
        causal: Sequence[int | str],
        scale: float,
    ) -> None:
        self.graph = g = graph
        self._width, self._heads, self._size = sizes
        self._inner, self._scale = self._heads * self._size, scale
        self.embeds = g.input("embeds", ("R", "T", self._width))
        self._causal = g.input("causal", causal)
        self._bias = g.input("bias", ("B", 1, 1, "S"))
        self._parents, self._slots = (g.input(x, ("R",), "INT64") for x in ("parents", "slots"))
        self._filled = g.input("filled", ("B*W",), "INT64")
        self._wanted = g.input("wanted", ("n",), "INT64")
        self._columns = g.input("columns", ("c",), "INT64")
        self._rows = g.op("Shape", self.embeds, start=0, end=1)
        self._pairs = g.op("Shape", self._bias, start=0, end=1)
        length = g.op("Shape", self.embeds, start=1, end=2)
        self._each = g.op("Concat", self._rows, length, g.constant(self._inner), axis=0)
        self._slot = g.op("Concat", g.constant(-1), length, g.constant(self._inner), axis=0)

    def own(self, states: str, number: int, names: Sequence[str]) -> str:
        """What rows read in their own tokens, before the output projection.

        `names` are the layers that give queries, keys and values.
        """
        g, heads, size = self.graph, self._heads, self._size
        query, *new = (
            g.heads(g.linear(states, name, self._inner, self._width), self._rows, heads, size)
            for name in names
        )
        grown = []
        for name, value in zip(("key", "value"), new, strict=True):
            past = g.input(f"past_{name}.{number}", ("Q", heads, "P", size))
            kept = g.op("Gather", past, self._parents, axis=0)
            grown.append(g.op("Concat", kept, value, axis=2))
            g.output(grown[-1], f"new_{name}.{number}", ("R", heads, "P+T", size))
        read = g.attend(query, grown[0], grown[1], self._causal, self._scale)
        return g.rows(read, self._inner)

    def pair(self, states: str, number: int, name: str) -> str:
        """What rows read in their pairs, before the output projection; `name` gives queries."""
        g, heads, size = self.graph, self._heads, self._size
        asked = g.linear(states, name, self._inner, self._width)
        asked = g.op("Gather", g.op("Reshape", asked, self._each), self._filled, axis=0)
        query = g.heads(asked, self._pairs, heads, size)
        key, value = (
            g.input(f"{part}.{number}", ("B", heads, "S", size)) for part in ("key", "value")
        )
        read = g.op("Reshape", g.attend(query, key, value, self._bias, self._scale), self._slot)
        return g.rows(g.op("Gather", read, self._slots, axis=0), self._inner)

    def finish(self, states: str, head: str, vocabulary: int, factor: float = 1.0) -> Graph:
        """The output layer over states · factor."""
        g, width = self.graph, self._width
        states = g.scaled(g.op("Gather", states, self._wanted, axis=0), factor)
        table = g.weight(head, vocabulary, width)
        logits = g.op("Gemm", states, table, g.weight("answer_bias", vocabulary), transB=1)
        log_probs = g.op("LogSoftmax", logits, axis=-1)
        g.output(g.op("Gather", log_probs, self._columns, axis=1), "log_probs", ("n", "c"))
        spot = g.op("Slice", self._columns, g.constant(0), g.constant(1))
        g.output(g.op("Gather", logits, spot, axis=1), "first_logit", ("n", 1))
        silent = g.op("MatMul", states, g.weight("no_answer_weight", width, 1))
        g.output(g.op("Add", silent, g.weight("no_answer_bias", 1)), "no_answer_logit", ("n", 1))
        return g


def give_cross(
    g: Graph,
    states: str,
    batch: str,
    number: int,
    names: Sequence[str],
    sizes: tuple[int, int, int],
) -> None:
    """Give out what a decoder layer attends to in encoded rows: keys and values (B, H, S, size).

    `names` are the layers that make them, and `sizes` D, the number of heads and the size of each.
    """
    width, heads, size = sizes
    for part, name in zip(("key", "value"), names, strict=True):
        split = g.heads(g.linear(states, name, heads * size, width), batch, heads, size)
        g.output(split, f"{part}.{number}", ("B", heads, "S", size))
