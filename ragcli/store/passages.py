"""Passages in Arrow files, memory-mapped: any row is read without loading the others.

A passage's origin in the corpus, its source, line and page, stands in a file of its own: a corpus
that was moved, or a line that was inserted, changes that file and none of the passages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError
from ragcli.protocols import Ints
from ragcli.records import Passage
from ragcli.store.shards import Table

BATCH_ROWS = 1024
_ROWS_KEY = b"ragcli.batch_rows"
_FIELDS = ("id", "document_id", "title", "text", "digest", "start", "end")
_LATER: dict[str, Any] = {"headings": "[]", "apart": 0, "page": 0}
"""Columns that files of release 0.1 do not have, and what is said there instead."""
_CONTENT = (*_FIELDS, "metadata", "headings", "apart")
PASSAGE = (*_CONTENT, "record")
ORIGIN = ("source", "line", "page")

Row = dict[str, Any]
"""What Arrow holds of a passage, by column."""
Digests = NDArray[np.void]
"""sha256 digests, one a row, as 32 raw bytes."""


class Outline(NamedTuple):
    """What a row says without its text; `metadata` is JSON."""

    document_id: str
    title: str
    digest: bytes
    metadata: str


def row_of(passage: Passage) -> Row:
    """What is stored of a passage; rows with the same `record` differ only in their origin."""
    row = {name: getattr(passage, name) for name in _FIELDS}
    row["metadata"] = json.dumps(dict(passage.metadata), ensure_ascii=False)
    later = {"headings": json.dumps(passage.headings, ensure_ascii=False), "apart": passage.apart}
    said = [value for name, value in later.items() if value != _LATER[name]]
    row["record"] = hashlib.sha256(json.dumps([*row.values(), *said]).encode()).digest()
    row["digest"] = bytes.fromhex(passage.digest)
    return row | later | {"source": passage.source, "line": passage.line, "page": passage.page or 0}


class Writer:
    """Writes columns of rows, one row at a time; memory holds one batch of them."""

    def __init__(self, path: Path, columns: Sequence[str], compression: str | None = None) -> None:
        import pyarrow as pa

        types = {"digest": pa.binary(32), "record": pa.binary(32)}
        types |= dict.fromkeys(("start", "end", "line", "page", "apart"), pa.int64())
        fields = [(name, types.get(name, pa.large_string())) for name in columns]
        self._schema = pa.schema(fields, metadata={_ROWS_KEY: str(BATCH_ROWS)})
        self._rows: list[Row] = []
        self._file = pa.OSFile(str(path), "wb")
        options = pa.ipc.IpcWriteOptions(compression=compression)
        self._writer = pa.ipc.new_file(self._file, self._schema, options=options)
        self.count = 0

    def add(self, row: Row) -> None:
        """Write a row, as `row_of` gives it."""
        self._rows.append(row)
        self.count += 1
        if len(self._rows) == BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            columns = [_column(f.type, [row[f.name] for row in self._rows]) for f in self._schema]
            self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))
            self._rows.clear()

    def close(self) -> None:
        """Finish the file, which cannot be opened before."""
        self._flush()
        self._writer.close()
        self._file.close()


def _column(kind: Any, values: Sequence[Any]) -> Any:
    """An Arrow array of these values; Arrow's own function for it would load pandas."""
    import pyarrow as pa

    if kind == pa.int64():
        buffers: list[Any] = [np.array(values, dtype=np.int64)]
    else:
        raw = [value.encode() if isinstance(value, str) else value for value in values]
        buffers = [b"".join(raw)]
        if kind == pa.large_string():
            buffers.insert(0, np.cumsum([0, *map(len, raw)], dtype=np.int64))
    return pa.Array.from_buffers(kind, len(values), [None, *map(pa.py_buffer, buffers)])


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        raise CorruptIndexError(f"{path}: passages that cannot be read: {error}") from None


