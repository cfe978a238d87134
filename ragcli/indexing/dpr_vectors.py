"""The embedding files of DPR's own tools: pickled lists of (passage id, vector), read as data.

Unpickling such a file would let it run anything, and numpy's own part of it read any memory. So no
pickle is executed here: its opcodes are walked, and what they say is taken down by a small stack
machine, which knows lists, tuples, strings, numbers and plain arrays of f4 or f8, and no more.
"""

from __future__ import annotations

import os
import pickletools
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ragcli.errors import CorpusError
from ragcli.protocols import Floats

_MARK = object()
_FLOATS = {"f4": np.float32, "f8": np.float64}


class _Refused(ValueError):
    """What the file holds has no place in it."""


def read_dpr_embeddings(path: Path) -> tuple[list[str], Floats]:
    """The ids, without a prefix such as `wiki:`, and vectors (n, dimension) of one file."""
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            rows = [(_id(id), _vector(vector)) for id, vector in _Machine().run(stream, size)]
        if sum(vector.nbytes for _, vector in rows) > size:
            raise _Refused("it names more numbers than it holds")
        vectors = np.stack([vector for _, vector in rows]).astype(np.float32)
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror}", str(path)) from None
    except Exception as error:  # a hostile or broken file can be wrong in any way
        raise CorpusError(f"not an embedding file of DPR: {error}", str(path)) from None
    if not np.isfinite(vectors).all():
        raise CorpusError("vectors that are not rows of finite numbers", str(path))
    return [id for id, _ in rows], vectors


def _id(value: object) -> str:
    if not isinstance(value, str | int):
        raise _Refused("a passage id that is neither a text nor a number")
    return str(value).rpartition(":")[2]


def _vector(value: object) -> NDArray[Any]:
    if not isinstance(value, _Array):
        raise _Refused("a vector that is no array")
    return value.numbers


class _Dtype:
    """What the file says of `numpy.dtype`."""

    def __init__(self, code: str, *_: object) -> None:
        if code not in _FLOATS:
            raise _Refused(f"numbers of type {code!r:.40} have no place in an embedding file")
        self.kind = np.dtype(_FLOATS[code])

    def build(self, state: tuple[Any, ...]) -> None:
        if state[1] not in ("<", ">", "="):
            raise _Refused("numbers in an unknown order of bytes")
        self.kind = np.dtype(f"{state[1]}{self.kind.str[1:]}")


class _Array:
    """What the file says of `numpy.ndarray`: one row of numbers."""

    def __init__(self, *_: object) -> None:
        self.numbers = np.empty(0, np.float32)

    def build(self, state: tuple[Any, ...]) -> None:
        _version, shape, dtype, _fortran, data = state
        self.fill(data, dtype, shape)

    def fill(self, data: bytes | bytearray, dtype: object, shape: tuple[int, ...]) -> None:
        if not isinstance(data, bytes | bytearray) or not isinstance(dtype, _Dtype):
            raise _Refused("an array of something other than numbers")
        self.numbers = np.frombuffer(data, dtype.kind)
        if shape != self.numbers.shape:
            raise _Refused(f"a vector of shape {shape!r:.40}")


def _from_buffer(data: bytes, dtype: object, shape: tuple[int, ...], _order: object) -> _Array:
    array = _Array()
    array.fill(data, dtype, shape)
    return array


def _encoded(text: str, encoding: str) -> bytes:
    """Bytes as protocol 2 writes them."""
    if encoding != "latin1":
        raise _Refused(f"the encoding {encoding!r:.40}")
    return text.encode("latin1")


_CALLS: dict[str, Callable[..., Any]] = {
    "numpy dtype": _Dtype,
    "numpy ndarray": _Array,
    "_codecs encode": _encoded,
    "numpy.core.multiarray _reconstruct": _Array,
    "numpy._core.multiarray _reconstruct": _Array,
    "numpy.core.numeric _frombuffer": _from_buffer,
    "numpy._core.numeric _frombuffer": _from_buffer,
}
_PLAIN = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_ARGUMENTS = (
    "BININT BININT1 BININT2 LONG1 BINUNICODE SHORT_BINUNICODE BINUNICODE8 "
    "BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8"
).split()


