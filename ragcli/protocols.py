"""What the rooms need of a network: they receive such objects and never load one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ragcli.records import Passage
from ragcli.settings import Confidence, EncoderSettings, Prompting

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
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
        self, passages: Sequence[Passage], batch_size: int = 32, progress: Progress | None = None
    ) -> Floats: ...


class SearchableIndex(Protocol):
    """Something that can be searched and gives passages: a version on disk, or parts of one.

    A row is a passage's number in the index. `encoder` are the settings of the encoder that made
    the vectors, and `digests` tell one content from another.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def encoder(self) -> EncoderSettings: ...

    @property
    def digests(self) -> Mapping[str, str]: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Passage]:
        """Every passage in the order of the rows."""

    def search(self, queries: Floats, k: int) -> tuple[Floats, Ints]:
        """The top-k of each query: exact d(z)·q(x) (n, k), largest first, and rows (n, k)."""

    def take(self, rows: Sequence[int]) -> list[Passage]:
        """The passages of rows, in that order."""

    def vectors(self, rows: Any) -> Floats:
        """The stored d(z) of rows (…), as (…, dimension)."""

    def close(self) -> None: ...


class Stepper(Protocol):
    """The next-token distribution of rows that remember what came before.

    `step(tokens, parents)` appends `tokens[r]` to a copy of row `parents[r]` of the previous call
    and returns log-probabilities (rows, columns), which the caller may overwrite. At the first
    call `tokens` is None, `parents` names the rows to begin with, and the decoder's own start
    tokens are used. A search that follows the passages' words needs few tokens of a vocabulary:
    `columns` are those it may write, in ascending order; None for all.
    """

    @property
    def columns(self) -> Ints | None: ...

    def step(self, tokens: Ints | None, parents: Ints) -> Any: ...

    def allowed(self) -> Any | None:
        """Which columns may follow each row of the last step (rows, columns); None for all.

        This narrows the search and leaves probabilities as they are.
        """

    def answered(self) -> Any | None:
        """log p(not "no answer") of each row of the last step, for generators that can say so."""


class TokenLogProbs(NamedTuple):
    """log p(y_i|x,z,y_<i) of n targets (n, t) and where their tokens stand (n, t).

    `answered` (n, t) is log p(y_i is not "no answer"|x,z,y_<i), for generators that can say so.
    """

    log_probs: Any
    mask: Any
    answered: Any | None = None


class Reading(Protocol):
    """(question, passage) pairs that were encoded once; everything after reuses their states."""

    @property
    def rows(self) -> int: ...

    def select(self, rows: Ints) -> Reading:
        """Some of the pairs, in the order given; nothing is encoded again."""

    def stepper(self) -> Stepper:
        """A decoder over the pairs, one row for each at the start."""

    def silence(self) -> NDArray[np.float64] | None:
        """p(no answer|x,z) of each pair, for generators that can say so, else None."""

    def first(self) -> Any:
        """log p(y_1|x,z) of every token: (rows, vocabulary)."""

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs:
        """Score target n under pair rows[n]."""


class Generator(Protocol):
    """p(y|x,z): an encoder–decoder with its tokenizer and its way of joining x and z."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def prompting(self) -> Prompting: ...

    @property
    def manner(self) -> dict[str, Any]:
        """What besides weights and prompting decides the answers, as JSON values."""

    @property
    def uncased(self) -> bool:
        """True if the vocabulary has no capitals: answers take the passage's own spelling."""

    @property
    def confidence(self) -> Confidence | None:
        """How sure to be of its answers, if that was fitted."""

    @property
    def ends(self) -> tuple[int, ...]:
        """The tokens that end an answer; the first one is what `tokenize` writes."""

    @property
    def copies(self) -> bool:
        """True if answers are stretches of the passages: without a passage there are none."""

    @property
    def reserved(self) -> tuple[str, ...]:
        """The tokenizer's special tokens as text, which no document may smuggle in."""

    @property
    def max_tokens(self) -> int:
        """The longest answer the decoder can write, end-of-sequence included."""

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        """Encoder inputs as token ids, special tokens included, nothing cut."""

    def encode(self, inputs: Sequence[Sequence[int]]) -> Reading:
        """Read each input, once."""

    def tokenize(self, answer: str) -> tuple[int, ...]:
        """An answer as the decoder would write it, end-of-sequence included."""

    def text(self, tokens: Sequence[int]) -> str: ...

    def token_texts(self, tokens: Sequence[int]) -> tuple[str, ...]: ...
