"""Devices, precision and cores: what `auto` means here."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.errors import SettingsError
from ragcli.settings import Placement

if TYPE_CHECKING:
    import torch


def device_of(placement: Placement) -> torch.device:
    """The device, which must be there; `auto` is CUDA, else Apple's MPS, else the CPU.

    Threads, if they are said, are torch's from now on: it knows no others.
    """
    import torch

    if placement.threads is not None:
        torch.set_num_threads(placement.threads)
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    kind = placement.device.partition(":")[0]
    if kind == "auto":
        return torch.device(next((name for name, found in there.items() if found), "cpu"))
    if not there.get(kind, True):
        raise SettingsError(f"no {kind} device on this machine", "use --device cpu, or auto")
    return torch.device(placement.device)


def dtype_of(placement: Placement) -> torch.dtype:
    """The precision in which a generator runs."""
    import torch

    dtype: torch.dtype = getattr(torch, placement.dtype)
    return dtype


def available_cores() -> int:
    """Cores that this process may run on, a container's limit included."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        cores = os.cpu_count() or 1
    return max(1, min(cores, _container_limit()))


def _container_limit() -> int:
    """The processor time that a container may use, in cores, rounded up."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return 1_000_000 if quota == "max" else math.ceil(int(quota) / int(period))
    except (OSError, ValueError):
        return 1_000_000
