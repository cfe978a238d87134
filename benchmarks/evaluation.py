"""Evaluating in batches beside asking one question after another, in one process.

    python benchmarks/evaluation.py [--questions 1000] [--batch-size 8] [--model FOLDER]
                                    [--quick]

The sample corpus's general questions, repeated as often as needed, k=5, RAG-Sequence, thorough,
beams 4. All give the same answers, which is counted. `evaluate` also gives log p of every gold
answer; `--answers-only` gives no log p and reads only passages that may matter. The clock is the
process's own CPU time, so that other work on the machine does not count, beside the time on the
wall.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice

from common import SAMPLE, options

from ragcli import Rag, Store, build_index, load_encoder
from ragcli.datasets.read import read_examples
from ragcli.evaluation.predict import Asking, predict


def timed(run: Callable[[], list[str]]) -> tuple[list[str], float, float]:
    """What `run` gives, its CPU seconds and its seconds on the wall."""
    wall, cpu = time.perf_counter(), time.process_time()
    given = run()
    return given, time.process_time() - cpu, time.perf_counter() - wall


def main() -> None:
    chosen = options(
        __doc__, questions=(1000, 3), batch_size=(8, 2), model=("embedded", "embedded")
    )
    known = read_examples(SAMPLE / "questions" / "general.jsonl")
    examples = [
        replace(example, id=str(n))
        for n, example in enumerate(islice(cycle(known), chosen.questions))
    ]
    asking = Asking(top_ks=(5,), batch_size=chosen.batch_size)
    corpus = SAMPLE / "2018"
    documents = sorted(corpus.rglob("*.md"))[:5] if chosen.quick else [corpus]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        build_index(store, load_encoder(), list(map(str, documents)), version="2018")
        with Rag.open("default@2018", store=store, model=chosen.model) as rag:

            def evaluated(asking: Asking) -> list[str]:
                return [row[0].answer for row in predict(rag, examples, asking)]

            ways: dict[str, Callable[[], list[str]]] = {
                "one by one": lambda: [rag.ask(example.question).text for example in examples],
                "evaluate": lambda: evaluated(asking),
                "--answers-only": lambda: evaluated(replace(asking, answers_only=True)),
            }
            rag.ask(examples[0].question)  # warms up
            results = {name: timed(run) for name, run in ways.items()}
    count = len(examples)
    base, base_cpu, _ = results["one by one"]
    for name, (answers, cpu, wall) in results.items():
        differing = sum(a != b for a, b in zip(base, answers, strict=True))
        print(
            f"{name:16}{count / cpu:8.2f} questions/CPU second{count / wall:8.2f} /second"
            f"{base_cpu / cpu:8.2f} ×   {differing} answers differ"
        )


if __name__ == "__main__":
    main()
