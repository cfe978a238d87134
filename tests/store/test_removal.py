"""Tags, removal and pruning: nobody is left pointing at a version that is gone."""

from __future__ import annotations

import errno
import json
import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from filelock import FileLock

from ragcli.errors import (
    CorruptIndexError,
    IndexNotFoundError,
    NoSpaceError,
    SettingsError,
    StoreBusyError,
    StoreError,
)
from ragcli.indexing import assemble
from ragcli.store import files
from ragcli.store.archive import repack
from ragcli.store.history import own_bytes, prune_versions, remove_version, version_log
from ragcli.store.store import Current, Store
from tests.fakes import HashEncoder
from tests.store.helpers import CAPITALS, build, corpus


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    """Versions 1 to 5, a minute apart; the names are not in the order of their ages."""
    store = Store(tmp_path / "store", patience=0.2)
    for minute, version in enumerate("52341"):

        class Clock(datetime):
            @classmethod
            def now(cls, tz=None, minute=minute):
                return datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)

        monkeypatch.setattr(assemble, "datetime", Clock)
        build(store, corpus(tmp_path, note=version), version)
    return store


def test_a_tag_stands_for_its_version(store, tmp_path):
    store.tag("default", "stable", "2")
    assert store.resolve("@stable") == ("default", "2")
    store.tag("default", "stable", "3")
    assert store.tags("default") == {"stable": "3"}
    assert store.activate("default", "stable") == Current("3", "1")
    store.tag("default", "copy", "stable")
    store.tag("default", "stable", None)
    assert store.tags("default") == {"copy": "3"}
    with pytest.raises(StoreError, match="'copy' is a tag of default@3"):
        build(store, corpus(tmp_path), "copy")


@pytest.mark.parametrize(
    ("tag", "version", "message"),
    [
        ("1", "2", "'1' is a version of the index 'default'"),
        ("x", "9", "no version default@9"),
        ("x", None, "has no tag 'x' .*it has no tags"),
    ],
)
def test_tags_that_cannot_be(store, tag, version, message):
    with pytest.raises(StoreError, match=message):
        store.tag("default", tag, version)


@pytest.mark.parametrize("tag", ["../x", "a\nb", "a@b"])
def test_tags_that_are_no_names(store, tag):
    with pytest.raises(SettingsError, match="cannot be the name of a tag"):
        store.tag("default", tag, "2")


@pytest.mark.parametrize("content", [b"", b"[]", b'{"a": 1}', b"\xff"])
def test_damaged_tags(store, content):
    (store.root / "default/TAGS").write_bytes(content)
    with pytest.raises(CorruptIndexError, match=r"TAGS: damaged .*rag doctor --repair"):
        store.resolve("@x")
    assert store.resolve("@2") == ("default", "2")


def test_remove(store):
    folder = store.versions_folder("default")
    size = sum(path.stat().st_size for path in (folder / "2").iterdir())
    shared = sum(p.stat().st_size for p in (folder / "2").iterdir() if p.stat().st_nlink > 1)
    store.tag("default", "stable", "2")
    assert remove_version(store, "default", "stable") == size - shared
    assert sorted(os.listdir(folder)) == ["1", "3", "4", "5"]
    assert store.tags("default") == {}
    with pytest.raises(IndexNotFoundError, match="no version default@2"):
        store.open("@2")
    for version in "1345":
        store.open(f"@{version}", verify=True).close()


def test_the_current_version_goes_only_by_force(store):
    assert store.current("default") == Current("1", "4")
    with pytest.raises(StoreError, match=r"default@1 is the current version .*--force"):
        remove_version(store, "default", "1")
    remove_version(store, "default", "1", force=True)
    assert store.current("default") == Current("4", None)
    remove_version(store, "default", "4", force=True)
    assert store.current("default") is None
    with pytest.raises(IndexNotFoundError, match="no version of the index 'default' is active"):
        store.open()


def test_the_previous_version_is_forgotten_when_it_is_removed(store):
    remove_version(store, "default", "4")
    assert store.current("default") == Current("1", None)
    with pytest.raises(IndexNotFoundError, match="no previous version"):
        store.activate_previous("default")


def test_prune_keeps_the_newest_the_current_and_the_tagged(store):
    store.activate("default", "2")
    store.tag("default", "release", "5")
    assert prune_versions(store, "default", 1, dry_run=True) == ["3", "4"]
    assert store.versions("default") == ["1", "2", "3", "4", "5"]
    assert prune_versions(store, "default", 1) == ["3", "4"]
    assert store.versions("default") == ["1", "2", "5"]
    assert prune_versions(store, "default", 3) == []
    with pytest.raises(StoreError, match="no index 'wiki'"):
        prune_versions(store, "wiki", 3)


def test_versions_of_one_second_are_pruned_in_the_order_they_were_made(store, tmp_path):
    for version in ("9", "10", "a"):
        build(store, corpus(tmp_path, note=version), version)
    assert prune_versions(store, "default", 1, dry_run=True)[-3:] == ["1", "9", "10"]


