"""Train the generator, stage by stage, resumable, with a schedule measured in minutes.

    python train.py --stage A --data DATA --work WORK --minutes 14
    python train.py --stage B --data DATA --work WORK --minutes 70

The run's log is appended to WORK/log.jsonl.  A checkpoint is written to WORK/STAGE every
few minutes and at SIGTERM; the same command goes on from it.  A new stage
starts from the stage before, or with --begin from an exported generator.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import torch
from batches import Batch, Encoder, bucketed
from data import (
    Example,
    Sources,
    asked_held_out,
    documents_held_out,
    mixture,
    qamr_held_out,
    qed_held_out,
    synthetic_held_out,
    written_held_out,
)
from groups import GroupBatch, bucketed_groups, encode_group
from make_model import load_tokenizer
from reader import Losses, Reader
from retrieved import mixed_groups
from safetensors import safe_open
from safetensors.torch import save_file
from scoring import answer_all, score
from transformers import BartForConditionalGeneration


@dataclass(frozen=True)
class Stage:
    """What a stage trains on and how."""

    shares: dict[str, float]
    max_length: int
    encoder_rate: float
    decoder_rate: float
    final_rate: float = 1.0
    decay_from: float = 1.0
    batch_tokens: int = 2048
    attention_weight: float = 0.5
    span_weight: float = 0.5
    before: str | None = None
    warmup_minutes: float = 0.5
    marginal_weight: float = 0.2
    selection_weight: float = 0.0
    frozen_layers: int = 0
    group_size: int = 0
    group_share: float = 0.0
    dropout: float = 0.0
    head_rate: float = 0.0
    retrieved: tuple[str, ...] = ()


STAGES = {
    "A": Stage(
        {"copy": 0.5, "locate": 0.5}, 128, encoder_rate=1e-4, decoder_rate=7e-4, batch_tokens=800
    ),
    "B": Stage(
        {"qamr": 0.3, "synthetic": 0.52, "qed": 0.08, "cloze": 0.08, "copy": 0.02},
        192,
        encoder_rate=2e-4,
        decoder_rate=5e-4,
        batch_tokens=1400,
        before="A",
        frozen_layers=2,
    ),
    "C": Stage(
        {"qamr": 0.3, "qed": 0.1, "cloze": 0.06, "synthetic": 0.24, "synthetic-long": 0.3},
        256,
        encoder_rate=1.5e-4,
        decoder_rate=3e-4,
        final_rate=0.02,
        decay_from=0.0,
        batch_tokens=2000,
        before="B",
        group_size=3,
        group_share=0.5,
    ),
}
STAGES["D"] = replace(
    STAGES["C"],
    shares={"qamr": 0.2, "qed": 0.1, "cloze": 0.04, "synthetic": 0.26, "synthetic-long": 0.4},
    before="C",
    group_share=0.4,
)
STAGES["E"] = replace(
    STAGES["D"],
    shares={"qamr": 0.18, "qed": 0.08, "synthetic": 0.12, "synthetic-long": 0.17, "prose": 0.45},
    encoder_rate=1e-4,
    decoder_rate=2e-4,
    before="D",
)
STAGES["F"] = replace(
    STAGES["E"],
    shares={
        "qamr": 0.2,
        "qed": 0.12,
        "cloze": 0.06,
        "synthetic": 0.1,
        "synthetic-long": 0.15,
        "prose": 0.37,
    },
    before="E",
)
STAGES["G"] = replace(
    STAGES["F"],
    shares=STAGES["F"].shares | {"qed": 0.1, "cloze": 0.05, "synthetic": 0.15, "prose": 0.35},
    before="F",
)
STAGES["H"] = replace(
    STAGES["G"],
    shares={
        "qamr": 0.18,
        "qed": 0.1,
        "cloze": 0.03,
        "synthetic": 0.06,
        "synthetic-long": 0.06,
        "prose": 0.11,
        "written": 0.46,
    },
    before="G",
    marginal_weight=0.4,
    group_size=4,
    group_share=0.5,
    dropout=0.1,
)
STAGES["I"] = replace(
    STAGES["H"],
    shares=STAGES["H"].shares | {"qamr": 0.2, "cloze": 0.02, "prose": 0.09, "written": 0.47},
    before="H",
    marginal_weight=0.6,
    group_size=5,
    group_share=0.6,
    head_rate=3e-3,  # an exported generator has no span head: this one begins at zero
)
STAGES["J"] = replace(
    STAGES["I"],
    shares={
        "qamr": 0.12,
        "qed": 0.07,
        "synthetic": 0.04,
        "synthetic-long": 0.04,
        "prose": 0.05,
        "written": 0.18,
        "asked": 0.18,
        "documents": 0.32,
    },
    encoder_rate=1.2e-4,
    decoder_rate=2.4e-4,
    before="I",
    frozen_layers=2,
    group_size=4,
    group_share=0.5,
)
STAGES["K"] = replace(
    STAGES["J"],
    shares={
        "qamr": 0.13,
        "qed": 0.06,
        "synthetic": 0.03,
        "synthetic-long": 0.04,
        "prose": 0.05,
        "written": 0.2,
        "asked": 0.24,
        "documents": 0.25,
    },
    before="J",
    group_share=0.75,
    selection_weight=0.5,
    retrieved=("qamr", "asked", "documents"),
)


class Trainer:
    """Model, optimiser, running average of the weights and the clock of one stage."""

    def __init__(self, reader: Reader, stage: Stage, minutes: float) -> None:
        self.reader = reader
        self.stage = stage
        self.minutes = minutes
        self.seconds = 0.0
        self.step = 0
        named = [(n, p) for n, p in reader.named_parameters() if p.requires_grad]
        self.names = [name for name, _ in named]
        self.parameters = [parameter for _, parameter in named]
        encoder = [p for n, p in named if ".encoder." in n]
        decoder = [p for n, p in named if ".decoder." in n]
        head = list(reader.span_head.parameters())
        groups = [
            {"params": encoder, "base": stage.encoder_rate},
            {"params": decoder, "base": stage.decoder_rate},
            {"params": head, "base": stage.head_rate or stage.decoder_rate},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)
        self.average = [parameter.detach().clone() for parameter in self.parameters]

    def rate_factor(self) -> float:
        """Warm-up, a plateau, then a straight line down to the stage's final rate."""
        minutes = self.seconds / 60
        if minutes < self.stage.warmup_minutes:
            return (minutes + 0.02) / (self.stage.warmup_minutes + 0.02)
        begin = self.stage.decay_from * self.minutes
        if minutes <= begin:
            return 1.0
        done = min(1.0, (minutes - begin) / (self.minutes - begin))
        return 1.0 + (self.stage.final_rate - 1.0) * done

    def update(self, batch: Batch | GroupBatch) -> Losses:
        """One step of the optimiser."""
        began = time.monotonic()
        if isinstance(batch, GroupBatch):
            losses = self.reader(batch.batch, batch)
        else:
            losses = self.reader(batch)
        total = (
            losses.words
            + self.stage.attention_weight * losses.attention
            + self.stage.span_weight * losses.span
            + self.stage.marginal_weight * losses.marginal
            + self.stage.selection_weight * losses.selection
        )
        total.backward()
        self.apply()
        self.seconds += time.monotonic() - began
        return losses

    def apply(self) -> None:
        """Clip, step, and every tenth step add to the running average."""
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        factor = self.rate_factor()
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * factor
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        if self.step % 10 == 0:
            decay = min(0.97, self.step / (self.step + 100))
            torch._foreach_lerp_(self.average, [p.detach() for p in self.parameters], 1 - decay)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the weights with their running average; a second call undoes it."""
        for parameter, average in zip(self.parameters, self.average, strict=True):
            kept = parameter.clone()
            parameter.copy_(average)
            average.copy_(kept)

    def save(self, folder: Path) -> None:
        """Write a checkpoint atomically: weights, average, optimiser moments and clock."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors: dict[str, torch.Tensor] = {}
        for name, parameter, average in zip(self.names, self.parameters, self.average, strict=True):
            tensors[f"weight.{name}"] = parameter.detach()
            tensors[f"average.{name}"] = average
            for key, value in self.optimiser.state.get(parameter, {}).items():
                tensors[f"moment.{key}.{name}"] = value
        clock = {"seconds": str(self.seconds), "step": str(self.step)}
        partial = folder / "checkpoint.partial"
        save_file(tensors, partial, metadata=clock)
        os.replace(partial, folder / "checkpoint.safetensors")

    def load(self, folder: Path, resume: bool) -> None:
        """Read a checkpoint; without `resume` only its averaged weights, clock at zero."""
        with safe_open(folder / "checkpoint.safetensors", "pt") as file:
            kept = set(file.keys())
            with torch.no_grad():
                for index, name in enumerate(self.names):
                    average = file.get_tensor(f"average.{name}")
                    weight = file.get_tensor(f"weight.{name}") if resume else average
                    self.parameters[index].copy_(weight)
                    self.average[index].copy_(average)
            if not resume:
                return
            clock = file.metadata()
            self.seconds, self.step = float(clock["seconds"]), int(clock["step"])
            for name, parameter in zip(self.names, self.parameters, strict=True):
                for key in ("step", "exp_avg", "exp_avg_sq"):
                    if f"moment.{key}.{name}" in kept:
                        value = file.get_tensor(f"moment.{key}.{name}")
                        self.optimiser.state[parameter][key] = value


