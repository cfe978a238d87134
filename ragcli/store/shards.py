"""Tables in shards: files that versions share, and a list of where each row of a version stands.

The embeddings d(z) are such a table, of float32 rows; passages.py has the other. A shard of them is
an npy file with the CRC-32 of each row behind its end, where other readers do not look.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np

from ragcli.errors import CorruptIndexError, StoreError
from ragcli.protocols import Floats, Ints
from ragcli.store.files import replacing, unreadable


def _write_header(stream: IO[bytes], dtype: str, shape: tuple[int, ...]) -> None:
    header = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)


def write_rows(path: Path, rows: Ints) -> None:
    """Write where each row stands in the shards."""
    with open(path, "wb") as stream:
        _write_header(stream, "<i8", rows.shape)
        stream.write(np.ascontiguousarray(rows, dtype="<i8").data)


def _open_rows(path: Path, total: int) -> Ints:
    """Where each row stands in shards of `total` rows, memory-mapped and checked."""
    try:
        rows: Ints = np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # a damaged header can raise anything
        raise unreadable(path, error, "rows that cannot be read") from None
    if rows.ndim != 1 or rows.dtype != np.dtype("<i8"):
        raise CorruptIndexError(f"{path}: {rows.dtype} of shape {rows.shape}, not rows")
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < total:
        raise CorruptIndexError(f"{path}: a row outside of the {total} in the shards")
    return rows


class Table:
    """Shards laid end to end, and where in them the rows of a version stand.

    `rows[i]`, also in the file at that path, is the position of row i; None where they are the
    rows. Several threads may read at once.
    """

    def __init__(self, shards: Sequence[Any], rows: Ints | Path | None = None) -> None:
        self._shards = shards
        self.sizes = [len(shard) for shard in shards]
        self._ends = np.cumsum(self.sizes, dtype=np.int64)
        total = sum(self.sizes)
        if rows is None:
            rows = np.arange(total)
        self.rows: Ints = _open_rows(rows, total) if isinstance(rows, Path) else rows

    def __len__(self) -> int:
        return len(self.rows)

    def runs(self, positions: Ints) -> Iterator[tuple[Any, int, int]]:
        """Positions that follow each other in a shard: the shard, the first row, how many."""
        shards = np.searchsorted(self._ends, positions, side="right")
        new = (np.diff(positions, prepend=-2) != 1) | (np.diff(shards, prepend=-1) != 0)
        firsts = np.flatnonzero(new)
        for first, count in zip(firsts, np.diff(firsts, append=len(positions)), strict=True):
            shard = int(shards[first])
            start = int(positions[first]) - int(self._ends[shard]) + self.sizes[shard]
            yield self._shards[shard], start, int(count)

    def close(self) -> None:
        """Let go of the files."""
        for shard in self._shards:
            shard.close()


def write_shard(path: Path, shape: tuple[int, int], blocks: Iterable[Floats]) -> None:
    """Write embeddings (count, dimension) block by block; they are at `path` once all are written.

    Plain writes rather than a writable memory map: on a full disk a write raises an error, where
    a mapped page would end the process.
    """
    written = 0
    sums = []
    with replacing(path) as stream:
        _write_header(stream, "<f4", shape)
        for block in blocks:
            written += len(block)
            if block.shape[1:] != shape[1:] or written > shape[0]:
                raise ValueError(f"a block of shape {block.shape} in embeddings of {shape}")
            plain = np.ascontiguousarray(block, dtype="<f4")
            stream.write(plain.data)
            sums.append(_sums(plain))
        if written != shape[0]:
            raise ValueError(f"{written} of {shape[0]} embeddings were written")
        for part in sums:
            stream.write(part.data)


def _sums(rows: Floats) -> Ints:
    """The CRC-32 of each row, which no altered byte of it leaves as it is."""
    return np.array([zlib.crc32(row) for row in rows], "<u4")


class Shard:
    """One file of embeddings (count, dimension), open for reading.

    Rows are read, not mapped: memory holds what was asked for and no page beside it, and a file cut
    short gives an error where a mapped page would end the process. Each is held against its CRC-32,
    which shards of release 0.1.0 do not have: those are not `checked`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115 (open as long as the shard)
            np.lib.format.read_magic(self._file)
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(self._file)
            self._offset = self._file.tell()
            size = os.fstat(self._file.fileno()).st_size - self._offset
        except Exception as error:  # a damaged header can raise anything
            raise self._unreadable(error) from None
        if len(shape) != 2 or dtype != np.dtype("<f4") or fortran:
            raise CorruptIndexError(f"{path}: {dtype} of shape {shape}, not embeddings")
        self.shape: tuple[int, int] = shape
        self._end = self._offset + 4 * shape[0] * shape[1]
        self.checked = size == 4 * shape[0] * (shape[1] + 1)
        if not self.checked and size != 4 * shape[0] * shape[1]:
            raise self._unreadable(EOFError("they are cut short"))

    def _unreadable(self, error: Exception) -> StoreError:
        return unreadable(self._path, error, "embeddings that cannot be read")

    def __len__(self) -> int:
        return self.shape[0]

    def read(self, start: int, count: int) -> Floats:
        """`count` rows from `start`."""
        width = 4 * self.shape[1]
        data = self._all(self._offset + start * width, count * width)
        rows = np.frombuffer(data, "<f4").reshape(count, self.shape[1])
        if self.checked:
            sums = np.frombuffer(self._all(self._end + 4 * start, 4 * count), "<u4")
            if not np.array_equal(_sums(rows), sums):
                raise self._unreadable(ValueError("a vector is not the one that was written"))
        return rows

    def _all(self, at: int, count: int) -> bytearray:
        data = bytearray()
        try:
            while len(data) < count:  # the system reads at most 2 GB at once
                part = self._bytes(at + len(data), count - len(data))
                if not part:
                    raise EOFError("they are cut short")
                data += part
        except (OSError, EOFError) as error:
            raise self._unreadable(error) from None
        return data

    def _bytes(self, at: int, count: int) -> bytes | None:
        """Up to `count` bytes at a position, whatever other threads read."""
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), count, at)
        with self._lock:  # Windows has nothing that seeks and reads in one
            self._file.seek(at)
            return self._file.read(count)

    def close(self) -> None:
        self._file.close()


class Embeddings(Table):
    """The embeddings of an index version in the order of its rows, read like an array."""

    def __init__(self, paths: Sequence[Path], rows: Ints | Path | None = None) -> None:
        super().__init__([Shard(path) for path in paths], rows)
        dimensions = {shard.shape[1] for shard in self._shards}
        if len(dimensions) > 1:
            raise CorruptIndexError(f"{paths[0].parent}: embeddings of several dimensions")
        self.shape = (len(self), *dimensions)

    def __getitem__(self, rows: Any) -> Floats:
        """The embeddings of a row (dimension,), of a slice or of rows (…, dimension)."""
        return self.at(np.asarray(self.rows[rows]))

    def at(self, positions: Ints) -> Floats:
        """The embeddings at positions in the shards laid end to end."""
        flat = positions.reshape(-1)
        found = np.empty((len(flat), self.shape[1]), dtype=np.float32)
        order = np.argsort(flat, kind="stable")  # rows that follow each other are read together
        done = 0
        for shard, start, count in self.runs(flat[order]):
            found[order[done : done + count]] = shard.read(start, count)
            done += count
        return found.reshape(*positions.shape, self.shape[1])
