"""Our decoding beside Hugging Face's on the same weights and passages; prints ratios and passes.

    python benchmarks/decoding.py [--repeats 3] [--quick]

Ours runs on both engines, with as many threads as torch takes (OMP_NUM_THREADS). The network has
the embedded model's size (random weights, sharpened a little so that beams end and differ); ten
passages of about 160 tokens, four beams. Rows are counted where networks are called: an encoder
row is one (question, passage) input, a decoder row one row of one decoder call. Times are the best
of the repeats, and only their ratios mean anything; where other programs run, those of CPU seconds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from common import bart, clocked, hugging_face_rag, options
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    PreTrainedTokenizerFast,
    RagSequenceForGeneration,
    RagTokenForGeneration,
)

from ragcli.answering.decode import decode
from ragcli.models.language import Manner
from ragcli.models.model_folder import save_generator
from ragcli.models.onnx.export import write_graphs
from ragcli.models.onnx.generator import OnnxGenerator
from ragcli.models.source import locate
from ragcli.models.torch_generator import TorchGenerator
from ragcli.protocols import Generator
from ragcli.records import Passage, RetrievedPassage
from ragcli.settings import AnswerSettings, Placement, Prompting

BEAMS = 4
QUESTION = "3 4"
WAYS: dict[str, dict[str, Any]] = {
    "thorough": {},
    "fast": {"mode": "fast"},
    "token": {"variant": "token"},
}
GOALS = {"torch": (5, 1.5), "onnx": (12, 2.5)}
"""How many times as fast as theirs: thorough, and token."""
Run = Callable[[], Any]


def tokenizer(size: int) -> PreTrainedTokenizerFast:
    """Space-separated token ids as text: passages of an exact length."""
    inner = Tokenizer(models.WordLevel({str(n): n for n in range(size)}, unk_token="0"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=inner)


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

    def watch(self, generator: OnnxGenerator) -> None:
        """Count what passes through its two graphs as well."""
        for part, session in (("encoder", generator._reader), ("decoder", generator._writer)):
            session.run = partial(self._counted, part, session.run)

    def _counted(self, part: str, run: Callable[..., Any], names: Any, feeds: Any) -> Any:
        setattr(self, part, getattr(self, part) + len(feeds["embeds"]))
        return run(names, feeds)

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


def engines(model: Any, folder: Path) -> dict[str, Generator]:
    """The same network on both engines; its files lie in `folder`."""
    manner = Manner(Prompting(title_separator="", question_separator=" ", max_length=512))
    on_torch = TorchGenerator(model, tokenizer(model.config.vocab_size), "benchmark", manner)
    save_generator(folder, on_torch)
    write_graphs(folder, folder / "onnx", on_torch.digest)
    threads = Placement(threads=torch.get_num_threads())
    return {"torch": on_torch, "onnx": OnnxGenerator(locate(str(folder)), threads)}


def ours(generator: Generator, found: list[RetrievedPassage], **settings: Any) -> Run:
    chosen = AnswerSettings(top_k=len(found), beams=BEAMS, n_best=99, **settings)
    return lambda: decode(generator, [QUESTION], [found], chosen)[0]


def main() -> None:
    chosen = options(__doc__, repeats=(3, 1), top_k=(10, 3), length=(160, 12), tokens=(12, 4))
    model, found = network(chosen.quick), passages(chosen.top_k, chosen.length)
    tokens, rows = chosen.tokens, Rows(model)
    runs = {
        "theirs, RAG-Sequence": theirs(RagSequenceForGeneration, model, found, tokens),
        "theirs, RAG-Token": theirs(RagTokenForGeneration, model, found, tokens),
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        generators = engines(model, Path(folder))
    rows.watch(generators["onnx"])
    for engine, generator in generators.items():
        for way, changes in WAYS.items():
            runs[f"{engine}, {way}"] = ours(generator, found, max_tokens=tokens, **changes)
    on_torch, on_onnx = (
        {candidate.text for candidate in runs[f"{engine}, thorough"]().candidates}
        for engine in generators
    )
    print(f"k={chosen.top_k}, beams={BEAMS}, {chosen.length}-token passages, ", end="")
    print(f"{tokens} tokens out, {torch.get_num_threads()} threads")
    print(f"{len(on_torch)} distinct hypotheses, {len(on_torch & on_onnx)} of them on both engines")
    with torch.no_grad():
        counted = {name: rows.of(run) for name, run in runs.items()}
        best = clocked(runs, chosen.repeats)
    print(f"\n{'':24}{'wall s':>9}{'CPU s':>9}{'encoder rows':>14}{'decoder rows':>14}")
    for name, (wall, cpu) in best.items():
        print(f"{name:24}{wall:9.3f}{cpu:9.3f}{counted[name][0]:14}{counted[name][1]:14}")
    print()
    for engine, goals in GOALS.items():
        for n, seconds in enumerate(("on the wall", "of CPU")):
            time = {name: each[n] for name, each in best.items()}
            faster = (
                time["theirs, RAG-Sequence"] / time[f"{engine}, thorough"],
                time["theirs, RAG-Token"] / time[f"{engine}, token"],
                time[f"{engine}, thorough"] / time[f"{engine}, fast"],
            )
            print(
                f"{engine}, {seconds}: thorough {faster[0]:.1f}x theirs (goal {goals[0]}), ", end=""
            )
            print(
                f"token {faster[1]:.2f}x theirs (goal {goals[1]}), fast {faster[2]:.2f}x thorough"
            )


if __name__ == "__main__":
    main()
