"""An update of a part of the corpus equals a build of the whole, and nothing is lost unasked."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from ragcli.errors import CorpusError, ShrinkError
from ragcli.indexing.build import build_index
from ragcli.indexing.diff import diff_index
from ragcli.indexing.update import update_index
from ragcli.store.manifest import Manifest
from ragcli.store.store import Store
from tests.fakes import HashEncoder


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve documents: files beside folders, one in another, JSON lines with ids."""
    folder = tmp_path / "docs"
    for name in ("zebra.txt", "hr/leave.txt", "hr/old/pay.txt", "it/vpn.txt", "apple.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"all about {name}")
    lines = [json.dumps({"id": f"j{n}", "text": f"line number{n}"}) + "\n" for n in range(5)]
    (folder / "hr/more.jsonl").write_text("".join(lines))
    (folder / "it/more.jsonl").write_text('{"text": "without an id"}\n{"text": "nor this"}\n')
    monkeypatch.chdir(tmp_path)
    return folder


def passages(store: Store, version: str) -> list[tuple[str, str, str, int]]:
    with store.open(f"@{version}", verify=True) as index:
        return [(p.id, p.text, p.source, p.line) for p in index.passages]


def build(store: Store, *paths: object, version: str) -> Manifest:
    return build_index(store, HashEncoder(), list(map(str, paths)), version=version).manifest


def update(store: Store, *paths: object, version: str, **more: object) -> Manifest:
    made = {"version": version, **more}
    return update_index(store, HashEncoder(), list(map(str, paths)), **made).manifest


PARTS = ["docs/hr", "docs/hr/", "docs/it/../hr", "ABSOLUTE", "LINK", "docs"]


@pytest.mark.parametrize("part", PARTS)
def test_a_folder_inside_is_refreshed_and_the_rest_stays(
    store: Store, docs: Path, part: str, tmp_path: Path
) -> None:
    first = build(store, "docs", version="1")
    assert (first.sources, first.roots) == (("docs",), (str(docs.resolve()),))
    (docs / "hr/leave.txt").write_text("changed")
    (docs / "hr/a new one.txt").write_text("new")
    (docs / "hr/old/pay.txt").unlink()
    (tmp_path / "link").symlink_to(docs / "hr")
    named = {"ABSOLUTE": str(docs / "hr"), "LINK": "link"}.get(part, part)
    second = update(store, named, version="2")
    origin = second.origin
    assert (origin.added, origin.changed, origin.removed, origin.embedded) == (1, 1, 1, 2)
    assert (second.sources, second.roots) == (first.sources, first.roots)
    whole = build(store, "docs", version="whole")
    assert passages(store, "2") == passages(store, "whole")
    assert second.corpus_digest == whole.corpus_digest


@pytest.mark.parametrize("more", [[], ["docs/zebra.txt"], ["docs/hr/more.jsonl", "docs/hr"]])
def test_single_files_and_several_parts(store: Store, docs: Path, more: list[str]) -> None:
    build(store, "docs", version="1")
    (docs / "it/vpn.txt").write_text("changed")
    (docs / "it/more.jsonl").write_text('{"text": "only this"}\n')
    for name in ("it/vpn.txt", "it/more.jsonl", "zebra.txt", "hr/leave.txt"):
        (docs / name).write_text((docs / name).read_text().replace("about", "new about"))
    origin = update(store, "docs/it/more.jsonl", *more, "docs/it/vpn.txt", version="2").origin
    assert (origin.added, origin.removed) == (0, 1)
    unread = [] if "docs/zebra.txt" in more else ["zebra.txt"]
    unread += [] if "docs/hr" in more else ["hr/leave.txt"]
    for name in unread:
        (docs / name).write_text(f"all about {name}")
    build(store, "docs", version="whole")
    assert passages(store, "2") == passages(store, "whole")


def test_a_part_that_is_new_stands_where_a_build_would_have_it(store: Store, docs: Path) -> None:
    build(store, "docs", version="1")
    (docs / "if").mkdir()
    (docs / "if/then.txt").write_text("else")
    update(store, "docs/if", version="2")
    build(store, "docs", version="whole")
    assert passages(store, "2") == passages(store, "whole")


def test_from_another_folder(store: Store, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same documents under the same ids; their sources can be found from there."""
    build(store, "docs", version="1")
    monkeypatch.chdir(docs / "hr")
    (docs / "hr/leave.txt").write_text("changed")
    origin = update(store, ".", version="2").origin
    assert (origin.added, origin.changed, origin.removed) == (0, 1, 0)
    sources = {id: source for id, _, source, _ in passages(store, "2")}
    assert sources["hr/leave.txt#0"] == str(docs.resolve() / "hr/leave.txt")
    assert sources["zebra.txt#0"] == "docs/zebra.txt"
    (docs / "hr/leave.txt").unlink()
    monkeypatch.chdir(docs.parent)
    origin = update(store, "docs/hr", version="3").origin
    assert (origin.added, origin.changed, origin.removed) == (0, 0, 1)
    build(store, "docs", version="whole")
    assert passages(store, "3") == passages(store, "whole")


def test_other_roots_stay_and_paths_outside_are_added(store: Store, docs: Path) -> None:
    (docs.parent / "notes").mkdir()
    (docs.parent / "notes/n.txt").write_text("a note")
    (docs.parent / "one.txt").write_text("a file")
    build(store, "docs", "one.txt", version="1")
    made = update(store, "docs/hr", "notes", version="2")
    assert made.sources == ("docs", "one.txt", "notes")
    build(store, "docs", "one.txt", "notes", version="whole")
    assert passages(store, "2") == passages(store, "whole")
    (docs.parent / "one.txt").unlink()  # a file that was named, as by docs/*, and is gone
    made = update(store, "notes", version="3")
    assert (made.origin.removed, made.counts.documents) == (1, 13)


def test_an_id_that_another_part_has(store: Store, docs: Path) -> None:
    build(store, "docs", version="1")
    (docs / "it/more.jsonl").write_text('{"id": "j1", "text": "moved"}\n')
    with pytest.raises(CorpusError, match=r"'j1' is already that of a document in docs/hr/more"):
        update(store, "docs/it", version="2", allow_shrink=True)
    (docs / "hr/more.jsonl").unlink()
    update(store, "docs/it", "docs/hr", version="2", allow_shrink=True)
    build(store, "docs", version="whole")
    assert passages(store, "2") == passages(store, "whole")


def test_what_would_lose_many_documents_is_refused(store: Store, docs: Path) -> None:
    build(store, "docs", version="1")
    (docs.parent / "other").mkdir()
    (docs.parent / "other/zebra.txt").write_text("all about zebra.txt")
    message = (
        "default@1 (built from docs) would lose 11 of its 12 documents: "
        "apple.txt, hr/leave.txt, j0 and 8 more (keep them with"
    )
    told: list[str] = []
    for allowed in (False, lambda loss: bool(told.append(loss))):
        with pytest.raises(ShrinkError) as caught:
            update(store, "other", version="2", allow_shrink=allowed)
        assert str(caught.value).startswith(message)
    assert message.startswith(told[0])
    assert store.versions("default") == ["1"]
    made = update(store, "other", version="2", allow_shrink=lambda loss: True)
    assert (made.origin.removed, made.sources) == (11, ("other",))
    with store.open("@1") as older, store.open("@2") as newer:
        assert len(diff_index(older, newer).documents.removed) == made.origin.removed
    kept = update(store, "docs", version="3", keep_missing=True)
    assert (kept.counts.documents, kept.sources) == (12, ("other", "docs"))


@pytest.mark.parametrize(("lost", "refused"), [(2, False), (3, True)])
def test_a_tenth_may_go(store: Store, tmp_path: Path, lost: int, refused: bool) -> None:
    for n in range(20):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / f"docs/{n:02}.txt").write_text(f"number{n}")
    build(store, tmp_path / "docs", version="1")
    for n in range(lost):
        (tmp_path / f"docs/{n:02}.txt").unlink()
    if refused:
        with pytest.raises(ShrinkError, match=r"3 of its 20 documents.*: 00\.txt, 01\.txt, 02\.t"):
            update(store, tmp_path / "docs", version="2")
    assert (
        update(store, tmp_path / "docs", version="3", allow_shrink=refused).origin.removed == lost
    )


def test_a_manifest_without_roots(
    store: Store, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sources mean what they mean in the folder one is in; elsewhere nothing is lost."""
    manifest = build(store, "docs", version="1")
    record = manifest.to_json()
    del record["roots"]
    older = Manifest.from_json(record, "manifest.json")
    assert older.roots == ()
    older.write(store.versions_folder("default") / "1")
    made = update(store, "docs/hr", version="2")
    assert (made.origin.removed, made.roots) == (0, manifest.roots)
    monkeypatch.chdir(docs)
    with pytest.raises(ShrinkError, match="12 of its 12"):
        update_index(store, HashEncoder(), "hr/leave.txt", "@1")


def test_a_corpus_that_was_moved(
    store: Store, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(store, "docs", version="1")
    (tmp_path / "elsewhere").mkdir()
    shutil.move(docs, tmp_path / "elsewhere/docs")
    monkeypatch.chdir(tmp_path / "elsewhere")
    made = update(store, "docs/hr", version="2")
    assert (made.origin.removed, made.counts.documents) == (0, 12)
    assert made.roots == (os.path.realpath("docs"),)
    build(store, "docs", version="whole")
    assert passages(store, "2") == passages(store, "whole")
