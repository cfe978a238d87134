"""What `--model` may name: a table of kinds, asked in turn whether a model is of theirs.

`embedded`, or nothing, is the model that comes with ragcli. `KIND:NAME` says the kind outright.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from ragcli.errors import ModelError, ModelNotFoundError
from ragcli.models.file_digests import known_digest
from ragcli.models.source import Source, locate
from ragcli.protocols import Encoder, Generator
from ragcli.registry import Registry
from ragcli.settings import Decoding, Placement, Retrieval, Variant

_LOG = logging.getLogger(__name__)
EMBEDDED_MODEL = "embedded"
EMBEDDED_FOLDER = Path(__file__).parent / "embedded"


@dataclass(frozen=True)
class Model:
    """A generator, and what comes with it; each part is loaded when it is first used.

    A trained model or a paper checkpoint brings its own query encoder, top-k, variant and margin;
    `partner` names the document encoder that a paper checkpoint's query encoder was trained with.
    """

    load_generator: Callable[[], Generator]
    load_encoder: Callable[[], Encoder] | None = None
    top_k: int | None = None
    variant: Variant | None = None
    partner: str | None = None
    margin: int | None = None

    @cached_property
    def generator(self) -> Generator:
        return self.load_generator()

    @cached_property
    def encoder(self) -> Encoder | None:
        return None if self.load_encoder is None else self.load_encoder()

    @property
    def retrieval(self) -> Retrieval:
        """What the model says of retrieval."""
        return Retrieval(self.top_k, margin=self.margin)

    @property
    def decoding(self) -> Decoding:
        """What the model says of decoding."""
        return Decoding(variant=self.variant)


class GeneratorKind(Protocol):
    """A kind of model: whether one is of it, and how it is opened without loading its weights."""

    def takes(self, source: Source) -> bool: ...

    def open(self, source: Source, placement: Placement) -> Model: ...


GENERATORS: Registry[GeneratorKind] = Registry(
    "generators",
    "kind of generator",
    {
        "trained": "ragcli.models.model_folder:TRAINED",
        "rag-checkpoint": "ragcli.models.rag_checkpoint:CHECKPOINT",
        "seq2seq": "ragcli.models.seq2seq:SEQ2SEQ",
    },
)
_LAST = "seq2seq"


def load_model(
    name: os.PathLike[str] | str | None = None,
    placement: Placement = Placement(),  # noqa: B008
) -> Model:
    """Open `name`: None or `embedded`, a folder, a hub id, or `KIND:NAME`."""
    name = os.fspath(name or EMBEDDED_MODEL)
    if name == EMBEDDED_MODEL:
        return GENERATORS.load(_LAST).open(_embedded(), placement)
    kind, _, rest = name.partition(":")
    if rest and kind in GENERATORS and not Path(name).exists():
        return GENERATORS.load(kind).open(Source(name, rest, local=True), placement)
    source = locate(name)
    for kind in (*(k for k in GENERATORS.names() if k != _LAST), _LAST):
        if GENERATORS.load(kind).takes(source):
            _LOG.debug("%s is of the kind %s", name, kind)
            return GENERATORS.load(kind).open(source, placement)
    raise ModelNotFoundError(f"{name} is no model of a kind that is known")


def _embedded() -> Source:
    """The model that ships with ragcli, after its digest was checked."""
    weights = EMBEDDED_FOLDER / "model.safetensors"
    recorded = EMBEDDED_FOLDER / "SHA256"
    if not weights.is_file() or not recorded.is_file():
        raise ModelNotFoundError(
            "this copy of ragcli carries no embedded model", "name one with --model FOLDER"
        )
    if known_digest(weights) != recorded.read_text(encoding="utf-8").split()[0]:
        raise ModelError(f"the embedded model's weights are altered: {weights}", "reinstall ragcli")
    return Source(EMBEDDED_MODEL, str(EMBEDDED_FOLDER), local=True)
