"""Encoders by hub id whose repository carries a graph: fetched once, and run without torch."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import huggingface_hub
import numpy as np
import onnx
import pytest
from huggingface_hub import constants
from huggingface_hub.errors import RepositoryNotFoundError
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

from ragcli.errors import ModelError, ModelNotFoundError, OfflineError, SettingsError
from ragcli.models.encoders import load_encoder
from ragcli.models.onnx.encoder import OnnxEncoder
from ragcli.models.onnx.export import write_graphs
from ragcli.models.sentence import SentenceEncoder
from ragcli.records import Passage
from ragcli.settings import Placement
from tests import tiny
from tests.models.test_source import cache as cache  # the fixture
from tests.models.test_source import no_network

NAME, COMMIT = "tiny/encoder", "0" * 40
QUESTIONS = ["what is the capital of peru ?", "who is king ?"]
PASSAGE = Passage("1", "d", "city", "lima is the capital of peru", "", "s", 1, 0, 1)
ONNX, TORCH = Placement(engine="onnx"), Placement(engine="torch")


def with_weights(folder: Path) -> None:
    """Give a BERT folder `onnx/model.onnx` as others make it: weights inside, token ids in."""
    write_graphs(folder, folder / "ours")
    model = onnx.load(folder / "ours" / "fp32.onnx", load_external_data=False)
    shutil.rmtree(folder / "ours")
    weights, graph = load_file(folder / "model.safetensors"), model.graph
    external = [each for each in graph.initializer if each.name in weights]
    for each in external:
        graph.initializer.remove(each)
    table = "embeddings.word_embeddings.weight"
    names = [table, *(each.name for each in external)]
    graph.initializer.extend(numpy_helper.from_array(weights[name], name) for name in names)
    del graph.input[:]
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.INT64, ["B", "S"]))
    first = [
        helper.make_node("Gather", [table, "input_ids"], ["embeds"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.INT32),
    ]
    nodes = [*first, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    (folder / "onnx").mkdir()
    onnx.save(model, folder / "onnx" / "model.onnx")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the hub has: a sentence-transformers model that carries a graph, and more beside it."""
    folder = tiny.sentence_encoder(tmp_path_factory.mktemp("repository"), layers=2)
    with_weights(folder)
    (folder / "pytorch_model.bin").write_bytes(b"old")
    (folder / "onnx" / "model_O4.onnx").write_bytes(b"for others")
    return folder


class Missing(RepositoryNotFoundError):
    """What the hub's client raises, without the response that it comes from."""

    def __init__(self) -> None:
        Exception.__init__(self, "404 Client Error.\n\nRepository Not Found")


