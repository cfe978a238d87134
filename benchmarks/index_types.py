"""The index types side by side: build time, size, RAM, latency and recall@5 on synthetic vectors.

    python benchmarks/index_types.py [--vectors 1000000] [--types flat,pq,sq8,ivf,hnsw] [--quick]

The vectors are unit length and lie in clusters of about fifty, as passages about one thing do; the
questions are drawn around the same centres. Each type is built and then searched in a process of
its own with one thread, one question at a time, as `rag retrieve` searches: candidates from FAISS,
then exact scores from the stored embeddings. RAM is what the searching process holds at its end
(RSS, with the pages of the FAISS file it has mapped). Recall is against exact search. A line of
JSON for each type goes to stderr as soon as it is measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from common import options

from ragcli.store.shards import Embeddings, write_shard
from ragcli.store.vectors import (
    build_faiss,
    candidates_for,
    exact,
    faiss_factory,
    open_faiss,
    rank,
    search,
)

DIMENSION, CLUSTER, SPREAD, QUESTIONS, K, BLOCK = 384, 50, 0.8, 200, 5, 65_536
TYPES = "flat,pq,sq8,ivf,hnsw"


def draw(centres: np.ndarray, count: int, generator: np.random.Generator) -> np.ndarray:
    """`count` unit vectors around centres drawn at random."""
    rows = centres[generator.integers(0, len(centres), count)]
    noise = generator.standard_normal((count, DIMENSION), np.float32) * SPREAD / DIMENSION**0.5
    vectors = rows + noise
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def make(folder: Path, count: int) -> dict[str, object]:
    generator = np.random.default_rng(0)
    centres = generator.standard_normal((max(1, count // CLUSTER), DIMENSION), np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    sizes = (min(BLOCK, count - start) for start in range(0, count, BLOCK))
    blocks = (draw(centres, size, generator) for size in sizes)
    write_shard(folder / "embeddings.npy", (count, DIMENSION), blocks)
    questions = draw(centres, QUESTIONS, generator)
    np.save(folder / "questions.npy", questions)
    embeddings = opened(folder)
    scores, _ = exact(embeddings, questions, K)
    np.save(folder / "exact.npy", scores)
    return {"vectors": count}


def opened(folder: Path) -> Embeddings:
    return Embeddings([folder / "embeddings.npy"])


def memory() -> int:
    """What this process holds now, in kB."""
    return psutil.Process().memory_info().rss // 1024


def build(folder: Path, type: str) -> dict[str, object]:
    embeddings = opened(folder)
    factory = faiss_factory(type, *embeddings.shape)
    start, cpu = time.monotonic(), time.process_time()
    build_faiss(embeddings, factory, 0, folder / "index.faiss")
    return {
        "type": type,
        "factory": factory,
        "build_seconds": time.monotonic() - start,
        "build_cpu_seconds": time.process_time() - cpu,
        "bytes": (folder / "index.faiss").stat().st_size,
    }


def measure(folder: Path) -> dict[str, object]:
    import faiss

    faiss.omp_set_num_threads(1)
    before = memory()
    embeddings, index = opened(folder), open_faiss(folder / "index.faiss")
    questions, exact = np.load(folder / "questions.npy"), np.load(folder / "exact.npy")
    seconds, found = [], 0.0
    for question, best in zip(questions, exact, strict=True):
        start = time.process_time()
        _, rows = search(index, question[None], candidates_for(K, len(embeddings)))
        scores, _ = rank(embeddings, question[None], rows, K)
        seconds.append(time.process_time() - start)
        found += float((scores[0] >= best[-1] - 1e-6).mean())
    return {
        "ram_kb": memory(),
        "ram_without_index_kb": before,
        "milliseconds": 1000 * float(np.median(seconds)),
        "recall": found / len(questions),
    }


def in_process(step: str, *arguments: object) -> dict[str, object]:
    """One step in a process of its own, with one thread."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--step", step, *map(str, arguments)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def run_step(step: str, folder: str, *rest: str) -> dict[str, object]:
    if step == "make":
        return make(Path(folder), int(rest[0]))
    return build(Path(folder), rest[0]) if step == "build" else measure(Path(folder))


def table(results: list[dict[str, object]]) -> None:
    flat = next((r for r in results if r["type"] == "flat"), None)
    print("| type | FAISS | build, CPU s | file, MB | RAM, MB | of flat | ms | × flat | recall@5 |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for r in results:
        share = f"{100 * r['ram_kb'] / flat['ram_kb']:.0f} %" if flat else ""
        speed = f"{flat['milliseconds'] / r['milliseconds']:.1f}" if flat else ""
        print(
            f"| {r['type']} | {r['factory']} | {r['build_cpu_seconds']:.0f} "
            f"| {r['bytes'] / 1e6:,.0f} | {r['ram_kb'] / 1e3:,.0f} | {share} "
            f"| {r['milliseconds']:.2f} | {speed} | {r['recall']:.3f} |"
        )


def main() -> None:
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(run_step(*sys.argv[2:])))
        return
    chosen = options(__doc__, vectors=(1_000_000, 2_000), types=(TYPES, TYPES))
    results = []
    with tempfile.TemporaryDirectory() as folder:
        in_process("make", folder, chosen.vectors)
        for type in chosen.types.split(","):
            result = in_process("build", folder, type) | in_process("measure", folder)
            print(json.dumps(result), file=sys.stderr, flush=True)
            results.append(result)
    print(f"{chosen.vectors:,} vectors of {DIMENSION} dimensions, one thread\n")
    table(results)


if __name__ == "__main__":
    main()
