"""Plain, deterministic stand-ins for networks: offline, instant, with values a test can compute."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragcli.protocols import Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings


class HashEncoder:
    """An encoder of sets of words: each adds a fixed random vector, and texts are normalised.

    Words of fewer than four letters are left out. Texts that share words score high, so retrieval
    means something. `salt` makes another encoder of the same dimension; `settings` are replaced by
    what is given, for tests of mismatches.
    """

    def __init__(self, dimension: int = 16, salt: str = "", **settings: object) -> None:
        digest = hashlib.sha256(f"hash encoder {dimension} {salt}".encode()).hexdigest()
        self._salt = salt
        self._vectors: dict[str, NDArray[np.float32]] = {}
        base = EncoderSettings(
            kind="hash",
            query_name=f"hash-{dimension}{salt}",
            document_name=f"hash-{dimension}{salt}",
            dimension=dimension,
            normalize=True,
            score_scale=1.0,
            max_length=512,
            query_digest=digest,
            document_digest=digest,
        )
        self.settings = replace(base, **settings)  # type: ignore[arg-type]

    def _word(self, word: str) -> NDArray[np.float32]:
        if word not in self._vectors:
            digest = hashlib.sha256(f"{self._salt}{word}".encode()).digest()
            generator = np.random.default_rng(int.from_bytes(digest[:8], "little"))
            vector = generator.standard_normal(self.settings.dimension)
            self._vectors[word] = vector.astype(np.float32)
        return self._vectors[word]

    def _encode(self, text: str) -> NDArray[np.float32]:
        words = sorted(set(re.findall(r"\w{4,}", text.lower()))) or [""]
        total = np.sum([self._word(word) for word in words], axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)

    def encode_queries(self, questions: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._encode(question) for question in questions])

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> NDArray[np.float32]:
        rows = [self._encode(f"{passage.title} {passage.text}") for passage in passages]
        if progress is not None:
            progress(len(rows))
        return np.stack(rows)
