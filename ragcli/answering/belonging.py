"""Refuse a query encoder that does not belong to an index.

Scores of a foreign encoder are numbers like any others: nothing downstream could tell. So the
settings are compared with the manifest, and then, as a probe, a few stored passages are embedded
again and must match their stored vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragcli.errors import EncoderMismatchError, ModelNotFoundError, OfflineError
from ragcli.settings import EncoderSettings

if TYPE_CHECKING:
    from ragcli.protocols import Encoder, SearchableIndex

PROBE_TOLERANCE = {"fp32": 1e-3, "bf16": 2e-2, "int8": 2e-2}
"""How far a vector may be from the stored one, by the encoder's precision; others are far off."""
_COMPARED = {
    "dimension": "dimension",
    "kind": "kind",
    "normalize": "normalisation",
    "precision": "precision",
    "query_prefix": "query prefix",
    "document_prefix": "document prefix",
    "max_length": "maximum length",
    "document_digest": "document encoder's digest",
    "query_digest": "query encoder's digest",
}


def check_encoder(
    index: SearchableIndex, encoder: Encoder, trust_query_encoder: bool = False
) -> None:
    """Raise `EncoderMismatchError` unless `encoder` belongs to the index version.

    A query encoder that was trained against a document encoder belongs to every index of that
    document encoder: its own digest may differ, the document encoder's may not. An encoder without
    a document encoder (an empty `document_digest`, as in the paper's checkpoints) cannot be probed;
    it is refused unless trusted, and then only its dimension is checked.
    """
    settings, built = encoder.settings, index.encoder
    where = f"{index.name}@{index.version}"
    query_only = not settings.document_digest
    if query_only and not trust_query_encoder:
        raise EncoderMismatchError(
            f"{settings.query_name} encodes queries only, so it cannot be checked against {where}",
            hint="if it was trained for this index, say so with --trust-query-encoder",
        )
    names = ["dimension"] if query_only else list(_COMPARED)
    if not query_only and (trust_query_encoder or settings.trained):
        names.remove("query_digest")
    if different := [
        f"{_COMPARED[name]} {_short(settings, name)}, in the index {_short(built, name)}"
        for name in names
        if getattr(settings, name) != getattr(built, name)
    ]:
        raise EncoderMismatchError(
            f"the encoder {settings.query_name} does not belong to the index {where}: "
            + "; ".join(different),
            hint=f"use the encoder {built.document_name}, or build the index again with this one",
        )
    if not query_only and getattr(encoder, "probes", True):
        try:
            _probe(index, encoder)
        except (ModelNotFoundError, OfflineError):
            # A trained query encoder does not need d(z) to ask; then the digests must do.
            if not settings.trained:
                raise


def _short(settings: EncoderSettings, name: str) -> str:
    text = repr(getattr(settings, name))
    return text if len(text) <= 24 else f"{text[:13]}…"


def _probe(index: SearchableIndex, encoder: Encoder) -> None:
    """Embed the first, the middle and the last passage again; they must match what is stored."""
    import numpy as np

    rows = sorted({0, len(index) // 2, len(index) - 1})
    stored = np.asarray(index.vectors(rows), dtype=np.float32)
    passages = index.take(rows)
    fresh = encoder.encode_passages(passages)
    norms = np.maximum(np.linalg.norm(stored, axis=1), np.finfo(np.float32).tiny)
    distances = np.abs(fresh - stored).max(axis=1) / norms
    worst, most = int(np.argmax(distances)), PROBE_TOLERANCE[encoder.settings.precision]
    if not distances[worst] <= most:  # also when it is not a number
        raise EncoderMismatchError(
            f"passage {passages[worst].id} of {index.name}@{index.version}, embedded "
            f"again by {encoder.settings.document_name}, differs from its stored vector by "
            f"{distances[worst]:.2g} of its length (at most {most:g} is allowed)",
            hint="use the encoder the index was built with, or build the index again",
        )
