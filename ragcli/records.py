"""The frozen records that cross the borders between rooms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

_DOUBTED = 100
"""How much likelier "no answer" must be than the answer to doubt it: all but the right passage say
it too. On documents that hold the answer one right answer in thirteen is then doubted."""


def several(texts: str | Iterable[str]) -> Sequence[str]:
    """One text or several → a list of texts, never one of the characters of a text."""
    return [texts] if isinstance(texts, str) else list(texts)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a part of a document stands in its source, and what kind of part it is.

    It holds from the character `start` of the text to the next mark. `line` is a line of the source
    file, `headings` what it stands under, outermost first, and `unit` says that one piece begins
    here, such as the row of a table, which should not be cut.
    """

    start: int
    page: int | None = None
    line: int | None = None
    headings: tuple[str, ...] = ()
    unit: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A source text. `source` and `line` say where it stands (line 1 of a whole file).

    `marks` say the same of its parts, in ascending order of their start; a passage has what the
    last mark at or before its first character says. They may be made as they are asked for.
    """

    id: str
    title: str
    text: str
    source: str
    line: int = 1
    metadata: Mapping[str, Any] = field(default_factory=dict)
    marks: Sequence[Mark] = field(default=(), compare=False, repr=False)


def caption(title: str, headings: Sequence[str]) -> str:
    """A title with the headings below it, the first of which may be the title itself."""
    repeated = bool(headings) and headings[0] == title
    return " › ".join(filter(None, (title, *headings[repeated:])))


def place(source: str, page: int | None, line: int | None) -> str:
    """Where something stands: `FILE:LINE`, or `FILE, page N`."""
    if page is not None:
        return f"{source}, page {page}"
    return f"{source}:{line}" if line is not None else source


@dataclass(frozen=True, slots=True)
class Passage:
    """About 100 words of a document, the unit that is retrieved (z).

    `id` is `DOCUMENT#N`; `start` and `end` count words in the document (end exclusive); `digest`
    is a sha256 of caption and text, so equal content has an equal digest wherever it stands.
    `headings` are those it stands under, outermost first; `page` and `line` are where it begins.
    `apart` says that the text before it ends there, as between two rows of a table.
    """

    id: str
    document_id: str
    title: str
    text: str
    digest: str
    source: str
    line: int
    start: int
    end: int
    metadata: Mapping[str, Any] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    page: int | None = None
    apart: bool = False

    @property
    def caption(self) -> str:
        """Its title and the headings below it: `Handbook › Travel › Meals`."""
        return caption(self.title, self.headings)

    @property
    def place(self) -> str:
        """Where it begins: `FILE:LINE`, or `FILE, page N`."""
        return place(self.source, self.page, self.line)


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage of the top-k with its score d(z)·q(x) and log p(z|x); `row` is its index row.

    `before` and `after` are what the generator reads of the passages beside it, and `span` is where
    in `text` the answer stands that it is evidence of.
    """

    passage: Passage
    row: int
    score: float
    log_prior: float
    before: str = ""
    after: str = ""
    span: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """What the generator reads: the passage between its margins."""
        return " ".join(filter(None, (self.before, self.passage.text, self.after)))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A candidate answer: its tokens (end-of-sequence included) and their summed log-probability.

    For a passage's own beam the sum is log p(y|x,z); for RAG-Token it is the marginal log p(y|x).
    """

    tokens: tuple[int, ...]
    log_prob: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the n best answers, with what each passage added to it.

    `log_likelihoods[j]` is log p(y|x,z_j) (−inf where fast decoding did not score it) and
    `posterior[j]` is p(z_j|x,y); both run in the order of the retrieved passages.
    For RAG-Token, `token_posterior[i][j]` is the posterior of passage j at token i, and `posterior`
    is its mean over the tokens.
    """

    text: str
    tokens: tuple[int, ...]
    token_texts: tuple[str, ...]
    log_prob: float
    log_likelihoods: tuple[float, ...]
    posterior: tuple[float, ...]
    token_posterior: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Passes:
    """How much work an answer took, in rows pushed through the network.

    An encoder row is one (question, passage) pair, a decoder row one step of one hypothesis for one
    passage, and a rescored row one whole hypothesis under one passage.
    """

    encoder: int = 0
    decoder: int = 0
    rescored: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, its evidence, and the index version it came from.

    `no_answer` is Σ_z p(z|x) p(no answer|x,z), for generators that can say so.
    """

    question: str
    candidates: tuple[Candidate, ...]
    passages: tuple[RetrievedPassage, ...]
    index: str
    version: str
    model: str
    variant: str
    decoding: str
    passes: Passes
    no_answer: float | None = None

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def text(self) -> str:
        return self.best.text

    @property
    def doubted(self) -> bool:
        """Whether the passages rather say that there is no answer."""
        if self.no_answer is None:
            return False
        return self.no_answer > _DOUBTED * math.exp(self.best.log_prob)

    @property
    def top_passage(self) -> RetrievedPassage:
        """The passage that the answer leans on most."""
        posterior = self.best.posterior
        return self.passages[max(range(len(posterior)), key=lambda j: posterior[j])]

    def __str__(self) -> str:
        found = self.top_passage.passage
        where = "  ".join(filter(None, (found.source and found.place, found.caption)))
        doubt = " (doubted)" if self.doubted else ""
        return f"{self.text or '(empty)'}{doubt}\np = {math.exp(self.best.log_prob):.3g}  {where}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer with its evidence."""
        from ragcli.markup import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True)
