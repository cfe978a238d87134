"""The paper's checkpoints (facebook/rag-sequence-nq, rag-token-nq) in Hugging Face's format."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError, ModelNotFoundError
from ragcli.models.catalog import Model
from ragcli.models.devices import device_of, dtype_of
from ragcli.models.dpr import DprNetwork, dpr_settings
from ragcli.models.language import Manner
from ragcli.models.query_network import NetworkEncoder
from ragcli.models.source import Source, loading, require_tokenizer
from ragcli.models.torch_generator import TorchGenerator
from ragcli.settings import EncoderSettings, Placement, Prompting

WIKI_DPR_PARTNER = "facebook/dpr-ctx_encoder-multiset-base"
"""The document encoder of `wiki_dpr`, the index that the paper's checkpoints were trained on."""


def read_config(source: Source) -> dict[str, Any]:
    """The model's config.json, from its folder, the cache or the hub."""
    from huggingface_hub import hf_hub_download

    path = Path(source.location) / "config.json"
    try:
        if not path.parent.is_dir():
            found = hf_hub_download(source.location, path.name, local_files_only=source.local)
            path = Path(found)
        config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelNotFoundError(f"{source.name} has no readable config.json: {error}") from error
    return config


class RagCheckpoint:
    """Query encoder, generator, separators and k come with the checkpoint."""

    def takes(self, source: Source) -> bool:
        return read_config(source).get("model_type") == "rag"

    def open(self, source: Source, placement: Placement) -> Model:
        config = read_config(source)
        token = any("RagToken" in name for name in config.get("architectures") or [])
        parts = cache(partial(_load, source, placement))
        return Model(
            load_generator=lambda: parts()[0],
            load_encoder=lambda: parts()[1],
            top_k=config.get("n_docs"),
            variant="token" if token else "sequence",
            partner=WIKI_DPR_PARTNER if config.get("dataset") == "wiki_dpr" else None,
            margin=0,  # trained on passages as they were cut
        )


CHECKPOINT = RagCheckpoint()


def _load(source: Source, placement: Placement) -> tuple[TorchGenerator, NetworkEncoder]:
    """Both networks stand in one file."""
    from transformers import AutoTokenizer, RagConfig, RagSequenceForGeneration

    where: dict[str, Any] = {"local_files_only": source.local}
    with loading(source, "checkpoint"):
        config = RagConfig.from_pretrained(source.location, **where)
        # Both classes hold the same weights; what differs is how they marginalize.
        whole = RagSequenceForGeneration.from_pretrained(source.location, **where).float()
        tokenizers = [
            AutoTokenizer.from_pretrained(source.location, subfolder=f"{part}_tokenizer", **where)
            for part in ("question_encoder", "generator")
        ]
    bart = whole.rag.generator.to(device_of(placement), dtype_of(placement))
    require_tokenizer(tokenizers[1], int(bart.config.vocab_size), source)
    # The generator's own section may force a first token; the combined model does not pass it on.
    forced = read_config(source).get("generator", {}).get("forced_bos_token_id")
    if forced is not None:
        bart.generation_config.forced_bos_token_id = int(forced)
    prompting = Prompting(
        prefix=getattr(config.generator, "prefix", None) or "",
        title_separator=config.title_sep,
        question_separator=config.doc_sep,
        max_length=config.max_combined_length,
    )
    generator = TorchGenerator(
        bart,
        tokenizers[1],
        source.name,
        # Answers stood after a space when these checkpoints were trained.
        Manner(prompting, target_prefix=" " if bart.config.model_type == "bart" else ""),
    )
    question_encoder = whole.rag.question_encoder.to(device_of(placement)).eval()
    settings = dpr_settings(question_encoder, source.name)
    network = DprNetwork(question_encoder, tokenizers[0], settings)
    return generator, NetworkEncoder(network, settings, _no_documents)


def _no_documents(settings: EncoderSettings) -> None:
    raise ModelError(
        f"{settings.query_name} has a query encoder only",
        "build the index with the DPR pair: --encoder QUERY,DOCUMENT",
    )
