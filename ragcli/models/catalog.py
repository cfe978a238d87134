"""What `--model` may name: the embedded model, an encoder–decoder, a paper checkpoint, or a folder
that `rag train` made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcli.digests import file_digest
from ragcli.errors import ModelError, ModelNotFoundError
from ragcli.models.dpr import QuestionEncoder
from ragcli.models.generators import TorchGenerator, load_generator
from ragcli.models.model_folder import is_model_folder, load_parts, read_model_manifest
from ragcli.models.source import (
    Source,
    loading,
    locate,
    quiet_transformers,
    require_tokenizer,
)
from ragcli.protocols import Encoder, Generator
from ragcli.settings import Prompting, Variant

EMBEDDED_MODEL = "embedded"
EMBEDDED_FOLDER = Path(__file__).parent / "embedded"
WIKI_DPR_PARTNER = "facebook/dpr-ctx_encoder-multiset-base"
"""The document encoder of `wiki_dpr`, the index that the paper's checkpoints were trained on."""


@dataclass(frozen=True, slots=True)
class Model:
    """A generator, and what comes with it.

    A trained model or a paper checkpoint brings its own query encoder, its top-k and its variant;
    `partner` names the document encoder that a paper checkpoint's query encoder was trained with.
    """

    generator: Generator
    encoder: Encoder | None = None
    top_k: int | None = None
    variant: Variant | None = None
    partner: str | None = None


def load_model(name: str | None = None) -> Model:
    """Load `name`: None or `embedded`, a folder, or a hub id."""
    if name is None or name == EMBEDDED_MODEL:
        return Model(_embedded())
    source = locate(name)
    if is_model_folder(Path(source.location)):
        return _trained(source)
    if _config(source).get("model_type") == "rag":
        return _rag_checkpoint(source)
    return Model(load_generator(source))


def _trained(source: Source) -> Model:
    """A model folder: its query encoder, generator, top-k and variant."""
    folder = Path(source.location)
    training = read_model_manifest(folder)["training"]
    encoder, generator = load_parts(folder, source.name)
    return Model(generator, encoder, training["top_k"], training["variant"])


def _embedded() -> TorchGenerator:
    """The model that ships with ragcli, after its digest was checked."""
    weights = EMBEDDED_FOLDER / "model.safetensors"
    recorded = EMBEDDED_FOLDER / "SHA256"
    if not weights.is_file() or not recorded.is_file():
        raise ModelNotFoundError(
            "this copy of ragcli carries no embedded model", "name one with --model FOLDER"
        )
    if file_digest(weights) != recorded.read_text(encoding="utf-8").split()[0]:
        raise ModelError(f"the embedded model's weights are altered: {weights}", "reinstall ragcli")
    return load_generator(Source(EMBEDDED_MODEL, str(EMBEDDED_FOLDER), local=True))


def _config(source: Source) -> dict[str, Any]:
    """The model's config.json, from its folder, the cache or the hub."""
    folder = Path(source.location)
    try:
        if folder.is_dir():
            path = folder / "config.json"
        else:
            from huggingface_hub import hf_hub_download

            path = Path(
                hf_hub_download(source.location, "config.json", local_files_only=source.local)
            )
        config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelNotFoundError(f"{source.name} has no readable config.json: {error}") from error
    return config


def _rag_checkpoint(source: Source) -> Model:
    """Query encoder, generator, separators and k of a checkpoint such as rag-sequence-nq."""
    from transformers import AutoTokenizer, RagConfig, RagSequenceForGeneration

    quiet_transformers()
    where: dict[str, Any] = {"local_files_only": source.local}
    with loading(source, "checkpoint"):
        config = RagConfig.from_pretrained(source.location, **where)
        # Both classes hold the same weights; what differs is how they marginalize.
        whole = RagSequenceForGeneration.from_pretrained(source.location, **where).float()
        tokenizers = [
            AutoTokenizer.from_pretrained(source.location, subfolder=f"{part}_tokenizer", **where)
            for part in ("question_encoder", "generator")
        ]
    bart = whole.rag.generator
    require_tokenizer(tokenizers[1], int(bart.config.vocab_size), source)
    # The generator's own section may force a first token; the combined model does not pass it on.
    forced = _config(source).get("generator", {}).get("forced_bos_token_id")
    if forced is not None:
        bart.generation_config.forced_bos_token_id = int(forced)
    prompting = Prompting(
        prefix=getattr(config.generator, "prefix", None) or "",
        title_separator=config.title_sep,
        question_separator=config.doc_sep,
        max_length=config.max_combined_length,
    )
    token = any("RagToken" in name for name in config.architectures or [])
    return Model(
        generator=TorchGenerator(
            bart,
            tokenizers[1],
            source.name,
            prompting,
            # Answers stood after a space when these checkpoints were trained.
            target_prefix=" " if bart.config.model_type == "bart" else "",
        ),
        encoder=QuestionEncoder(whole.rag.question_encoder, tokenizers[0], source.name),
        top_k=config.n_docs,
        variant="token" if token else "sequence",
        partner=WIKI_DPR_PARTNER if config.dataset == "wiki_dpr" else None,
    )
