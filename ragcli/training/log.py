"""log.jsonl: a record for each step and each measurement, cut back to the step resumed from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from ragcli.store.files import replace_file


class TrainingLog:
    """JSON lines in the order of the steps, each flushed as it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: IO[str] | None = None

    def open(self, step: int | None) -> None:
        """Begin anew, or go on after `step`: what a killed process wrote beyond it is dropped."""
        kept = b""
        if step is not None and self.path.is_file():
            kept = b"".join(
                line
                for line in self.path.read_bytes().splitlines(keepends=True)
                if line.endswith(b"\n") and json.loads(line)["step"] <= step
            )
        replace_file(self.path, kept)
        self._stream = open(self.path, "a", encoding="utf-8")  # noqa: SIM115 (closed by close)

    def add(self, record: dict[str, Any]) -> None:
        if self._stream is None:
            raise ValueError("the log is not open")
        self._stream.write(json.dumps(record) + "\n")
        self._stream.flush()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
