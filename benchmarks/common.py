"""What the benchmarks share: options, a clock, and networks of the embedded model's size."""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SAMPLE = Path(__file__).parent.parent / "sample_corpus"


def options(text: str, **sizes: tuple[Any, Any]) -> argparse.Namespace:
    """A benchmark's options: each has the value we measure with, and one for `--quick`."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="tiny sizes: the same steps in a few seconds, to see that they still work",
    )
    for name, (usual, _) in sizes.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(usual), help=f"(default {usual})"
        )
    chosen = parser.parse_args()
    for name, (usual, quick) in sizes.items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, quick if chosen.quick else usual)
    return chosen


def clocked(
    runs: Mapping[str, Callable[[], object]], repeats: int
) -> dict[str, tuple[float, float]]:
    """The shortest seconds on the wall and of CPU of each run; runs take turns."""
    best = dict.fromkeys(runs, (float("inf"), float("inf")))
    for _ in range(repeats):
        for name, run in runs.items():
            wall, cpu = time.perf_counter(), time.process_time()
            run()
            taken = time.perf_counter() - wall, time.process_time() - cpu
            best[name] = tuple(map(min, best[name], taken))
    return best


def best_seconds(runs: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The shortest time of each run on the wall."""
    return {name: wall for name, (wall, _) in clocked(runs, repeats).items()}


class Process(NamedTuple):
    """What a process took: seconds on the wall and of CPU, its largest memory; what it printed."""

    wall: float
    cpu: float
    mb: float
    stdout: str


def process(command: Sequence[str], given: str = "", **environment: str) -> Process:
    """Run a command to its end, with `given` as its input; on Windows, wall time is all we know."""
    with tempfile.TemporaryFile("w+") as entered, tempfile.TemporaryFile("w+") as told:
        entered.write(given)
        entered.seek(0)
        streams: dict[str, Any] = {"stdin": entered, "stdout": subprocess.PIPE, "stderr": told}
        cpu = mb = float("nan")
        start = time.perf_counter()
        with subprocess.Popen(command, env=os.environ | environment, text=True, **streams) as made:
            stdout = made.stdout.read()  # type: ignore[union-attr]
            if hasattr(os, "wait4"):
                _, status, used = os.wait4(made.pid, 0)
                made.returncode = os.waitstatus_to_exitcode(status)
                cpu, mb = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        wall = time.perf_counter() - start
        if made.returncode:
            told.seek(0)
            raise SystemExit(f"{' '.join(command)} failed:\n{told.read()}")
    return Process(wall, cpu, mb, stdout)


def bart(quick: bool, **changes: Any) -> Any:
    """A random BART of the embedded model's size, or a tiny one."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    layers, width, heads = (1, 32, 2) if quick else (6, 384, 12)
    config = BartConfig(
        vocab_size=30522,
        d_model=width,
        encoder_layers=layers,
        decoder_layers=max(1, layers // 2),
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        max_position_embeddings=512,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        **changes,
    )
    return BartForConditionalGeneration(config).eval()


def hugging_face_rag(kind: type, generator: Any, k: int, **changes: Any) -> Any:
    """Hugging Face's RAG class `kind` around a generator, with a small query encoder of its own."""
    import torch
    from transformers import DPRConfig, DPRQuestionEncoder, RagConfig

    torch.manual_seed(1)
    small = DPRConfig(hidden_size=64, num_hidden_layers=1, num_attention_heads=2)
    config = RagConfig.from_question_encoder_generator_configs(
        small, generator.config, n_docs=k, **changes
    )
    config.bos_token_id, config.eos_token_id, config.pad_token_id = 0, 2, 1
    config.decoder_start_token_id = 2
    return kind(config, question_encoder=DPRQuestionEncoder(small), generator=generator).eval()
