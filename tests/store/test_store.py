"""The store: names, versions, CURRENT, publishing, locks."""

import json
import os
import re
import stat
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from ragcli.errors import (
    CorruptIndexError,
    IndexNotFoundError,
    SettingsError,
    StoreBusyError,
    StoreError,
    VersionExistsError,
)
from ragcli.store import store as versions
from ragcli.store.history import Listing, index_entries, list_versions
from ragcli.store.manifest import Manifest
from ragcli.store.store import Current, Store
from tests.store.helpers import build, corpus


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "store", patience=0.2)


@pytest.fixture
def two(store, tmp_path) -> Store:
    build(store, corpus(tmp_path), "2016")
    build(store, corpus(tmp_path), "2018", activate=False)
    return store


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc")
@pytest.mark.parametrize("type", ["flat", "hnsw", "ivf"])
def test_no_file_of_a_version_is_open_when_it_is_published(store, tmp_path, monkeypatch, type):
    """Windows would refuse to rename the folder."""
    real, seen = os.rename, []

    def rename(old, new) -> None:
        if os.path.isdir(old):
            mapped = Path("/proc/self/maps").read_text().splitlines()
            with os.scandir("/proc/self/fd") as entries:
                links = [os.readlink(entry.path) for entry in entries if os.path.lexists(entry)]
            seen.append([name for name in (*mapped, *links) if str(old) in name])
        real(old, new)

    monkeypatch.setattr(os, "rename", rename)
    build(store, corpus(tmp_path), "1", type=type)
    assert seen == [[]]


def test_layout_on_disk(two):
    root = two.root / "default"
    assert sorted(os.listdir(root / "versions")) == ["2016", "2018"]
    assert sorted(os.listdir(root / "versions/2016")) == [
        "embeddings-0.npy",
        "embeddings.rows.npy",
        "index.faiss",
        "manifest.json",
        "passages-0.arrow",
        "passages.rows.npy",
        "places.arrow",
    ]
    assert json.loads((root / "CURRENT").read_bytes()) == {"version": "2016", "previous": None}
    assert stat.S_IMODE(os.stat(root / "versions/2016").st_mode) == stat.S_IMODE(
        os.stat(root / "versions").st_mode
    )


def test_a_closed_version_says_so(two):
    index = two.open("@2016")
    index.close()
    index.close()  # twice does no harm
    queries = np.ones((1, index.manifest.dimension), dtype=np.float32)
    for use in (lambda: index.search(queries, 1), lambda: index.take([0]), lambda: [*index]):
        with pytest.raises(StoreError, match="default@2016 is closed"):
            use()
    with pytest.raises(AttributeError, match="serach"):
        _ = index.serach


def test_an_empty_store_is_not_created_by_looking(store):
    assert store.names() == []
    assert store.versions("default") == []
    assert store.current("default") is None
    assert list_versions(store) == Listing((), ())
    assert not store.root.exists()


def test_where_the_store_is(monkeypatch, tmp_path):
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "here"))
    assert Store().root == tmp_path / "here"
    monkeypatch.delenv("RAG_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert Store().root.name == "ragcli"
    assert Store(str(tmp_path)).root == tmp_path


def test_names_versions_and_entries(two, tmp_path):
    build(two, corpus(tmp_path), "1", name="wiki", activate=False)
    assert two.names() == ["default", "wiki"]
    assert two.versions("default") == ["2016", "2018"]
    entries = list_versions(two).entries
    assert [(e.name, e.version, e.current) for e in entries] == [
        ("default", "2016", True),
        ("default", "2018", False),
        ("wiki", "1", False),
    ]
    assert [m.version for m in list_versions(two).manifests] == ["2016", "2018", "1"]
    assert [e.version for e in index_entries(two, "wiki")] == ["1"]


def test_a_damaged_version_does_not_hide_the_others(two):
    (two.root / "default/versions/2016/manifest.json").write_text("{")
    (two.root / "default/CURRENT").write_text("{")
    first, second = list_versions(two).entries
    assert isinstance(first.manifest, CorruptIndexError)
    assert isinstance(second.manifest, Manifest)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (None, ("default", "2016")),
        ("", ("default", "2016")),
        ("default", ("default", "2016")),
        ("@2018", ("default", "2018")),
        ("default@2018", ("default", "2018")),
    ],
)
def test_resolve(two, reference, expected):
    assert two.resolve(reference) == expected


