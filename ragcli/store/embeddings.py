"""The stored embeddings d(z): shards of float32 rows that versions can share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError
from ragcli.store.files import replacing

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

SMALLEST_SHARD = 4096
_MOST_SHARDS = 128


def shard_rows(count: int) -> int:
    """How many of `count` embeddings lie in one shard.

    4,096, or twice that, and so on, so that there are never more than 128 shards: a reader keeps
    all of them open.
    """
    rows = SMALLEST_SHARD
    while rows * _MOST_SHARDS < count:
        rows *= 2
    return rows


class EmbeddingWriter:
    """Writes a shard block by block; `writing_shard` makes one.

    Plain writes rather than a writable memory map: on a full disk a write raises an error, where
    a mapped page would end the process.
    """

    def __init__(self, stream: IO[bytes], count: int, dimension: int) -> None:
        self._stream = stream
        self._shape = (count, dimension)
        self.written = 0
        header = {"descr": "<f4", "fortran_order": False, "shape": self._shape}
        np.lib.format.write_array_header_1_0(stream, header)

    def add(self, block: Floats) -> None:
        if block.shape[1:] != self._shape[1:] or self.written + len(block) > self._shape[0]:
            raise ValueError(f"a block of shape {block.shape} in embeddings of {self._shape}")
        self._stream.write(np.ascontiguousarray(block, dtype="<f4").data)
        self.written += len(block)


@contextmanager
def writing_shard(path: Path, count: int, dimension: int) -> Iterator[EmbeddingWriter]:
    """A writer for `count` embeddings; the shard is at `path` once all of them are written."""
    with replacing(path) as stream:
        yield (writer := EmbeddingWriter(stream, count, dimension))
        if writer.written != count:
            raise ValueError(f"{writer.written} of {count} embeddings were written")


class Shard:
    """One file of embeddings (count, dimension), open for reading.

    Rows are read, not mapped: memory holds what was asked for and no page beside it, and a file cut
    short gives an error where a mapped page would end the process.
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
        except (OSError, ValueError, EOFError, SyntaxError) as error:
            raise _unreadable(path, "embeddings", error) from None
        if len(shape) != 2 or dtype != np.dtype("<f4") or fortran:
            raise CorruptIndexError(f"{path}: {dtype} of shape {shape}, not embeddings")
        if size != 4 * shape[0] * shape[1]:
            raise _unreadable(path, "embeddings", "they are cut short")
        self.shape: tuple[int, int] = shape

    def __len__(self) -> int:
        return self.shape[0]

    def read(self, start: int, count: int) -> Floats:
        """`count` rows from `start`."""
        width = 4 * self.shape[1]
        data = bytearray()
        try:
            while len(data) < count * width:  # the system reads at most 2 GB at once
                at = self._offset + start * width + len(data)
                part = self._bytes(at, count * width - len(data))
                if not part:
                    raise EOFError("they are cut short")
                data += part
        except (OSError, EOFError) as error:
            raise _unreadable(self._path, "embeddings", error) from None
        return np.frombuffer(data, "<f4").reshape(count, self.shape[1])

    def _bytes(self, at: int, count: int) -> bytes | None:
        """Up to `count` bytes at a position, whatever other threads read."""
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), count, at)
        with self._lock:  # Windows has nothing that seeks and reads in one
            self._file.seek(at)
            return self._file.read(count)

    def close(self) -> None:
        self._file.close()


def _unreadable(path: Path, what: str, error: object) -> CorruptIndexError:
    return CorruptIndexError(
        f"{path}: {what} that cannot be read: {error}", hint="build this version again"
    )


def write_rows(path: Path, rows: Rows) -> None:
    """Write where each row stands in the shards."""
    with open(path, "wb") as stream:
        header = {"descr": "<i8", "fortran_order": False, "shape": rows.shape}
        np.lib.format.write_array_header_1_0(stream, header)
        stream.write(np.ascontiguousarray(rows, dtype="<i8").data)


def open_rows(path: Path, total: int) -> Rows:
    """Where each row stands in shards of `total` rows, memory-mapped and checked."""
    try:
        rows: Rows = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise _unreadable(path, "rows", error) from None
    if rows.ndim != 1 or rows.dtype != np.dtype("<i8"):
        raise CorruptIndexError(f"{path}: {rows.dtype} of shape {rows.shape}, not rows")
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < total:
        raise CorruptIndexError(f"{path}: a row outside of the {total} in the shards")
    return rows


class Embeddings:
    """The embeddings of an index version in the order of its rows, read like an array.

    Several threads may read at once.
    `rows[i]` is where row i stands in the shards laid end to end; None where they are the rows.
    """

    dtype = np.dtype("<f4")

    def __init__(self, shards: Sequence[Shard], rows: Rows | None = None) -> None:
        self.shards = list(shards)
        self.sizes = [len(shard) for shard in shards]
        self._ends = np.cumsum(self.sizes, dtype=np.int64)
        self.rows: Rows = np.arange(sum(self.sizes)) if rows is None else rows
        self.shape = (len(self.rows), shards[0].shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Floats:
        """The embeddings of a row (dimension,), of a slice or of rows (…, dimension)."""
        return self.at(np.asarray(self.rows[rows]))

    def at(self, positions: Rows) -> Floats:
        """The embeddings at positions in the shards laid end to end."""
        flat = positions.reshape(-1)
        found = np.empty((len(flat), self.shape[1]), dtype=np.float32)
        order = np.argsort(flat, kind="stable")  # rows that follow each other are read together
        for run in np.split(order, np.flatnonzero(np.diff(flat[order]) != 1) + 1):
            self._copy(flat, run, found)
        return found.reshape(*positions.shape, self.shape[1])

    def _copy(self, flat: Rows, run: Rows, found: Floats) -> None:
        """Read the consecutive positions flat[run] into found[run]."""
        done = 0
        while done < len(run):
            position = int(flat[run[done]])
            number = int(np.searchsorted(self._ends, position, side="right"))
            start = position - int(self._ends[number]) + self.sizes[number]
            count = min(len(run) - done, self.sizes[number] - start)
            found[run[done : done + count]] = self.shards[number].read(start, count)
            done += count

    def close(self) -> None:
        for shard in self.shards:
            shard.close()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self[:], dtype=dtype)


Vectors = Floats | Embeddings
