"""What an index would take before it is built: RAM and disk of each type, and the time to embed.

Bytes are computed from the kind of FAISS index. How fast the encoder is on this machine is measured
on a few passages. How long FAISS takes and what it then finds depends on the vectors, so nothing is
said of it: a build measures its recall.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcli.core.chunking import content_digest
from ragcli.core.generation_metrics import FUNCTION_WORDS
from ragcli.protocols import Encoder
from ragcli.records import Passage
from ragcli.settings import Indexing
from ragcli.store.index_types import INDEX_TYPES
from ragcli.store.vectors import faiss_bytes, faiss_factory

SAMPLE = 128
"""Passages embedded to measure the encoder."""
_PROCESS_BYTES = 150_000_000
_ROW_BYTES = 16
_ORIGIN_BYTES = 24


@dataclass(frozen=True, slots=True)
class TypePlan:
    """One type: its FAISS factory string, and its bytes in RAM and on disk."""

    type: str
    factory: str
    ram: int
    disk: int


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """`passages_per_second` is what the encoder did on this machine just now.

    At that rate it takes `embedding_seconds` to embed all passages.
    """

    passages: int
    passage_bytes: float
    passages_per_second: float
    embedding_seconds: float
    types: tuple[TypePlan, ...]


@dataclass(frozen=True, slots=True)
class Sampled:
    """How many passages a corpus has, and some of them, each as likely as any other."""

    count: int
    passages: tuple[Passage, ...]


def sample_passages(passages: Iterable[Passage], seed: int = 0) -> Sampled:
    """Count passages and keep a fair sample of them, in one pass (reservoir sampling)."""
    chance = random.Random(seed)
    kept: list[Passage] = []
    count = 0
    for passage in passages:
        count += 1
        if len(kept) < SAMPLE:
            kept.append(passage)
        elif (at := chance.randrange(count)) < SAMPLE:
            kept[at] = passage
    return Sampled(count, tuple(kept))


def made_up(count: int, words: int = 100, seed: int = 0) -> Sampled:
    """Passages of everyday words, where there is no corpus to sample."""
    chance = random.Random(seed)
    passages = []
    for number in range(min(count, SAMPLE)):
        text = " ".join(chance.choices(sorted(FUNCTION_WORDS), k=words))
        digest = content_digest("", text)
        passages.append(Passage(f"{number}#0", str(number), "", text, digest, "", 1, 0, words))
    return Sampled(count, tuple(passages))


def plan_index(encoder: Encoder, sampled: Sampled, types: Sequence[str] = ()) -> IndexPlan:
    """Plan for `sampled.count` passages like those of the sample; all types by default."""
    passages = list(sampled.passages)
    encoder.encode_passages(passages[:8])  # the first pass is slower than those that follow
    start = time.perf_counter()
    encoder.encode_passages(passages, Indexing().batch_size)
    rate = len(passages) / max(time.perf_counter() - start, 1e-9)
    size = sum(map(_bytes, passages)) / len(passages)
    planned = tuple(
        _plan_type(type, sampled.count, size, encoder.settings.dimension)
        for type in types or INDEX_TYPES.names()
    )
    return IndexPlan(sampled.count, size, rate, sampled.count / rate, planned)


def _bytes(passage: Passage) -> int:
    """What a passage takes in its table, texts, digests and offsets together."""
    texts = (passage.id, passage.document_id, passage.title, passage.text, "{}")
    return sum(len(text.encode()) + 8 for text in texts) + 2 * 32 + 2 * 8


def _plan_type(type: str, count: int, passage_bytes: float, dimension: int) -> TypePlan:
    factory = faiss_factory(type, count, dimension)
    file = faiss_bytes(factory, count, dimension)
    tables = count * (4 * dimension + passage_bytes + _ROW_BYTES + _ORIGIN_BYTES)
    ram = file + count * _ROW_BYTES + _PROCESS_BYTES
    return TypePlan(type, factory, int(ram), int(file + tables))
