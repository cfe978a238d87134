"""A flipped byte in any file is found, named, and put right where it can be."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from ragcli.errors import CorruptIndexError
from ragcli.indexing.update import update_index
from ragcli.records import Finding
from ragcli.store.check import Checkup
from ragcli.store.history import list_versions
from ragcli.store.store import Store
from tests.fakes import HashEncoder
from tests.store.helpers import FILES, build, corpus


@pytest.fixture
def store(tmp_path) -> Store:
    """Version 2 came from 1 and shares shards with it."""
    store = Store(tmp_path / "store", patience=0.2)
    build(store, corpus(tmp_path), "1")
    path = Path(corpus(tmp_path))
    path.write_text(path.read_text() + '{"id": "Brazil", "text": "The capital is Brasília."}\n')
    update_index(store, HashEncoder(16), [str(path)], version="2")
    return store


def flip(path: Path, at: int, bit: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= bit
    path.unlink()  # a new file, so that a hard link of it keeps what it has
    path.write_bytes(data)


def problems(store: Store) -> list[Finding]:
    return [finding for finding in Checkup(store).run() if finding.level != "ok"]


def repair(store: Store) -> None:
    for finding in Checkup(store).run():
        if finding.repair is not None:
            finding.repair()


def test_a_store_in_order(store):
    assert problems(store) == []
    checkup = Checkup(store)
    messages = [finding.message for finding in checkup.run()]
    assert any("GB free" in message for message in messages)
    assert checkup.whole == [("default", "1"), ("default", "2")]


def files_of(store: Store, version: str) -> list[Path]:
    return sorted((store.versions_folder("default") / version).iterdir())


def test_a_flipped_byte_anywhere_is_found_and_named(store):
    """Every file of a version, at its beginning, at its end and at places between."""
    flipped = 0
    for path in files_of(store, "2"):
        whole = path.read_bytes()
        for at in sorted({0, 1, len(whole) // 3, len(whole) // 2, len(whole) - 2, len(whole) - 1}):
            flip(path, at, 1 << (at % 8))
            found = problems(store)
            assert [finding.level for finding in found] == ["problem"], (path, at)
            assert str(path) in found[0].message, (path, at)
            with pytest.raises(CorruptIndexError, match=path.name.replace(".", r"\.")):
                store.open("@2", verify=True)
            path.write_bytes(whole)
            flipped += 1
    assert flipped == 6 * (len(FILES) + 3)  # the manifest, and a second shard of both tables
    assert problems(store) == []


def test_every_byte_of_a_manifest_counts(store):
    path = store.versions_folder("default") / "1/manifest.json"
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 7)]) + whole[at + 1 :])
        with pytest.raises(CorruptIndexError, match=r"manifest\.json"):
            store.open("@1", verify=True)


def test_a_faiss_file_is_made_again_byte_for_byte(store):
    path = store.versions_folder("default") / "2/index.faiss"
    whole = path.read_bytes()
    for damage in ("flip", "cut", "gone"):
        flip(path, 100) if damage == "flip" else path.unlink()
        if damage == "cut":
            path.write_bytes(whole[:50])
        (finding,) = problems(store)
        assert (finding.level, finding.advice) == ("problem", "rag doctor --repair")
        assert finding.repair is not None
        assert finding.repair() == "default@2: index.faiss made again, byte for byte"
        assert path.read_bytes() == whole
        assert problems(store) == []


def test_a_faiss_file_that_comes_out_otherwise_gets_a_new_manifest(store, monkeypatch):
    from ragcli.store import check as module

    real = module.build_faiss
    monkeypatch.setattr(
        module, "build_faiss", lambda e, factory, seed, path: real(e, "HNSW32,Flat", seed, path)
    )
    flip(store.versions_folder("default") / "2/index.faiss", 100)
    repair(store)
    assert problems(store) == []
    with store.open("@2", verify=True) as index:
        _, rows = index.search(HashEncoder(16).encode_queries(["Peru Lima"]), 1)
        assert index.passages[rows[0, 0]].document_id == "Peru"
        assert index.manifest.recall is None  # the one it had was of another file


@pytest.mark.parametrize("name", ["passages-0.arrow", "embeddings-0.npy"])
def test_a_shared_file_is_restored_from_its_twin(store, name):
    path = store.versions_folder("default") / "2" / name
    whole = path.read_bytes()
    flip(path, 200)
    repair(store)
    assert path.read_bytes() == whole
    assert problems(store) == []


def test_a_shared_file_that_is_damaged_for_all_its_versions(store):
    """Hard links are one file: there is no twin to restore it from."""
    paths = [store.versions_folder("default") / v / "embeddings-0.npy" for v in ("1", "2")]
    assert paths[0].samefile(paths[1])
    with open(paths[0], "r+b") as stream:
        stream.seek(200)
        byte = stream.read(1)
        stream.seek(200)
        stream.write(bytes([byte[0] ^ 1]))
    found = problems(store)
    assert [finding.message.partition(": ")[0] for finding in found] == list(map(str, paths))
    assert [finding.repair for finding in found] == [None, None]


def test_what_may_not_be_read_is_not_called_damaged(store, tmp_path, monkeypatch):
    build(store, corpus(tmp_path), "1", name="private")
    build(store, corpus(tmp_path), "1", name="shy")
    manifest = store.versions_folder("shy") / "1/manifest.json"
    real_list, real_read = os.scandir, Path.read_bytes

    def scandir(path):
        if "private" in str(path):
            raise PermissionError(13, "Permission denied")
        return real_list(path)

    def read_bytes(path):
        if path == manifest:
            raise PermissionError(13, "Permission denied")
        return real_read(path)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != manifest)
    found = problems(store)
    assert [finding.advice for finding in found] == ["give yourself permission to read it"] * 2
    assert found[0].message.endswith("private/versions: cannot be read: Permission denied")
    listing = list_versions(store)
    assert [entry.name for entry in listing.entries] == ["default", "default", "shy"]
    assert [str(error) for error in listing.unreadable] == [found[0].message]


def test_what_cannot_be_repaired_says_what_to_do(store):
    folder = store.versions_folder("default")
    flip(folder / "2/embeddings-1.npy", 140)
    flip(folder / "2/index.faiss", 100)
    flip(folder / "1/manifest.json", 100)
    found = problems(store)
    assert [finding.repair for finding in found] == [None] * 3
    assert found[0].advice == "rag remove-index default@1, and build it again"
    assert "embeddings-1.npy" in found[1].message
    repair(store)
    assert len(problems(store)) == 3


def test_a_file_that_does_not_belong_there(store):
    (store.versions_folder("default") / "1/notes.txt").write_text("x")
    (finding,) = problems(store)
    assert "notes.txt: not a file of this version" in finding.message


def test_leftovers_are_found_and_cleaned(store):
    index = store.root / "default"
    for name in ("versions/.building-x", "versions/.removed-9", "unfinished/abc"):
        (index / name).mkdir(parents=True)
        (index / name / "file").write_bytes(b"x" * 1000)
    (index / ".CURRENT.new").write_bytes(b"half")  # as older releases called it
    (index / "versions/1/.index.faiss.0a1b.new").write_bytes(b"half")
    (index / "versions/.building-x/.index.faiss.2c3d.new").write_bytes(b"half")  # goes with it
    found = problems(store)
    assert [finding.level for finding in found] == ["note"] * 5
    assert "a build that did not end (0.0 MB)" in found[0].message
    with FileLock(index / ".build.lock"):
        (busy,) = problems(store)
        assert "another process is writing to it now" in busy.message
    repair(store)
    assert problems(store) == []
    assert sorted(os.listdir(index / "versions")) == ["1", "2"]


def test_current_and_tags_that_lead_nowhere(store):
    store.tag("default", "stable", "1")
    store.tag("default", "late", "2")
    shutil.rmtree(store.versions_folder("default") / "2")
    current, tag = problems(store)
    assert current.message == "default: the current version 2 is not there"
    assert tag.message == "default: the tag late stands for 2, which is not there"
    repair(store)
    assert store.tags("default") == {"stable": "1"}
    (store.root / "default/CURRENT").write_text("{")
    (store.root / "default/TAGS").write_text("{")
    current, _ = problems(store)
    assert "CURRENT: damaged" in current.message
    repair(store)
    assert store.tags("default") == {}
    store.activate("default", "1")
    assert problems(store) == []


def test_a_disk_almost_full(store, monkeypatch):
    from collections import namedtuple

    usage = namedtuple("Usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 9, 1))
    (finding,) = problems(store)
    assert "0.0 GB free, less than the largest version takes" in finding.message


def test_no_store(tmp_path):
    (finding,) = problems(Store(tmp_path / "nowhere"))
    assert finding.message == f"no store at {tmp_path / 'nowhere'}"


def test_shared_files_are_read_once(store, monkeypatch):
    from ragcli.store import check as module

    read: list[Path] = []
    real = module.file_digest
    monkeypatch.setattr(module, "file_digest", lambda path: read.append(path) or real(path))
    assert problems(store) == []
    inodes = [path.stat().st_ino for path in read]
    assert len(inodes) == len(set(inodes))


@pytest.mark.parametrize("name", ["CURRENT", "TAGS"])
def test_every_bit_of_current_and_tags_counts(store, name):
    """A flipped bit in CURRENT used to go back to another version in silence."""
    store.tag("default", "stable", "1")
    path = store.root / "default" / name
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        with pytest.raises(CorruptIndexError, match=f"{name}: damaged"):
            store.resolve("@stable" if name == "TAGS" else None)
        if bit % 97 == 0:
            assert [f.level for f in problems(store)] == ["problem"]
    path.write_bytes(whole.splitlines(keepends=True)[0])  # as release 0.1.0 wrote it
    assert problems(store) == []
    assert store.resolve("@stable") == ("default", "1")
    assert store.resolve() == ("default", "2")
