"""A full disk and a folder that cannot be written to: an error of ours, and nothing left behind."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

import pytest

from ragcli.errors import NoSpaceError, StoreError
from ragcli.indexing.build import build_index
from ragcli.settings import Indexing
from ragcli.store import files as atomic
from ragcli.store.files import replace_file, require_space, writing
from ragcli.store.store import Current, Store
from ragcli.store.version import BuildFolder
from tests.fakes import HashEncoder
from tests.store.helpers import FILES, build, corpus

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def store(tmp_path) -> Store:
    store = Store(tmp_path / "store")
    build(store, corpus(tmp_path), "1")
    return store


def untouched(store: Store) -> bool:
    return os.listdir(store.root / "default/versions") == ["1"] and (
        store.current("default") == Current("1")
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("name", ["new-0.arrow", *FILES[:3], *FILES[4:]])
def test_a_disk_that_runs_full_while_writing(store, tmp_path, monkeypatch, name):
    """/dev/full takes no byte, just like a full disk; each file that is written in turn lies there.

    The first is a shard of passages under the name it has until it is numbered; a shard of
    embeddings is written to the shelf.
    """
    make, shelf = tempfile.mkdtemp, BuildFolder.shelf

    def full_shelf(self: BuildFolder, key: str) -> Path:
        folder = shelf(self, key)
        if name == "embeddings-0.npy":
            (folder / name).symlink_to("/dev/full")
        return folder

    def with_full_disk(*arguments, **options) -> str:
        folder = make(*arguments, **options)
        if Path(folder).name.startswith(".building-") and name != "embeddings-0.npy":
            (Path(folder) / name).symlink_to("/dev/full")
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", with_full_disk)
    monkeypatch.setattr(BuildFolder, "shelf", full_shelf)
    with pytest.raises(NoSpaceError, match="the disk is full"):
        build(store, corpus(tmp_path), "2")
    assert untouched(store)


def test_not_enough_room_is_found_before_embedding(store, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 1000))
    monkeypatch.setattr("tests.fakes.HashEncoder.encode_passages", None)  # must not be called
    with pytest.raises(NoSpaceError, match=r"not enough disk space in .*: 4\.2 MB needed, 0\.0 MB"):
        build(store, corpus(tmp_path), "2")
    assert untouched(store)


def test_room_is_asked_for_what_is_left_to_do(store, tmp_path, monkeypatch):
    """Finished shards of an interrupted build are on the disk already, and codes are small."""
    asked = []
    monkeypatch.setattr(
        "ragcli.indexing.assemble.require_space", lambda path, size: asked.append(size)
    )
    monkeypatch.setattr("ragcli.store.tables.SMALLEST_SHARD", 16)
    path = tmp_path / "many.txt"
    path.write_text(" ".join(f"word{n}" for n in range(4000)))

    class Dying(HashEncoder):
        def encode_passages(self, passages, batch_size=32, progress=None):
            if len(asked) == 1 and int(passages[0].id.rpartition("#")[2]) >= 16:
                raise KeyboardInterrupt
            return super().encode_passages(passages, batch_size, progress)

    with pytest.raises(KeyboardInterrupt):
        build_index(store, Dying(16), [str(path)], version="2")
    build_index(store, Dying(16), [str(path)], version="2")
    build_index(store, Dying(16), [str(path)], indexing=Indexing(type="sq8"), name="other")
    first, second, coded = asked
    shard = 16 * 16 * 4
    assert first - second == pytest.approx(shard, abs=256)  # a header comes with it
    assert first - coded == 40 * 16 * 3


def test_half_a_shard_of_a_killed_build_is_not_taken_for_a_finished_one(store):
    for _ in range(2):
        with store.build("default", "2") as folder:
            shelf = folder.shelf("key")
            assert os.listdir(shelf) == []
            (shelf / ".embeddings-0.npy.0a1b.new").write_bytes(b"half")


def test_sizes_are_said_so_that_people_can_read_them(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(0, 0, 2_500_000))
    require_space(tmp_path, 2_500_000)
    with pytest.raises(NoSpaceError, match=r"64\.5 GB needed, 2\.5 MB free"):
        require_space(tmp_path, 64_500_000_000)


def test_an_atomic_replace_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "CURRENT"
    replace_file(path, b"old")

    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", fail)
    with pytest.raises(NoSpaceError), writing(tmp_path):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["CURRENT"]


def test_other_errors_pass_through_a_build(store, tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("tests.fakes.HashEncoder.encode_passages", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        build(store, corpus(tmp_path), "2")
    assert untouched(store)


READ_ONLY = """
import os, sys
from pathlib import Path
from ragcli.errors import StoreError
from ragcli.store.store import Store
import filelock
store = Store(Path(sys.argv[1]))
store.open().close()  # everything is imported before the user changes
if os.geteuid() == 0:
    os.setuid(65534)
with store.open() as index:
    print(index.version, len(index))
for name in ("default", "new"):
    try:
        with store.build(name, "2"):
            print("built")
    except StoreError as error:
        print(error.message)
try:
    store.activate("default", "0")
except StoreError as error:
    print(error.message)
"""


def test_a_store_that_can_only_be_read(store, tmp_path):
    """Readers need no lock; writers are told. Run as another user, for root may write anywhere."""
    build(store, corpus(tmp_path), "0", activate=False)
    root = Path(tempfile.mkdtemp(prefix="ragcli-read-only-"))
    try:
        shutil.copytree(store.root, root / "store")
        for path in [root, *root.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        command = [sys.executable, "-c", READ_ONLY, str(root / "store")]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        lines = result.stdout.splitlines()
        assert lines[:1] == ["1 6"], result.stderr
        assert len(lines) == 4, result.stderr
        assert all("cannot write to" in line and "Permission denied" in line for line in lines[1:])
    finally:
        for path in [root, *root.rglob("*")]:
            path.chmod(0o755)
        shutil.rmtree(root)


def test_a_lock_that_cannot_be_made(store, monkeypatch):
    def fail(self: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire", fail)
    with pytest.raises(StoreError, match=r"cannot write to .*: Permission denied"):
        store.activate("default", "1")
