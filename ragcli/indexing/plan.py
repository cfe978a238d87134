"""What an index would take before it is built: RAM, disk, time and recall of each type.

A few passages are embedded to learn how fast this machine is, and a small index of each type is
built twice, at two sizes, from vectors drawn around theirs. What is known exactly, the bytes, is
computed; times and recall are scaled up from what was measured.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.core.chunking import content_digest
from ragcli.indexing.recall import RECALL_K, recall
from ragcli.records import Passage
from ragcli.settings import Indexing
from ragcli.store.index_types import INDEX_TYPES

if TYPE_CHECKING:
    from ragcli.protocols import Encoder, Floats

SAMPLE = 128
"""Passages embedded to measure the encoder."""
_SIZES = (1024, 4096)
_QUESTIONS = 64
_SPREAD = 0.8
_PROCESS_BYTES = 150_000_000
_ROW_BYTES = 16
_PLACE_BYTES = 24


@dataclass(frozen=True, slots=True)
class TypePlan:
    """One type: its bytes in RAM and on disk, seconds to build it all, and the recall expected."""

    type: str
    factory: str
    ram: int
    disk: int
    seconds: float
    recall: float


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """`passages_per_second` is what the encoder did on this machine just now."""

    passages: int
    passage_bytes: float
    passages_per_second: float
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
        text = " ".join(chance.choices(_WORDS, k=words))
        digest = content_digest("", text)
        passages.append(Passage(f"{number}#0", str(number), "", text, digest, "", 1, 0, words))
    return Sampled(count, tuple(passages))


_WORDS = (
    "the of and to in a is that for it as was with be by on not he his but at are this have from "
    "or had an they which one you were all her she there would their we him been has when who "
    "will no more if out so up said what its about than into them can only other time new some "
    "could these two may first then do any like my now over such our man me even most made after "
    "also did many off before must well back through years much where your way down should "
    "because long each just state those people too mister how little good world very year still "
    "see own work men day get here between life being under three never know same last another "
    "while us might great go come since against right came take used himself few house american "
    "use place during high without again home around small however found part school thought went"
).split()


def plan_index(
    encoder: Encoder, sampled: Sampled, types: Sequence[str] | None = None, seed: int = 0
) -> IndexPlan:
    """Measure the sample and scale it to `sampled.count` passages, for every type by default."""
    import numpy as np

    passages = list(sampled.passages)
    encoder.encode_passages(passages[:8])  # the first pass is slower than those that follow
    start = time.perf_counter()
    embedded = encoder.encode_passages(passages, Indexing().batch_size)
    rate = len(passages) / max(time.perf_counter() - start, 1e-9)
    size = float(np.mean([_bytes(passage) for passage in passages]))
    vectors, questions = _around(embedded, seed)
    planned = []
    for type in types or INDEX_TYPES.names():
        measured = [_measure(vectors[:n], questions, type, seed) for n in _SIZES]
        planned.append(_scale(type, sampled.count, size, rate, embedded.shape[1], measured))
    return IndexPlan(sampled.count, size, rate, tuple(planned))


def _bytes(passage: Passage) -> int:
    """What a passage takes in its table, texts, digests and offsets together."""
    texts = (passage.id, passage.document_id, passage.title, passage.text, "{}")
    return sum(len(text.encode()) + 8 for text in texts) + 2 * 32 + 2 * 8


def _around(embedded: Floats, seed: int) -> tuple[Floats, Floats]:
    """Vectors and questions drawn around the embedded passages, of their lengths."""
    import numpy as np

    chance = np.random.default_rng(seed)
    count = max(_SIZES) + _QUESTIONS
    rows = embedded[chance.integers(0, len(embedded), count)]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    noise = chance.standard_normal(rows.shape) * (_SPREAD / math.sqrt(rows.shape[1]))
    drawn = rows + noise * lengths
    drawn *= lengths / np.linalg.norm(drawn, axis=1, keepdims=True)
    drawn = drawn.astype(np.float32)
    return drawn[:-_QUESTIONS], drawn[-_QUESTIONS:]


@dataclass(frozen=True, slots=True)
class _Measured:
    count: int
    seconds: float
    recall: float


def _measure(vectors: Floats, questions: Floats, type: str, seed: int) -> _Measured:
    from ragcli.store.vectors import build_faiss, faiss_factory, open_faiss

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.faiss"
        factory = faiss_factory(type, *vectors.shape)
        start = time.perf_counter()
        build_faiss(vectors, factory, seed, path)
        seconds = time.perf_counter() - start
        found = recall(vectors, open_faiss(path), questions, RECALL_K)
    return _Measured(len(vectors), seconds, found)


def _scale(
    type: str,
    count: int,
    passage_bytes: float,
    rate: float,
    dimension: int,
    measured: Sequence[_Measured],
) -> TypePlan:
    from ragcli.store.vectors import faiss_bytes, faiss_factory

    factory = faiss_factory(type, count, dimension)
    file = faiss_bytes(factory, count, dimension)
    tables = count * (4 * dimension + passage_bytes + _ROW_BYTES + _PLACE_BYTES)
    small, large = measured
    seconds = large.seconds * _work(type, count, dimension) / _work(type, large.count, dimension)
    doublings = math.log2(max(count, large.count) / large.count)
    slope = (large.recall - small.recall) / math.log2(large.count / small.count)
    return TypePlan(
        type=type,
        factory=factory,
        ram=int(file + count * _ROW_BYTES + _PROCESS_BYTES),
        disk=int(file + tables),
        seconds=count / rate + seconds,
        recall=min(1.0, max(0.0, large.recall + min(0.0, slope) * doublings)),
    )


def _work(type: str, count: int, dimension: int) -> float:
    """How the time to make a FAISS file grows: an insertion into a graph costs log n, one into
    lists a comparison with each list, after these were learnt."""
    from ragcli.store.vectors import TRAINING_ROWS, faiss_factory

    if type == "hnsw":
        return count * math.log(count + 1)
    if type in ("ivf", "pq"):
        factory = faiss_factory(type, count, dimension)
        lists = int(factory[3:].split(",")[0]) if factory.startswith("IVF") else 0
        learnt = min(count, TRAINING_ROWS, 64 * max(lists, 1))
        codes = 256 if type == "pq" else 0
        return (10 * learnt + count) * lists + (10 * min(count, 64 * 256) + count) * codes
    return count