class _Machine:
    """Takes down what the opcodes of a pickle say; nothing of theirs is imported or called."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._steps: dict[str, Callable[[Any], None]] = {
            "APPEND": lambda _: self._append([self._stack.pop()]),
            "APPENDS": lambda _: self._append(self._marked()),
            "BUILD": lambda _: self._build(self._stack.pop()),
            "EMPTY_LIST": lambda _: self._stack.append([]),
            "GLOBAL": self._name,
            "MARK": lambda _: self._stack.append(_MARK),
            "MEMOIZE": lambda _: self._put(len(self._memo)),
            "REDUCE": lambda _: self._reduce(self._stack.pop()),
            "STACK_GLOBAL": lambda _: self._name(" ".join(self._last(2))),
            "TUPLE": lambda _: self._stack.append(tuple(self._marked())),
        }
        self._steps |= dict.fromkeys(_ARGUMENTS, self._stack.append)
        self._steps |= dict.fromkeys(("BINPUT", "LONG_BINPUT"), self._put)
        self._steps |= dict.fromkeys(("BINGET", "LONG_BINGET"), self._get)
        self._steps |= dict.fromkeys(("PROTO", "FRAME", "STOP"), lambda _: None)
        for name, value in _PLAIN.items():
            self._steps[name] = partial(self._push, value)
        for count in (1, 2, 3):
            self._steps[f"TUPLE{count}"] = partial(self._tuple, count)

    def run(self, stream: IO[bytes], size: int) -> list[Any]:
        """The list that the pickle in a stream of `size` bytes stands for."""
        source: Any = _Stream(stream, size)
        for opcode, argument, _ in pickletools.genops(source):
            if opcode.name not in self._steps:
                raise _Refused(f"the opcode {opcode.name} has no place in an embedding file")
            self._steps[opcode.name](argument)
        if len(self._stack) != 1 or not isinstance(self._stack[0], list):
            raise _Refused("it does not hold a list")
        return self._stack[0]

    def _push(self, value: object, _: object) -> None:
        self._stack.append(value)

    def _tuple(self, count: int, _: object) -> None:
        self._stack.append(tuple(self._last(count)))

    def _last(self, count: int) -> list[Any]:
        """The last values of the stack, taken from it."""
        if len(self._stack) < count:
            raise _Refused("it takes more than it gave")
        values = self._stack[-count:]
        del self._stack[-count:]
        return values

    def _marked(self) -> list[Any]:
        """What came after the last mark, taken from the stack."""
        values: list[Any] = []
        while (value := self._stack.pop()) is not _MARK:
            values.append(value)
        return values[::-1]

    def _append(self, values: list[Any]) -> None:
        if not isinstance(self._stack[-1], list):
            raise _Refused("it appends to what is no list")
        self._stack[-1].extend(values)

    def _put(self, number: int) -> None:
        self._memo[number] = self._stack[-1]

    def _get(self, number: int) -> None:
        self._stack.append(self._memo[number])

    def _name(self, name: str) -> None:
        if name not in _CALLS:
            raise _Refused(f"{name.replace(' ', '.')} has no place in an embedding file")
        self._stack.append(_CALLS[name])

    def _reduce(self, arguments: tuple[Any, ...]) -> None:
        call = self._stack.pop()
        if call not in _CALLS.values():
            raise _Refused("it calls what is no function")
        self._stack.append(call(*arguments))

    def _build(self, state: tuple[Any, ...]) -> None:
        if not isinstance(self._stack[-1], _Dtype | _Array):
            raise _Refused("it fills what is no array")
        self._stack[-1].build(state)


class _Stream:
    """A file of which no more is asked for than there is, whatever lengths it gives."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self._size = stream, size
        self.readline, self.tell = stream.readline, stream.tell

    def read(self, count: int) -> bytes:
        return self._stream.read(min(count, self._size))
