"""T5 on ONNX Runtime against torch, in all its variants."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from ragcli.models.language import Manner
from ragcli.models.onnx.t5 import T5Feeds, bucket
from tests import tiny
from tests.models.engines import both, require_same_answers, require_same_scores, t5

VARIANTS: dict[str, dict[str, Any]] = {
    "t5": {"tied": True, "scale": 2.0},
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


def test_a_token_that_says_no_answer(tmp_path: Path) -> None:
    generators = both(tmp_path, t5(Manner(no_answer=5), tied=True, scale=2.0))
    require_same_answers(*generators)
    require_same_scores(*generators)


def test_tables_that_are_shared_are_there_once(tmp_path: Path) -> None:
    """What the variants above are about: which tables the file holds."""
    for name, tables in (("t5", 1), ("untied", 4)):
        both(tmp_path / name, t5(**VARIANTS[name]))
        arrays = load_file(tmp_path / name / "model.safetensors").values()
        assert [len(a) for a in arrays].count(len(tiny.WORDS) + 4) == tables


@pytest.mark.parametrize(("buckets", "farthest"), [(32, 128), (8, 9), (16, 100), (64, 500)])
def test_the_bias_of_each_distance_is_that_of_hugging_face(buckets: int, farthest: int) -> None:
    model = tiny.t5(
        relative_attention_num_buckets=buckets, relative_attention_max_distance=farthest
    )
    weights = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    feeds = T5Feeds(model.config.to_dict(), weights)
    encoder, decoder = (
        stack.block[0].layer[0].SelfAttention for stack in (model.encoder, model.decoder)
    )
    with torch.no_grad():
        whole = encoder.compute_bias(600, 600).numpy()
        later = decoder.compute_bias(5, 605, past_seen_tokens=600).numpy()
    assert np.array_equal(feeds.reader(600)["places"], whole)
    causal = feeds.causal(5, 600)
    seen = np.arange(605) <= np.arange(600, 605)[:, None]
    assert np.array_equal(causal[:, seen], later[0][:, seen])
    assert (causal[:, ~seen] < -1e8).all()


def test_buckets_by_hand() -> None:
    """Of eight, four hold one distance each; the rest share those up to 64, wider and wider."""
    distances = np.array([0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 1000])
    expected = [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7]
    assert bucket(distances, 8, 64).tolist() == expected
