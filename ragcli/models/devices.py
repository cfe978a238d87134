"""Devices and precision: what `auto` means here."""

from __future__ import annotations

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