def test_what_is_not_there_is_named_with_what_is(two, store):
    with pytest.raises(IndexNotFoundError, match=r"no index 'wiki' in .*there are: default; build"):
        two.resolve("wiki")
    with pytest.raises(
        IndexNotFoundError, match=r"no version default@1999 \(its versions: 2016, 2018"
    ):
        two.resolve("@1999")
    with pytest.raises(IndexNotFoundError, match="the store is empty"):
        Store(store.root / "none").resolve()


@pytest.fixture
def wiki(two, tmp_path) -> Store:
    """default@2016, default@2018 (stable), wiki@2018 and wiki@2020 (stable)."""
    for version in ("2018", "2020"):
        build(two, corpus(tmp_path), version, name="wiki")
    two.tag("default", "stable", "2018")
    two.tag("wiki", "stable", "2020")
    return two


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("2018", None, ("default", "2018")),
        ("@2018", None, ("default", "2018")),
        ("wiki@2018", None, ("wiki", "2018")),
        ("stable", None, ("default", "2018")),
        ("@stable", None, ("default", "2018")),
        ("wiki@stable", None, ("wiki", "2020")),
        ("2020", "wiki", ("wiki", "2020")),
        ("@2020", "wiki", ("wiki", "2020")),
        ("wiki@2020", "wiki", ("wiki", "2020")),
        ("default@2016", "default", ("default", "2016")),
    ],
)
def test_a_version_as_people_write_it(wiki, text, index, expected):
    assert wiki.version_reference(text, index) == expected


