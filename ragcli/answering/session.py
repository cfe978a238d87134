"""The one object that every verb takes: an index, its encoder, a generator and the settings.

Encoder and generator are loaded when they are first needed, once, whichever thread asks first: a
word index needs no encoder, and finding passages needs no generator.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any, Generic, Self, TypeVar

from ragcli.answering.kinds import RETRIEVERS, Retriever
from ragcli.protocols import Encoder, Generator, SearchableIndex
from ragcli.settings import AnswerSettings

Part = TypeVar("Part")


class Lazy(Generic[Part]):
    """A part that is loaded once, when it is first needed."""

    def __init__(self, load: Callable[[], Part]) -> None:
        self._load, self._lock = cache(load), threading.Lock()

    def get(self) -> Part:
        with self._lock:
            return self._load()


def _lazy(part: Part | Lazy[Part]) -> Lazy[Part]:
    return part if isinstance(part, Lazy) else Lazy(lambda: part)


class Session:
    """An index, an encoder, a generator and settings, ready for any verb.

    `encoder` and `generator` are objects, or `Lazy` ones. Sessions are cheap: `using` gives another
    one over the same parts with other settings.
    """

    def __init__(
        self,
        index: SearchableIndex,
        encoder: Encoder | Lazy[Encoder],
        generator: Generator | Lazy[Generator],
        settings: AnswerSettings = AnswerSettings(),  # noqa: B008 (frozen)
    ) -> None:
        self.index, self.settings = index, settings
        self._encoder: Lazy[Encoder] = _lazy(encoder)
        self._generator: Lazy[Generator] = _lazy(generator)
        self._retrievers: dict[str, Retriever] = {}
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        index, said = self.index, self.settings
        how = f"{said.retriever} retriever, top-k {said.top_k}, RAG-{said.variant.capitalize()}"
        return f"<{type(self).__name__} {index.name}@{index.version}, {len(index)} passages, {how}>"

    @property
    def encoder(self) -> Encoder:
        """q(x) and d(z)."""
        return self._encoder.get()

    @property
    def generator(self) -> Generator:
        """p(y|x,z)."""
        return self._generator.get()

    @property
    def retriever(self) -> Retriever:
        """What finds the passages, by the setting of that name; made once for each name."""
        name = self.settings.retriever
        with self._lock:
            if name not in self._retrievers:
                self._retrievers[name] = RETRIEVERS.load(name)(self)
            return self._retrievers[name]

    @property
    def top_k(self) -> int:
        """How many passages a question gets: the setting, or all where there are fewer."""
        return self.retriever.available(self.settings.top_k)

    def using(self, **changes: Any) -> Self:
        """The same parts with some settings changed."""
        other = copy(self)
        other.settings = replace(self.settings, **changes)
        return other
