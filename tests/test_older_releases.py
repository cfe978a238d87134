"""What release 0.1.0 wrote can still be opened, asked and updated.

`fixtures/release-0.1.0.tar.zst` was made by that release: a store of two versions, its encoder, a
model that `rag train` made, all as small as they can be, and what that release answered with them.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from ragcli import Rag, Store, load_encoder, update_index
from ragcli.models.catalog import load_model
from ragcli.store.check import Checkup
from ragcli.store.history import list_versions

ARCHIVE = Path(__file__).parent / "fixtures" / "release-0.1.0.tar.zst"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    unpacked = zstandard.ZstdDecompressor().stream_reader(ARCHIVE.read_bytes())
    with tarfile.open(fileobj=unpacked, mode="r|") as tar:
        tar.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def expected(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((release / "expected.json").read_text())
    return found


def test_every_byte_of_the_store_is_in_order(release: Path) -> None:
    store = Store(release / "store")
    assert [m.version for m in list_versions(store).manifests] == ["1", "2"]
    assert {m.ragcli for m in list_versions(store).manifests} == {"0.1.0"}
    assert [f.message for f in Checkup(store).run() if f.level == "problem"] == []
    assert store.resolve("@stable") == ("default", "1")
    with store.open("@stable") as index:
        assert [p.text for p in index][-1] == "lima is the capital of peru"
        assert index.manifest.counts.passages == 3


def test_the_model_answers_as_it_did(release: Path, expected: dict[str, Any]) -> None:
    model = load_model(str(release / "model"))
    assert (model.variant, model.top_k) == ("token", 2)
    with Rag.open(store=release / "store", model=str(release / "model")) as rag:
        answer = rag.ask(expected["question"])
        [scored] = rag.score(expected["question"], "lima")
    assert (answer.version, answer.text) == ("2", expected["answer"])
    assert answer.best.log_prob == pytest.approx(expected["log_prob"], abs=1e-5)
    assert [r.passage.id for r in answer.passages] == [id for id, _ in expected["passages"]]
    scores = [score for _, score in expected["passages"]]
    assert [r.score for r in answer.passages] == pytest.approx(scores, abs=1e-4)
    for name in ("sequence_log_prob", "token_log_prob"):
        assert getattr(scored, name) == pytest.approx(expected["score"][name], abs=1e-5)


def test_the_store_is_updated_from_its_stored_vectors(release: Path, tmp_path: Path) -> None:
    store = Store(shutil.copytree(release / "store", tmp_path / "store"))
    document = tmp_path / "paris.txt"
    document.write_text("paris is in france")
    encoder = load_encoder(str(release / "encoder"))
    report = update_index(store, encoder, document, version="3", keep_missing=True)
    assert (report.documents, report.embedded) == (4, 1)
    with store.open("@3", verify=True) as index:
        assert len(index) == 4
        found, rows = index.search(encoder.encode_queries(["paris is in france"]), 1)
        assert index.take(rows[0].tolist())[0].id == "paris.txt#0"
        assert found[0, 0] == pytest.approx(1.0, abs=0.1)
