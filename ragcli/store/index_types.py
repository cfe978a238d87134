"""The kinds of FAISS index by name.

A kind turns a number of passages and a dimension into a FAISS factory string. To add one, write
such a function and name it in the table; its name is in lower case.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ragcli.registry import Registry

FLAT_UP_TO = 50_000
_LISTS_FROM = 10_000

IndexType = Callable[[int, int], str]
"""A number of passages and a dimension → a FAISS factory string."""

_OURS = {name: f"{__name__}:{name}" for name in ("flat", "sq8", "hnsw", "ivf", "pq")}
INDEX_TYPES: Registry[IndexType] = Registry("index_types", "index type", _OURS)


def type_names() -> list[str]:
    """What `--type` takes besides a FAISS factory string."""
    return ["auto", *INDEX_TYPES.names()]


def factory_string(type: str, count: int, dimension: int) -> str:
    """The FAISS factory string of a type: `auto`, a kind, or a factory string as it is."""
    name = type.strip().lower()
    if name == "auto":
        name = "flat" if count <= FLAT_UP_TO else "hnsw"
    return INDEX_TYPES.load(name)(count, dimension) if name in INDEX_TYPES else type.strip()


def _always(factory: str) -> IndexType:
    return lambda count, dimension: factory


flat = _always("Flat")
"""Every vector as it is, and all of them looked at: exact."""
sq8 = _always("SQ8")
"""A byte for each dimension."""
hnsw = _always("HNSW32,Flat")
"""A graph that leads from neighbour to neighbour."""


def ivf(count: int, dimension: int) -> str:
    """About 2√n inverted lists, of which the nearest are looked at.

    FAISS advises at least 39 passages to learn each from.
    """
    return f"IVF{max(1, min(round(2 * math.sqrt(count)), count // 39))},Flat"


def pq(count: int, dimension: int) -> str:
    """One byte for every four dimensions, or as near as they divide; small corpora, fewer codes.

    Large corpora are searched through inverted lists, or the codes would be slower than flat.
    One passage alone has nothing to learn two codes from, so it is stored as it is.
    """
    if count < 2:
        return "Flat"
    parts = next(m for m in range(max(1, dimension // 4), 0, -1) if dimension % m == 0)
    bits = min(8, int(math.log2(count)))
    codes = f"PQ{parts}x{bits}"
    return ivf(count, dimension).replace("Flat", codes) if count >= _LISTS_FROM else codes
