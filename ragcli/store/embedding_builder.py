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
from ragcli.store.embeddings import (
    Embeddings,
    Floats,
    Rows,
    Shard,
    shard_rows,
    write_rows,
    writing_shard,
)
from ragcli.store.manifest import EMBEDDINGS, rows_name, shard_name
from ragcli.store.passages import Passages
from ragcli.store.sharing import DigestIndex, Kept, keep
from ragcli.store.version import IndexVersion

Embed = Callable[[Rows], Floats]
"""Positions of passages in the passage table → their embeddings."""


class EmbeddingBuilder:
    """What of a passage table can be taken from `parent`, and what is left to embed."""

    def __init__(
        self, folder: BuildFolder, passages: Passages, parent: IndexVersion | None
    ) -> None:
        self._folder, self._parent = folder, parent
        digests = passages.digests()[passages.rows]
        found = _positions(parent, digests)
        new = found < 0
        values, first, inverse = np.unique(digests[new], return_index=True, return_inverse=True)
        order = np.argsort(first)  # vectors stand in the order in which they are first needed
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self._new, self._found, self._rank = new, found, rank[inverse.reshape(-1)]
        self.missing: Rows = passages.rows[np.flatnonzero(new)[first[order]]]
        self._digests = values[order]

    def key(self, encoder: EncoderSettings, batch_size: int) -> str:
        """What the missing embeddings depend on; shards with the same key can be taken up again."""
        digest = hashlib.sha256(json.dumps([encoder.to_json(), batch_size]).encode())
        digest.update(self._digests.tobytes())
        return digest.hexdigest()[:32]

    def embed(self, shelf: Path, dimension: int, block: int, embed: Embed) -> Iterator[int]:
        """Embed what is missing, shard by shard; yields how many a finished shard spared."""
        size = shard_rows(len(self.missing))
        for number, start in enumerate(range(0, len(self.missing), size)):
            rows = self.missing[start : start + size]
            path = shelf / shard_name(EMBEDDINGS, number)
            if _is_finished(path, (len(rows), dimension)):
                yield len(rows)
                continue
            with writing_shard(path, len(rows), dimension) as writer:
                for at in range(0, len(rows), block):
                    writer.add(embed(rows[at : at + block]))

    def finish(self, shelf: Path | None, purge: bool = False) -> Embeddings:
        """Link and copy what is shared, take the finished shards over, and open the table."""
        kept = self._share(purge)
        names = [shard_name(EMBEDDINGS, n) for n in range(len(kept.shards))]
        if len(kept.copied):
            names.append(shard_name(EMBEDDINGS, len(names)))
        if shelf is not None:
            for number in range(-(-len(self.missing) // shard_rows(len(self.missing)))):
                names.append(shard_name(EMBEDDINGS, len(names)))
                self._folder.adopt(shelf / shard_name(EMBEDDINGS, number), names[-1])
        rows = np.empty(len(self._new), np.int64)
        rows[self._new] = kept.rows + self._rank
        rows[~self._new] = kept.moved(self._found[~self._new])
        write_rows(self._folder.path / rows_name(EMBEDDINGS), rows)
        return Embeddings([Shard(self._folder.path / name) for name in names], rows)

    def _share(self, purge: bool) -> Kept:
        if self._parent is None:
            return keep([], np.empty(0, np.int64))
        stored = self._parent.embeddings
        kept = keep(stored.sizes, self._found[~self._new], purge)
        for number, shard in enumerate(kept.shards):
            names = shard_name(EMBEDDINGS, shard), shard_name(EMBEDDINGS, number)
            self._folder.link(self._parent, *names)
        if len(kept.copied):
            path = self._folder.path / shard_name(EMBEDDINGS, len(kept.shards))
            with writing_shard(path, len(kept.copied), stored.shape[1]) as writer:
                for at in range(0, len(kept.copied), 4096):
                    writer.add(stored.at(kept.copied[at : at + 4096]))
        return kept


def _positions(parent: IndexVersion | None, digests: np.typing.NDArray[np.void]) -> Rows:
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
