"""Train the generator; resumable at any moment.

    OMP_WAIT_POLICY=PASSIVE nice python train.py --work WORK --steps 60000

The log is appended to WORK/log.jsonl.  A checkpoint is written to WORK/checkpoint.safetensors
every few minutes and at SIGTERM; the same command goes on from it.  The rate is flat until the
last fifth of the steps, so that --steps may still be changed while the run is under way.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random

import torch
from batches import Batch, Encoder, bucketed
from evaluate import dev_scores
from examples import Material, stream
from reader import Losses, Reader
from safetensors import safe_open
from safetensors.torch import save_file
from transformers import AutoTokenizer, BartForConditionalGeneration

ENCODER_RATE, DECODER_RATE, HEAD_RATE = 1e-4, 2.4e-4, 3e-3
WARMUP = 150
DECAY = 0.2
TOKENS = 3600
MAX_LENGTH = 240
FROZEN_LAYERS = 1
LOOK = 7200
"""Seconds between two looks at the held-out sets."""


class Trainer:
    """Model, single-precision weights, optimiser, running average and clock."""

    def __init__(self, reader: Reader, steps: int) -> None:
        self.reader, self.steps, self.step = reader, steps, 0
        encoder = reader.bart.model.encoder
        encoder.embed_positions.requires_grad_(False)
        encoder.layernorm_embedding.requires_grad_(False)
        for layer in encoder.layers[:FROZEN_LAYERS]:
            layer.requires_grad_(False)
        named = [(n, p) for n, p in reader.named_parameters() if p.requires_grad]
        self.names = [name for name, _ in named]
        self.parameters = [parameter for _, parameter in named]
        self.master = [parameter.detach().float().clone() for parameter in self.parameters]
        self.average = [weight.clone() for weight in self.master]
        parts: dict[float, list[torch.Tensor]] = {}
        for name, weight in zip(self.names, self.master, strict=True):
            rate = ENCODER_RATE if ".encoder." in name else DECODER_RATE
            parts.setdefault(HEAD_RATE if "span_head" in name else rate, []).append(weight)
        groups = [{"params": weights, "base": rate} for rate, weights in parts.items()]
        self.optimiser = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)

    def rate_factor(self) -> float:
        """Warm-up, a plateau, then a straight line down to a fiftieth."""
        begin = (1 - DECAY) * self.steps
        down = 1 - 0.98 * max(0.0, (self.step - begin) / (self.steps - begin))
        return min(1.0, (self.step + 1) / WARMUP) * max(0.02, down)

    def update(self, batch: Batch) -> Losses:
        """One step of the optimiser."""
        losses = self.reader(batch)
        (losses.words + 0.5 * losses.attention + 0.5 * losses.span).backward()
        for weight, parameter in zip(self.master, self.parameters, strict=True):
            grad = parameter.grad
            weight.grad = None if grad is None else grad.float()
            parameter.grad = None
        torch.nn.utils.clip_grad_norm_(self.master, 1.0)
        factor = self.rate_factor()
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * factor
        self.optimiser.step()
        self.step += 1
        with torch.no_grad():
            torch._foreach_copy_(self.parameters, self.master)
            if self.step % 10 == 0:
                decay = min(0.98, self.step / (self.step + 100))
                torch._foreach_lerp_(self.average, self.master, 1 - decay)
        return losses

    @torch.no_grad()
    def averaged(self) -> None:
        """Put the running average into the model."""
        torch._foreach_copy_(self.parameters, self.average)

    @torch.no_grad()
    def current(self) -> None:
        """Put the current weights into the model."""
        torch._foreach_copy_(self.parameters, self.master)

    def save(self, path: Path) -> None:
        """Write a checkpoint atomically: weights, average, moments and step."""
        tensors: dict[str, torch.Tensor] = {}
        for name, weight, average in zip(self.names, self.master, self.average, strict=True):
            tensors[f"weight.{name}"], tensors[f"average.{name}"] = weight.detach(), average
            for key, value in self.optimiser.state.get(weight, {}).items():
                tensors[f"moment.{key}.{name}"] = value
        partial = path.with_suffix(".partial")
        save_file(tensors, partial, metadata={"step": str(self.step)})
        os.replace(partial, path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        with safe_open(path, "pt") as file, torch.no_grad():
            kept = set(file.keys())
            self.step = int(file.metadata()["step"])
            for name, weight, average in zip(self.names, self.master, self.average, strict=True):
                weight.copy_(file.get_tensor(f"weight.{name}"))
                average.copy_(file.get_tensor(f"average.{name}"))
                for key in ("step", "exp_avg", "exp_avg_sq"):
                    if f"moment.{key}.{name}" in kept:
                        value = file.get_tensor(f"moment.{key}.{name}")
                        self.optimiser.state[weight][key] = value
        self.current()


def fast_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself; elsewhere that would be far slower."""
    with open("/proc/cpuinfo", encoding="ascii") as stream:
        return "bf16" in stream.read()


