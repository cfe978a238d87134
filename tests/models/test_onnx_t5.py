"""T5 on ONNX Runtime against torch, in all its variants."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.models.engines import both, require_same_answers, require_same_scores, t5

VARIANTS: dict[str, dict[str, Any]] = {
    "t5": {"tied": True, "scale": 8.0},
    "untied": {},
    "v1.1": {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    "flan": {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "num_layers": 3},
    "mt5": {"kind": "mt5", "vocabulary": 50},
    "gated silu": {"feed_forward_proj": "gated-silu"},
    "other sizes": {"d_kv": 6, "num_heads": 2, "num_layers": 1, "num_decoder_layers": 3},
    "near": {"relative_attention_num_buckets": 8, "relative_attention_max_distance": 9},
}


@pytest.mark.parametrize(("name", "seed"), product(VARIANTS, range(2)))
def test_both_engines_give_the_same_answers(tmp_path: Path, name: str, seed: int) -> None:
    require_same_answers(*both(tmp_path, t5(seed=seed, **VARIANTS[name])))


@pytest.mark.parametrize("name", VARIANTS)
def test_scores_of_any_target(tmp_path: Path, name: str) -> None:
    require_same_scores(*both(tmp_path, t5(**VARIANTS[name])))