def test_the_order_is_that_of_the_store_and_not_of_the_clock(store, tmp_path, monkeypatch):
    """The clock went back, and the newest version was taken for the oldest."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(1999, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(assemble, "datetime", Clock)
    build(store, corpus(tmp_path, note="6"), "6", activate=False)
    assert prune_versions(store, "default", 1, dry_run=True) == ["5", "2", "3", "4"]
    assert [entry.version for entry in version_log(store, "default")] == list("614325")
    remove_version(store, "default", "3")
    build(store, corpus(tmp_path, note="7"), "0", activate=False)
    assert [entry.version for entry in version_log(store, "default")] == list("061425")


def test_prune_leaves_damaged_versions_alone(store):
    (store.versions_folder("default") / "5/manifest.json").write_text("{")
    assert prune_versions(store, "default", 1) == ["2", "3", "4"]
    assert store.versions("default") == ["1", "5"]


def test_readers_keep_what_is_pruned(store):
    query = HashEncoder(16).encode_queries(["capital of Peru Lima"])
    with store.open("@3") as index:
        prune_versions(store, "default", 1)
        assert store.versions("default") == ["1"]
        _, rows = index.search(query, 6)
        texts = {passage.text for passage in index.passages.take(rows[0])}
        assert texts == {f"The capital city of {c} is {t}. 3" for c, t in CAPITALS.items()}


def test_a_version_removed_while_it_is_opened(store, monkeypatch):
    """Between CURRENT and the last file it may go: the reader takes the new current one."""
    from ragcli.store import version as index_version

    real = index_version.open_tables

    def removed_meanwhile(folder, manifest):
        if folder.name == "1":
            monkeypatch.setattr(index_version, "open_tables", real)
            remove_version(store, "default", "1", force=True)
        return real(folder, manifest)

    monkeypatch.setattr(index_version, "open_tables", removed_meanwhile)
    with store.open() as index:
        assert index.version == "4"


def test_writers_are_told_to_wait(store):
    with FileLock(store.root / "default/.build.lock"):
        for work in (
            lambda: remove_version(store, "default", "2"),
            lambda: prune_versions(store, "default", 1),
        ):
            with pytest.raises(StoreBusyError, match="another process is writing to the index"):
                work()
    with store.build("default", "6"), pytest.raises(StoreBusyError):
        remove_version(store, "default", "2")


def test_what_a_killed_removal_left_is_cleaned(store, tmp_path):
    folder = store.versions_folder("default")
    os.rename(folder / "2", folder / ".removed-2")
    build(store, corpus(tmp_path), "6")
    assert sorted(os.listdir(folder)) == ["1", "3", "4", "5", "6"]


def test_own_bytes_counts_shared_files_once(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    (tmp_path / "a/alone").write_bytes(b"x" * 10)
    (tmp_path / "a/shared").write_bytes(b"x" * 100)
    os.link(tmp_path / "a/shared", tmp_path / "b/shared")
    folders = [tmp_path / name for name in "abc"]
    assert own_bytes(folders[:1]) == 10
    assert own_bytes(folders) == 110
    shutil.rmtree(tmp_path / "b")
    assert own_bytes(folders[:1]) == 110


def test_current_is_whole_after_all(store):
    prune_versions(store, "default", 2)
    assert json.loads((store.root / "default/CURRENT").read_bytes().splitlines()[0]) == {
        "version": "1",
        "previous": "4",
    }


@pytest.mark.parametrize("act", [remove_version, lambda s, n, v: s.tag(n, "keep", v)])
def test_removed_by_another_while_one_waits(store, act):
    """What was resolved before the lock is looked at again under it."""
    real, removed = store.locked, []

    def locked(name, building=False):
        if not removed:
            removed.append(remove_version(Store(store.root), "default", "2"))
        return real(name, building)

    store.locked = locked
    with pytest.raises(IndexNotFoundError, match="no version default@2"):
        act(store, "default", "2")
    assert store.tags("default") == {}


def test_a_tag_that_takes_the_name_of_a_version_under_construction(store):
    with store.open("@2") as index, store.build(version="6") as folder:
        store.tag("default", "6", "2")
        with pytest.raises(StoreError, match="'6' is a tag of default@2"):
            repack(index, folder)
    assert store.versions("default") == ["1", "2", "3", "4", "5"]
    store.tag("default", "6", None)


def test_damaged_tags_stop_a_removal_before_anything_is_changed(store):
    (store.root / "default/TAGS").write_bytes(b"[]")
    with pytest.raises(CorruptIndexError, match="TAGS: damaged"):
        remove_version(store, "default", "1", force=True)
    assert store.current("default") == Current("1", "4")


class FullDisk:
    """A disk with room for nothing until something big is removed from it."""

    def __init__(self, monkeypatch) -> None:
        self.full, rmtree = True, shutil.rmtree
        real = files.replacing

        def replacing(path):
            if self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(path)

        def freed(path, **options):
            self.full = self.full and not os.path.exists(path)
            rmtree(path, **options)

        monkeypatch.setattr(files, "replacing", replacing)
        monkeypatch.setattr(shutil, "rmtree", freed)


def test_removal_makes_room_on_a_full_disk(store, monkeypatch):
    """The previous version and a tagged one, of which CURRENT and TAGS have to be written again."""
    store.tag("default", "stable", "4")
    disk = FullDisk(monkeypatch)
    with pytest.raises(NoSpaceError):
        store.tag("default", "more", "3")
    remove_version(store, "default", "4")
    assert not disk.full
    assert store.current("default") == Current("1", None)
    assert store.tags("default") == {}
    disk.full = True
    remove_version(store, "default", "1", force=True)
    assert store.current("default") is None
    assert store.versions("default") == ["2", "3", "5"]


def test_pruning_makes_room_on_a_full_disk(store, monkeypatch):
    FullDisk(monkeypatch)
    assert prune_versions(store, "default", 1) == ["5", "2", "3", "4"]
    assert store.current("default") == Current("1", None)
    store.open(verify=True).close()
