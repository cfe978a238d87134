"""Embedding files of DPR's own tools: pickled lists of (passage id, vector).

Unpickling can run anything, so only what such a file needs is allowed: lists, tuples, strings,
numbers and numpy arrays.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np

from ragcli.errors import CorpusError
from ragcli.store.embeddings import Floats

_ALLOWED = {
    *(
        (f"numpy.{core}.multiarray", name)
        for core in ("core", "_core")
        for name in ("_reconstruct", "scalar")
    ),
    *((f"numpy.{core}.numeric", "_frombuffer") for core in ("core", "_core")),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),
}


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in an embedding file")
        return super().find_class(module, name)


def read_dpr_embeddings(path: Path) -> tuple[list[str], Floats]:
    """The ids, without a prefix such as `wiki:`, and vectors (n, dimension) of one file."""
    try:
        with open(path, "rb") as stream:
            rows = _Plain(stream).load()
        ids = [str(row[0]).rpartition(":")[2] for row in rows]
        vectors = np.stack([np.asarray(row[1], dtype=np.float32) for row in rows])
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror}", str(path)) from None
    except Exception as error:  # a hostile or broken pickle can raise anything
        raise CorpusError(f"not an embedding file of DPR: {error}", str(path)) from None
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise CorpusError("vectors that are not rows of finite numbers", str(path))
    return ids, vectors
