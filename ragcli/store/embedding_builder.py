"""The embeddings of a version under construction: stored ones are shared, the others embedded.

A vector belongs to the digest of its passage's title and text, so equal passages have one vector,
and a passage that the older version knows under any id is not embedded again. Shards of new vectors
are finished one by one outside of the build folder, where a build that was interrupted finds them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ragcli.errors import CorruptIndexError
from ragcli.settings import EncoderSettings
from ragcli.store.build import BuildFolder
from ragcli.store.embeddings import Embeddings, Floats, Shard, shard_rows, write_shard
from ragcli.store.files import link_or_copy
from ragcli.store.manifest import EMBEDDINGS, rows_name, shard_name
from ragcli.store.passages import Digests, Passages
from ragcli.store.shards import Rows, write_rows
from ragcli.store.sharing import DigestIndex, share
from ragcli.store.version import IndexVersion

Embed = Callable[[Rows], Floats]
"""Positions of passages in the passage table → their embeddings."""
_COPY_ROWS = 4096


class EmbeddingBuilder:
    """What of a passage table can be taken from `parent`, and what is left to embed."""

    def __init__(
        self, folder: BuildFolder, passages: Passages, parent: IndexVersion | None
    ) -> None:
        self._folder, self._parent = folder, parent
        digests = passages.digests()[passages.rows]
        self._rows = _positions(parent, digests)  # or −1 − n for the n-th vector that is missing
        new = np.flatnonzero(self._rows < 0)
        values, first, inverse = np.unique(digests[new], return_index=True, return_inverse=True)
        order = np.argsort(first)  # vectors stand in the order in which they are first needed
        self._rows[new] = -1 - np.argsort(order)[inverse.reshape(-1)]
        self.missing: Rows = passages.rows[new[first[order]]]
        self._digests = values[order]

    def key(self, encoder: EncoderSettings, batch_size: int) -> str:
        """What the missing embeddings depend on; shards with the same key can be taken up again."""
        digest = hashlib.sha256(json.dumps([encoder.to_json(), batch_size]).encode())
        digest.update(self._digests.tobytes())
        return digest.hexdigest()[:32]

    def _missing_shards(self) -> Iterator[tuple[str, Rows]]:
        """The shards of what is missing: the name of each, and its part of `missing`."""
        size = shard_rows(len(self.missing))
        for number, start in enumerate(range(0, len(self.missing), size)):
            yield shard_name(EMBEDDINGS, number), self.missing[start : start + size]

    def embed(self, shelf: Path, dimension: int, block: int, embed: Embed) -> Iterator[int]:
        """Embed what is missing, shard by shard; yields how many a finished shard spared."""
        for name, rows in self._missing_shards():
            shape = (len(rows), dimension)
            if _is_finished(shelf / name, shape):
                yield len(rows)
                continue
            parts = (rows[at : at + block] for at in range(0, len(rows), block))
            write_shard(shelf / name, shape, map(embed, parts))

    def finish(self, shelf: Path | None, purge: bool = False) -> Embeddings:
        """Link and copy what is shared, take the finished shards over, and open the table."""
        kept = share(self._folder, self._parent, EMBEDDINGS, self._rows, purge)
        if self._parent is not None and len(kept.copied):
            stored = self._parent.embeddings
            parts = (
                kept.copied[at : at + _COPY_ROWS] for at in range(0, len(kept.copied), _COPY_ROWS)
            )
            shape = (len(kept.copied), stored.shape[1])
            write_shard(self._folder.new_shard(EMBEDDINGS), shape, map(stored.at, parts))
        if shelf is not None:  # shards stay there until the version is published
            for name, _ in self._missing_shards():
                link_or_copy(shelf / name, self._folder.new_shard(EMBEDDINGS))
        rows = kept.moved(self._rows)
        write_rows(self._folder.path / rows_name(EMBEDDINGS), rows)
        return Embeddings(self._folder.shards(EMBEDDINGS), rows)


def _positions(parent: IndexVersion | None, digests: Digests) -> Rows:
    """Where each digest's vector stands in the parent's shards, −1 where it has none."""
    if parent is None:
        return np.full(len(digests), -1, np.int64)
    known = parent.passages.digests()[parent.passages.rows]
    rows = DigestIndex(known).find(digests)
    return np.where(rows < 0, -1, parent.embeddings.rows[np.maximum(rows, 0)])


def _is_finished(path: Path, shape: tuple[int, int]) -> bool:
    """Whether a shard was finished by an earlier build; shards are renamed when they are whole."""
    try:
        return Shard(path).shape == shape
    except CorruptIndexError:
        return False
