"""Passages and vectors of a version as one Parquet file, for other tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ragcli.store.files import replacing, writing
from ragcli.store.version import IndexVersion

_ROWS = 4096


def export_parquet(
    index: IndexVersion, path: Path, progress: Callable[[int], None] | None = None
) -> None:
    """One row a passage, in the order of the index; `embedding` is d(z), `metadata` JSON.

    The manifest stands in the file's own metadata under `ragcli.manifest`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, number = pa.large_string(), pa.int64()
    schema = pa.schema(
        [
            *(pa.field(name, text) for name in ("id", "document", "title", "text", "source")),
            *(pa.field(name, number) for name in ("line", "start", "end")),
            pa.field("digest", text),
            pa.field("metadata", text),
            pa.field("embedding", pa.list_(pa.float32(), index.manifest.dimension)),
        ],
        metadata={"ragcli.manifest": json.dumps(index.manifest.to_json())},
    )
    with (
        writing(path.absolute().parent),
        replacing(path) as stream,
        pq.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for number, block in enumerate(index.passages.blocks(_ROWS)):
            start = number * _ROWS
            vectors = index.embeddings[start : start + len(block)].reshape(-1)
            embedding = pa.FixedSizeListArray.from_arrays(
                pa.array(vectors, pa.float32()), index.manifest.dimension
            )
            columns = [
                [p.id for p in block],
                [p.document_id for p in block],
                [p.title for p in block],
                [p.text for p in block],
                [p.source for p in block],
                [p.line for p in block],
                [p.start for p in block],
                [p.end for p in block],
                [p.digest for p in block],
                [json.dumps(dict(p.metadata), ensure_ascii=False) for p in block],
                embedding,
            ]
            arrays = [
                column if column is embedding else pa.array(column, field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            if progress is not None:
                progress(len(block))
