"""Checkpoints of a training under way: safetensors and JSON, each a folder that appears whole.

A checkpoint is written under a temporary name and renamed when it is on the disk. A process that is
killed at any moment leaves the last whole one to resume from.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcli.errors import StoreError
from ragcli.store.files import new_folder, writing

_TENSORS, _STATE, _PREFIX = "tensors.safetensors", "state.json", "step-"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything a training needs to go on from a step: its tensors by name, the rest as JSON."""

    step: int
    tensors: Mapping[str, Any]
    state: Mapping[str, Any]


class Checkpoints:
    """The checkpoints in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; one of the same step is already the same and stays."""
        from safetensors.torch import save_file

        target = self._path(checkpoint.step)
        if target.is_dir():
            return
        with writing(self.folder.parent), new_folder(target) as folder:
            save_file(dict(checkpoint.tensors), folder / _TENSORS)
            text = json.dumps({"step": checkpoint.step} | dict(checkpoint.state), indent=1)
            (folder / _STATE).write_text(text + "\n", encoding="utf-8")

    def steps(self) -> list[int]:
        """The steps that have a checkpoint, in order."""
        found = self.folder.glob(f"{_PREFIX}*") if self.folder.is_dir() else ()
        return sorted(int(path.name.removeprefix(_PREFIX)) for path in found)

    def read(self, step: int) -> Checkpoint:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        path = self._path(step)
        try:
            state = json.loads((path / _STATE).read_text(encoding="utf-8"))
            return Checkpoint(step, load_file(path / _TENSORS), state)
        except (OSError, ValueError, SafetensorError) as error:
            raise StoreError(
                f"{path}: a checkpoint that cannot be read: {error}",
                "remove that folder to resume from an earlier one",
            ) from None

    def latest(self) -> Checkpoint | None:
        steps = self.steps()
        return self.read(steps[-1]) if steps else None

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
