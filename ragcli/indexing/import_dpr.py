"""DPR's passages and embeddings → an index version, without embedding anything again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragcli.answering.belonging import check_encoder
from ragcli.corpus.read import Paths, as_paths, read_documents
from ragcli.errors import CorpusError, EncoderMismatchError
from ragcli.indexing.assemble import Assembly, BuildProgress, BuildReport
from ragcli.indexing.build import begun, chunked
from ragcli.indexing.dpr_vectors import read_dpr_embeddings
from ragcli.indexing.roots import roots_of
from ragcli.protocols import Encoder
from ragcli.settings import Chunking, Indexing
from ragcli.store.manifest import EMBEDDINGS, Origin, rows_name
from ragcli.store.passages import Passages
from ragcli.store.shards import Embeddings, write_rows, write_shard
from ragcli.store.store import DEFAULT_NAME, Store
from ragcli.store.tables import PassageBuilder

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
    source, files = os.fsdecode(passages_file), as_paths(embedding_files)
    with begun(store, name, version, encoder, indexing, progress, activate) as begin:
        sources = (source, *files)
        whole = replace(begin, sources=sources, roots=roots_of(sources), chunking=_WHOLE)
        table = PassageBuilder(whole.folder, None)
        for passage in chunked(read_documents(source, format="tsv"), whole):
            table.add(passage)
        embeddings = _embeddings(whole, table.finish(), files)
        assembly = replace(whole, chunking=Chunking(max(100, table.longest)))
        return assembly.finish(
            table, embeddings, Origin("dpr"), check=lambda index: check_encoder(index, encoder)
        )


def _embeddings(assembly: Assembly, written: Passages, files: Sequence[str]) -> Embeddings:
    """One shard for each file, in its own order; the rows say which vector is whose."""
    folder, dimension = assembly.folder, assembly.settings.dimension
    assembly.progress.phase("vectors", len(written))
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
        assembly.progress.advance(len(ids))
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
