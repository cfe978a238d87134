"""Many questions through a pipe: one engine beside the other, and beside busy programs.

    python benchmarks/pipeline.py [--questions 1000] [--few 20] [--repeats 3]
                                     [--programs 2] [--quick]

Each figure is a whole process with as many threads as it takes by itself: `rag ask -` and `rag
evaluate` over many questions on both engines, which take turns; then `rag ask -` over a few as it
is, with threads that spin while they wait (ONNX Runtime's own default), and beside programs of two
busy torch threads each. The machine should be quiet otherwise.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

from common import SAMPLE, Process, options, process

from ragcli import Store, build_index, load_encoder

RAG = [sys.executable, "-m", "ragcli"]
SPINNING = """
from onnxruntime import SessionOptions
SessionOptions.add_session_config_entry = lambda *entry: None
from ragcli.cli.app import main
main()
"""
"""`rag` without the setting that keeps threads from spinning, which is the only one it makes."""
BUSY = """
import torch
torch.set_num_threads(2)
a = torch.rand(1024, 1024)
print((a @ a).shape, flush=True)
while True:
    a @ a
"""


@contextmanager
def busy(programs: int) -> Iterator[None]:
    """Beside programs that multiply matrices all the time, once all have begun."""
    command = [sys.executable, "-c", BUSY]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(programs)]
    try:
        for each in running:
            each.stdout.readline()  # type: ignore[union-attr]
        yield
    finally:
        for each in running:
            each.kill()
            each.communicate()


def in_turns(runs: Mapping[str, Callable[[], Process]], repeats: int) -> dict[str, Process]:
    """The run of each kind with the median time on the wall."""
    done: dict[str, list[Process]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            done[name].append(run())
    return {name: sorted(each)[len(each) // 2] for name, each in done.items()}


def table(title: str, rows: Mapping[str, Process]) -> None:
    """Seconds of each row, and how many times those of the first one."""
    base, *_ = rows.values()
    print(f"\n{title:34}{'wall s':>9}{'CPU s':>9}{'wall':>8}{'CPU':>8}")
    for name, each in rows.items():
        more = f"{each.wall / base.wall:7.2f}x{each.cpu / base.cpu:7.2f}x"
        print(f"{name:34}{each.wall:9.2f}{each.cpu:9.2f}{more}")


def answers(asked: Process) -> list[str]:
    return [json.loads(line)["answer"] for line in asked.stdout.splitlines()]


def main() -> None:
    chosen = options(__doc__, questions=(1000, 3), few=(20, 2), repeats=(3, 1), programs=(2, 1))
    known = (SAMPLE / "questions" / "general.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in islice(cycle(known), chosen.questions)]
    lines = [row["question"] for row in rows]
    corpus = SAMPLE / "2018"
    documents = sorted(corpus.rglob("*.md"))[:5] if chosen.quick else [corpus]
    with tempfile.TemporaryDirectory() as top:
        build_index(Store(top), load_encoder(), list(map(str, documents)), version="2018")
        dataset = Path(top, "questions.jsonl")
        numbered = (json.dumps(row | {"id": str(n)}) for n, row in enumerate(rows))
        dataset.write_text("\n".join(numbered) + "\n", encoding="utf-8")

        def ask(count: int, *more: str, rag: list[str] = RAG) -> Process:
            given = "\n".join(lines[:count]) + "\n"
            return process([*rag, "ask", "-", "--json", *more], given, RAG_STORE=top)

        def evaluate(engine: str) -> Process:
            command = [*RAG, "evaluate", str(dataset), "--json", "--engine", engine]
            return process(command, RAG_STORE=top)

        def beside() -> Process:
            with busy(chosen.programs):
                return ask(chosen.few)

        engines = ("onnx", "torch")
        ways = {engine: lambda e=engine: ask(chosen.questions, "--engine", e) for engine in engines}
        asked = in_turns(ways, chosen.repeats)
        table(f"rag ask -, {chosen.questions} questions (goal 1.8)", asked)
        differ = sum(a != b for a, b in zip(*map(answers, asked.values()), strict=True))
        print(f"{differ} answers differ")
        ways = {engine: lambda e=engine: evaluate(e) for engine in engines}
        evaluated = in_turns(ways, chosen.repeats)
        table(f"rag evaluate, {chosen.questions} questions (goal 1.8)", evaluated)
        few = in_turns(
            {
                "quiet": lambda: ask(chosen.few),
                "quiet, threads spin": lambda: ask(
                    chosen.few, rag=[sys.executable, "-c", SPINNING]
                ),
                "busy (goal at most 2.5)": beside,
            },
            chosen.repeats,
        )
        table(f"rag ask -, {chosen.few} questions", few)
        same = len({tuple(answers(each)) for each in few.values()}) == 1
        print(f"same answers: {same}")


if __name__ == "__main__":
    main()
