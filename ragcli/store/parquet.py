"""Passages and vectors of a version as one Parquet file, for other tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

from ragcli.store.files import replacing, writing
from ragcli.store.version import IndexVersion

_ROWS = 4096
_TEXTS, _NUMBERS = ("title", "text", "source"), ("line", "start", "end")


def export_parquet(
    index: IndexVersion, path: Path, progress: Callable[[int], None] | None = None
) -> None:
    """One row a passage, in the order of the index; `embedding` is d(z), `metadata` JSON.

    The manifest stands in the file's own metadata under `ragcli.manifest`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("id", "document", *_TEXTS, *_NUMBERS, "digest", "metadata")
    types = dict.fromkeys(_NUMBERS, pa.int64())
    vector = pa.list_(pa.float32(), index.manifest.dimension)
    schema = pa.schema(
        [*((name, types.get(name, pa.large_string())) for name in names), ("embedding", vector)],
        metadata={"ragcli.manifest": json.dumps(index.manifest.to_json())},
    )
    with (
        writing(path.absolute().parent),
        replacing(path) as stream,
        pq.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for start, block in zip(count(0, _ROWS), index.passages.blocks(_ROWS), strict=False):
            columns = {
                "id": [p.id for p in block],
                "document": [p.document_id for p in block],
                "digest": [p.digest for p in block],
                "metadata": [json.dumps(dict(p.metadata), ensure_ascii=False) for p in block],
            }
            columns |= {name: [getattr(p, name) for p in block] for name in _TEXTS + _NUMBERS}
            vectors = pa.array(index.embeddings[start : start + len(block)].reshape(-1))
            columns["embedding"] = pa.FixedSizeListArray.from_arrays(vectors, type=vector)
            writer.write_table(pa.Table.from_pydict(columns, schema))
            if progress is not None:
                progress(len(block))
