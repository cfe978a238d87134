"""The logger `ragcli`: silent unless the host program listens, or the user says `rag -v`.

Messages are of level INFO for what takes time, and DEBUG for what decides between ways to go.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

logging.getLogger("ragcli").addHandler(logging.NullHandler())


@contextmanager
def timed(name: str, message: str, *values: object) -> Iterator[None]:
    """Log to the logger `name` what was done, once it is done, and how long it took."""
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    logging.getLogger(name).info(f"{message} in %.2f s", *values, seconds)
