"""What a generator reads and writes as text, whichever engine runs its network."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError, RagError
from ragcli.models.copying import Copier
from ragcli.settings import LABEL, Confidence, Prompting

EXTRA, _NO_ANSWER = "rag.json", "no_answer_token_id"
_ROWS = 16
_CALL = 32
"""What one more call of the encoder costs, in tokens: padding is worth less than that."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What a model's configuration cannot say; kept as `rag.json` in its folder.

    `no_answer` is the token by which a model says that the passage does not hold the answer. Its
    probability is withheld, not shared out: such a passage then adds almost nothing to any answer.
    `copies` says that it was trained to copy short answers: the search then follows the passages'
    own words, or is one of `also` (see `ragcli.models.copying`), and probabilities stay what they
    are. `target_prefix` stood before
    every answer in training: a space, for byte-level vocabularies in which " Paris" is not "Paris".
    `confidence` says how sure to be of an answer, for models that it was fitted for.
    """

    prompting: Prompting | None = None
    uncased: bool = False
    no_answer: int | None = None
    copies: bool = False
    also: tuple[str, ...] = ()
    target_prefix: str = ""
    confidence: Confidence | None = None

    @classmethod
    def read(cls, path: Path) -> Manner:
        """The contents of a `rag.json`, or the defaults if there is none."""
        if not path.is_file():
            return cls()
        try:
            said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(said.get(_NO_ANSWER), int | None):
                raise TypeError(f"{_NO_ANSWER} is no token")
            return cls(
                Prompting(**said["prompting"]) if "prompting" in said else None,
                bool(said.get("uncased", False)),
                said.get(_NO_ANSWER),
                bool(said.get("copies", False)),
                tuple(map(str, said.get("also", ()))),
                str(said.get("target_prefix", "")),
                Confidence(**said["confidence"]) if "confidence" in said else None,
            )
        except (OSError, ValueError, TypeError, AttributeError, RagError, RecursionError) as error:
            raise ModelError(f"{path}: {error}") from error

    def write(self, path: Path) -> None:
        """Keep it beside a model's weights."""
        said = {name: value for name, value in asdict(self).items() if value is not None}
        if self.no_answer is not None:
            said[_NO_ANSWER] = said.pop("no_answer")
        path.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


class Language(ABC):
    """A tokenizer, prompting, and the tokens that begin and end an answer."""

    def __init__(
        self, name: str, manner: Manner, config: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> None:
        self.name, self.said = name, manner
        self.uncased, self.copies = manner.uncased, manner.copies
        self.no_answer, self.target_prefix = manner.no_answer, manner.target_prefix
        self.confidence = manner.confidence
        longest = _positions(config, "encoder")
        self.prompting = manner.prompting or Prompting(
            prefix=config.get("prefix") or "", max_length=min(300, longest)
        )
        ends = generation.get("eos_token_id")
        ends = config.get("eos_token_id") if ends is None else ends
        first = _single(ends, None, "end-of-sequence")
        self.ends = tuple(dict.fromkeys([first, *map(int, ends if isinstance(ends, list) else [])]))
        begin = generation.get("decoder_start_token_id")
        start = _single(begin, config.get("decoder_start_token_id"), "decoder start")
        forced = generation.get("forced_bos_token_id")
        # A forced first token is given, not chosen: it belongs to the start, with no probability.
        self.start: tuple[int, ...] = (start,) if forced is None else (start, int(forced))
        self.max_tokens = min(512, _positions(config, "decoder")) - len(self.start) + 1

    def make_copier(self, pieces: Sequence[str], separator: int, vocabulary: int) -> Copier:
        """What narrows the search for short answers, for generators that copy them."""
        styles = [text for style, text in self.prompting.styles.items() if style != LABEL]
        ids = self.tokenize_inputs([*self.said.also, *styles, ""])
        inner = [row[1:-1] for row in ids]  # without [CLS] and [SEP]
        also, free = inner[: len(self.said.also)], inner[len(self.said.also) : -1]
        return Copier(pieces, separator, self.ends, vocabulary, also, free)

    @property
    def manner(self) -> dict[str, Any]:
        """What besides weights and prompting decides the answers, as JSON values."""
        return {
            "start": list(self.start),
            "ends": list(self.ends),
            "no_answer": self.no_answer,
            "uncased": self.uncased,
            "copies": self.copies,
            "also": list(self.said.also),
            "target_prefix": self.target_prefix,
        }

    @property
    @abstractmethod
    def reserved(self) -> tuple[str, ...]:
        """The special tokens as text."""

    @abstractmethod
    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        """Encoder inputs as token ids."""

    @abstractmethod
    def _target(self, text: str) -> list[int]:
        """A target as the tokenizer writes it, special tokens included."""

    @abstractmethod
    def _decoded(self, tokens: Sequence[int], skip_special: bool) -> str:
        """Token ids as text."""

    def tokenize(self, answer: str) -> tuple[int, ...]:
        ids = self._target(self.target_prefix + answer)
        ids = ids if ids and ids[-1] in self.ends else [*ids, self.ends[0]]
        # What the decoder is given to start with is not part of the answer: a forced first token,
        # or a start token that the tokenizer writes as well.
        return tuple(ids[1:]) if ids[0] == self.start[-1] else tuple(ids)

    def text(self, tokens: Sequence[int]) -> str:
        return self._decoded(tokens, skip_special=True).strip()

    def token_texts(self, tokens: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._decoded([token], skip_special=False).strip() for token in tokens)


def similar(lengths: Sequence[int], rows: int = _ROWS) -> Iterator[list[int]]:
    """Which inputs to read together: sorted by length, and apart where padding costs too much."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch:
            padding = (lengths[i] - lengths[batch[-1]]) * len(batch)
            if padding > _CALL or len(batch) == rows:
                yield batch
                batch = []
        batch.append(i)
    if batch:
        yield batch


def _positions(config: Mapping[str, Any], part: str) -> int:
    """How many tokens the encoder or decoder can take; relative positions set no limit."""
    own = config.get(part) or config  # composed models have a configuration for each part
    for name in (f"max_{part}_position_embeddings", "max_position_embeddings"):
        if positions := own.get(name):
            return int(positions)
    return 4096


def _single(value: Any, fallback: Any, what: str) -> int:
    value = fallback if value is None else value
    value = next(iter(value), None) if isinstance(value, list) else value
    if value is None:
        raise ModelError(f"the generator's configuration names no {what} token")
    return int(value)
