"""Files and folders that appear whole, or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from ragcli.errors import StoreError
from ragcli.store import files
from ragcli.store.files import new_folder, replace_file, replacing, sweep, unfinished


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.fixture
def steps(monkeypatch) -> list[str]:
    """What was done to the disk, in its order."""
    done: list[str] = []
    for name in ("fsync", "replace", "rename"):
        real = getattr(os, name)

        def noted(*arguments, name=name, real=real):
            done.append(name)
            return real(*arguments)

        monkeypatch.setattr(files.os, name, noted)
    return done


def test_a_file_is_old_or_new_and_never_a_part(tmp_path):
    path = tmp_path / "CURRENT"
    replace_file(path, b"old")
    with replacing(path) as stream:
        stream.write(b"new, ")
        stream.flush()
        assert path.read_bytes() == b"old"
        (temporary,) = unfinished(tmp_path)
        assert temporary.read_bytes() == b"new, "
        stream.write(b"and whole")
    assert path.read_bytes() == b"new, and whole"
    assert names(tmp_path) == ["CURRENT"]


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, steps):
    replace_file(tmp_path / "a", b"x")
    assert steps == ["fsync", "replace", "fsync"]


def test_windows_syncs_files_open_for_writing_and_no_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_WINDOWS", True)
    real, opened = os.open, []
    monkeypatch.setattr(files.os, "open", lambda *a: opened.append(a) or real(*a))
    with new_folder(tmp_path / "new") as folder:
        (folder / "file").write_bytes(b"x")
    assert opened == [(folder / "file", os.O_RDWR)]


def test_a_writer_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "a"
    replace_file(path, b"old")
    with suppress(RuntimeError), replacing(path) as stream:
        stream.write(b"half")
        raise RuntimeError("stop")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_two_writers_do_not_write_into_each_other(tmp_path):
    path = tmp_path / "a"
    with replacing(path) as first, replacing(path) as second:
        first.write(b"first")
        second.write(b"second")
        assert len(unfinished(tmp_path)) == 2
    assert path.read_bytes() == b"first"  # the one that ended last
    assert names(tmp_path) == ["a"]


def test_a_link_that_waits_under_the_temporary_name_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(files.secrets, "token_hex", lambda _: "guessed")
    (tmp_path / "victim").write_bytes(b"mine")
    planted = tmp_path / ".a.guessed.new"
    planted.symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "a", b"x")
    assert (tmp_path / "victim").read_bytes() == b"mine"
    assert names(tmp_path) == [".a.guessed.new", "victim"]


def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "a", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to("a")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_what_is_no_file_is_written_to_as_it_is(tmp_path):
    (tmp_path / "null").symlink_to("/dev/null")
    replace_file(tmp_path / "null", b"x")
    assert stat.S_ISCHR((tmp_path / "null").stat().st_mode)
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path, b"x")
    assert names(tmp_path) == ["null"]


def test_long_names(tmp_path):
    for name in ("x" * 255, "ü" * 127):
        replace_file(tmp_path / name, b"x")
    assert len(names(tmp_path)) == 2


def test_a_folder_appears_whole(tmp_path, steps):
    target = tmp_path / "models" / "new"
    with new_folder(target) as folder:
        assert folder.parent == target.parent
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_bytes(b"x")
        assert not target.exists()
        assert unfinished(target.parent) == [folder]
    assert (target / "inner" / "file").read_bytes() == b"x"
    assert names(target.parent) == ["new"]
    assert steps == ["fsync"] * 3 + ["rename", "fsync"]  # file, both folders, then the name


def test_a_folder_that_fails_is_not_there(tmp_path):
    with suppress(RuntimeError), new_folder(tmp_path / "new") as folder:
        (folder / "file").write_bytes(b"x")
        raise RuntimeError("stop")
    assert names(tmp_path) == []


def test_a_folder_is_never_written_over(tmp_path):
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("file", "empty", "dangling"):
        refused = pytest.raises(StoreError, match=f"{name} exists, and nothing is written over")
        with refused, new_folder(tmp_path / name):
            pytest.fail("must not begin")
    with pytest.raises(StoreError, match="late exists"), new_folder(tmp_path / "late"):
        (tmp_path / "late").mkdir()
    assert names(tmp_path) == ["dangling", "empty", "file", "late"]


def test_what_killed_writers_left_is_swept(tmp_path):
    for name in (".old.new", "kept.new", ".kept", "kept"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / ".step-1.0.new").mkdir()
    (tmp_path / ".step-1.0.new" / "file").write_bytes(b"x")
    assert [path.name for path in unfinished(tmp_path)] == [".old.new", ".step-1.0.new"]
    sweep(tmp_path)
    assert names(tmp_path) == [".kept", "kept", "kept.new"]
