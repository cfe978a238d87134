"""What is used: what the user says, then what the model says, then the default."""

from __future__ import annotations

from dataclasses import fields

import pytest

from ragcli.errors import SettingsError
from ragcli.settings import (
    AnswerSettings,
    Decoding,
    Indexing,
    Placement,
    Prompting,
    Retrieval,
    RetrieverTraining,
    Training,
    resolve,
)

OTHER = {
    "top_k": 7,
    "retriever": "bm25",
    "margin": 0,
    "variant": "token",
    "mode": "fast",
    "beams": 8,
    "max_tokens": 20,
    "min_tokens": 2,
    "length_penalty": 0.5,
    "no_repeat_ngram": 3,
    "n_best": 2,
    "style": "sentence",
    "min_confidence": 0.5,
}
"""A value for every setting that is not its default."""


def said(name: str, value: object) -> Retrieval | Decoding:
    kind = Retrieval if name in ("top_k", "retriever", "margin") else Decoding
    return kind(**{name: value})  # type: ignore[arg-type]


def test_every_setting_is_covered() -> None:
    defaults = AnswerSettings()
    assert set(OTHER) == {field.name for field in fields(AnswerSettings)}
    assert all(getattr(defaults, name) != value for name, value in OTHER.items())
    assert {f.name for kind in (Retrieval, Decoding) for f in fields(kind)} == set(OTHER)


@pytest.mark.parametrize(("name", "value"), OTHER.items())
def test_the_user_wins_over_the_model_and_the_model_over_the_default(
    name: str, value: object
) -> None:
    default = getattr(AnswerSettings(), name)
    user, model = said(name, default), said(name, value)
    assert getattr(resolve(), name) == default
    assert getattr(resolve(None, model), name) == value
    assert getattr(resolve(user, model), name) == default
    assert getattr(resolve(model, user), name) == value


@pytest.mark.parametrize(("name", "value"), OTHER.items())
def test_what_is_said_of_one_setting_leaves_the_others_to_the_model(
    name: str, value: object
) -> None:
    model = [said(other, OTHER[other]) for other in OTHER if other != name]
    resolved = resolve(said(name, getattr(AnswerSettings(), name)), *model)
    for other in OTHER:
        expected = OTHER[other] if other != name else getattr(AnswerSettings(), name)
        assert getattr(resolved, other) == expected


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Retrieval(0), "top-k must be at least 1, not 0"),
        (lambda: Decoding("both"), "variant must be one of sequence, token, not 'both'"),  # type: ignore[arg-type]
        (lambda: Decoding(mode="slow"), "decoding must be one of thorough, fast"),  # type: ignore[arg-type]
        (lambda: Decoding(min_tokens=40), "min-tokens must lie between 1 and max-tokens"),
        (lambda: Decoding(length_penalty=11), "length-penalty must lie between -10 and 10"),
        (lambda: Placement("tpu"), "device must be one of auto, cpu, cuda, cuda:N, mps, not 'tpu'"),
        (
            lambda: Placement("cpu:1"),
            "device must be one of .*, not 'cpu:1'",
        ),
        (lambda: Indexing(" "), "type must not be empty, not ' '"),
        (lambda: Indexing(seed=2**31), "seed must be 0 to 2³¹ − 1, not 2147483648"),
        (lambda: Prompting(max_length=7), "max-length must be at least 8 tokens, not 7"),
        (lambda: Training(steps=0), "steps must be at least 1, not 0"),
        (lambda: Training(weight_decay=-0.1), "weight-decay must be at least 0, not -0.1"),
        (lambda: Training(clip=float("inf")), "clip must be positive, not inf"),
        (lambda: RetrieverTraining(warmup=1.0), "warmup is a share from 0 to 1, not 1.0"),
        (lambda: Placement(dtype="int4"), "dtype must be one of float32, bfloat16, float16"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_are_told_at_once(make: object, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        make()  # type: ignore[operator]


def test_settings_that_contradict_each_other_only_together() -> None:
    with pytest.raises(SettingsError, match=r"between 1 and max-tokens \(3\), not 5"):
        resolve(Decoding(max_tokens=3), Decoding(min_tokens=5))
