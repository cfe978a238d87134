"""ONNX Runtime: weights from a safetensors file, sessions that share cores politely."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import ModelError
from ragcli.models.devices import available_cores
from ragcli.models.onnx.graph import INT8, SCALE
from ragcli.models.source import GRAPHS, Source
from ragcli.settings import Placement

Array = NDArray[Any]
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "i1"}
MASKED = np.float32(-1e9)
"""What is added to the attention scores of padding."""


class Weights(Mapping[str, Array]):
    """The tensors of a safetensors file, mapped into memory and read only when they are used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                self._bytes = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            length = int.from_bytes(self._bytes[:8], "little")
            header = json.loads(self._bytes[8 : 8 + length])
            header.pop("__metadata__", None)
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise ModelError(f"{path} is no safetensors file: {error}") from error
        self._header, self._start = header, 8 + length

    def __getitem__(self, name: str) -> Array:
        about = self._header[name]
        begin, end = about["data_offsets"]
        kind = _TYPES.get(about["dtype"])
        if kind is None:
            raise ModelError(f"{self.path}: {name} is of the type {about['dtype']}")
        count = (end - begin) // np.dtype(kind).itemsize
        flat = np.frombuffer(self._bytes, kind, count, self._start + begin)
        return flat.reshape(about["shape"])

    def let_go(self) -> None:
        """Give back the memory of what was read; what is used again is read again."""
        if hasattr(self._bytes, "madvise"):  # not on Windows
            self._bytes.madvise(mmap.MADV_DONTNEED)

    def __iter__(self) -> Any:
        return iter(self._header)

    def __len__(self) -> int:
        return len(self._header)


@contextmanager
def usable(source: Source) -> Iterator[None]:
    """Whatever is missing or odd in a model's files becomes one error of ours."""
    try:
        yield
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{source.name} is not usable on the engine onnx: {error!r}") from error


class Folder:
    """A model folder with graphs of ours in `onnx/`, described by `onnx/graphs.json`."""

    def __init__(self, graphs: Path, placement: Placement) -> None:
        self.graphs, self.placement = graphs, placement

    @cached_property
    def about(self) -> dict[str, Any]:
        """Which weights each graph takes, and digests."""
        try:
            about: dict[str, Any] = json.loads((self.graphs / GRAPHS).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"{self.graphs / GRAPHS}: {error}") from error
        return about

    def session(self, name: str, weights: Weights, **others: Array) -> Any:
        """A graph with its weights in single precision; `others` are not in the file."""
        arrays: dict[str, Array] = {}
        for each in self.about["graphs"][name]:
            if each.endswith(INT8):
                plain = each.removesuffix(INT8)
                arrays[each], arrays[plain + SCALE] = quantized(weights[plain])
            elif not each.endswith(SCALE):
                array = others[each] if each in others else weights[each]
                arrays[each] = np.ascontiguousarray(array, dtype=np.float32)
        session = open_session(self.graphs / f"{name}.onnx", self.placement, arrays)
        weights.let_go()
        return session


def quantized(weight: Array) -> tuple[Array, Array]:
    """A linear layer's weight (out, in) as integers (in, out) and a scale for each output."""
    scale = np.maximum(np.abs(weight).max(axis=1) / 127, np.finfo(np.float32).tiny)
    whole = np.round(weight / scale[:, None]).astype(np.int8)
    return np.ascontiguousarray(whole.T), scale.astype(np.float32)


def open_session(
    path: Path, placement: Placement, weights: Mapping[str, Array] | None = None
) -> Any:
    """An inference session that waits without spinning."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = placement.threads or available_cores()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    given: Any = str(path)
    if weights is not None:
        # Our graphs are written as they should run: what is left to optimise is not worth the time.
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        values = [ort.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
        options.add_external_initializers(list(weights), values)
        given = path.read_bytes()
    try:
        return ort.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's errors have no common base
        reason = str(error).strip().splitlines()[0]
        raise ModelError(f"{path} is not a usable graph: {reason}") from error
