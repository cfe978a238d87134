"""What pipelines need of a network; they receive such objects and never load one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ragcli.records import Passage
from ragcli.settings import EncoderSettings

Floats = NDArray[np.float32]
Progress = Callable[[int], None]


class Encoder(Protocol):
    """q(x) and d(z): texts in, float32 rows of `settings.dimension` out, in the order given.

    `encode_passages` embeds title and text together; it sorts by length inside, so callers pass
    large lists. `progress` is called with the number of passages just finished.
    """

    @property
    def settings(self) -> EncoderSettings: ...

    def encode_queries(self, questions: Sequence[str]) -> Floats: ...

    def encode_passages(
        self,
        passages: Sequence[Passage],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats: ...
