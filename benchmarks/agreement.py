"""Whether ONNX Runtime and torch give the same answers to every question that we have.

    python benchmarks/agreement.py [--questions 1000] [--threads 1] [--quick]

The sample corpus's general questions and offices, and the four unseen sets, in all three
decodings. A row a set and decoding: how many answers differ, and the largest difference of log p
between answers that are the same.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from common import SAMPLE, options

from ragcli import Rag, Store, build_index, load_encoder
from ragcli.datasets.read import read_examples
from ragcli.settings import Placement

DECODINGS = {"thorough": {}, "fast": {"mode": "fast"}, "token": {"variant": "token"}}
UNSEEN = SAMPLE.parent / "recipes" / "embedded" / "unseen"
SETS: dict[str, tuple[Path, Path]] = {
    "general": (SAMPLE / "2018", SAMPLE / "questions" / "general.jsonl"),
    "leaders": (SAMPLE / "2018", SAMPLE / "questions" / "leaders.jsonl"),
} | {
    name: (UNSEEN / name / "documents", UNSEEN / name / "questions.jsonl")
    for name in ("institutions", "encyclopedia", "papers", "mixed")
}


def main() -> None:
    chosen = options(__doc__, questions=(1000, 1), threads=(1, 1))
    print(f"{'questions':16}{'':>6}  {'decoding':10}{'differ':>8}{'log p by':>10}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        for name, (documents, questions) in list(SETS.items())[: 1 if chosen.quick else None]:
            read = sorted(documents.rglob("*.md"))[:3] if chosen.quick else documents
            build_index(store, load_encoder(), read, name=name, version="1")
            asked = [each.question for each in read_examples(questions, key="2018")]
            asked = asked[: chosen.questions]
            rags = [
                Rag.open(
                    f"{name}@1",
                    store=store,
                    placement=Placement(engine=engine, threads=chosen.threads),
                )  # type: ignore[arg-type]
                for engine in ("onnx", "torch")
            ]
            for decoding, changes in DECODINGS.items():
                both = [list(rag.using(**changes).ask_many(asked)) for rag in rags]
                pairs = list(zip(*both, strict=True))
                same = [(a, b) for a, b in pairs if a.text == b.text]
                worst = max(abs(a.best.log_prob - b.best.log_prob) for a, b in same)
                differ = len(pairs) - len(same)
                row = f"{name:16}{len(pairs):6}  {decoding:10}{differ:8}{worst:10.0e}"
                print(row, flush=True)
            for rag in rags:
                rag.close()


if __name__ == "__main__":
    main()
