"""Passages in Arrow files, memory-mapped: any row is read without loading the others.

A passage's origin in the corpus, its source and line, stands in a file of its own: a corpus that
was moved, or a line that was inserted, changes that file and none of the passages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorruptIndexError
from ragcli.records import Passage
from ragcli.store.embeddings import Rows, open_rows

BATCH_ROWS = 1024
_ROWS_KEY = b"ragcli.batch_rows"

Digests = NDArray[np.void]
"""sha256 digests, one a row, as 32 raw bytes."""


def _schema() -> Any:
    import pyarrow as pa

    text = pa.large_string()
    return pa.schema(
        [
            ("id", text),
            ("document_id", text),
            ("title", text),
            ("text", text),
            ("digest", pa.binary(32)),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("metadata", text),
            ("record", pa.binary(32)),
        ],
        metadata={_ROWS_KEY: str(BATCH_ROWS)},
    )


def _origins_schema() -> Any:
    import pyarrow as pa

    fields = [("source", pa.large_string()), ("line", pa.int64())]
    return pa.schema(fields, metadata={_ROWS_KEY: str(BATCH_ROWS)})


class Outline(NamedTuple):
    """What a row says without its text; `metadata` is JSON."""

    id: str
    document_id: str
    title: str
    digest: bytes
    metadata: str


def record_digest(passage: Passage) -> bytes:
    """sha256 over all but a passage's origin: rows with the same one can be stored once."""
    return hashlib.sha256(json.dumps(list(_fields(passage).values())).encode()).digest()


def _fields(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "title": passage.title,
        "text": passage.text,
        "digest": passage.digest,
        "start": passage.start,
        "end": passage.end,
        "metadata": json.dumps(dict(passage.metadata), ensure_ascii=False),
    }


class _Writer:
    """Writes rows one by one; memory holds one batch of them."""

    def __init__(self, path: Path, schema: Any, compression: str | None = None) -> None:
        import pyarrow as pa

        self._schema = schema
        self._rows: list[dict[str, Any]] = []
        self._file = pa.OSFile(str(path), "wb")
        options = pa.ipc.IpcWriteOptions(compression=compression)
        self._writer = pa.ipc.new_file(self._file, schema, options=options)
        self.count = 0

    def _add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self.count += 1
        if len(self._rows) == BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()

    def close(self, whole: bool = True) -> None:
        """Finish the file, or with `whole=False` let go of it as it is."""
        try:
            if whole:
                self._flush()
                self._writer.close()
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.close(whole=kind is None)


class PassageWriter(_Writer):
    """Writes a shard of passages."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, _schema())

    def add(self, passage: Passage, record: bytes | None = None) -> None:
        """Write a passage; `record` is its `record_digest`, where the caller has it already."""
        row = _fields(passage)
        row["digest"] = bytes.fromhex(passage.digest)
        row["record"] = record or record_digest(passage)
        self._add(row)


class OriginWriter(_Writer):
    """Writes the origins of passages, in the order of their rows."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, _origins_schema(), compression="zstd")

    def add(self, passage: Passage) -> None:
        self._add({"source": passage.source, "line": passage.line})


class _Shard:
    """One Arrow file, by position; every batch but the last has the same size."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        self._lock = Lock()  # Arrow does not promise that threads can share a reader
        try:
            self._file = pa.memory_map(str(path))
            self._reader = pa.ipc.open_file(self._file)
            self._batch_rows = int(self._reader.schema.metadata[_ROWS_KEY])
            if self._batch_rows < 1:
                raise ValueError(f"batches of {self._batch_rows} rows")
            batches = self._reader.num_record_batches
            last = self._reader.get_batch(batches - 1).num_rows if batches else 0
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            raise self._damaged(error) from None
        self.count: int = max(0, batches - 1) * self._batch_rows + last

    def _damaged(self, error: BaseException) -> CorruptIndexError:
        return CorruptIndexError(
            f"{self._path}: passages that cannot be read: {error}", hint="build this version again"
        )

    def _batch(self, number: int) -> Any:
        with self._lock:
            return self._reader.get_batch(number)

    def read(self, start: int, count: int, columns: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Up to `count` rows from `start`, as far as its batch goes.

        The rows are validated first: altered bytes must give an error, not a crash in Arrow.
        """
        import pyarrow as pa

        number, offset = divmod(start, self._batch_rows)
        try:
            rows = self._batch(number).slice(offset, count)
            if not len(rows):
                raise ValueError(f"no row {start}")
            if columns:
                rows = rows.select(list(columns))
            rows.validate(full=True)
            return rows.to_pylist()  # type: ignore[no-any-return]
        except (OSError, pa.ArrowException, ValueError, TypeError, KeyError) as error:
            raise self._damaged(error) from None

    def digests(self, column: str) -> Digests:
        """A column of digests."""
        import pyarrow as pa

        try:
            parts = []
            for number in range(self._reader.num_record_batches):
                batch = self._batch(number).column(column)
                batch.validate(full=True)
                parts.append(np.frombuffer(batch.buffers()[1], "V32")[: len(batch)])
            return np.concatenate([np.empty(0, "V32"), *parts])
        except (OSError, pa.ArrowException, ValueError, TypeError, KeyError) as error:
            raise self._damaged(error) from None

    def close(self) -> None:
        self._reader = None  # what it has mapped would keep the file open
        self._file.close()


