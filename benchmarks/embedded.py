"""The embedded model beside a random network of T5-small's size, by the same code.

    python benchmarks/embedded.py [--repeats 5] [--quick]

One question, k=5, beams 4, in a warm process; both read the same five passages. Two ways: with the
defaults of `rag ask` (thorough), where a random network, which has no answer to end with, goes on
to the last token; and both made to write eight tokens, fast, so that neither gains by stopping
early or by finding the same hypotheses under all passages, which spares rescoring.
"""

from __future__ import annotations

from functools import partial

import torch
from common import SAMPLE, best_seconds, options
from transformers import T5Config, T5ForConditionalGeneration

from ragcli.answering.decode import decode
from ragcli.core.chunking import passages
from ragcli.corpus.read import read_documents
from ragcli.models.catalog import load_model
from ragcli.models.language import Manner
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import RetrievedPassage
from ragcli.settings import AnswerSettings, Chunking, Placement

K, TOKENS = 5, 8
WAYS = {
    "the defaults": AnswerSettings(),
    "eight tokens, fast": AnswerSettings(mode="fast", max_tokens=TOKENS, min_tokens=TOKENS),
}
QUESTION = "Who is the President of Peru?"


def found() -> list[RetrievedPassage]:
    """The first passage of five articles, with an even prior."""
    folder = SAMPLE / "2018" / "offices"
    names = [str(path) for path in sorted(folder.glob("president-of-*.md"))[:K]]
    firsts = [next(passages(d, Chunking())) for d in read_documents(names)]
    prior = torch.full((K,), 1 / K).log()
    return [RetrievedPassage(p, n, 0.0, float(prior[n])) for n, p in enumerate(firsts)]


def random_t5(quick: bool) -> T5ForConditionalGeneration:
    torch.manual_seed(0)
    size = {"d_model": 32, "d_ff": 64, "num_layers": 1} if quick else {}
    return T5ForConditionalGeneration(T5Config(decoder_start_token_id=0, eos_token_id=102, **size))


def main() -> None:
    chosen = options(__doc__, repeats=(5, 1))
    embedded = load_model(placement=Placement(engine="torch")).generator
    assert isinstance(embedded, TorchGenerator)
    t5 = random_t5(chosen.quick)
    small = TorchGenerator(t5, embedded.tokenizer, "random T5-small", Manner(embedded.prompting))
    generators = {"embedded": embedded, "T5-small's size": small}
    sizes = {
        name: sum(p.numel() for p in g.model.parameters()) / 1e6 for name, g in generators.items()
    }
    print("parameters:", ", ".join(f"{name} {size:.1f} M" for name, size in sizes.items()))
    retrieved = found()
    for way, settings in WAYS.items():
        runs = {
            name: partial(decode, generator, [QUESTION], [retrieved], settings)
            for name, generator in generators.items()
        }
        best = best_seconds(runs, chosen.repeats + 1)  # the first round warms up
        times = ", ".join(f"{name} {1000 * least:.0f} ms" for name, least in best.items())
        ratio = best["embedded"] / best["T5-small's size"]
        print(f"{way}: {times}: {ratio:.2f} of the other's time")


if __name__ == "__main__":
    main()
