"""An index type: every vector in half precision, all of them looked at."""

from __future__ import annotations


def half(count: int, dimension: int) -> str:
    return "SQfp16"
