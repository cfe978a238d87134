"""A dataset format: lines of `Question? = answer = another accepted answer`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragcli.datasets.formats import DatasetFormat
from ragcli.records import QAExample


def _read(path: Path) -> Iterator[QAExample]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        question, *answers = (part.strip() for part in line.split(" = "))
        yield QAExample(
            id=str(number), question=question, answers=tuple(answers), place=f"{path}:{number}"
        )


quiz = DatasetFormat(_read, task="qa")