class QAExample:
    """A question with its accepted answers, as a dataset gives it.

    `patterns` says that the answers are regular expressions (CuratedTREC); `gold` holds the ids,
    documents or titles of the passages that should be retrieved. For classification the question
    is the text to classify and the one answer is its label. `positive` is the text of a passage to
    train a retriever with. `changed` says whether the answers depend on the key they were read
    with, if they have keys. `place` says where the example stands, `FILE:LINE`.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[str, ...] = ()
    patterns: bool = False
    positive: str | None = None
    changed: bool | None = None
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage behind a prediction; what another tool does not tell is None."""

    id: str
    document: str
    title: str
    text: str
    prior: float | None = None
    posterior: float | None = None
    source: str = ""
    page: int | None = None
    line: int | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was answered to one example from `top_k` passages.

    `gold_log_prob` is log p(y|x) of the first accepted answer; `labels` holds p(label|x),
    renormalised over the labels, for classification.
    """

    id: str
    question: str
    answer: str
    passages: tuple[Evidence, ...]
    top_k: int
    log_prob: float | None = None
    gold_log_prob: float | None = None
    labels: Mapping[str, float] | None = None

    @property
    def top_passage(self) -> Evidence | None:
        """The passage that the answer leans on most."""
        return max(self.passages, key=lambda e: e.posterior or 0.0, default=None)


@dataclass(frozen=True, slots=True)
class Classification:
    """A text's labels with their marginals, and the passages behind the likeliest one.

    `log_probs` are log p(label|x) as the generator gives them; `probs` are renormalised over the
    labels that were offered.
    """

    text: str
    labels: tuple[str, ...]
    log_probs: tuple[float, ...]
    probs: tuple[float, ...]
    passages: tuple[RetrievedPassage, ...]
    posterior: tuple[float, ...]
    variant: str

    @property
    def label(self) -> str:
        return self.labels[max(range(len(self.probs)), key=lambda n: self.probs[n])]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `rag doctor` looked at: in order, worth a note, or a problem.

    `advice` says what to run; `repair` puts it right and says what it did.
    """

    level: Literal["ok", "note", "problem"]
    about: str
    message: str
    advice: str | None = None
    repair: Callable[[], str] | None = field(default=None, compare=False, repr=False)
