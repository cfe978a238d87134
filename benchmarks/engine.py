"""ONNX Runtime beside torch: cold and warm questions, building, and whether they agree.

    python benchmarks/engine.py [--questions 100] [--warm 20] [--repeats 3] [--threads 1] [--quick]

Cold questions are whole processes, beside `import sentence_transformers`. Warm questions and
building run in this process, engines in turn, and are told in its own CPU time as well, so that
other work on the machine counts less. The last lines compare the answers to the sample corpus's
questions under both engines in all three decodings, retrieval in both precisions, and the rates of
the matrix products in building and in reading with that of one large product.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import chain, islice

import numpy as np
from common import SAMPLE, clocked, options, process

from ragcli import Chunking, Rag, Store, build_index, load_encoder, read_documents
from ragcli.core.chunking import passages
from ragcli.core.metrics import holds_answer
from ragcli.datasets.read import read_examples
from ragcli.models.catalog import load_model
from ragcli.settings import Placement

DECODINGS = {"thorough": {}, "fast": {"mode": "fast"}, "token": {"variant": "token"}}


def cold(command: list[str], repeats: int, **environment: str) -> tuple[float, float, float]:
    """The shortest seconds on the wall and of CPU of a process, and its largest memory in MB."""
    runs = [process(command, **environment)[:3] for _ in range(repeats)]
    wall, cpu, mb = zip(*runs, strict=True)
    return min(wall), min(cpu), max(mb)


def table(title: str, rows: dict[str, tuple[float, ...]], of: str) -> None:
    """Seconds of each row, and the row `of` divided by it."""
    print(f"\n{title:34}{'wall s':>9}{'CPU s':>9}{'wall':>8}{'CPU':>8}")
    for name, (wall, cpu, *_) in rows.items():
        faster = rows[of][0] / wall, rows[of][1] / cpu
        print(f"{name:34}{wall:9.3f}{cpu:9.3f}{faster[0]:7.2f}x{faster[1]:7.2f}x")


def matmul_rate(threads: int) -> float:
    """Billions of operations in a second of CPU, by one large product in numpy."""
    from threadpoolctl import threadpool_limits

    a = np.random.default_rng(0).random((2048, 2048), dtype=np.float32)
    with threadpool_limits(threads):
        _ = a @ a
        seconds = min(clocked({"": lambda: a @ a}, 5).values())[1]
    return 2 * 2048**3 / seconds / 1e9


def recall(quick: bool) -> None:
    """Answer recall@5 of both precisions, over the general questions and the unseen sets."""
    unseen = SAMPLE.parent / "recipes" / "embedded" / "unseen"
    sets = {"general": (SAMPLE / "2018", SAMPLE / "questions" / "general.jsonl")}
    for name in () if quick else ("institutions", "encyclopedia", "papers", "mixed"):
        sets[name] = unseen / name / "documents", unseen / name / "questions.jsonl"
    found: dict[str, list[bool]] = {"fp32": [], "int8": []}
    for documents, questions in sets.values():
        cut = (passages(document, Chunking()) for document in read_documents(documents))
        texts = list(islice(chain.from_iterable(cut), 20 if quick else None))
        examples = [each for each in read_examples(questions) if each.answers]
        for precision, hits in found.items():
            encoder = load_encoder(precision=precision)  # type: ignore[arg-type]
            queries = encoder.encode_queries([each.question for each in examples])
            scores = queries @ encoder.encode_passages(texts).T
            for each, row in zip(examples, np.argsort(-scores, axis=1)[:, :5], strict=True):
                hits.append(any(holds_answer(texts[n].text, each.answers) for n in row))
    told = (f"{name} {np.mean(hits):.1%} of {len(hits)}" for name, hits in found.items())
    print(f"\nanswer recall@5: {', '.join(told)}")


def main() -> None:
    chosen = options(__doc__, questions=(100, 2), warm=(20, 1), repeats=(3, 1), threads=(1, 1))
    import torch

    torch.set_num_threads(chosen.threads)
    on = {
        name: Placement(engine=name, threads=chosen.threads)  # type: ignore[arg-type]
        for name in ("torch", "onnx")
    }
    known = read_examples(SAMPLE / "questions" / "general.jsonl")
    questions = [example.question for example in known][: chosen.questions]
    corpus = SAMPLE / "2018"
    documents = sorted(corpus.rglob("*.md"))[:5] if chosen.quick else [corpus]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        build_index(store, load_encoder(), list(map(str, documents)), version="2018")
        rag = [sys.executable, "-m", "ragcli"]
        where = {"RAG_STORE": folder, "OMP_WAIT_POLICY": "PASSIVE"}
        if not chosen.quick:
            rows = {
                name: cold(command, chosen.repeats, **where)
                for name, command in {
                    "import sentence_transformers": [
                        sys.executable, "-c", "import sentence_transformers"
                    ],
                    "rag ask": [*rag, "ask", questions[0]],
                    "rag retrieve": [*rag, "retrieve", questions[0]],
                    "rag ask --engine torch": [*rag, "ask", questions[0], "--engine", "torch"],
                }.items()
            }  # fmt: skip
            table("cold", rows, "import sentence_transformers")
            print(f"rag ask: {rows['rag ask'][2]:.0f} MB at most")
        rags = {name: Rag.open("default@2018", store=store, placement=on[name]) for name in on}
        for opened in rags.values():
            opened.ask(questions[0])  # warms up
        for name, changes in DECODINGS.items():
            using = {engine: opened.using(**changes) for engine, opened in rags.items()}
            warm = {
                engine: lambda each=each: [each.ask(q) for q in questions[: chosen.warm]]
                for engine, each in using.items()
            }
            table(f"{chosen.warm} warm questions, {name}", clocked(warm, chosen.repeats), "torch")
        embedded = list(islice(rags["onnx"].index, 10 if chosen.quick else 200))
        encoders = {name: load_encoder(placement=on[name]) for name in on}
        encoders["torch, bf16"] = load_encoder(placement=on["torch"], precision="bf16")
        encoders["onnx, int8"] = load_encoder(placement=on["onnx"], precision="int8")
        runs = {
            name: lambda encoder=encoder: encoder.encode_passages(embedded)
            for name, encoder in encoders.items()
        }
        rates = clocked(runs, chosen.repeats)
        table(f"embedding {len(embedded)} passages", rates, "torch")
        for name, changes in DECODINGS.items():
            answers = [
                list(opened.using(**changes).ask_many(questions)) for opened in rags.values()
            ]
            pairs = list(zip(*answers, strict=True))
            other = sum(a.text != b.text for a, b in pairs)
            worst = max(abs(a.best.log_prob - b.best.log_prob) for a, b in pairs)
            print(f"\n{name}: {other} of {len(pairs)} answers differ, log p by {worst:.0e} at most")
        for opened in rags.values():
            opened.close()
    recall(chosen.quick)
    most = matmul_rate(chosen.threads)
    inputs = encoders["onnx"]._tokenizer.ids([passage.text for passage in embedded])
    reader = load_model(placement=on["onnx"]).generator
    inputs = [row[: reader.prompting.max_length] for row in inputs]
    read = clocked({"": lambda: reader.encode(inputs)}, chosen.repeats)[""][1]
    layer = 12 * 384**2  # four matrices of 384 x 384 and two of 384 x 1536
    cross = 3 * 2 * 384**2  # keys and values for three decoder layers
    print(f"\nGFLOP in a second of CPU; numpy's large product: {most:.0f}")
    for name, each, seconds in (
        ("building", 6 * layer, rates["onnx"][1]),
        ("reading", 6 * layer + cross, read),
    ):
        reached = 2 * sum(map(len, inputs)) * each / seconds / 1e9
        print(f"{name}: {reached:.0f}, {reached / most:.0%} of it")


if __name__ == "__main__":
    main()