class Passages:
    """The passages of an index version, by row; several threads may read at once.

    `rows`, or the file at that path, says where each row stands in the shards laid end to end; None
    where they are the rows.
    """

    def __init__(
        self, paths: Sequence[Path], origins: Path, rows: Rows | Path | None = None
    ) -> None:
        self._shards = [_Shard(path) for path in paths]
        self._origins = _Shard(origins)
        self.sizes = [shard.count for shard in self._shards]
        self._ends = np.cumsum(self.sizes, dtype=np.int64)
        total = sum(self.sizes)
        if rows is None:
            rows = np.arange(total)
        self.rows: Rows = open_rows(rows, total) if isinstance(rows, Path) else rows
        if self._origins.count != len(self.rows):
            raise CorruptIndexError(
                f"{origins} holds {self._origins.count} origins for {len(self.rows)} passages"
            )

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> Passage:
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} passages")
        return self._block(row, row + 1)[0]

    def take(self, rows: Sequence[int]) -> list[Passage]:
        """The passages of `rows`, in that order."""
        return [self[int(row)] for row in rows]

    def __iter__(self) -> Iterator[Passage]:
        for block in self.blocks():
            yield from block

    def blocks(self, size: int = BATCH_ROWS) -> Iterator[list[Passage]]:
        """All passages in order, in lists of `size` (the last may be shorter)."""
        for start in range(0, len(self), size):
            yield self._block(start, min(start + size, len(self)))

    def _block(self, start: int, end: int) -> list[Passage]:
        origins: list[dict[str, Any]] = []
        while start + len(origins) < end:
            origins += self._origins.read(start + len(origins), end - start - len(origins))
        rows = self._read(self.rows[start:end])
        return [_passage(row, origin) for row, origin in zip(rows, origins, strict=True)]

    def at(self, positions: Rows) -> Iterator[Passage]:
        """The passages at positions in the shards laid end to end, without their origins."""
        return (_passage(row, _NO_ORIGIN) for row in self._read(positions))

    def outlines(self) -> Iterator[Outline]:
        """All rows in order without their texts."""
        for start in range(0, len(self), BATCH_ROWS):
            for row in self._read(self.rows[start : start + BATCH_ROWS], Outline._fields):
                yield Outline(**row)

    def digests(self, column: str = "digest") -> Digests:
        """The `digest` or the `record` digest of every position in the shards."""
        return np.concatenate([shard.digests(column) for shard in self._shards])

    def _read(self, positions: Rows, columns: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Rows at `positions`; those that follow each other are read together."""
        breaks = np.flatnonzero(np.diff(positions) != 1) + 1
        for run in np.split(positions, breaks):
            start, left = int(run[0]) if len(run) else 0, len(run)
            while left:
                shard = int(np.searchsorted(self._ends, start, side="right"))
                offset = start - int(self._ends[shard]) + self.sizes[shard]
                rows = self._shards[shard].read(offset, left, columns)
                yield from rows
                start, left = start + len(rows), left - len(rows)

    def close(self) -> None:
        for shard in (*self._shards, self._origins):
            shard.close()


_NO_ORIGIN: dict[str, Any] = {"source": "", "line": 0}


def _passage(row: dict[str, Any], origin: dict[str, Any]) -> Passage:
    del row["record"]
    metadata = json.loads(row.pop("metadata"))
    return Passage(digest=row.pop("digest").hex(), metadata=metadata, **row, **origin)
