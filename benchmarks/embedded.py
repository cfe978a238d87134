"""The embedded model beside a random network of T5-small's size, by the same code.

    python benchmarks/embedded.py [--repeats 5]

One question, k=5, beams 4, in a warm process; both read the same five passages. Two ways: with the
defaults of `rag ask` (thorough), where a random network, which has no answer to end with, goes on
to the last token; and both made to write eight tokens, fast, so that neither gains by stopping
early or by finding the same hypotheses under all passages, which spares rescoring.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from transformers import T5Config, T5ForConditionalGeneration

from ragcli.answering.decode import decode
from ragcli.core.chunking import passages
from ragcli.corpus.read import read_documents
from ragcli.models.catalog import load_model
from ragcli.models.torch_generator import TorchGenerator
from ragcli.protocols import Generator
from ragcli.records import RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Chunking

K, TOKENS = 5, 8
WAYS = {
    "the defaults": Settings(),
    "eight tokens, fast": Settings(mode="fast", max_tokens=TOKENS, min_tokens=TOKENS),
}
QUESTION = "Who is the President of Peru?"


def found() -> list[RetrievedPassage]:
    """The first passage of five articles, with an even prior."""
    folder = Path(__file__).parent.parent / "sample_corpus" / "2018" / "offices"
    names = [str(path) for path in sorted(folder.glob("president-of-*.md"))[:K]]
    firsts = [next(passages(d, Chunking())) for d in read_documents(names)]
    prior = torch.full((K,), 1 / K).log()
    return [RetrievedPassage(p, n, 0.0, float(prior[n])) for n, p in enumerate(firsts)]


def seconds(generator: Generator, retrieved: list[RetrievedPassage], decoding: Settings) -> float:
    start = time.perf_counter()
    decode(generator, [QUESTION], [retrieved], decoding)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    embedded = load_model().generator
    assert isinstance(embedded, TorchGenerator)
    torch.manual_seed(0)
    t5 = T5ForConditionalGeneration(T5Config(decoder_start_token_id=0, eos_token_id=102))
    small = TorchGenerator(t5, embedded.tokenizer, "random T5-small", embedded.prompting)
    generators: dict[str, TorchGenerator] = {"embedded": embedded, "T5-small's size": small}
    sizes = [sum(p.numel() for p in g.model.parameters()) / 1e6 for g in generators.values()]
    print(
        "parameters:", ", ".join(f"{n} {m:.1f} M" for n, m in zip(generators, sizes, strict=True))
    )
    retrieved = found()
    for way, decoding in WAYS.items():
        best = dict.fromkeys(generators, float("inf"))
        for _ in range(repeats + 1):  # the first round warms up
            for name, generator in generators.items():
                best[name] = min(best[name], seconds(generator, retrieved, decoding))
        times = ", ".join(f"{name} {1000 * least:.0f} ms" for name, least in best.items())
        ratio = best["embedded"] / best["T5-small's size"]
        print(f"{way}: {times}: {ratio:.2f} of the other's time")


if __name__ == "__main__":
    main()
