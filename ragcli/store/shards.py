"""Tables in shards: files that versions share, and a list of where each row of a version stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError

Rows = NDArray[np.int64]


def write_header(stream: IO[bytes], dtype: str, shape: tuple[int, ...]) -> None:
    """Begin an npy file."""
    header = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)


def write_rows(path: Path, rows: Rows) -> None:
    """Write where each row stands in the shards."""
    with open(path, "wb") as stream:
        write_header(stream, "<i8", rows.shape)
        stream.write(np.ascontiguousarray(rows, dtype="<i8").data)


def open_rows(path: Path, total: int) -> Rows:
    """Where each row stands in shards of `total` rows, memory-mapped and checked."""
    try:
        rows: Rows = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise CorruptIndexError(f"{path}: rows that cannot be read: {error}") from None
    if rows.ndim != 1 or rows.dtype != np.dtype("<i8"):
        raise CorruptIndexError(f"{path}: {rows.dtype} of shape {rows.shape}, not rows")
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < total:
        raise CorruptIndexError(f"{path}: a row outside of the {total} in the shards")
    return rows


class Table:
    """Shards of `sizes` rows laid end to end, and where in them the rows of a version stand.

    `rows[i]`, also in the file at that path, is the position of row i; None where they are the
    rows.
    """

    def __init__(self, sizes: Sequence[int], rows: Rows | Path | None = None) -> None:
        self.sizes = list(sizes)
        self._ends = np.cumsum(self.sizes, dtype=np.int64)
        total = sum(self.sizes)
        if rows is None:
            rows = np.arange(total)
        self.rows: Rows = open_rows(rows, total) if isinstance(rows, Path) else rows

    def __len__(self) -> int:
        return len(self.rows)

    def runs(self, positions: Rows) -> Iterator[tuple[int, int, int]]:
        """Positions that follow each other in a shard: its number, the first row, how many."""
        shards = np.searchsorted(self._ends, positions, side="right")
        new = (np.diff(positions, prepend=-2) != 1) | (np.diff(shards, prepend=-1) != 0)
        firsts = np.flatnonzero(new)
        for first, count in zip(firsts, np.diff(firsts, append=len(positions)), strict=True):
            shard = int(shards[first])
            start = int(positions[first]) - int(self._ends[shard]) + self.sizes[shard]
            yield shard, start, int(count)
