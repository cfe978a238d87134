"""Our decoding beside Hugging Face's on the same weights and passages; prints ratios and passes.

    python benchmarks/decoding.py [--repeats 3]

The network has the embedded model's size (random weights, sharpened a little so that beams end and
differ); ten passages of about 160 tokens, four beams. Rows are counted with forward hooks on both
sides: an encoder row is one (question, passage) input, a decoder row one row of one decoder call.
Wall times are the best of the repeats, and only their ratios mean anything.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    DPRConfig,
    DPRQuestionEncoder,
    RagConfig,
    RagSequenceForGeneration,
    RagTokenForGeneration,
)

from ragcli.answering.decode import decode
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Prompting

K, BEAMS, TOKENS, INPUT = 10, 4, 12, 160


class NumberTokenizer:
    """Space-separated token ids as text: passages of an exact length, no vocabulary file."""

    def __call__(self, texts: Any = None, text_target: str | None = None) -> Any:
        if text_target is not None:
            return argparse.Namespace(input_ids=[int(t) for t in text_target.split()])
        return argparse.Namespace(input_ids=[[int(t) for t in text.split()] for text in texts])

    def decode(self, tokens: list[int], skip_special_tokens: bool = False) -> str:
        return " ".join(map(str, tokens))


def network() -> BartForConditionalGeneration:
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=30522,
        d_model=384,
        encoder_layers=6,
        decoder_layers=3,
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=1536,
        decoder_ffn_dim=1536,
        max_position_embeddings=512,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        init_std=0.08,
    )
    model = BartForConditionalGeneration(config).eval()
    model.generation_config.forced_eos_token_id = 2
    model.final_logits_bias[0, 2] = 2.0
    return model


def passages() -> list[RetrievedPassage]:
    generator = torch.Generator().manual_seed(1)
    scores = torch.randn(K, generator=generator)
    log_prior = scores.log_softmax(0)
    found = []
    for n in range(K):
        ids = torch.randint(5, 30000, (INPUT,), generator=generator).tolist()
        text = " ".join(map(str, ids))
        passage = Passage(f"{n}#0", str(n), "", text, "", "benchmark", 1, 0, INPUT)
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

    def take(self) -> tuple[int, int]:
        rows, self.encoder, self.decoder = (self.encoder, self.decoder), 0, 0
        return rows


def measure(runs: dict[str, Callable[[], Any]], rows: Rows, repeats: int) -> dict[str, float]:
    """Best time of each run, the runs taken in turn so that noise hits them alike."""
    best = dict.fromkeys(runs, float("inf"))
    counted: dict[str, tuple[int, int]] = {}
    for _ in range(repeats):
        for name, run in runs.items():
            rows.take()
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
            counted[name] = rows.take()
    print(f"{'':34}{'seconds':>9}{'encoder rows':>14}{'decoder rows':>14}")
    for name, seconds in best.items():
        print(f"{name:34}{seconds:9.3f}{counted[name][0]:14}{counted[name][1]:14}")
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    model, found = network(), passages()
    rows = Rows(model)
    prompting = Prompting(title_separator="", question_separator=" ", max_length=512)
    generator = TorchGenerator(model, NumberTokenizer(), "benchmark", prompting)
    question = "3 4"

    small = DPRConfig(hidden_size=64, num_hidden_layers=1, num_attention_heads=2)
    config = RagConfig.from_question_encoder_generator_configs(
        small, model.config, n_docs=K, num_beams=BEAMS
    )
    config.bos_token_id, config.eos_token_id, config.pad_token_id = 0, 2, 1
    config.decoder_start_token_id = 2
    encoder = DPRQuestionEncoder(small)
    sequence = RagSequenceForGeneration(config, question_encoder=encoder, generator=model).eval()
    token = RagTokenForGeneration(config, question_encoder=encoder, generator=model).eval()
    token.generation_config.forced_eos_token_id = 2
    ids = torch.tensor([[int(t) for t in f"{r.passage.text} {question}".split()] for r in found])
    theirs: dict[str, Any] = {
        "context_input_ids": ids,
        "context_attention_mask": torch.ones_like(ids),
        "doc_scores": torch.tensor([[r.score for r in found]]),
        "n_docs": K,
        "num_beams": BEAMS,
        "max_length": TOKENS + 1,
        "length_penalty": 0.0,
        "do_sample": False,
    }

    def ours(**settings: Any) -> Any:
        decoding = Settings(beams=BEAMS, max_tokens=TOKENS, n_best=99, **settings)
        return decode(generator, [question], [found], decoding)[0]

    distinct = len(ours().candidates)
    print(f"k={K}, beams={BEAMS}, {INPUT}-token passages, {TOKENS} tokens out, ", end="")
    print(f"{distinct} distinct hypotheses, {torch.get_num_threads()} threads\n")
    with torch.no_grad():
        best = measure(
            {
                "theirs, RAG-Sequence": lambda: sequence.generate(**theirs),
                "ours, RAG-Sequence thorough": lambda: ours(),
                "ours, RAG-Sequence fast": lambda: ours(mode="fast"),
                "theirs, RAG-Token": lambda: token.generate(**theirs),
                "ours, RAG-Token": lambda: ours(variant="token"),
            },
            rows,
            repeats,
        )
    thorough = best["theirs, RAG-Sequence"] / best["ours, RAG-Sequence thorough"]
    by_token = best["theirs, RAG-Token"] / best["ours, RAG-Token"]
    fast = best["ours, RAG-Sequence thorough"] / best["ours, RAG-Sequence fast"]
    print(f"\nthorough: {thorough:.1f}x theirs (goal 5)   token: {by_token:.2f}x theirs (goal 1.5)")
    print(f"fast: {fast:.2f}x thorough (goal 1)")


if __name__ == "__main__":
    main()
