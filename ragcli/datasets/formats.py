"""The formats of question files: a line a format, open to other packages (`ragcli.datasets`).

| format | file | question | answers | gold passages |
|---|---|---|---|---|
| jsonl | JSON lines | `question` | `answers` (or an object by key) | `passage`, `document` |
| nq | NQ-open JSON lines | `question` | `answer` | |
| tqa | TriviaQA JSON | `Data[].Question` | `Answer.Value`, `Answer.Aliases` | |
| wq | WebQuestions JSON | `utterance` | `targetValue`'s descriptions | |
| ct | CuratedTREC JSON lines | `question` | `answer`, regular expressions | |
| msmarco | MS-MARCO QA 2.1 JSON, or lines | `query` | `wellFormedAnswers` or `answers` | |
| fever, fever2 | FEVER JSON lines | `claim` | `label` | titles in `evidence` |
| kilt | KILT JSON lines | `input` | `output[].answer` | `provenance`'s articles |

`fever` turns NOT ENOUGH INFO into `unknown`; `fever2` leaves such claims out, as the paper's 2-way
task does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ragcli.records import QAExample
from ragcli.registry import Registry
from ragcli.settings import Task


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """How the examples of a file are read, and what the format says about them.

    `task` is None where the questions may be of any task; `labels` are those of a classification.
    Where answers may depend on a key (a year, say), `read_key` reads those of one key.
    """

    read: Callable[[Path], Iterable[QAExample]]
    task: Task | None = None
    labels: tuple[str, ...] = ()
    read_key: Callable[[Path, str], Iterable[QAExample]] | None = None


_PUBLISHED = ("nq", "tqa", "wq", "ct", "msmarco", "fever", "fever2", "kilt")
FORMATS: Registry[DatasetFormat] = Registry(
    "datasets",
    "dataset format",
    {"jsonl": "ragcli.datasets.read:jsonl"}
    | {name: f"ragcli.datasets.published:{name}" for name in _PUBLISHED},
)
