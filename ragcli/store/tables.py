"""The tables of a version under construction; what the older version has is shared.

A vector belongs to the digest of its passage's title and text, so equal passages have one vector,
and a passage that the older version knows under any id is not embedded again. Shards of new vectors
are finished one by one outside of the build folder, where a build that was interrupted finds them;
one that takes longer than a minute is finished in pieces.
A new version takes a shard over whole, by a hard link, rows that are no longer used included; it
costs no space. Once less than half of it is used, what is used is copied and it is left behind.
"""

from __future__ import annotations

import hashlib
import json
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError
from ragcli.protocols import Floats, Ints
from ragcli.records import Passage
from ragcli.settings import EncoderSettings
from ragcli.store.files import link_or_copy
from ragcli.store.manifest import EMBEDDINGS, ORIGINS, PASSAGES, Counts, rows_name, shard_name
from ragcli.store.passages import ORIGIN, PASSAGE, Digests, Passages, Row, Writer, row_of
from ragcli.store.shards import Embeddings, Shard, write_rows, write_shard
from ragcli.store.version import BuildFolder, IndexVersion

MOST_SHARDS = 256
"""So many are kept open by a reader; the smallest are copied together before there are more."""
SHARD_ROWS = 65_536
_SHARDS_OF_A_SIZE = 32
SMALLEST_SHARD = 4096
PIECE_SECONDS = 60.0
_BLOCK = 4096

Parent = IndexVersion | None
Embed = Callable[[Ints], Floats]
"""Positions of passages in the passage table → their embeddings."""