def write_log(path: Path, row: dict[str, object]) -> None:
    """Append one line to the run's log and show it."""
    line = json.dumps(row)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    print(line, flush=True)


def make_batches(material: Material, work: Path, seed: int, shorts: float) -> Iterator[Batch]:
    """The endless batches of a run."""
    rng = Random(seed)
    encode = Encoder(AutoTokenizer.from_pretrained(work / "initial"), MAX_LENGTH, rng)
    encoded = (item for item in map(encode, stream(material, rng, shorts)) if item is not None)
    return bucketed(encoded, TOKENS, 1500, rng)


class Threads:
    """Uses all cores when they are free and one fewer while other programs need them.

    Two threads of which one waits for its core are far slower than one thread alone, because
    they meet after every matrix product.
    """

    def __init__(self, most: int) -> None:
        self.most, self.looked, self.others = most, 0.0, 0.0
        torch.set_num_threads(most)

    def adapt(self) -> None:
        """Look every two seconds at how much processor time other programs take."""
        now = time.monotonic()
        if self.most == 1 or now - self.looked < 2.0:
            return
        with open("/proc/stat", encoding="ascii") as stream:
            user, nice, system = map(int, stream.readline().split()[1:4])
        others = (user + nice + system) / 100 - time.process_time()
        share = (others - self.others) / (now - self.looked)
        if self.looked:
            torch.set_num_threads(self.most - 1 if share > 0.35 else self.most)
        self.looked, self.others = now, others


class Meter:
    """Mean losses and speed since it was made."""

    def __init__(self) -> None:
        self.totals = torch.zeros(len(fields(Losses)))
        self.steps = self.tokens = self.examples = 0
        self.since = time.monotonic()

    def add(self, losses: Losses, batch: Batch) -> None:
        """Count one step."""
        values = [getattr(losses, field.name).detach().float() for field in fields(Losses)]
        self.totals += torch.stack(values)
        self.steps += 1
        self.tokens += int(batch.mask.sum())
        self.examples += len(batch.mask)

    def row(self) -> dict[str, float]:
        """What the log says."""
        seconds = time.monotonic() - self.since
        names = [field.name for field in fields(Losses)]
        means = [round(value, 3) for value in (self.totals / self.steps).tolist()]
        speed = {"tokens/s": self.tokens / seconds, "examples/s": self.examples / seconds}
        return dict(zip(names, means, strict=True)) | {k: round(v, 1) for k, v in speed.items()}


def run(work: Path, steps: int, seed: int, threads: int, shorts: float) -> None:
    """Train until the steps are made or SIGTERM comes."""
    cores = Threads(threads)
    bart = BartForConditionalGeneration.from_pretrained(work / "initial", dtype=torch.float32)
    trainer = Trainer(Reader(bart), steps)
    checkpoint, log = work / "checkpoint.safetensors", work / "log.jsonl"
    trainer.reader.to(torch.bfloat16 if fast_bfloat16() else torch.float32)
    if checkpoint.exists():
        trainer.load(checkpoint)
    torch.manual_seed(seed + trainer.step)
    material = Material(work)
    batches = make_batches(material, work, seed + trainer.step, shorts)
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    rows = len(material.train)
    write_log(log, {"start": trainer.step, "steps": steps, "rows": rows, "shorts": shorts})
    trainer.reader.train()
    meter = Meter()
    saved = looked = time.monotonic()
    while trainer.step < steps and not stopped:
        cores.adapt()
        batch = next(batches)
        meter.add(trainer.update(batch), batch)
        now = time.monotonic()
        if now - meter.since > 60:
            write_log(log, {"step": trainer.step, **meter.row()})
            meter = Meter()
        if now - saved > 240:
            trainer.save(checkpoint)
            saved = time.monotonic()
        if now - looked > LOOK:
            trainer.averaged()
            row = dev_scores(trainer.reader, material, work)
            write_log(log, {"step": trainer.step, "dev": row})
            trainer.current()
            trainer.reader.train()
            meter = Meter()
            looked = time.monotonic()
    trainer.save(checkpoint)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--shorts", type=float, default=0.5, help="the share of short texts")
    given = parser.parse_args()
    run(given.work, given.steps, given.seed, given.threads, given.shorts)


if __name__ == "__main__":
    main()
