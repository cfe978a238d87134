"""Which shards a new version takes over from the one it came from, and where its rows stand then.

A shard is taken over whole, by a hard link, rows that are no longer used included; it costs no
space. Once less than half of it is used, what is used is copied and the shard is left behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragcli.store.build import BuildFolder
from ragcli.store.manifest import PASSAGES, shard_name
from ragcli.store.passages import Digests
from ragcli.store.shards import Rows
from ragcli.store.version import IndexVersion

MOST_SHARDS = 256
"""So many are kept open by a reader; the smallest are copied together before there are more."""


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


def share(
    folder: BuildFolder, parent: IndexVersion | None, table: str, rows: Rows, purge: bool
) -> Kept:
    """Link what of a parent's table its new version keeps; what is copied is left to the caller.

    `rows` are positions in the parent's shards, negative for what it does not have.
    """
    if parent is None:
        return keep([], rows[:0])
    stored = parent.passages if table == PASSAGES else parent.embeddings
    kept = keep(stored.sizes, rows[rows >= 0], purge)
    for shard in kept.shards:
        folder.link(parent, shard_name(table, shard), folder.new_shard(table))
    return kept


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
