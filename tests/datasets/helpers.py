"""Question files made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def lines(path: Path, *records: Any) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path