class Threads:
    """Uses all cores when they are free and one fewer while other programs need them.

    Two threads of which one waits for its core are far slower than one thread alone, because
    they meet after every matrix product.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.looked = 0.0
        self.others = 0.0
        torch.set_num_threads(most)

    def adapt(self) -> None:
        """Look at most once a second at how much processor time other programs take."""
        now = time.monotonic()
        if self.most == 1 or now - self.looked < 1.0:
            return
        if os.getpriority(os.PRIO_PROCESS, 0) < 0:
            torch.set_num_threads(self.most)  # others make way for a run that is put first
            return
        with open("/proc/stat", encoding="ascii") as stream:
            user, nice, system = map(int, stream.readline().split()[1:4])
        others = (user + nice + system) / 100 - time.process_time()
        share = (others - self.others) / (now - self.looked)
        if self.looked:
            torch.set_num_threads(self.most - 1 if share > 0.35 else self.most)
        self.looked, self.others = now, others


def write_log(path: Path, row: dict[str, object]) -> None:
    """Append one line to the run's log and show it."""
    line = json.dumps(row)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    print(line, flush=True)


def dev_sets(sources: Sources) -> dict[str, list[Example]]:
    """Small held-out sets, cheap enough to look at during training."""
    return {
        "qamr": qamr_held_out(sources)[::30],
        "qed": qed_held_out(sources)[::8],
        "synthetic": synthetic_held_out(120),
        "written": written_held_out(120),
        "asked": asked_held_out(sources, 120),
        "documents": documents_held_out(120),
    }