class Kept:
    """What a new version takes over from shards of `sizes` rows whose positions `used` are used.

    `shards` are linked, by number, and the positions `copied` in others are copied. The new
    version's shards are the linked ones, then the copied positions, then what is new. With `purge`,
    a shard with any unused row is copied, so that nothing of it is left.
    """

    def __init__(self, sizes: Sequence[int], used: Ints, purge: bool = False) -> None:
        used = np.unique(used)
        self._sizes, self._ends = np.array(sizes, np.int64), np.cumsum(sizes, dtype=np.int64)
        which = np.searchsorted(self._ends, used, side="right")
        live = np.bincount(which, minlength=len(sizes))
        enough = live == self._sizes if purge else 2 * live >= self._sizes
        kept = np.flatnonzero((live > 0) & enough)
        if len(kept) > MOST_SHARDS // 2:
            largest = np.argsort(-self._sizes[kept], kind="stable")[: MOST_SHARDS // 4]
            kept = np.sort(kept[largest])
        self.shards: list[int] = kept.tolist()
        self.copied: Ints = used[~np.isin(which, kept)]

    def moved(self, rows: Ints) -> Ints:
        """Positions in the old shards, or −1 − n for the n-th new row → in the new shards."""
        which = np.searchsorted(self._ends, rows, side="right")
        linked = int(self._sizes[self.shards].sum())
        result = linked + np.searchsorted(self.copied, rows)
        start = 0
        for shard in self.shards:
            here = which == shard
            result[here] = rows[here] - (self._ends[shard] - self._sizes[shard]) + start
            start += self._sizes[shard]
        return np.where(rows < 0, linked + len(self.copied) - 1 - rows, result)


class DigestIndex:
    """Where digests stand in an array of them: −1 for those that do not."""

    def __init__(self, digests: Digests) -> None:
        self._digests = digests
        prefixes = _prefixes(digests)
        self._order = np.argsort(prefixes, kind="stable")
        self._sorted = prefixes[self._order]

    def find(self, digests: Digests) -> Ints:
        """The first position of each digest, or −1."""
        if not len(self._digests):
            return np.full(len(digests), -1, dtype=np.int64)
        at = np.searchsorted(self._sorted, _prefixes(digests))
        found = self._order[np.minimum(at, len(self._order) - 1)].astype(np.int64)
        # Digests that share only their first eight bytes count as not found: that costs a copy.
        found[self._digests[found] != digests] = -1
        return found


def _prefixes(digests: Digests) -> NDArray[np.uint64]:
    return np.ascontiguousarray(digests).view(np.uint64)[::4].copy()


def _share(folder: BuildFolder, parent: Parent, table: str, rows: Ints, purge: bool) -> Kept:
    """Link what of a parent's table its new version keeps; what is copied is left to the caller.

    `rows` are positions in the parent's shards, negative for what it does not have.
    """
    if parent is None:
        return Kept([], rows[:0])
    stored = parent.passages if table == PASSAGES else parent.embeddings
    kept = Kept(stored.sizes, rows[rows >= 0], purge)
    for shard in kept.shards:
        folder.link(parent, shard_name(table, shard), folder.new_shard(table))
    return kept


class PassageBuilder:
    """Takes passages in the order of their rows, and counts them as they go by."""

    def __init__(self, folder: BuildFolder, parent: Parent) -> None:
        self._folder, self._parent = folder, parent
        known = parent.passages.digests("record") if parent else np.empty(0, "V32")
        self._known = DigestIndex(known)
        self._waiting: list[Row] = []
        self._rows = array("q")  # a position in the parent's shards, or −1 − n for the n-th new one
        self._new = _Shards(folder.path, "new")
        self._origins = Writer(folder.path / ORIGINS, ORIGIN, compression="zstd")
        self._corpus = hashlib.sha256()
        self._document: str | None = None
        self.documents = self.words = self.longest = 0

    @property
    def counts(self) -> Counts:
        return Counts(self.documents, self._origins.count, self.words)

    @property
    def corpus_digest(self) -> str:
        return self._corpus.hexdigest()

    def add(self, passage: Passage) -> None:
        """The passages of one document must follow each other."""
        self.documents += passage.document_id != self._document
        self._document = passage.document_id
        self.words += passage.end - passage.start
        self.longest = max(self.longest, passage.end - passage.start)
        self._corpus.update(f"{passage.id}\0{passage.digest}\n".encode())
        self._waiting.append(row_of(passage))
        self._origins.add(self._waiting[-1])
        if len(self._waiting) == _BLOCK:
            self._flush()

    def _flush(self) -> None:
        records = np.array([row["record"] for row in self._waiting], "V32")
        for row, position in zip(self._waiting, self._known.find(records).tolist(), strict=True):
            self._rows.append(position if position >= 0 else -1 - self._new.count)
            if position < 0:
                self._new.add(row)
        self._waiting.clear()

    def finish(self, purge: bool = False) -> Passages:
        """Write what is left, link or copy what is shared, and open the table."""
        self._flush()
        self._origins.close()
        rows = np.array(self._rows, np.int64)
        kept = _share(self._folder, self._parent, PASSAGES, rows, purge)
        copied = _Shards(self._folder.path, "copied")
        if self._parent is not None:
            for passage in self._parent.passages.at(kept.copied):
                copied.add(row_of(passage))
        for path in (*copied.close(), *self._new.close()):
            path.rename(self._folder.new_shard(PASSAGES))
        rows = kept.moved(rows)
        write_rows(self._folder.path / rows_name(PASSAGES), rows)
        return Passages(self._folder.shards(PASSAGES), self._folder.path / ORIGINS, rows)


class _Shards:
    """Writes passages into one file after the other."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder, self._stem = folder, stem
        self._paths: list[Path] = []
        self._writer: Writer | None = None
        self.count = 0

    def add(self, row: Row) -> None:
        if self._writer is None:
            self._paths.append(self._folder / f"{self._stem}-{len(self._paths)}.arrow")
            self._writer = Writer(self._paths[-1], PASSAGE)
        self._writer.add(row)
        self.count += 1
        # Twice as many rows after every _SHARDS_OF_A_SIZE shards: few files, whatever their rows.
        if self._writer.count == SHARD_ROWS << ((len(self._paths) - 1) // _SHARDS_OF_A_SIZE):
            self._writer.close()
            self._writer = None

    def close(self) -> list[Path]:
        """Finish the last file; returns them all."""
        if self._writer is not None:
            self._writer.close()
        return self._paths


class EmbeddingBuilder:
    """What of a passage table can be taken from `parent`, and what is left to embed."""

    def __init__(self, folder: BuildFolder, passages: Passages, parent: Parent) -> None:
        self._folder, self._parent = folder, parent
        digests = passages.digests()[passages.rows]
        self._rows = _positions(parent, digests)  # or −1 − n for the n-th vector that is missing
        new = np.flatnonzero(self._rows < 0)
        values, first, inverse = np.unique(digests[new], return_index=True, return_inverse=True)
        order = np.argsort(first)  # vectors stand in the order in which they are first needed
        self._rows[new] = -1 - np.argsort(order)[inverse.reshape(-1)]
        self.missing: Ints = passages.rows[new[first[order]]]
        self._digests = values[order]

    def key(self, encoder: EncoderSettings, batch_size: int) -> str:
        """What the missing embeddings depend on; shards with the same key can be taken up again."""
        digest = hashlib.sha256(json.dumps([encoder.to_json(), batch_size]).encode())
        digest.update(self._digests.tobytes())
        return digest.hexdigest()[:32]

    def _missing_shards(self) -> Iterator[tuple[str, Ints]]:
        """The shards of what is missing: the name of each, and its part of `missing`."""
        size = SMALLEST_SHARD
        while size * MOST_SHARDS // 2 < len(self.missing):  # all are open in a reader
            size *= 2
        for number, start in enumerate(range(0, len(self.missing), size)):
            yield shard_name(EMBEDDINGS, number), self.missing[start : start + size]

    def embed(self, shelf: Path, dimension: int, block: int, embed: Embed) -> Iterator[int]:
        """Embed what is missing, shard by shard; yields how many vectors were there already.

        Blocks are always the same, whatever the speed: other batches would give other last bits.
        """
        for name, rows in self._missing_shards():
            if _finished(shelf / name, dimension) == len(rows):
                yield len(rows)
                continue
            parts = [rows[at : at + block] for at in range(0, len(rows), block)]
            yield from _embed_shard(shelf / name, dimension, parts, embed)

    def finish(self, shelf: Path | None, purge: bool = False) -> Embeddings:
        """Link and copy what is shared, take the finished shards over, and open the table."""
        kept = _share(self._folder, self._parent, EMBEDDINGS, self._rows, purge)
        if self._parent is not None and len(kept.copied):
            stored = self._parent.embeddings
            parts = (kept.copied[at : at + _BLOCK] for at in range(0, len(kept.copied), _BLOCK))
            shape = (len(kept.copied), stored.shape[1])
            write_shard(self._folder.new_shard(EMBEDDINGS), shape, map(stored.at, parts))
        if shelf is not None:  # shards stay there until the version is published
            for name, _ in self._missing_shards():
                link_or_copy(shelf / name, self._folder.new_shard(EMBEDDINGS))
        rows = kept.moved(self._rows)
        write_rows(self._folder.path / rows_name(EMBEDDINGS), rows)
        return Embeddings(self._folder.shards(EMBEDDINGS), rows)


def _positions(parent: Parent, digests: Digests) -> Ints:
    """Where each digest's vector stands in the parent's shards, −1 where it has none."""
    if parent is None:
        return np.full(len(digests), -1, np.int64)
    known = parent.passages.digests()[parent.passages.rows]
    rows = DigestIndex(known).find(digests)
    return np.where(rows < 0, -1, parent.embeddings.rows[np.maximum(rows, 0)])


def _embed_shard(path: Path, dimension: int, blocks: Sequence[Ints], embed: Embed) -> Iterator[int]:
    """Embed a shard, a piece a minute; yields how many vectors of pieces were there already.

    A piece has the name of the shard and the number of its first block, and goes when the shard is
    whole. Memory holds one piece.
    """
    pieces: list[Path] = []
    waiting: list[Floats] = []

    def rows(blocks: Sequence[Any]) -> int:
        return sum(map(len, blocks))

    number, begun = 0, time.monotonic()
    while number < len(blocks):
        first = number - len(waiting)
        piece = path.with_name(f"{path.name}.{first}")
        if not waiting and (found := _blocks_of(_finished(piece, dimension), blocks[number:])):
            yield rows(blocks[number : number + found])
            pieces.append(piece)
            number, begun = number + found, time.monotonic()
            continue
        waiting.append(embed(blocks[number]))
        number += 1
        late = time.monotonic() - begun >= PIECE_SECONDS
        if number < len(blocks) and (late or rows(waiting) >= SMALLEST_SHARD):
            write_shard(piece, (rows(waiting), dimension), waiting)
            pieces.append(piece)
            waiting, begun = [], time.monotonic()
    with ExitStack() as stack:
        stored = [stack.enter_context(closing(Shard(piece))) for piece in pieces]
        parts = (shard.read(0, len(shard)) for shard in stored)
        write_shard(path, (rows(blocks), dimension), chain(parts, waiting))
    for piece in path.parent.glob(f"{path.name}.*"):
        piece.unlink()


def _finished(path: Path, dimension: int) -> int:
    """How many vectors an earlier build finished there, all of them as it wrote them."""
    try:
        with closing(Shard(path)) as shard:
            for start in range(0, len(shard), _BLOCK):
                shard.read(start, min(_BLOCK, len(shard) - start))
            return len(shard) if shard.checked and shard.shape[1] == dimension else 0
    except CorruptIndexError:
        return 0


def _blocks_of(count: int, blocks: Sequence[Ints]) -> int:
    """How many of the first blocks have `count` rows together; none if it does not come out."""
    ends = np.cumsum([len(block) for block in blocks])
    return int(np.searchsorted(ends, count)) + 1 if count in ends else 0
