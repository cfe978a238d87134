"""A trained model in the format of facebook/rag-sequence-nq, for Hugging Face's own classes."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError, SettingsError
from ragcli.models.model_folder import (
    is_model_folder,
    load_encoder_part,
    load_generator_part,
    read_model_manifest,
)
from ragcli.models.source import quiet_libraries
from ragcli.settings import Placement


def export_rag(folder: Path, output: Path) -> str:
    """Write `folder` as a RagSequence- or RagTokenForGeneration; returns the class's name.

    That format knows DPR question encoders, bare inner products and the passage before the
    question; a learnt score scale is multiplied into the last layer of the question encoder.
    """
    from transformers import RagConfig, RagTokenizer
    from transformers.models.rag import modeling_rag

    if not is_model_folder(folder):
        raise ModelError(f"{folder} is not a model that rag train made")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise SettingsError(f"{output} exists, and nothing is written over")
    manifest = read_model_manifest(folder)
    encoder = load_encoder_part(folder, Placement("cpu", engine="torch"))
    generator = load_generator_part(folder, str(folder), Placement("cpu"))
    network, prompting = encoder.query_network(), generator.prompting
    if encoder.settings.kind != "dpr":
        raise ModelError(
            f"the query encoder of {folder} is a {encoder.settings.kind} model, and that format "
            "holds DPR question encoders only",
            "train over an index that was built with a DPR pair",
        )
    if prompting.question_first:
        raise ModelError("that format has the passage before the question; this model does not")
    question_encoder = _scaled(network.module, encoder.settings.score_scale)
    training, index = manifest["training"], manifest["index"]
    config = RagConfig.from_question_encoder_generator_configs(
        question_encoder.config,
        generator.model.config,
        n_docs=training["top_k"],
        max_combined_length=prompting.max_length,
        title_sep=prompting.title_separator,
        doc_sep=prompting.question_separator,
        dataset=f"{index['name']}@{index['version']}",
    )
    for name in ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id"):
        setattr(config, name, getattr(generator.model.config, name, None))
    config.generator.prefix = prompting.prefix
    kind = "RagTokenForGeneration" if training["variant"] == "token" else "RagSequenceForGeneration"
    model: Any = getattr(modeling_rag, kind)(
        config, question_encoder=question_encoder, generator=generator.model
    )
    with quiet_libraries():
        model.save_pretrained(output)
        RagTokenizer(network.tokenizer, generator.tokenizer).save_pretrained(output)
    return kind


def _scaled(question_encoder: Any, scale: float) -> Any:
    """q(x) × scale: the last layer of BERT's output is a LayerNorm, or DPR's own projection."""
    import torch

    if scale == 1.0:
        return question_encoder
    copy = deepcopy(question_encoder)
    inner = copy.question_encoder
    last = (
        getattr(inner, "encode_proj", None) or inner.bert_model.encoder.layer[-1].output.LayerNorm
    )
    with torch.no_grad():
        last.weight.mul_(scale)
        last.bias.mul_(scale)
    return copy
