"""kill -9 in the middle of a training, then --resume: the same bits as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ragcli.errors import SettingsError, StoreError
from ragcli.training.checkpoints import Checkpoints, TrainingLog
from ragcli.training.loop import check_identity
from tests.cli.conftest import World
from tests.cli.conftest import world as world  # the fixture

RAG = [sys.executable, "-c", "from ragcli.cli.app import main; main()"]
LINES = [
    {"question": "who is the president of peru ?", "answers": ["queen", "the queen"]},
    {"question": "what is the capital of france ?", "answers": ["paris"]},
    {"question": "where is lyon ?", "answers": ["in france", "france"]},
]


def command(world: World, data: Path, output: Path, *more: str) -> list[str]:
    """Dropout is on in both networks, so the random state has to come back too."""
    options = ["--model", str(world.generator), "--store", str(world.store), "--dev", str(data)]
    options += ["--epochs", "6", "--batch-size", "2", "--top-k", "2", "--checkpoint-every", "1"]
    options += ["--encoder-rate", "1e-3", "--generator-rate", "1e-3", "--learn-scale"]
    return [*RAG, "train", str(data), "-o", str(output), *options, "--threads", "1", *more]


ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}


def run(args: list[str]) -> None:
    subprocess.run(args, capture_output=True, text=True, env=ONE_THREAD, check=True)


def weights(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.safetensors")}


def kill_after(args: list[str], output: Path, step: int) -> None:
    """Start a training and kill -9 it once the log tells of `step`."""
    process = subprocess.Popen(
        args,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    log = output / "log.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        lines = log.read_text().splitlines() if log.is_file() else []
        if any(f'"step": {step},' in line for line in lines):
            break
        time.sleep(0.005)
    assert process.poll() is None, "the training ended before it was killed"
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_killed_and_resumed_is_bit_identical(world: World, tmp_path: Path) -> None:
    data = tmp_path / "train.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    run(command(world, data, tmp_path / "whole"))
    killed = tmp_path / "killed"
    kill_after(command(world, data, killed), killed, 4)
    assert not (killed / "manifest.json").exists()
    kill_after(command(world, data, killed, "--resume"), killed, 11)
    (killed / "checkpoints" / ".step-00000099.0.new").mkdir()  # as if killed while it was written
    run(command(world, data, killed, "--resume"))
    whole, resumed = weights(tmp_path / "whole"), weights(killed)
    assert set(whole) == {"query_encoder/model.safetensors", "generator/model.safetensors"}
    assert resumed == whole
    folders = (tmp_path / "whole", killed)
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in folders]
    for manifest in manifests:
        del manifest["created"]
    assert manifests[0] == manifests[1]
    logs = [_log(folder / "log.jsonl") for folder in folders]
    assert logs[0] == logs[1]
    assert [r["step"] for r in logs[0] if "loss" in r] == list(range(1, 19))
    assert "<polyline" in (killed / "training.html").read_text()


def _log(path: Path) -> list[dict[str, object]]:
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [{k: v for k, v in r.items() if k != "examples_a_second"} for r in records]


def test_another_training_is_not_resumed() -> None:
    check_identity({"data": 1, "seed": 2}, {"data": 1, "seed": 2})
    with pytest.raises(SettingsError, match="another seed"):
        check_identity({"data": 1, "seed": 2}, {"data": 1, "seed": 3})
    begun = {"training": {"seed": 1, "clip": 2.0, "top_k": 5}, "dev": None}
    wanted = {"training": {"seed": 2, "clip": 2.0, "top_k": 6}, "dev": {"file": "dev.jsonl"}}
    with pytest.raises(SettingsError, match=r"another dev, training\.seed, training\.top_k \("):
        check_identity(begun, wanted)


def test_a_damaged_checkpoint_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "step-00000003"
    folder.mkdir()
    (folder / "state.json").write_text("{}")
    (folder / "tensors.safetensors").write_bytes(b"cut")
    with pytest.raises(StoreError, match="cannot be read"):
        Checkpoints(tmp_path).latest()


def test_the_log_is_cut_back_to_the_step_resumed_from(tmp_path: Path) -> None:
    log = TrainingLog(tmp_path / "log.jsonl")
    log.cut(None)
    for step in range(4):
        log.add({"step": step})
    with log.path.open("a") as stream:
        stream.write('{"step": 3, "cut')
    log.cut(1)
    log.add({"step": 2, "again": True})
    assert log.records() == [{"step": 0}, {"step": 1}, {"step": 2, "again": True}]
