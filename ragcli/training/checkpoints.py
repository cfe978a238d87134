"""What a training under way leaves on the disk: checkpoints to resume from, and its log.

A checkpoint is a folder of safetensors and JSON that is written under a temporary name and renamed
when it is on the disk: a process that is killed at any moment leaves the last whole one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ragcli.errors import StoreError
from ragcli.store.files import new_folder, replace_file, writing

_TENSORS, _STATE, _PREFIX = "tensors.safetensors", "state.json", "step-"


Checkpoint = tuple[dict[str, Any], dict[str, Any]]
"""Everything a training needs to go on from a step: its tensors by name, the rest as JSON."""


class Checkpoints:
    """The checkpoints in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, step: int, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; one of the same step is already the same and stays."""
        from safetensors.torch import save_file

        target = self._path(step)
        if target.is_dir():
            return
        tensors, state = checkpoint
        with writing(self.folder.parent), new_folder(target) as folder:
            save_file(tensors, folder / _TENSORS)
            (folder / _STATE).write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")

    def read(self, step: int) -> Checkpoint:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        path = self._path(step)
        try:
            state = json.loads((path / _STATE).read_text(encoding="utf-8"))
            return load_file(path / _TENSORS), state
        except (OSError, ValueError, SafetensorError) as error:
            raise StoreError(
                f"{path}: a checkpoint that cannot be read: {error}",
                "remove that folder to resume from an earlier one",
            ) from None

    def latest(self) -> Checkpoint | None:
        """The checkpoint of the last step that has one."""
        steps = [int(path.name.removeprefix(_PREFIX)) for path in self.folder.glob(f"{_PREFIX}*")]
        return self.read(max(steps)) if steps else None

    def keep(self, steps: Iterable[int]) -> None:
        """Remove all checkpoints but those, and what a killed process left half written."""
        kept = {self._path(step).name for step in steps}
        for path in self.folder.iterdir():
            if path.name not in kept:
                shutil.rmtree(path, ignore_errors=True)

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, step: int) -> Path:
        return self.folder / f"{_PREFIX}{step:08d}"


class TrainingLog:
    """log.jsonl: a line for each step and each measurement, in the order of the steps."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def cut(self, step: int | None) -> None:
        """Begin anew, or go on after `step`: what a killed process wrote beyond it is dropped."""
        kept = b""
        if step is not None and self.path.is_file():
            kept = b"".join(
                line
                for line in self.path.read_bytes().splitlines(keepends=True)
                if line.endswith(b"\n") and json.loads(line)["step"] <= step
            )
        replace_file(self.path, kept)

    def add(self, record: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
