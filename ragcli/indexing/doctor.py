"""Is everything in order: the store, the encoders that belong to it, the models, the libraries?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ragcli.answering.belonging import check_encoder
from ragcli.errors import RagError
from ragcli.protocols import Encoder
from ragcli.records import Finding
from ragcli.settings import EncoderSettings
from ragcli.store.check import Checkup
from ragcli.store.history import list_versions
from ragcli.store.store import Store

Load = Callable[[EncoderSettings], Encoder | None]

_TOGETHER = """
import faiss, numpy, torch
index = faiss.IndexFlatIP(8)
index.add(numpy.eye(8, dtype="float32"))
assert (index.search(numpy.eye(8, dtype="float32"), 1)[1].ravel() == numpy.arange(8)).all()
assert torch.eye(8).matmul(torch.eye(8)).sum() == 8
"""


def check_store(store: Store, load: Load | None = None) -> Iterator[Finding]:
    """Every byte of the store, and with `load` each version's encoder against stored vectors.

    An encoder that `load` gives None for is not looked at.
    """
    checkup = Checkup(store)
    yield from checkup.run()
    if load is None:
        return
    loaded = cache(load)
    for name, version in checkup.whole:
        if version not in store.versions(name):
            continue  # removed since it was checked
        with store.open(f"{name}@{version}") as index:
            settings = index.manifest.encoder
            try:
                if (encoder := loaded(settings)) is None:
                    continue
                check_encoder(index, encoder)
            except RagError as error:
                message = f"{name}@{version}: {error.message}"
                yield Finding("problem", "encoders", message, error.hint)
            else:
                message = f"{name}@{version}: {settings.document_name} gives its stored vectors"
                yield Finding("ok", "encoders", message)


def encoders_of(store: Store) -> list[EncoderSettings]:
    """The encoders that the versions of a store were built with."""
    return [manifest.encoder for manifest in list_versions(store).manifests]


def check_libraries(command: Sequence[str] = (sys.executable, "-c", _TOGETHER)) -> Finding:
    """faiss and torch in one process: two builds of OpenMP can end it, so it is one of its own."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return Finding("ok", "libraries", "faiss and torch work in one process")
    reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    message = f"faiss and torch do not work in one process: {reason}"
    return Finding("problem", "libraries", message, "install both with -c constraints.txt")
