"""How many threads a network may use: the cores of this process."""

from __future__ import annotations

import math
import os
from pathlib import Path


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
