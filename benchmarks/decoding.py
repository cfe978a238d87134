"""Our decoding beside Hugging Face's on the same weights and passages; prints ratios and passes.

    python benchmarks/decoding.py [--repeats 3] [--quick]

The network has the embedded model's size (random weights, sharpened a little so that beams end and
differ); ten passages of about 160 tokens, four beams. Rows are counted with forward hooks on both
sides: an encoder row is one (question, passage) input, a decoder row one row of one decoder call.
Wall times are the best of the repeats, and only their ratios mean anything.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from common import bart, best_seconds, hugging_face_rag, options
from transformers import RagSequenceForGeneration, RagTokenForGeneration

from ragcli.answering.decode import decode
from ragcli.models.language import Manner
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings, Prompting

BEAMS = 4
QUESTION = "3 4"
Run = Callable[[], Any]


class NumberTokenizer:
    """Space-separated token ids as text: passages of an exact length, no vocabulary file."""

    all_special_tokens = ()

    def __call__(self, texts: Any = None, text_target: str | None = None) -> Any:
        if text_target is not None:
            return Namespace(input_ids=numbers(text_target))
        return Namespace(input_ids=[numbers(text) for text in texts])

    def decode(self, tokens: list[int], skip_special_tokens: bool = False) -> str:
        return " ".join(map(str, tokens))


def numbers(text: str) -> list[int]:
    return [int(token) for token in text.split()]


def network(quick: bool) -> Any:
    model = bart(quick, init_std=0.08)
    model.generation_config.forced_eos_token_id = 2
    model.final_logits_bias[0, 2] = 2.0
    return model


def passages(k: int, length: int) -> list[RetrievedPassage]:
    generator = torch.Generator().manual_seed(1)
    scores = torch.randn(k, generator=generator)
    log_prior = scores.log_softmax(0)
    found = []
    for n in range(k):
        ids = torch.randint(5, 30000, (length,), generator=generator).tolist()
        text = " ".join(map(str, ids))
        passage = Passage(f"{n}#0", str(n), "", text, "", "benchmark", 1, 0, length)
        found.append(RetrievedPassage(passage, n, float(scores[n]), float(log_prior[n])))
    return found


class Rows:
    """Counts the rows that pass through a network's encoder and decoder."""

    def __init__(self, model: Any) -> None:
        self.encoder = self.decoder = 0
        model.get_encoder().register_forward_hook(self._encoder, with_kwargs=True)
        model.get_decoder().register_forward_hook(self._decoder, with_kwargs=True)

    def _encoder(self, module: Any, args: Any, kwargs: Any, output: Any) -> None:
        self.encoder += output.last_hidden_state.shape[0]

    def _decoder(self, module: Any, args: Any, kwargs: Any, output: Any) -> None:
        self.decoder += output.last_hidden_state.shape[0]

    def of(self, run: Run) -> tuple[int, int]:
        """The encoder and decoder rows of one run."""
        self.encoder = self.decoder = 0
        run()
        return self.encoder, self.decoder


def theirs(kind: type, model: Any, found: list[RetrievedPassage], tokens: int) -> Run:
    """Hugging Face's class `kind` over the same network and passages."""
    rag = hugging_face_rag(kind, model, len(found), num_beams=BEAMS)
    if kind is RagTokenForGeneration:  # the other class asks the generator for its own
        rag.generation_config.forced_eos_token_id = 2
    ids = torch.tensor([numbers(f"{r.passage.text} {QUESTION}") for r in found])
    return partial(
        rag.generate,
        context_input_ids=ids,
        context_attention_mask=torch.ones_like(ids),
        doc_scores=torch.tensor([[r.score for r in found]]),
        n_docs=len(found),
        num_beams=BEAMS,
        max_length=tokens + 1,
        length_penalty=0.0,
        do_sample=False,
    )


def ours(model: Any, found: list[RetrievedPassage], **settings: Any) -> Run:
    prompting = Prompting(title_separator="", question_separator=" ", max_length=512)
    generator = TorchGenerator(model, NumberTokenizer(), "benchmark", Manner(prompting))
    chosen = AnswerSettings(top_k=len(found), beams=BEAMS, n_best=99, **settings)
    return lambda: decode(generator, [QUESTION], [found], chosen)[0]


def main() -> None:
    chosen = options(__doc__, repeats=(3, 1), top_k=(10, 3), length=(160, 12), tokens=(12, 4))
    model, found = network(chosen.quick), passages(chosen.top_k, chosen.length)
    tokens, rows = chosen.tokens, Rows(model)
    runs = {
        "theirs, RAG-Sequence": theirs(RagSequenceForGeneration, model, found, tokens),
        "ours, RAG-Sequence thorough": ours(model, found, max_tokens=tokens),
        "ours, RAG-Sequence fast": ours(model, found, max_tokens=tokens, mode="fast"),
        "theirs, RAG-Token": theirs(RagTokenForGeneration, model, found, tokens),
        "ours, RAG-Token": ours(model, found, max_tokens=tokens, variant="token"),
    }
    distinct = len(runs["ours, RAG-Sequence thorough"]().candidates)
    print(f"k={chosen.top_k}, beams={BEAMS}, {chosen.length}-token passages, ", end="")
    print(f"{tokens} tokens out, {distinct} distinct hypotheses, ", end="")
    print(f"{torch.get_num_threads()} threads\n")
    with torch.no_grad():
        counted = {name: rows.of(run) for name, run in runs.items()}
        best = best_seconds(runs, chosen.repeats)
    print(f"{'':34}{'seconds':>9}{'encoder rows':>14}{'decoder rows':>14}")
    for name, seconds in best.items():
        print(f"{name:34}{seconds:9.3f}{counted[name][0]:14}{counted[name][1]:14}")
    thorough = best["theirs, RAG-Sequence"] / best["ours, RAG-Sequence thorough"]
    by_token = best["theirs, RAG-Token"] / best["ours, RAG-Token"]
    fast = best["ours, RAG-Sequence thorough"] / best["ours, RAG-Sequence fast"]
    print(f"\nthorough: {thorough:.1f}x theirs (goal 5)   token: {by_token:.2f}x theirs (goal 1.5)")
    print(f"fast: {fast:.2f}x thorough (goal 1)")


if __name__ == "__main__":
    main()
