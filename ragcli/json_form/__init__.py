"""Every record as JSON values: what `--json` prints and what a server would send.

One function a record. Their keys are documented and described by `schemas.json`; other programs
depend on them. JSON has no infinity: a number that is not finite becomes null.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def picked(record: object, names: str) -> Json:
    """Attributes under their own names."""
    return {name: getattr(record, name) for name in names.split()}
