"""Frozen settings that check themselves; they travel whole and are written into every manifest."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ragcli.errors import SettingsError

Variant = Literal["sequence", "token"]
Mode = Literal["thorough", "fast"]
Style = Literal["short", "sentence", "question"]
Task = Literal["qa", "generation", "classification"]
DType = Literal["float32", "bfloat16", "float16"]
Engine = Literal["auto", "onnx", "torch"]
Precision = Literal["fp32", "bf16", "int8"]
OnError = Literal["fail", "skip"]
Schedule = Literal["constant", "linear", "cosine"]
LABEL = "label"
"""The style in which a claim is given a label; nobody asks for it by name."""
_DEVICE = re.compile(r"auto|cpu|mps|cuda(:[0-9]+)?")


class _Rule(NamedTuple):
    """What a value may be, and how an error says so."""

    holds: Callable[[Any], object]
    says: str


_NOT_NEGATIVE = _Rule(lambda n: n >= 0, "must be at least 0")
Count = Annotated[int, _Rule(lambda n: n >= 1, "must be at least 1")]
Natural = Annotated[int, _NOT_NEGATIVE]
Positive = Annotated[float, _Rule(lambda x: 0 < x < math.inf, "must be positive")]
Share = Annotated[float, _Rule(lambda x: 0 <= x < 1, "is a share from 0 to 1")]
Penalty = Annotated[float, _Rule(lambda x: -10 <= x <= 10, "must lie between -10 and 10")]
Device = Annotated[str, _Rule(_DEVICE.fullmatch, "must be one of auto, cpu, cuda, cuda:N, mps")]
Name = Annotated[str, _Rule(lambda text: bool(text.strip()), "must not be empty")]


@dataclass(frozen=True, slots=True)
class _Settings:
    """Every field is checked by its type; `_check` is for what no field tells alone."""

    def __post_init__(self) -> None:
        kind: type = type(self)
        for name, rule in _rules(kind).items():
            value = getattr(self, name)
            if value is not None and not rule.holds(value):
                raise SettingsError(f"{_flag(name)} {rule.says}, not {value!r}")
        self._check()

    def _check(self) -> None:
        pass

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@cache
def _rules(kind: type) -> dict[str, _Rule]:
    """The rule of each field that has one: that of its type, or the choices of a Literal."""
    rules = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for part in (hint, *get_args(hint)):  # the second for `Count | None`
            if get_origin(part) is Annotated:
                rules[name] = part.__metadata__[0]
            elif get_origin(part) is Literal:
                choices = get_args(part)
                rules[name] = _Rule(choices.__contains__, f"must be one of {', '.join(choices)}")
    return rules


def _flag(name: str) -> str:
    """A field as the user writes it: `batch-size`."""
    return "decoding" if name == "mode" else name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Chunking(_Settings):
    """How documents are cut: passages of `words` words (the paper's are of 100)."""

    words: Count = 100


@dataclass(frozen=True, slots=True)
class Indexing(_Settings):
    """How the FAISS file is made.

    `type` is `auto`, a short name (flat, hnsw, sq8, ivf, pq) or a FAISS factory string; the metric
    is always the inner product. `batch_size` is how many passages are embedded in one pass.
    """

    type: Name = "auto"
    batch_size: Count = 32
    seed: Annotated[int, _Rule(lambda n: 0 <= n < 2**31, "must be 0 to 2³¹ − 1")] = 0


@dataclass(frozen=True, slots=True)
class EncoderSettings(_Settings):
    """Everything that decides what an encoder returns; kept in the manifest of each index.

    `kind` is `sentence-transformers` or `dpr`. The score of a passage is
    `score_scale` × (d(z) · q(x)): 20 for cosine encoders trained with that scale, 1 for DPR.
    Digests are sha256 over the weights; for a symmetric encoder both are the same. `trained` says
    that the query encoder was trained on while the document encoder stood still: it belongs to
    every index of that document encoder, whatever query encoder the index was built with.
    `precision` is that of the network's products; queries are embedded in that of their index.
    """

    kind: str
    query_name: str
    document_name: str
    dimension: Count
    normalize: bool
    score_scale: Positive
    max_length: Count
    query_prefix: str = ""
    document_prefix: str = ""
    query_digest: str = ""
    document_digest: str = ""
    trained: bool = False
    precision: Precision = "fp32"


@dataclass(frozen=True, slots=True)
class Prompting(_Settings):
    """How question and passage are joined into one encoder input of the generator.

    `question_first` gives `prefix + question + question_separator + title + title_separator +
    text`; otherwise the passage stands first and the question last, as in the paper's checkpoints.
    The passage is cut to fit `max_length` tokens, never the question. `styles` says what is put
    before the question to ask for something else than a short answer: `sentence`, `question`, or
    the `label` of a claim.
    """

    question_first: bool = False
    prefix: str = ""
    title_separator: str = " / "
    question_separator: str = " // "
    max_length: Annotated[int, _Rule(lambda n: n >= 8, "must be at least 8 tokens")] = 300
    styles: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Placement(_Settings):
    """Where and how networks run.

    `device`: `auto` takes the fastest there is. `dtype` is the generator's; the encoder always runs
    in single precision, because its vectors must be those of the index. `engine`: ONNX Runtime for
    models that carry graphs, else torch. `threads`: as many as there are cores for this process.
    """

    device: Device = "auto"
    dtype: DType = "float32"
    engine: Engine = "auto"
    threads: Count | None = None

    def _check(self) -> None:
        if self.engine == "onnx" and not self._suits_onnx:
            raise SettingsError(
                "the engine onnx runs on the CPU, in float32",
                "leave out --device and --dtype, or use --engine torch",
            )

    @property
    def _suits_onnx(self) -> bool:
        return self.device in ("auto", "cpu") and self.dtype == "float32"

    @property
    def allows_onnx(self) -> bool:
        """Whether models that carry graphs run on ONNX Runtime."""
        return self.engine != "torch" and self._suits_onnx

    def uses_onnx(self, name: str, graphs: bool) -> bool:
        """Whether a model runs on ONNX Runtime; `graphs` says that its graphs are there."""
        if self.engine == "onnx" and not graphs:
            raise SettingsError(
                f"{name} has no ONNX graphs",
                "make them with rag export-model --onnx, or leave out --engine onnx",
            )
        return graphs and self.allows_onnx


@dataclass(frozen=True, slots=True)
class AnswerSettings(_Settings):
    """Everything that decides how a question is answered, with nothing left open.

    `top_k` passages are retrieved by `retriever` (see answering/retrieval.py), and the generator
    reads up to `margin` words beside each (see answering/margins.py). `style` is what is written: a
    short answer, a whole sentence, or a question to which the input is the answer. `max_tokens`
    counts the end-of-sequence token. `length_penalty` and `no_repeat_ngram` steer the search only;
    scores are always summed log-probabilities.
    """

    top_k: Count = 5
    retriever: Name = "dense"
    margin: Natural = 25
    style: Style = "short"
    variant: Variant = "sequence"
    mode: Mode = "thorough"
    beams: Count = 4
    max_tokens: Count = 32
    min_tokens: int = 1
    length_penalty: Penalty = 0.0
    no_repeat_ngram: Natural = 0
    n_best: Count = 5

    def _check(self) -> None:
        if not 1 <= self.min_tokens <= self.max_tokens:
            raise SettingsError(
                f"min-tokens must lie between 1 and max-tokens ({self.max_tokens}), "
                f"not {self.min_tokens}"
            )


@dataclass(frozen=True, slots=True)
class _Said(_Settings):
    """What somebody says; None leaves a setting to the model, and then to the default."""

    def _check(self) -> None:
        AnswerSettings(**self.said())

    def said(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Retrieval(_Said):
    """What somebody says of retrieval: what is found, and what is read of it."""

    top_k: int | None = None
    retriever: str | None = None
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Decoding(_Said):
    """What somebody says of decoding."""

    style: Style | None = None
    variant: Variant | None = None
    mode: Mode | None = None
    beams: int | None = None
    max_tokens: int | None = None
    min_tokens: int | None = None
    length_penalty: float | None = None
    no_repeat_ngram: int | None = None
    n_best: int | None = None


def resolve(*said: Retrieval | Decoding | None) -> AnswerSettings:
    """What is used: of each setting the first value that somebody gives, else the default.

    The one place where it is decided: callers pass what the user says, then what the model says.
    """
    values: dict[str, Any] = {}
    for each in said:
        if each is not None:
            values = each.said() | values
    return AnswerSettings(**values)


@dataclass(frozen=True, slots=True)
class Training(_Settings):
    """How query encoder and generator are trained together; written into the model's manifest.

    `variant`, `top_k` and `margin` are those of the session unless they are said. A step is one
    update of the weights, from `batch_size` × `accumulate` examples. `steps` may take the place of
    `epochs`. `warmup` is a share of all steps. With `checkpoint_every` a checkpoint is written
    every so many steps, and always after an epoch.
    """

    variant: Variant | None = None
    top_k: Count | None = None
    margin: Natural | None = None
    epochs: Count = 3
    steps: Count | None = None
    batch_size: Count = 4
    accumulate: Count = 1
    encoder_rate: Positive = 1e-5
    generator_rate: Positive = 3e-5
    scale_rate: Positive = 1e-2
    warmup: Share = 0.1
    schedule: Schedule = "linear"
    weight_decay: Annotated[float, _NOT_NEGATIVE] = 0.0
    label_smoothing: Share = 0.0
    clip: Positive = 1.0
    seed: Natural = 0
    freeze_retriever: bool = False
    freeze_generator: bool = False
    learn_scale: bool = False
    stop_on_collapse: bool = False
    checkpoint_every: Count | None = None

    def _check(self) -> None:
        if self.freeze_retriever and self.freeze_generator and not self.learn_scale:
            raise SettingsError("with retriever and generator frozen there is nothing to train")


@dataclass(frozen=True, slots=True)
class RetrieverTraining(_Settings):
    """How a retriever is trained from pairs of a question and its passage.

    Every other passage of a batch is a negative; `negatives` more for each question are mined by
    BM25: passages that rank high and do not hold the answer.
    """

    epochs: Count = 1
    batch_size: Count = 16
    negatives: Natural = 1
    rate: Positive = 2e-5
    warmup: Share = 0.1
    seed: Natural = 0
