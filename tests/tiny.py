"""Tiny random networks in the real file formats: seconds instead of gigabytes, same code paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    DPRConfig,
    DPRContextEncoder,
    DPRQuestionEncoder,
    MT5Config,
    MT5ForConditionalGeneration,
    PreTrainedTokenizerFast,
    RagConfig,
    RagSequenceForGeneration,
    RagTokenForGeneration,
    RagTokenizer,
    T5Config,
    T5ForConditionalGeneration,
)

WORDS = (
    "paris lyon france capital of the is what who where in city river seine rhone king queen "
    "peru lima president a an / // ? . , one two three four five six seven eight nine ten"
).split()


def tokenizer(bos: bool = True, words: list[str] | None = None) -> PreTrainedTokenizerFast:
    """Whole words only; BART-like `<s> … </s>` or T5-like `… </s>`."""
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *(words or WORDS)]
    table = {word: n for n, word in enumerate(vocabulary)}
    inner = Tokenizer(models.WordLevel(table, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>" if bos else "$A </s>",
        pair="<s> $A </s> $B </s>" if bos else "$A </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
    )


def bart(vocabulary: int | None = None, seed: int = 0, scale: float = 3.0, **extra: Any) -> Any:
    """A random BART; `scale` sharpens it, so that beams do not tie."""
    torch.manual_seed(seed)
    settings: dict[str, Any] = {
        "vocab_size": vocabulary or len(WORDS) + 4,
        "d_model": 16,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 32,
        "decoder_ffn_dim": 32,
        "max_position_embeddings": 64,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
        "forced_eos_token_id": None,
        "forced_bos_token_id": None,
        "init_std": 0.5,
    }
    model = BartForConditionalGeneration(BartConfig(**(settings | extra))).eval()
    model.generation_config.forced_eos_token_id = None
    model.final_logits_bias[0, 2] = 6.0  # without this, random weights hardly ever end
    return _sharpened(model, scale)


def t5(
    vocabulary: int | None = None,
    seed: int = 0,
    scale: float = 3.0,
    tied: bool = False,
    kind: str = "t5",
    **extra: Any,
) -> Any:
    """A random T5, or mT5; if `tied`, the output layer is the table of the words."""
    torch.manual_seed(seed)
    configure, make = (
        (MT5Config, MT5ForConditionalGeneration)
        if kind == "mt5"
        else (T5Config, T5ForConditionalGeneration)
    )
    settings: dict[str, Any] = {
        "vocab_size": vocabulary or len(WORDS) + 4,
        "d_model": 16,
        "d_kv": 4,
        "d_ff": 32,
        "num_layers": 2,
        "num_decoder_layers": 2,
        "num_heads": 4,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 1,
        "initializer_factor": 1.0,
    }
    config = configure(**(settings | extra))
    config.tie_word_embeddings = tied
    model = make(config).eval()
    with torch.no_grad():
        model.lm_head.weight[2] += model.lm_head.weight.abs().mean()
    return _sharpened(model, scale)


def _sharpened(model: Any, scale: float) -> Any:
    with torch.no_grad():
        model.get_output_embeddings().weight.mul_(scale)
    return model


def dpr_config() -> DPRConfig:
    return DPRConfig(
        vocab_size=len(WORDS) + 4,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=64,
        pad_token_id=1,
        projection_dim=0,
        initializer_range=0.5,
    )


def dpr_pair(folder: Path, seed: int = 0) -> tuple[Path, Path]:
    """A query and a document encoder saved as two folders."""
    torch.manual_seed(seed)
    query, document = folder / "query", folder / "document"
    DPRQuestionEncoder(dpr_config()).save_pretrained(query)
    DPRContextEncoder(dpr_config()).save_pretrained(document)
    for place in (query, document):
        tokenizer().save_pretrained(place)
    return query, document


def sentence_encoder(folder: Path, words: list[str] | None = None, layers: int = 1) -> Path:
    """A sentence-transformers model: a small BERT, mean pooling, cosine scores."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words or WORDS) + 4,
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        pad_token_id=1,
        initializer_range=0.2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    BertModel(config).save_pretrained(folder / "bert")
    tokenizer(words=words).save_pretrained(folder / "bert")
    network = Transformer(str(folder / "bert"), max_seq_length=32)
    model = SentenceTransformer(modules=[network, Pooling(32)], device="cpu")
    model.save_pretrained(str(folder / "encoder"), create_model_card=False)
    return folder / "encoder"


def rag_checkpoint(folder: Path, variant: str, generator: Any = None, n_docs: int = 3) -> Any:
    """A checkpoint in the format of facebook/rag-sequence-nq; returns Hugging Face's own model."""
    torch.manual_seed(1)
    question_encoder = DPRQuestionEncoder(dpr_config()).eval()
    generator = generator or bart()
    config = RagConfig.from_question_encoder_generator_configs(
        question_encoder.config,
        generator.config,
        n_docs=n_docs,
        max_combined_length=40,
        title_sep=" / ",
        doc_sep=" // ",
    )
    # The combined model generates with its own ids, not with its generator's.
    config.bos_token_id, config.eos_token_id, config.pad_token_id = 0, 2, 1
    config.decoder_start_token_id = generator.config.decoder_start_token_id
    kind = RagTokenForGeneration if variant == "token" else RagSequenceForGeneration
    model = kind(config, question_encoder=question_encoder, generator=generator).eval()
    model.save_pretrained(folder)
    RagTokenizer(tokenizer(), tokenizer()).save_pretrained(folder)
    return model