class _Shard:
    """One Arrow file, by position; every batch but the last has the same size.

    What is read is validated first: altered bytes must give an error, not a crash in Arrow.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        self._lock = Lock()  # Arrow does not promise that threads can share a reader
        with _reading(path):
            self._file = pa.memory_map(str(path))
            self._reader = pa.ipc.open_file(self._file)
            self._batch_rows = int(self._reader.schema.metadata[_ROWS_KEY])
            missing = _LATER.keys() - self._reader.schema.names
            self._missing = {name: _LATER[name] for name in missing}
            if self._batch_rows < 1:
                raise ValueError(f"batches of {self._batch_rows} rows")
            batches = self._reader.num_record_batches
            last = self._reader.get_batch(batches - 1).num_rows if batches else 0
        self._count: int = max(0, batches - 1) * self._batch_rows + last

    def __len__(self) -> int:
        return self._count

    def _batch(self, number: int) -> Any:
        with self._lock:
            return self._reader.get_batch(number)

    def rows(self, start: int, count: int, columns: Sequence[str]) -> Iterator[Row]:
        """`count` rows from `start`, batch by batch."""
        there = [name for name in columns if name not in self._missing]
        missing = {name: self._missing[name] for name in columns if name in self._missing}
        while count:
            number, offset = divmod(start, self._batch_rows)
            with _reading(self._path):
                rows = self._batch(number).slice(offset, count).select(there)
                if not len(rows):
                    raise ValueError(f"no row {start}")
                rows.validate(full=True)
                found = rows.to_pylist()
            yield from (row | missing for row in found)
            start, count = start + len(found), count - len(found)

    def digests(self, column: str) -> Digests:
        """A column of digests."""
        parts = [np.empty(0, "V32")]
        with _reading(self._path):
            for number in range(self._reader.num_record_batches):
                batch = self._batch(number).column(column)
                batch.validate(full=True)
                parts.append(np.frombuffer(batch.buffers()[1], "V32")[: len(batch)])
        return np.concatenate(parts)

    def close(self) -> None:
        self._reader = None  # what it has mapped would keep the file open
        self._file.close()


class Passages(Table):
    """The passages of an index version, by row."""

    def __init__(
        self, paths: Sequence[Path], origins: Path, rows: Ints | Path | None = None
    ) -> None:
        super().__init__([_Shard(path) for path in paths], rows)
        self._origins = _Shard(origins)
        if (count := len(self._origins)) != len(self):
            raise CorruptIndexError(f"{origins} holds {count} origins for {len(self)} passages")

    def __getitem__(self, row: int) -> Passage:
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} passages")
        return self._block(row, 1)[0]

    def take(self, rows: Sequence[int]) -> list[Passage]:
        """The passages of `rows`, in that order."""
        return [self[int(row)] for row in rows]

    def __iter__(self) -> Iterator[Passage]:
        for block in self.blocks():
            yield from block

    def blocks(self, size: int = BATCH_ROWS) -> Iterator[list[Passage]]:
        """All passages in order, in lists of `size` (the last may be shorter)."""
        for start in range(0, len(self), size):
            yield self._block(start, min(size, len(self) - start))

    def _block(self, start: int, count: int) -> list[Passage]:
        rows = self._read(self.rows[start : start + count])
        origins = self._origins.rows(start, count, ORIGIN)
        return [_passage(row, origin) for row, origin in zip(rows, origins, strict=True)]

    def at(self, positions: Ints) -> Iterator[Passage]:
        """The passages at positions in the shards laid end to end, without their origins."""
        return (
            _passage(row, {"source": "", "line": 0, "page": 0}) for row in self._read(positions)
        )

    def outlines(self) -> Iterator[Outline]:
        """All rows in order without their texts."""
        for start in range(0, len(self), BATCH_ROWS):
            for row in self._read(self.rows[start : start + BATCH_ROWS], Outline._fields):
                yield Outline(**row)

    def digests(self, column: str = "digest") -> Digests:
        """The `digest` or the `record` digest of every position in the shards."""
        return np.concatenate([shard.digests(column) for shard in self._shards])

    def _read(self, positions: Ints, columns: Sequence[str] = _CONTENT) -> Iterator[Row]:
        """Rows at `positions`; those that follow each other are read together."""
        for shard, start, count in self.runs(positions):
            yield from shard.rows(start, count, columns)

    def close(self) -> None:
        super().close()
        self._origins.close()


def _passage(row: Row, origin: Row) -> Passage:
    row |= {name: json.loads(row[name]) for name in ("metadata", "headings")} | origin
    row |= {"headings": tuple(row["headings"]), "digest": row["digest"].hex()}
    return Passage(**row | {"page": row["page"] or None, "apart": bool(row["apart"])})
