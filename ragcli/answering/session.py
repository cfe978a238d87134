"""The one object that every verb takes: an index, its encoder, a generator and the settings.

Encoder and generator are loaded when they are first needed, once, whichever thread asks first: a
word index needs no encoder, and finding passages needs no generator.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

from ragcli.answering.retrieval import RETRIEVERS, Retriever
from ragcli.protocols import Encoder, Generator, SearchableIndex
from ragcli.settings import AnswerSettings

Part = TypeVar("Part")


class Lazy(Generic[Part]):
    """A part that is there, or a function that loads it once."""

    def __init__(self, part: Part | None = None, load: Callable[[], Part] | None = None) -> None:
        self._part, self._load = part, load
        self._lock = threading.Lock()

    def get(self) -> Part:
        with self._lock:
            if self._part is None:
                if self._load is None:
                    raise ValueError("nothing to load")
                self._part = self._load()
            return self._part


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
        self._encoder: Lazy[Encoder] = encoder if isinstance(encoder, Lazy) else Lazy(encoder)
        self._generator: Lazy[Generator] = (
            generator if isinstance(generator, Lazy) else Lazy(generator)
        )
        self._retrievers: dict[str, Lazy[Retriever]] = {}
        self._lock = threading.Lock()

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
                make = RETRIEVERS.load(name)
                self._retrievers[name] = Lazy(load=lambda: make(self))
            retriever = self._retrievers[name]
        return retriever.get()

    @property
    def top_k(self) -> int:
        """How many passages a question gets: the setting, or all where there are fewer."""
        return self.retriever.available(self.settings.top_k)

    def using(self, **changes: Any) -> Self:
        """The same parts with some settings changed."""
        other = copy(self)
        other.settings = replace(self.settings, **changes)
        return other