@pytest.mark.parametrize(
    ("text", "index", "error", "message"),
    [
        (
            "2020",
            None,
            IndexNotFoundError,
            "no version default@2020 "
            "(its versions: 2016, 2018; its tags: stable; there is wiki@2020)",
        ),
        (
            "wiki",
            None,
            IndexNotFoundError,
            "no version default@wiki ('wiki' is an index, and a version of it is wiki@VERSION)",
        ),
        (
            "@wiki",
            None,
            IndexNotFoundError,
            "no version default@wiki (its versions: 2016, 2018; its tags: stable)",
        ),
        (
            "wiki@2018",
            "default",
            SettingsError,
            "'wiki@2018' is no version of the index 'default' (leave out the index 'default', "
            "or name one of its versions: 2016, 2018; its tags: stable)",
        ),
        (
            "wiki@",
            None,
            SettingsError,
            "'wiki@' names no version (its versions: 2018, 2020; its tags: stable)",
        ),
        ("@", "wiki", SettingsError, "'@' names no version (its versions: 2018, 2020; its tags: "),
        (
            "",
            None,
            SettingsError,
            "'' names no version (its versions: 2016, 2018; its tags: stable)",
        ),
        ("a@b@2018", None, SettingsError, "'a@b' cannot be the name of an index"),
        ("../x", None, SettingsError, "'../x' cannot be the name of a version"),
        ("2018", "wiki@2018", SettingsError, "'wiki@2018' cannot be the name of an index"),
        ("atlas@1", None, IndexNotFoundError, "no index 'atlas' in "),
    ],
)
def test_a_version_that_is_not_there(wiki, text, index, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        wiki.version_reference(text, index)


def test_versions_without_a_current_one(store, tmp_path):
    build(store, corpus(tmp_path), "2018", activate=False)
    with pytest.raises(IndexNotFoundError, match=r"is active \(its versions: 2018\)"):
        store.resolve("default")
    assert store.resolve("@2018") == ("default", "2018")


@pytest.mark.parametrize("name", [".hidden", "..", "a/b", "", "a b", "a\n", "é", "x" * 101, "@"])
def test_names_that_cannot_be_folders(store, name):
    with pytest.raises(SettingsError, match="cannot be the name of an index"):
        store.versions(name)
    with pytest.raises(SettingsError, match="cannot be the name of a version"):
        store.check_new("default", name)


@pytest.mark.parametrize("name", ["2018-12-20", "a.b_c-D", "x" * 100, "0"])
def test_names_that_can(store, name):
    store.check_new(name, name)


def test_swap_there_and_back(two):
    assert two.activate("default", "2018") == Current("2018", "2016")
    assert two.resolve() == ("default", "2018")
    assert two.activate("default", "2018") == Current("2018", "2016")
    assert two.activate_previous("default") == Current("2016", "2018")
    assert two.activate_previous("default") == Current("2018", "2016")


def test_swap_to_what_is_not_there(two):
    with pytest.raises(IndexNotFoundError, match="no version default@1999"):
        two.activate("default", "1999")
    with pytest.raises(IndexNotFoundError, match="no index 'wiki'"):
        two.activate("wiki", "1")
    with pytest.raises(IndexNotFoundError, match="no index 'wiki'"):
        two.activate_previous("wiki")
    with pytest.raises(IndexNotFoundError, match="has no previous version"):
        two.activate_previous("default")
    assert two.current("default") == Current("2016")


def test_swap_repairs_a_damaged_current(two):
    for content in (b"", b"[]", b'{"version": 3}', b"\xff"):
        (two.root / "default/CURRENT").write_bytes(content)
        with pytest.raises(CorruptIndexError, match=r"CURRENT: damaged \(choose a version"):
            two.resolve()
        assert two.activate("default", "2018") == Current("2018")


def test_nothing_is_overwritten(two, tmp_path):
    before = (two.root / "default/versions/2016/manifest.json").read_bytes()
    with pytest.raises(VersionExistsError, match=r"default@2016 exists, and versions are never"):
        build(two, corpus(tmp_path), "2016")
    assert (two.root / "default/versions/2016/manifest.json").read_bytes() == before


def test_a_version_that_came_into_being_during_the_build(store, tmp_path):
    with store.build("default", "2018") as folder:
        (store.root / "default/versions/2018").mkdir()
        with pytest.raises(VersionExistsError):
            folder._rename(True)
    assert store.current("default") is None


def test_default_versions_are_dates_and_unique(store, tmp_path, monkeypatch):
    class Clock(versions.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 11, 16, 10, 15, 0, tzinfo=tz)

    monkeypatch.setattr(versions, "datetime", Clock)
    names = [build(store, corpus(tmp_path)).version for _ in range(3)]
    assert names == ["2026-11-16T101500", "2026-11-16T101500-2", "2026-11-16T101500-3"]
    assert store.current("default") == Current(names[2], names[1])


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_build_that_fails_leaves_nothing(two, error):
    def fail() -> None:
        with two.build("default", "2019") as folder:
            (folder.path / "passages.arrow").write_bytes(b"half")
            assert folder.path.name.startswith(".building-")
            raise error

    with pytest.raises(error):
        fail()
    assert sorted(os.listdir(two.root / "default/versions")) == ["2016", "2018"]
    assert two.current("default") == Current("2016")


def test_leftovers_are_cleaned_by_the_next_build(two, tmp_path):
    leftover = two.root / "default/versions/.building-dead"
    leftover.mkdir()
    (leftover / "passages.arrow").write_bytes(b"half")
    assert two.versions("default") == ["2016", "2018"]
    build(two, corpus(tmp_path), "2019")
    assert sorted(os.listdir(two.root / "default/versions")) == ["2016", "2018", "2019"]


def test_a_second_builder_is_told_but_swaps_and_readers_go_on(two, tmp_path):
    with two.build("default", "2019"):
        with pytest.raises(
            StoreBusyError, match="another process is writing to the index 'default'"
        ):
            build(two, corpus(tmp_path), "2020")
        assert two.activate("default", "2018") == Current("2018", "2016")
        with two.open() as index:
            assert index.version == "2018"
        build(two, corpus(tmp_path), "1", name="other")
    build(two, corpus(tmp_path), "2020")


def test_a_second_swap_is_told(two):
    with FileLock(two.root / "default/.lock"), pytest.raises(StoreBusyError):
        two.activate("default", "2018")
    two.activate("default", "2018")


def test_manifest_of_a_build(two, tmp_path):
    manifest = two.open("@2016").manifest
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", manifest.created)
    assert (manifest.name, manifest.version) == ("default", "2016")
    assert manifest.sources == (str(tmp_path / "corpus.jsonl"),)
    for name, record in manifest.files.items():
        assert (two.root / "default/versions/2016" / name).stat().st_size == record.bytes


def test_a_store_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file")
    assert store.names() == []
    with pytest.raises(StoreError, match="cannot write to"):
        build(store, corpus(tmp_path), "1")


def test_a_store_that_cannot_be_read(two, monkeypatch):
    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", forbidden)
    with pytest.raises(StoreError, match="CURRENT: cannot be read: Permission denied"):
        two.resolve()
    monkeypatch.setattr(os, "scandir", forbidden)
    with pytest.raises(StoreError, match="versions: cannot be read: Permission denied"):
        two.versions("default")


@pytest.mark.parametrize("bad", ["../../etc", "a b", ""])
def test_a_current_that_holds_no_name_is_damaged(tmp_path, bad):
    store = Store(tmp_path)
    (tmp_path / "default/versions/1").mkdir(parents=True)
    (tmp_path / "default/CURRENT").write_text(json.dumps({"version": bad, "previous": None}))
    with pytest.raises(CorruptIndexError, match=r"CURRENT: damaged: .* names no version"):
        store.resolve()
