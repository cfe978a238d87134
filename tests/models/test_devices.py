"""Every tensor follows its model: precision on the CPU, and no tensor without a device."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from ragcli.answering.decode import decode
from ragcli.errors import SettingsError
from ragcli.models.catalog import load_model
from ragcli.models.devices import device_of, dtype_of
from ragcli.settings import AnswerSettings, Placement
from tests import tiny
from tests.answering.test_decode import QUESTION, passages

PACKAGE = Path(__file__).parent.parent.parent / "ragcli"
MAKERS = {"zeros", "ones", "full", "empty", "tensor", "as_tensor", "arange", "eye", "rand", "randn"}
NO_DEVICE = {"from_numpy"}


def saved(folder: Path, kind: str) -> str:
    getattr(tiny, kind)(seed=3).save_pretrained(folder)
    tiny.tokenizer(kind == "bart").save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_bfloat16_answers_like_single_precision(tmp_path: Path, kind: str, variant: Any) -> None:
    name = saved(tmp_path, kind)
    settings = AnswerSettings(variant=variant, max_tokens=5)
    found: dict[str, Any] = {}
    for dtype in ("float32", "bfloat16"):
        generator: Any = load_model(name, Placement("cpu", dtype)).generator  # type: ignore[arg-type]
        assert {w.dtype for w in generator.model.parameters()} == {getattr(torch, dtype)}
        [decoded] = decode(generator, [QUESTION], [passages()], settings, explain=True)
        found[dtype] = decoded.candidates[0]
        scored = generator.encode([[0, 5, 2]]).token_log_probs(np.array([0]), [(5, 2)])
        assert scored.log_probs.dtype == torch.float32
    exact, rough = found["float32"], found["bfloat16"]
    assert rough.log_prob == pytest.approx(exact.log_prob, abs=0.15)
    assert sum(rough.posterior) == pytest.approx(1)


def test_auto_is_a_device_that_is_there() -> None:
    device = device_of(Placement())
    assert torch.zeros(1, device=device).device.type == device.type
    assert device_of(Placement("cpu")) == torch.device("cpu")
    assert dtype_of(Placement(dtype="bfloat16")) == torch.bfloat16


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="no cuda device on this machine"):
        device_of(Placement("cuda:1"))


def without_device(source: str) -> list[int]:
    """Lines that make a tensor by torch and do not say where."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value
        if not isinstance(owner, ast.Name) or owner.id != "torch":
            continue
        named = {keyword.arg for keyword in node.keywords}
        if node.func.attr in NO_DEVICE or (node.func.attr in MAKERS and "device" not in named):
            lines.append(node.lineno)
    return lines


def test_no_tensor_is_made_without_a_device() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 100
    found = {str(path): without_device(path.read_text(encoding="utf-8")) for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_the_search_for_such_tensors_finds_them() -> None:
    source = "import torch\na = torch.zeros(3)\nb = torch.zeros(3, device=d)\ntorch.from_numpy(x)\n"
    assert without_device(source) == [2, 4]
