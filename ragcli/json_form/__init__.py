"""Every record as JSON values: what `--json` prints and what a server would send.

One function a record. Their keys are documented and described by `schemas.json`; other programs
depend on them. JSON has no infinity: a number that is not finite becomes null.
"""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from operator import attrgetter
from typing import Any

Json = dict[str, Any]


def picked(record: object, names: str) -> Json:
    """Attributes under their own names, or as in `index=manifest.name` under another."""
    found = {}
    for name in names.split():
        key, _, path = name.partition("=")
        value = attrgetter(path or key)(record)
        nested = is_dataclass(value) and not isinstance(value, type)
        found[key] = asdict(value) if nested else value
    return found
