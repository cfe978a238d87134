"""Tables in shards: files that versions share, and a list of where each row of a version stands.

A new version takes a shard over whole, by a hard link, rows that are no longer used included; it
costs no space. Once less than half of it is used, what is used is copied and it is left behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError

Rows = NDArray[np.int64]
Digests = NDArray[np.void]
"""sha256 digests, one a row, as 32 raw bytes."""

MOST_SHARDS = 256
"""So many are kept open by a reader; the smallest are copied together before there are more."""


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


@dataclass(frozen=True, slots=True)
class Kept:
    """The shards to link, by number, and the positions in others that have to be copied.

    The new version's shards are the linked ones, then the copied positions, then what is new.
    """

    sizes: Sequence[int]
    shards: Sequence[int]
    copied: Rows

    def moved(self, rows: Rows) -> Rows:
        """Positions in the old shards, or −1 − n for the n-th new row → in the new shards."""
        ends = np.cumsum(self.sizes, dtype=np.int64)
        which = np.searchsorted(ends, rows, side="right")
        linked = sum(self.sizes[shard] for shard in self.shards)
        result = linked + np.searchsorted(self.copied, rows)
        start = 0
        for shard in self.shards:
            here = which == shard
            result[here] = rows[here] - (ends[shard] - self.sizes[shard]) + start
            start += self.sizes[shard]
        return np.where(rows < 0, linked + len(self.copied) - 1 - rows, result)


def keep(sizes: Sequence[int], used: Rows, purge: bool = False) -> Kept:
    """Decide what to take over from shards of `sizes` rows of which the positions `used` are used.

    With `purge`, a shard with any unused row is copied, so that nothing of it is left.
    """
    used = np.unique(used)
    which = np.searchsorted(np.cumsum(sizes, dtype=np.int64), used, side="right")
    live = np.bincount(which, minlength=len(sizes))
    kept = [
        shard
        for shard, size in enumerate(sizes)
        if live[shard] and (live[shard] == size or (not purge and 2 * live[shard] >= size))
    ]
    if len(kept) > MOST_SHARDS // 2:
        largest = sorted(kept, key=lambda shard: (-sizes[shard], shard))
        kept = sorted(largest[: MOST_SHARDS // 4])
    return Kept(sizes, kept, used[~np.isin(which, kept)])


class DigestIndex:
    """Where digests stand in an array of them: −1 for those that do not."""

    def __init__(self, digests: Digests) -> None:
        self._digests = digests
        prefixes = _prefixes(digests)
        self._order = np.argsort(prefixes, kind="stable")
        self._sorted = prefixes[self._order]

    def find(self, digests: Digests) -> Rows:
        """The first position of each digest, or −1."""
        if not len(self._digests):
            return np.full(len(digests), -1, dtype=np.int64)
        at = np.searchsorted(self._sorted, _prefixes(digests))
        found = self._order[np.minimum(at, len(self._order) - 1)].astype(np.int64)
        # Digests that share only their first eight bytes count as not found: that costs a copy.
        found[self._digests[found] != digests] = -1
        return found


def _prefixes(digests: Digests) -> np.typing.NDArray[np.uint64]:
    return np.ascontiguousarray(digests).view(np.uint64)[::4].copy()