@pytest.fixture
def hub(repository: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The repository behind `snapshot_download`; what was fetched, in order."""
    fetched: list[str] = []

    def snapshot_download(name: str, allow_patterns: list[str]) -> str:
        if name != NAME:
            raise Missing
        return str(download(repository, cache, fetched, allow_patterns))

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: socket.socket())
    return fetched


def download(source: Path, cache: Path, fetched: list[str], patterns: list[str]) -> Path:
    repo = cache / "models--tiny--encoder"
    (repo / "refs").mkdir(parents=True, exist_ok=True)
    (repo / "refs" / "main").write_text(COMMIT)
    snapshot = repo / "snapshots" / COMMIT
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        wanted = path.is_file() and any(fnmatch(name, pattern) for pattern in patterns)
        if wanted and not (snapshot / name).exists():
            (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, snapshot / name)
            fetched.append(name)
    return snapshot


def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", no_network)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *a, **k: pytest.fail("asked"))


def test_a_hub_id_is_fetched_once_and_runs_without_torch(
    hub: list[str], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(NAME)
    assert type(encoder) is OnnxEncoder
    assert hub[-2:] == ["model.safetensors", "onnx/model.onnx"]
    assert all(name.endswith(".json") for name in hub[:-2])
    offline(monkeypatch)
    again = load_encoder(NAME)
    theirs = load_encoder(str(repository), placement=TORCH)
    assert type(theirs) is SentenceEncoder
    assert again.settings == encoder.settings
    assert encoder.settings.query_name == NAME
    # The same digest: an index may be built on one engine and asked on the other.
    assert encoder.settings.query_digest == theirs.settings.query_digest
    for ours in (encoder, again):
        assert ours.encode_queries(QUESTIONS) == pytest.approx(
            theirs.encode_queries(QUESTIONS), abs=1e-5
        )
        assert ours.encode_passages([PASSAGE]) == pytest.approx(
            theirs.encode_passages([PASSAGE]), abs=1e-5
        )
    on_torch = load_encoder(NAME, placement=TORCH)  # from the cache as well
    assert type(on_torch) is SentenceEncoder


@pytest.mark.parametrize("placement", [Placement(), ONNX], ids=["auto", "onnx"])
def test_offline_fails_at_once(
    hub: list[str], monkeypatch: pytest.MonkeyPatch, placement: Placement
) -> None:
    offline(monkeypatch)
    with pytest.raises(OfflineError, match=r"'tiny/encoder' is not on this machine") as told:
        load_encoder(NAME, placement=placement)
    assert "\n" not in str(told.value)


def test_weights_in_the_cache_are_enough_unless_onnx_is_asked_for(
    hub: list[str], repository: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch fetched them before: nothing is fetched behind anybody's back."""
    download(repository, cache, [], ["*.json", "model.safetensors"])
    assert type(load_encoder(NAME)) is SentenceEncoder
    assert hub == []
    with monkeypatch.context() as away:
        offline(away)
        with pytest.raises(OfflineError, match=r"\*\.json of 'tiny/encoder' is not on this mach"):
            load_encoder(NAME, placement=ONNX)
    assert type(load_encoder(NAME, placement=ONNX)) is OnnxEncoder
    assert hub == ["onnx/model.onnx"]
    assert type(load_encoder(NAME)) is OnnxEncoder


def test_what_cannot_run_is_left_to_torch(
    hub: list[str], repository: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository without graph, and one that does more than we know."""
    for name, change in (
        ("bare", lambda folder: shutil.rmtree(folder / "onnx")),
        ("plain", lambda folder: (folder / "modules.json").unlink()),
    ):
        other = shutil.copytree(repository, tmp_path / name)
        change(other)
        fetched: list[str] = []
        get: Callable[..., str] = lambda _, allow_patterns, other=other, fetched=fetched: str(  # noqa: E731
            download(other, cache / other.name, fetched, allow_patterns)
        )
        monkeypatch.setattr(huggingface_hub, "snapshot_download", get)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache / name))
        with pytest.raises(SettingsError, match="tiny/encoder has no ONNX graphs"):
            load_encoder(NAME, placement=ONNX)
        assert "onnx/model.onnx" not in fetched
        assert ("model.safetensors" in fetched) == (name == "bare")


def test_what_the_hub_says_is_one_line(hub: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelNotFoundError, match="the hub has no model 'no/such'"):
        load_encoder("no/such")

    def breaks(*args: Any, **kwargs: Any) -> str:
        raise RuntimeError("the connection broke\nand so on")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", breaks)
    with pytest.raises(ModelNotFoundError, match=r"fetched: the connection broke \(try again\)$"):
        load_encoder(NAME)


def test_graphs_that_want_something_else_are_one_line(repository: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(repository, tmp_path / "odd")
    path = folder / "onnx" / "model.onnx"
    model = onnx.load(path)
    model.graph.input.append(helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["B"]))
    onnx.save(model, path)
    with pytest.raises(ModelError, match="wants pixels, which no text gives"):
        load_encoder(str(folder))
    path.write_bytes(b"no graph")
    with pytest.raises(ModelError, match="is not a usable graph"):
        load_encoder(str(folder))
    (folder / "modules.json").write_text("3")
    with pytest.raises(ModelError, match="is not usable on the engine onnx"):
        load_encoder(str(folder))
    assert np.isfinite(load_encoder(str(repository)).encode_queries(QUESTIONS)).all()