def evaluate(trainer: Trainer, sets: dict[str, list[Example]]) -> dict[str, object]:
    """Exact match and F1 of the averaged weights on the small held-out sets."""
    tokenizer = load_tokenizer()
    trainer.swap()
    trainer.reader.eval()
    row: dict[str, object] = {}
    for name, examples in sets.items():
        answers = answer_all(trainer.reader.bart, tokenizer, examples, abstain=True)
        result = score(answers, examples, tokenizer)
        row[name] = [result.em, result.f1]
    trainer.reader.train()
    trainer.swap()
    return row


def start(name: str, stage: Stage, work: Path, minutes: float, begin: Path | None) -> Trainer:
    """The trainer of a stage: resumed, from `begin` or the stage before, or from MiniLM's weights.

    Without the stage before, the span head begins at zero, so that it moves the encoder only
    as it learns.
    """
    bart = BartForConditionalGeneration.from_pretrained(
        begin or work / "initial", dropout=stage.dropout, dtype=torch.float32
    )
    reader = Reader(bart)
    if begin:
        torch.nn.init.zeros_(reader.span_head.weight)
    trainer = Trainer(reader, stage, minutes)
    for layer in reader.bart.model.encoder.layers[: stage.frozen_layers]:
        layer.requires_grad_(False)
    reader.bart.model.encoder.layernorm_embedding.requires_grad_(not stage.frozen_layers)
    if (work / name / "checkpoint.safetensors").exists():
        trainer.load(work / name, resume=True)
    elif stage.before and not begin:
        trainer.load(work / stage.before, resume=False)
    reader.train()  # from_pretrained leaves dropout off
    return trainer


