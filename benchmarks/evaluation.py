"""Evaluating in batches beside asking one question after another, in one process.

    python benchmarks/evaluation.py [--questions 1000] [--batch-size 8] [--model FOLDER]

The sample corpus's general questions, repeated as often as needed, k=5, RAG-Sequence, thorough,
beams 4. All give the same answers, which is counted. `evaluate` also gives log p of every gold
answer; `--answers-only` gives no log p and reads only passages that may matter. The clock is the
process's own CPU time, so that other work on the machine does not count, beside the time on the
wall.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from ragcli import Rag, Store, build_index, load_encoder
from ragcli.datasets.read import read_examples
from ragcli.evaluation.predict import Asking, predict
from ragcli.records import QAExample

SAMPLE = Path(__file__).parent.parent / "sample_corpus"


def timed(run: Callable[[], list[str]]) -> tuple[list[str], float, float]:
    """What `run` gives, its CPU seconds and its seconds on the wall."""
    wall, cpu = time.perf_counter(), time.process_time()
    given = run()
    return given, time.process_time() - cpu, time.perf_counter() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--model", default=None)
    options = parser.parse_args()
    known = read_examples(SAMPLE / "questions" / "general.jsonl")
    examples: list[QAExample] = [
        replace(example, id=str(n))
        for n, example in enumerate(islice(cycle(known), options.questions))
    ]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        build_index(store, load_encoder(), [str(SAMPLE / "2018")], version="2018")
        with Rag.open("default@2018", store=store, model=options.model) as rag:
            asking = Asking(rag.retriever, rag.generator, rag.decoding)

            def one_by_one() -> list[str]:
                return [rag.ask(example.question).text for example in examples]

            def batched() -> list[str]:
                rows = predict(asking, examples, [5], options.batch_size)
                return [row[0].answer for row in rows]

            def settled() -> list[str]:
                only = replace(asking, answers_only=True)
                return [row[0].answer for row in predict(only, examples, [5], options.batch_size)]

            rag.ask(examples[0].question)
            ways = {"one by one": one_by_one, "evaluate": batched, "--answers-only": settled}
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
