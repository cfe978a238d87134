"""One thread for FAISS: on a busy machine its threads wait for each other far longer."""

from __future__ import annotations

import faiss
import pytest


@pytest.fixture(autouse=True)
def one_thread() -> None:
    faiss.omp_set_num_threads(1)