def make_batches(stage: Stage, sources: Sources, seed: int) -> Iterator[Batch | GroupBatch]:
    """The endless batches of a stage: single passages, and a share of groups."""
    tokenizer = load_tokenizer()
    encode = Encoder(tokenizer, stage.max_length, seed)
    rng = random.Random(seed)
    pad = tokenizer.pad_token_id
    examples = mixture(sources, stage.shares, seed)
    stream = (item for item in map(encode, examples) if item is not None)
    singles = bucketed(stream, pad, stage.batch_tokens, 1000, rng)
    made = mixed_groups(sources, stage.shares, stage.retrieved, stage.group_size, seed + 1)
    rows = (row for row in (encode_group(group, encode) for group in made) if row)
    grouped = bucketed_groups(rows, pad, stage.batch_tokens, 200, rng)
    while True:
        yield next(grouped if rng.random() < stage.group_share else singles)


class Meter:
    """Mean losses and speed since they were last shown."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin a new line of the log."""
        self.totals = torch.zeros(len(fields(Losses)))
        self.examples = self.steps = 0
        self.since = time.monotonic()

    def add(self, losses: Losses, batch: Batch | GroupBatch) -> None:
        """Count one step."""
        self.totals += torch.stack(list(vars(losses).values())).detach()
        self.examples += len(batch.batch.source if isinstance(batch, GroupBatch) else batch.source)
        self.steps += 1

    def row(self) -> dict[str, float]:
        """The means as a line of the log."""
        names = [field.name for field in fields(Losses)]
        means = (self.totals / self.steps).tolist()
        speed = self.examples / (time.monotonic() - self.since)
        losses = {name: round(mean, 3) for name, mean in zip(names, means, strict=True)}
        return {**losses, "examples_per_second": round(speed, 1)}


def run(
    name: str, data: Path, work: Path, minutes: float, seed: int, threads: int, begin: Path | None
) -> None:
    """Train one stage until its minutes are spent."""
    cores = Threads(threads)
    stage = STAGES[name]
    trainer = start(name, stage, work, minutes, begin)
    torch.manual_seed(seed + trainer.step)
    sources = Sources(data, work)
    batches = make_batches(stage, sources, seed + trainer.step)
    sets = dev_sets(sources)
    log = work / "log.jsonl"
    write_log(log, {"stage": name, "start": trainer.step, "settings": asdict(stage)})
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    meter = Meter()
    saved = looked = time.monotonic()
    while trainer.seconds < minutes * 60 and not stopped:
        cores.adapt()
        batch = next(batches)
        meter.add(trainer.update(batch), batch)
        now = time.monotonic()
        where = {"stage": name, "step": trainer.step, "minutes": round(trainer.seconds / 60, 2)}
        if now - meter.since > 30:
            write_log(log, {**where, **meter.row(), "threads": torch.get_num_threads()})
            meter.reset()
        if now - saved > 180:
            trainer.save(work / name)
            saved = time.monotonic()
        if now - looked > 900:
            write_log(log, {**where, "dev": evaluate(trainer, sets)})
            meter.reset()
            looked = time.monotonic()
    trainer.save(work / name)
    if not stopped:
        write_log(log, {"stage": name, "step": trainer.step, "dev": evaluate(trainer, sets)})


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", choices=sorted(STAGES), required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--begin", type=Path, help="an exported generator to begin with")
    given = parser.parse_args()
    run(given.stage, given.data, given.work, given.minutes, given.seed, given.threads, given.begin)


if __name__ == "__main__":
    main()
