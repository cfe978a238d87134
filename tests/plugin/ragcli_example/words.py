"""A kind of encoder: `words:64` counts words into 64 buckets and scales the counts to length 1."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from ragcli.protocols import Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings, Placement


class WordEncoder:
    """q(x) and d(z) are the same function."""

    def __init__(self, dimension: int) -> None:
        name = f"words:{dimension}"
        digest = hashlib.sha256(name.encode()).hexdigest()  # there are no weights but the name
        self.settings = EncoderSettings(
            kind="words",
            query_name=name,
            document_name=name,
            dimension=dimension,
            normalize=True,
            score_scale=20.0,
            max_length=512,
            query_digest=digest,
            document_digest=digest,
        )

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        counts = np.zeros((len(questions), self.settings.dimension), np.float32)
        for row, text in enumerate(questions):
            for word in re.findall(r"\w+", text.lower()):
                counts[row, crc32(word.encode()) % self.settings.dimension] += 1
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)

    def encode_passages(
        self, passages: Sequence[Passage], batch_size: int = 32, progress: Progress | None = None
    ) -> Floats:
        vectors = self.encode_queries([f"{p.title} {p.text}" for p in passages])
        if progress is not None:
            progress(len(passages))
        return vectors


class Words:
    def takes(self, name: str) -> bool:
        return False  # always named outright, `words:64`

    def load(self, name: str, placement: Placement) -> WordEncoder:
        return WordEncoder(int(name))

    def name_of(self, settings: EncoderSettings) -> str:
        return settings.document_name


WORDS = Words()
