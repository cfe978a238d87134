"""Frozen settings that check themselves; they travel whole and are written into every manifest."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from ragcli.errors import SettingsError

Variant = Literal["sequence", "token"]
Mode = Literal["thorough", "fast"]
Task = Literal["qa", "generation", "classification"]
DType = Literal["float32", "bfloat16", "float16"]
Engine = Literal["auto", "onnx", "torch"]
Precision = Literal["fp32", "bf16", "int8"]
OnError = Literal["fail", "skip"]
Schedule = Literal["constant", "linear", "cosine"]


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise SettingsError(message)


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut: disjoint passages of `words` words (the paper's are of 100)."""

    words: int = 100

    def __post_init__(self) -> None:
        _require(self.words >= 1, f"words must be at least 1, not {self.words}")


@dataclass(frozen=True, slots=True)
class Indexing:
    """How the FAISS file is made.

    `type` is `auto`, a short name (flat, hnsw, sq8, ivf, pq) or a FAISS factory string; the metric
    is always the inner product. `batch_size` is how many passages are embedded in one pass.
    """

    type: str = "auto"
    batch_size: int = 32
    seed: int = 0

    def __post_init__(self) -> None:
        _require(bool(self.type.strip()), "the index type must not be empty")
        _require(0 <= self.seed < 2**31, f"the seed must be 0 to 2³¹ − 1, not {self.seed}")
        _require(self.batch_size >= 1, f"batch size must be at least 1, not {self.batch_size}")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
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
    dimension: int
    normalize: bool
    score_scale: float
    max_length: int
    query_prefix: str = ""
    document_prefix: str = ""
    query_digest: str = ""
    document_digest: str = ""
    trained: bool = False
    precision: Precision = "fp32"

    def __post_init__(self) -> None:
        _require(self.dimension >= 1, "an encoder needs at least one dimension")
        _require(self.score_scale > 0, "the score scale must be positive")
        _require(self.max_length >= 1, "the maximum length must be at least 1 token")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Prompting:
    """How question and passage are joined into one encoder input of the generator.

    `question_first` gives `prefix + question + question_separator + title + title_separator +
    text`; otherwise the passage stands first and the question last, as in the paper's checkpoints.
    The passage is cut to fit `max_length` tokens, never the question.
    """

    question_first: bool = False
    prefix: str = ""
    title_separator: str = " / "
    question_separator: str = " // "
    max_length: int = 300

    def __post_init__(self) -> None:
        _require(self.max_length >= 8, "the generator's input needs at least 8 tokens")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where and how networks run.

    `device`: `auto` takes the fastest there is. `dtype` is the generator's; the encoder always runs
    in single precision, because its vectors must be those of the index. `engine`: ONNX Runtime for
    models that carry graphs, else torch. `threads`: as many as there are cores for this process.
    """

    device: str = "auto"
    dtype: DType = "float32"
    engine: Engine = "auto"
    threads: int | None = None

    def __post_init__(self) -> None:
        _choice("engine", self.engine, get_args(Engine))
        if self.threads is not None:
            _at_least_one("threads", self.threads)
        kind, _, number = self.device.partition(":")
        _choice("device", kind, ("auto", "cpu", "cuda", "mps"))
        _require(not number or (kind == "cuda" and number.isdigit()), f"no device {self.device!r}")
        _choice("dtype", self.dtype, get_args(DType))
        _require(
            self.engine != "onnx" or self._suits_onnx,
            "the engine onnx runs on the CPU, in float32; leave out --device and --dtype, or use "
            "--engine torch",
        )

    @property
    def _suits_onnx(self) -> bool:
        return self.device in ("auto", "cpu") and self.dtype == "float32"

    def uses_onnx(self, name: str, graphs: bool) -> bool:
        """Whether a model runs on ONNX Runtime; `graphs` says that its graphs are there."""
        if self.engine == "onnx" and not graphs:
            raise SettingsError(
                f"{name} has no ONNX graphs",
                "make them with rag export-model --onnx, or leave out --engine onnx",
            )
        return graphs and self.engine != "torch" and self._suits_onnx


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Everything that decides how a question is answered, with nothing left open.

    `top_k` passages are retrieved by `retriever` (see answering/retrieval.py). `max_tokens` counts
    the end-of-sequence token. `length_penalty` and `no_repeat_ngram` steer the search only; scores
    are always summed log-probabilities.
    """

    top_k: int = 5
    retriever: str = "dense"
    variant: Variant = "sequence"
    mode: Mode = "thorough"
    beams: int = 4
    max_tokens: int = 32
    min_tokens: int = 1
    length_penalty: float = 0.0
    no_repeat_ngram: int = 0
    n_best: int = 5

    def __post_init__(self) -> None:
        for name in ("top_k", "beams", "max_tokens", "n_best"):
            _at_least_one(name, getattr(self, name))
        _require(bool(self.retriever), "the retriever must have a name")
        _choice("variant", self.variant, get_args(Variant))
        _choice("decoding", self.mode, get_args(Mode))
        _require(
            1 <= self.min_tokens <= self.max_tokens,
            f"min-tokens must lie between 1 and max-tokens ({self.max_tokens}), "
            f"not {self.min_tokens}",
        )
        _require(
            -10 <= self.length_penalty <= 10,
            f"length-penalty must lie between -10 and 10, not {self.length_penalty}",
        )
        _require(self.no_repeat_ngram >= 0, "no-repeat-ngram must not be negative")


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What somebody says of retrieval; None leaves it to the model, and then to the default."""

    top_k: int | None = None
    retriever: str | None = None

    def __post_init__(self) -> None:
        AnswerSettings(**_said(self))


@dataclass(frozen=True, slots=True)
class Decoding:
    """What somebody says of decoding; None leaves it to the model, and then to the default."""

    variant: Variant | None = None
    mode: Mode | None = None
    beams: int | None = None
    max_tokens: int | None = None
    min_tokens: int | None = None
    length_penalty: float | None = None
    no_repeat_ngram: int | None = None
    n_best: int | None = None

    def __post_init__(self) -> None:
        AnswerSettings(**_said(self))


def _said(settings: Retrieval | Decoding) -> dict[str, Any]:
    named = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {name: value for name, value in named.items() if value is not None}


def resolve(*said: Retrieval | Decoding | None) -> AnswerSettings:
    """What is used: of each setting the first value that somebody gives, else the default.

    The one place where it is decided: callers pass what the user says, then what the model says.
    """
    values: dict[str, Any] = {}
    for each in said:
        if each is not None:
            values = _said(each) | values
    return AnswerSettings(**values)


@dataclass(frozen=True, slots=True)
class Training:
    """How query encoder and generator are trained together; written into the model's manifest.

    A step is one update of the weights, from `batch_size` × `accumulate` examples. `steps`, if
    given, ends the training in place of `epochs`. `warmup` is a share of all steps. With
    `checkpoint_every` a checkpoint is written every so many steps, and always after an epoch.
    """

    variant: Variant = "sequence"
    top_k: int = 5
    epochs: int = 3
    steps: int | None = None
    batch_size: int = 4
    accumulate: int = 1
    encoder_rate: float = 1e-5
    generator_rate: float = 3e-5
    scale_rate: float = 1e-2
    warmup: float = 0.1
    schedule: Schedule = "linear"
    weight_decay: float = 0.0
    label_smoothing: float = 0.0
    clip: float = 1.0
    seed: int = 0
    freeze_retriever: bool = False
    freeze_generator: bool = False
    learn_scale: bool = False
    stop_on_collapse: bool = False
    checkpoint_every: int | None = None

    def __post_init__(self) -> None:
        for name in ("top_k", "epochs", "batch_size", "accumulate"):
            _at_least_one(name, getattr(self, name))
        for name in ("steps", "checkpoint_every"):
            if getattr(self, name) is not None:
                _at_least_one(name, getattr(self, name))
        for name in ("encoder_rate", "generator_rate", "scale_rate", "clip"):
            value = getattr(self, name)
            _require(0 < value < float("inf"), f"{_flag(name)} must be positive, not {value}")
        _choice("variant", self.variant, get_args(Variant))
        _choice("schedule", self.schedule, get_args(Schedule))
        _require(0 <= self.warmup < 1, f"warmup is a share from 0 to 1, not {self.warmup}")
        _require(self.weight_decay >= 0, "weight-decay must not be negative")
        _require(
            0 <= self.label_smoothing < 1,
            f"label-smoothing lies from 0 to 1, not {self.label_smoothing}",
        )
        _require(self.seed >= 0, "the seed must not be negative")
        _require(
            not (self.freeze_retriever and self.freeze_generator and not self.learn_scale),
            "with retriever and generator frozen there is nothing to train",
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RetrieverTraining:
    """How a retriever is trained from pairs of a question and its passage.

    Every other passage of a batch is a negative; `negatives` more for each question are mined by
    BM25: passages that rank high and do not hold the answer.
    """

    epochs: int = 1
    batch_size: int = 16
    negatives: int = 1
    rate: float = 2e-5
    warmup: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "batch_size"):
            _at_least_one(name, getattr(self, name))
        _require(self.negatives >= 0, "negatives must not be negative")
        _require(0 < self.rate < float("inf"), f"rate must be positive, not {self.rate}")
        _require(0 <= self.warmup < 1, f"warmup is a share from 0 to 1, not {self.warmup}")
        _require(self.seed >= 0, "the seed must not be negative")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _flag(name: str) -> str:
    """A field as the user writes it: `batch-size`."""
    return name.replace("_", "-")


def _at_least_one(name: str, value: int) -> None:
    _require(value >= 1, f"{_flag(name)} must be at least 1, not {value}")


def _choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    _require(value in choices, f"{name} must be one of {', '.join(choices)}, not {value!r}")
