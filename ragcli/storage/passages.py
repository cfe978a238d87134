"""Passages in an Arrow file, memory-mapped: any row is read without loading the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ragcli.errors import CorruptIndexError
from ragcli.records import Passage

BATCH_ROWS = 1024
_ROWS_KEY = b"ragcli.batch_rows"


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
            ("source", text),
            ("line", pa.int64()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("metadata", text),
        ],
        metadata={_ROWS_KEY: str(BATCH_ROWS)},
    )


class PassageWriter:
    """Writes passages one by one; memory holds one batch of them."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._schema = _schema()
        self._rows: list[dict[str, Any]] = []
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._file, self._schema)
        self.count = 0

    def add(self, passage: Passage) -> None:
        self._rows.append(
            {
                "id": passage.id,
                "document_id": passage.document_id,
                "title": passage.title,
                "text": passage.text,
                "digest": bytes.fromhex(passage.digest),
                "source": passage.source,
                "line": passage.line,
                "start": passage.start,
                "end": passage.end,
                "metadata": json.dumps(dict(passage.metadata), ensure_ascii=False),
            }
        )
        self.count += 1
        if len(self._rows) == BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._flush()
                self._writer.close()
        finally:
            self._file.close()


class PassageStore:
    """The passages of an index version, by row; every batch but the last has the same size."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        try:
            self._file = pa.memory_map(str(path))
            self._reader = pa.ipc.open_file(self._file)
            self._batch_rows = int(self._reader.schema.metadata[_ROWS_KEY])
            batches = self._reader.num_record_batches
            last = self._reader.get_batch(batches - 1).num_rows if batches else 0
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            raise self._damaged(error) from None
        self._count: int = max(0, batches - 1) * self._batch_rows + last

    def _damaged(self, error: BaseException) -> CorruptIndexError:
        return CorruptIndexError(
            f"{self._path}: passages that cannot be read: {error}", hint="build this version again"
        )

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> Passage:
        if not 0 <= row < self._count:
            raise IndexError(f"row {row} of {self._count} passages")
        return self._rows(row, 1)[0]

    def take(self, rows: Sequence[int]) -> list[Passage]:
        """The passages of `rows`, in that order."""
        return [self[int(row)] for row in rows]

    def __iter__(self) -> Iterator[Passage]:
        for block in self.blocks():
            yield from block

    def blocks(self, size: int = BATCH_ROWS) -> Iterator[list[Passage]]:
        """All passages in order, in lists of `size` (the last may be shorter)."""
        for start in range(0, self._count, size):
            end = min(start + size, self._count)
            block: list[Passage] = []
            while start < end:
                taken = self._rows(start, end - start)
                block += taken
                start += len(taken)
            yield block

    def _rows(self, start: int, count: int) -> list[Passage]:
        """Up to `count` passages from row `start`, as far as its batch goes.

        The rows are validated first: altered bytes must give an error, not a crash in Arrow.
        """
        import pyarrow as pa

        number, offset = divmod(start, self._batch_rows)
        try:
            rows = self._reader.get_batch(number).slice(offset, count)
            rows.validate(full=True)
            return [_passage(row) for row in rows.to_pylist()]
        except (OSError, pa.ArrowException, ValueError, TypeError) as error:
            raise self._damaged(error) from None

    def close(self) -> None:
        self._file.close()


def _passage(row: dict[str, Any]) -> Passage:
    metadata = json.loads(row.pop("metadata"))
    return Passage(digest=row.pop("digest").hex(), metadata=metadata, **row)
