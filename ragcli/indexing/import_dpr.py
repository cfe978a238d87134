"""DPR's passages and embeddings → an index version, without embedding anything again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.answering.belonging import check_encoder
from ragcli.core.chunking import passages
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import CorpusError, EncoderMismatchError
from ragcli.indexing.assemble import Assembled, BuildProgress, Plan, Silent, finish
from ragcli.indexing.build import BuildReport, check_type, report_of, require_passages
from ragcli.records import Passage
from ragcli.settings import Chunking, Indexing
from ragcli.store.store import DEFAULT_NAME, Store

if TYPE_CHECKING:
    from ragcli.protocols import Encoder
    from ragcli.store.build import BuildFolder
    from ragcli.store.embeddings import Embeddings
    from ragcli.store.passages import Passages

_WHOLE = Chunking(1_000_000)


def import_dpr(
    store: Store,
    encoder: Encoder,
    passages_file: str | os.PathLike[str],
    embedding_files: Paths,
    *,
    name: str = DEFAULT_NAME,
    version: str | None = None,
    indexing: Indexing = Indexing(),  # noqa: B008 (frozen)
    activate: bool = True,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Make a version of `psgs_w100.tsv` (id, text, title) and its embedding files.

    Each row is one passage, whatever its length. Every passage must have a vector and every vector
    a passage, and `encoder` must give the vectors of a few passages again.
    """
    require_passages(encoder)
    check_type(indexing, encoder.settings.dimension)
    start = time.monotonic()
    told = progress or Silent()
    source, files = os.fsdecode(passages_file), as_paths(embedding_files)
    from ragcli.store.passage_builder import PassageBuilder

    with store.build(name, version) as folder:
        told.phase("reading", None)
        table = PassageBuilder(folder, None)
        for passage in _rows(source, told):
            table.add(passage)
        written = table.finish()
        embeddings = _embeddings(folder, written, files, encoder.settings.dimension, told)
        plan = Plan(
            sources=(source, *files),
            chunking=Chunking(max(100, table.longest)),
            indexing=indexing,
            settings=encoder.settings,
            how="dpr",
            activate=activate,
        )
        manifest = finish(
            folder, plan, table, embeddings, told, lambda index: check_encoder(index, encoder)
        )
    return report_of(Assembled(manifest, 0), start, activate)


def _rows(path: str, progress: BuildProgress) -> Iterator[Passage]:
    for document in read_documents(path, format="tsv"):
        yield from passages(document, _WHOLE)
        progress.advance(1)


def _embeddings(
    folder: BuildFolder,
    written: Passages,
    files: Sequence[str],
    dimension: int,
    progress: BuildProgress,
) -> Embeddings:
    """One shard for each file, in its own order; the rows say which vector is whose."""
    import numpy as np

    from ragcli.indexing.dpr_vectors import read_dpr_embeddings
    from ragcli.store.embeddings import Embeddings, write_shard
    from ragcli.store.manifest import EMBEDDINGS, rows_name
    from ragcli.store.shards import write_rows

    progress.phase("vectors", len(written))
    positions: dict[str, int] = {}
    for file in files:
        ids, vectors = read_dpr_embeddings(Path(file))
        if vectors.shape[1] != dimension:
            raise EncoderMismatchError(
                f"{file}: vectors of {vectors.shape[1]} dimensions, the encoder has {dimension}"
            )
        for id in ids:
            if id in positions:
                raise CorpusError(f"a second vector for the passage {id!r}", file)
            positions[id] = len(positions)
        write_shard(folder.new_shard(EMBEDDINGS), vectors.shape, [vectors])
        progress.advance(len(ids))
    rows = np.empty(len(written), np.int64)
    for row, outline in enumerate(written.outlines()):
        position = positions.pop(outline.document_id, None)
        if position is None:
            raise CorpusError(f"no vector for the passage {outline.document_id!r}", files[0])
        rows[row] = position
    if positions:
        raise CorpusError(f"{len(positions)} vectors without a passage", files[0])
    write_rows(folder.path / rows_name(EMBEDDINGS), rows)
    return Embeddings(folder.shards(EMBEDDINGS), rows)
