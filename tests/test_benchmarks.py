"""Every benchmark runs with `--quick`, so that no figure in the docs outlives its program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SAYS = {
    "agreement": [rf"general +1  {name} +0 " for name in ("thorough", "fast", "token")],
    "decoding": [
        # Ours reads each of the three passages once; theirs, once more for each hypothesis.
        r"theirs, RAG-Sequence +[\d.]+ +[\d.]+ +18 +63\n",
        r"torch, thorough +[\d.]+ +[\d.]+ +3 +33\n",
        r"onnx, thorough +[\d.]+ +[\d.]+ +3 +33\n",
        r"5 distinct hypotheses, 5 of them on both engines",
    ],
    "embedded": [r"embedded 29\.9 M", r"eight tokens, fast: .*: [\d.]+ of the other's time"],
    "engine": [rf"{name}: 0 of 2 answers differ" for name in ("thorough", "fast", "token")]
    + [r"answer recall@5: fp32 [\d.]+% of 382, int8", r"reading: \d+, \d+% of it"],
    "evaluation": [r"one by one .* 0 answers differ", r"--answers-only .* 0 answers differ"],
    "index_types": [rf"\| {t} \| .* \| 1\.000 \|" for t in ("flat", "pq", "sq8", "ivf", "hnsw")],
    "peers": ["not here: LlamaIndex, txtai", r"same top 5 +4 of 4 .* 4 of 4"],
    "pipeline": ["0 answers differ", "busy .*\nsame answers: True"],
    "startup": [r"rag --help: [\d.]+x the imports alone"],
    "training": [r"RAG-Sequence.*\n.*\n.*\nours .* 1\.00x", r"RAG-Token.*\n.*\n.*\nours .* 1\.00x"],
    "update": [r"update +2 embedded", r"build +20 embedded", "same passages: True"],
}
"""What each benchmark says in the end whatever the machine: steps, counts, equal results."""


def test_every_benchmark_is_here() -> None:
    programs = {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - {"common"}
    assert programs == set(SAYS)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name != "startup" else []) for name in SAYS],
)
def test_quick_benchmark(name: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / f"{name}.py", "--quick"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for expected in SAYS[name]:
        assert re.search(expected, done.stdout), f"{expected} not in\n{done.stdout}"
