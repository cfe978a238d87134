"""Hub ids: cached ones need no network, others fail at once when there is none."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants

from ragcli.errors import OfflineError
from ragcli.models import source
from ragcli.models.catalog import load_model
from ragcli.models.source import locate
from tests import tiny


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache of our own."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def no_network(*args: Any, **kwargs: Any) -> socket.socket:
    raise OSError("unreachable")


def test_offline_fails_at_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", no_network)
    start = time.monotonic()
    with pytest.raises(OfflineError, match=r"facebook/bart-large.* cannot be reached"):
        load_model("facebook/bart-large")
    assert time.monotonic() - start < 5


def test_offline_by_choice_never_touches_the_network(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(socket, "create_connection", pytest.fail)
    with pytest.raises(OfflineError, match="HF_HUB_OFFLINE is set"):
        locate("facebook/bart-large")


def test_a_reachable_hub_is_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, int]] = []

    class Socket:
        def close(self) -> None: ...

    def connect(address: tuple[str, int], timeout: float) -> Socket:
        tried.append(address)
        return Socket()

    monkeypatch.setattr(socket, "create_connection", connect)
    found = locate("facebook/bart-large")
    assert not found.local
    assert found.location == "facebook/bart-large"
    assert tried == [(source.urlsplit(constants.ENDPOINT).hostname, 443)]
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    tried.clear()
    assert not locate("facebook/bart-large").local
    assert tried == [("proxy", 3128)]


def test_a_cached_model_needs_no_network(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache's own layout: models--ORG--NAME/{refs/main, snapshots/COMMIT/…}."""
    monkeypatch.setattr(socket, "create_connection", pytest.fail)
    commit = "0" * 40
    repo = cache / "models--tiny--bart"
    (repo / "refs").mkdir(parents=True)
    (repo / "refs" / "main").write_text(commit)
    snapshot = repo / "snapshots" / commit
    tiny.bart().save_pretrained(snapshot)
    tiny.tokenizer().save_pretrained(snapshot)
    assert locate("tiny/bart").local
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    assert source.cached("tiny/bart") == snapshot / "model.safetensors"
    assert source.cached("tiny/t5") is None
