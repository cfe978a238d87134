"""The output layer computed for chosen positions, packed, beside the model's own forward pass."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from ragcli.models.output import Output
from tests import tiny


def inputs() -> dict[str, Any]:
    ids = torch.tensor([[4, 5, 6, 7], [8, 9, 10, 11]])
    return {"input_ids": ids, "decoder_input_ids": ids[:, :3]}


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("double", [False, True])
def test_chosen_positions_equal_the_whole_pass(kind: str, double: bool) -> None:
    model = getattr(tiny, kind)(seed=2)
    model = model.double() if double else model
    mask = torch.tensor([[True, False, True], [False, True, False]])
    with torch.no_grad():
        whole = model(**inputs()).logits
        last = Output(model).logits(lambda states: states[:, -1:], **inputs())
        some = Output(model).logits(lambda states: states[mask][None], **inputs())
    assert torch.allclose(last, whole[:, -1:], atol=1e-4)
    assert torch.allclose(some[0], whole[mask], atol=1e-4)
    assert last.shape == (2, 1, whole.shape[-1])


def test_weights_that_change_are_packed_again() -> None:
    model = tiny.bart(seed=2)
    output = Output(model)
    with torch.no_grad():
        before = output.logits(lambda states: states, **inputs())
        model.get_output_embeddings().weight.mul_(0.5)
        after = output.logits(lambda states: states, **inputs())
        expected = model(**inputs()).logits
    assert torch.allclose(after, expected, atol=1e-4)
    assert not torch.allclose(after, before, atol=1e-2)


def test_the_model_is_left_as_it_was() -> None:
    model = tiny.bart()
    with torch.no_grad():
        Output(model).logits(lambda states: states[:, -1:], **inputs())
        with pytest.raises(ZeroDivisionError):
            Output(model).logits(lambda states: 1 // 0, **inputs())
        assert model(**inputs()).logits.shape[1] == 3
