"""An update beside a build from nothing: 10,000 documents of which 1 % changed.

    python benchmarks/update.py [--documents 10000] [--changed 0.01] [--words 60] [--quick]

Both use the embedded encoder in one process. Prints the passages that went through the encoder, CPU
and wall seconds, the space that the new version takes for itself, and whether both hold the same
passages and vectors.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from common import SAMPLE, options

from ragcli import Store, build_index, load_encoder, update_index
from ragcli.indexing.build import BuildReport
from ragcli.store.history import own_bytes


def vocabulary() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted((SAMPLE / "2018").rglob("*.md"))]
    return sorted({word for text in texts for word in text.split()})


def write(path: Path, documents: list[str]) -> None:
    with open(path, "w", encoding="utf-8") as stream:
        for number, text in enumerate(documents):
            stream.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")


def timed(work: Callable[[], BuildReport]) -> tuple[BuildReport, float, float]:
    wall, cpu = time.monotonic(), time.process_time()
    report = work()
    return report, time.process_time() - cpu, time.monotonic() - wall


def main() -> None:
    chosen = options(__doc__, documents=(10_000, 20), changed=(0.01, 0.1), words=(60, 20))
    chance, words = random.Random(0), vocabulary()
    documents = [" ".join(chance.choices(words, k=chosen.words)) for _ in range(chosen.documents)]
    encoder = load_encoder()
    with tempfile.TemporaryDirectory() as folder:
        path, store = Path(folder) / "corpus.jsonl", Store(Path(folder) / "store")
        write(path, documents)
        build_index(store, encoder, [str(path)], version="old")
        for number in chance.sample(range(len(documents)), round(chosen.changed * len(documents))):
            documents[number] = " ".join(chance.choices(words, k=chosen.words))
        write(path, documents)
        update, *update_seconds = timed(
            lambda: update_index(store, encoder, [str(path)], "@old", version="new")
        )
        full, *full_seconds = timed(
            lambda: build_index(store, encoder, [str(path)], name="other", version="whole")
        )
        own = own_bytes([store.versions_folder("default") / "new"])
        faiss = update.manifest.files["index.faiss"].bytes
        with store.open("@new") as one, store.open("other") as two:
            same = list(one.passages) == list(two.passages)
            apart = float(np.abs(one.embeddings[:] - two.embeddings[:]).max())
    for name, report, (cpu, wall) in (
        ("update", update, update_seconds),
        ("build", full, full_seconds),
    ):
        print(f"{name:8}{report.embedded:8,} embedded{cpu:10.1f} CPU s{wall:10.1f} s")
    print(f"encoder passes: {update.embedded / full.embedded:.2%} (goal at most 5 %)")
    print(f"time: {update_seconds[0] / full_seconds[0]:.2%} CPU, ", end="")
    print(f"{update_seconds[1] / full_seconds[1]:.2%} on the wall (goal at most 15 %)")
    print(f"space: {own / 1e6:.1f} MB, of which FAISS {faiss / 1e6:.1f} MB; ", end="")
    print(f"the whole version {update.manifest.bytes / 1e6:.1f} MB")
    print(f"same passages: {same}; vectors at most {apart:.1e} apart (goal 1e-6)")


if __name__ == "__main__":
    main()
