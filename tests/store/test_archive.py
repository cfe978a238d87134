"""One file out and in again; hostile archives are refused and leave nothing behind."""

from __future__ import annotations

import io
import json
import os
import tarfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import zstandard

from ragcli.errors import NoSpaceError, StoreError, VersionExistsError
from ragcli.indexing.update import update_index
from ragcli.store.archive import export_archive, export_parquet, import_archive
from ragcli.store.manifest import MANIFEST, FileRecord, Manifest, rendered
from ragcli.store.shards import write_shard
from ragcli.store.store import Current, Store
from tests.fakes import HashEncoder
from tests.store.helpers import CAPITALS, build, corpus


@pytest.fixture
def store(tmp_path) -> Store:
    store = Store(tmp_path / "store", patience=0.2)
    build(store, corpus(tmp_path), "2018", name="wiki")
    return store


@pytest.fixture
def archive(store, tmp_path) -> Path:
    with store.open("wiki") as index:
        export_archive(index, tmp_path / "wiki.tar.zst")
    return tmp_path / "wiki.tar.zst"


def test_out_and_in_again(store, archive, tmp_path):
    other = Store(tmp_path / "other")
    manifest = import_archive(other, archive)
    assert (manifest.name, manifest.version) == ("wiki", "2018")
    assert other.current("wiki") == Current("2018")
    with store.open("wiki") as a, other.open("wiki", verify=True) as b:
        assert list(a.passages) == list(b.passages)
        np.testing.assert_array_equal(a.embeddings[:], b.embeddings[:])
        assert len(a.manifest.roots) == 1
        assert replace(a.manifest, roots=()) == b.manifest
    again = import_archive(other, archive, "copy", "1", activate=False)
    assert (again.name, again.version) == ("copy", "1")
    assert other.current("copy") is None
    other.open("copy@1", verify=True).close()
    with pytest.raises(VersionExistsError):
        import_archive(other, archive)


def test_where_documents_were_does_not_leave_the_machine(store, archive, tmp_path):
    with store.open("wiki") as index:
        [root] = index.manifest.roots
        export_parquet(index, tmp_path / "wiki.parquet")
    assert json.loads(members(archive)[0][1])["roots"] == []
    about = pq.read_schema(tmp_path / "wiki.parquet").metadata[b"ragcli.manifest"]
    assert json.loads(about)["roots"] == []

    def change(manifest):
        manifest["roots"] = ["/etc"]

    evil = pack(tmp_path / "evil.tar.zst", with_manifest(members(archive), change))
    assert import_archive(Store(tmp_path / "other"), evil).roots == ()
    assert os.path.isabs(root)


def test_numbers_that_are_none_are_refused(store, archive, tmp_path):
    items = members(archive)
    at = next(n for n, (m, _) in enumerate(items) if m.name.endswith("embeddings-0.npy"))
    with store.open("wiki") as index:
        vectors = index.vectors(slice(None))
    vectors[2, 3] = np.nan
    write_shard(tmp_path / "evil.npy", vectors.shape, [vectors])
    items[at] = (items[at][0], (tmp_path / "evil.npy").read_bytes())

    def change(manifest):
        record = FileRecord.of(tmp_path / "evil.npy")
        manifest["files"]["embeddings-0.npy"] = asdict(record)

    evil = pack(tmp_path / "evil.tar.zst", with_manifest(items, change))
    refused(store, evil, "a vector holds what is no number")


def test_the_same_version_gives_the_same_archive(store, archive, tmp_path):
    with store.open("wiki") as index:
        export_archive(index, tmp_path / "again.tar.zst")
    assert archive.read_bytes() == (tmp_path / "again.tar.zst").read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_what_an_update_dropped_does_not_leave_the_house(store, tmp_path):
    """The shard that both versions share still holds Peru's passage; the archive must not."""
    names = [name for name in CAPITALS if name != "Peru"]
    path = corpus(tmp_path, names)
    update_index(store, HashEncoder(16), [path], "wiki", version="2019", allow_shrink=True)
    shard = store.versions_folder("wiki") / "2019/passages-0.arrow"  # also where lines moved
    assert b"capital city of Peru" in shard.read_bytes()
    with store.open("wiki@2019") as index:
        export_archive(index, tmp_path / "out.tar.zst")
        expected = list(index.passages)
        vectors = index.embeddings[:]
    data = (
        zstandard.ZstdDecompressor()
        .stream_reader(io.BytesIO((tmp_path / "out.tar.zst").read_bytes()))
        .read()
    )
    assert b"capital city of Chile" in data
    assert b"capital city of Peru" not in data
    other = Store(tmp_path / "other")
    import_archive(other, tmp_path / "out.tar.zst")
    with other.open("wiki", verify=True) as index:
        assert list(index.passages) == expected
        np.testing.assert_array_equal(index.embeddings[:], vectors)
        _, rows = index.search(HashEncoder(16).encode_queries(["Chile Santiago"]), 1)
        assert index.passages[rows[0, 0]].document_id == "Chile"
    assert not list(tmp_path.glob(".*"))


def members(archive: Path) -> list[tuple[tarfile.TarInfo, bytes]]:
    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(archive.read_bytes())).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return [(member, tar.extractfile(member).read()) for member in tar]  # type: ignore[union-attr]


def pack(path: Path, items: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for member, data in items:
            if member.isreg():
                member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    path.write_bytes(zstandard.ZstdCompressor().compress(buffer.getvalue()))
    return path


def info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return member


def with_manifest(items, change) -> list[tuple[tarfile.TarInfo, bytes]]:
    """The archive with a changed manifest whose own digest is right again."""
    record = json.loads(items[0][1])
    del record["sha256"]
    change(record)
    return [(items[0][0], rendered(record)), *items[1:]]


EVIL = [
    "../evil",
    "/tmp/evil",
    "ragcli-index/../../evil",
    "ragcli-index/sub/index.faiss",
    "evil\nname",
    "ragcli-index/manifest.json",
    "C:\\evil",
    "ragcli-index",
]


def refused(store: Store, path: Path, match: str) -> None:
    before = sorted(path for path in store.root.parent.rglob("*") if ".lock" not in path.name)
    with pytest.raises(StoreError, match=match):
        import_archive(store, path, "new", "1")
    (store.root / "new/versions").rmdir() if (store.root / "new/versions").exists() else None
    after = sorted(path for path in store.root.parent.rglob("*") if ".lock" not in path.name)
    assert [p for p in after if p not in before and p != store.root / "new"] == []


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.parametrize("first", [False, True])
def test_names_that_are_not_of_the_manifest(store, archive, tmp_path, name, first):
    items = members(archive)
    items.insert(0 if first else 2, (info(name), b"evil"))
    refused(store, pack(tmp_path / "evil.tar.zst", items), "evil.tar.zst: refused, ")


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE],
)
def test_links_and_devices(store, archive, tmp_path, kind):
    items = members(archive)
    at = next(n for n, (m, _) in enumerate(items) if m.name.endswith("index.faiss"))
    items[at] = (info("ragcli-index/index.faiss", kind, "/etc/passwd"), b"")
    refused(store, pack(tmp_path / "evil.tar.zst", items), "is not a file of its manifest")


@pytest.mark.parametrize("name", ["../x", "a/b", "new\nline", "", ".hidden", "x" * 101])
@pytest.mark.parametrize("field", ["name", "version"])
def test_names_in_the_manifest(store, archive, tmp_path, name, field):
    items = with_manifest(members(archive), lambda record: record.update({field: name}))
    path = pack(tmp_path / "evil.tar.zst", items)
    with pytest.raises(StoreError):
        import_archive(store, path, *((None, "1") if field == "name" else ("new", None)))
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["store"]


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "evil.py", "passages-x.arrow"])
def test_files_in_the_manifest(store, archive, tmp_path, name):
    def change(record):
        record["files"][name] = {"sha256": "0" * 64, "bytes": 4}

    items = [*with_manifest(members(archive), change), (info(f"ragcli-index/{name}"), b"evil")]
    refused(store, pack(tmp_path / "evil.tar.zst", items), "is no file of a version")


def test_what_is_missing_twice_or_altered(store, archive, tmp_path):
    items = members(archive)
    path = tmp_path / "evil.tar.zst"
    refused(store, pack(path, items[:-1]), "is missing")
    refused(store, pack(path, [*items, items[-1]]), "is not a file of its manifest")
    refused(store, pack(path, items[1:]), "does not begin with the manifest")
    refused(store, pack(path, []), "does not begin with the manifest")
    altered = [(m, d if m.name != items[2][0].name else d[:-1] + b"!") for m, d in items]
    refused(store, pack(path, altered), "the sha256 of .* is not the one in its manifest")
    short = [(m, d if m.name != items[2][0].name else d[:-1]) for m, d in items]
    refused(store, pack(path, short), "is not as long as its manifest says")
    changed = [(items[0][0], items[0][1].replace(b"2018", b"2019")), *items[1:]]
    refused(store, pack(path, changed), "sha256 is not the one it gives")


def test_every_flipped_byte_of_an_archive_is_refused_or_changes_nothing(store, archive, tmp_path):
    whole = archive.read_bytes()
    path = tmp_path / "evil.tar.zst"
    other = Store(tmp_path / "other")
    for at in range(0, len(whole), max(1, len(whole) // 150)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            import_archive(other, path, "new", str(at))
        except StoreError:
            assert str(at) not in other.versions("new")
        else:
            with store.open("wiki") as a, other.open(f"new@{at}", verify=True) as b:
                assert list(a.passages) == list(b.passages)


@pytest.mark.parametrize("cut", [0, 1, 10, 0.5, 0.9])
def test_an_archive_cut_short(store, archive, tmp_path, cut):
    whole = archive.read_bytes()
    path = tmp_path / "evil.tar.zst"
    path.write_bytes(whole[: int(cut * len(whole)) if isinstance(cut, float) else cut])
    refused(store, path, "refused, it ")


def bomb(path: Path, head: bytes, zeros: int) -> Path:
    compressor = zstandard.ZstdCompressor().compressobj()
    with open(path, "wb") as stream:
        stream.write(compressor.compress(head))
        for _ in range(zeros >> 20):
            stream.write(compressor.compress(bytes(1 << 20)))
        stream.write(compressor.flush())
    return path


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    member = info(name, kind)
    member.size = size
    return member.tobuf(tarfile.GNU_FORMAT)


def test_bombs(store, archive, tmp_path):
    """Gigabytes of zeros in a few kilobytes: as manifest, as long name, as a file, at the end."""
    path, size = tmp_path / "bomb.tar.zst", 1 << 30
    manifest = members(archive)[0]
    head = manifest[0].tobuf() + manifest[1].ljust(-(-len(manifest[1]) // 512) * 512, b"\0")
    refused(store, bomb(path, header(f"ragcli-index/{MANIFEST}", size), size), "too large")
    for kind in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE):
        refused(store, bomb(path, header("x", size, kind), size), "more than its manifest says")
    refused(store, bomb(path, head + header("ragcli-index/index.faiss", size), size), "not as long")
    refused(store, bomb(path, head + header("x", size, tarfile.XHDTYPE), size), "more than its")
    assert path.stat().st_size < 200_000


def test_a_manifest_that_promises_more_than_the_disk_holds(store, archive, tmp_path):
    def change(record):
        record["files"]["index.faiss"]["bytes"] = 1 << 60

    path = pack(tmp_path / "evil.tar.zst", with_manifest(members(archive), change))
    with pytest.raises(NoSpaceError, match="not enough disk space"):
        import_archive(store, path, "new", "1")


def test_a_wide_window_is_refused(store, archive, tmp_path):
    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(archive.read_bytes())).read()
    parameters = zstandard.ZstdCompressionParameters(window_log=31, enable_ldm=True)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = tmp_path / "wide.tar.zst"
    path.write_bytes(compressor.compress(data) + compressor.flush())
    refused(store, path, "not a whole archive")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_what_is_no_archive(store, tmp_path, content):
    (tmp_path / "x.tar.zst").write_bytes(content)
    refused(store, tmp_path / "x.tar.zst", "refused, it ")


def test_no_such_file(store, tmp_path):
    refused(store, tmp_path / "nothing.tar.zst", "cannot be read: No such file")
    refused(store, tmp_path, "cannot be read: Is a directory")


def test_an_archive_of_parts_that_do_not_fit(store, archive, tmp_path):
    """Right checksums, but the passages of another version: publishing checks that all agree."""
    build(store, corpus(tmp_path, ["Peru"], "x"), "1", name="small")
    folder = store.versions_folder("small") / "1"
    record = Manifest.read(folder).files["index.faiss"]
    data = (folder / "index.faiss").read_bytes()

    def change(manifest):
        manifest["files"]["index.faiss"] = {"sha256": record.sha256, "bytes": record.bytes}

    items = with_manifest(members(archive), change)
    items = [(m, data if m.name.endswith("index.faiss") else d) for m, d in items]
    refused(store, pack(tmp_path / "evil.tar.zst", items), "index.faiss holds 1 passages")


def test_a_manifest_is_written_as_it_is_read(store):
    path = store.versions_folder("wiki") / "2018" / MANIFEST
    assert rendered(Manifest.read(path.parent).to_json()) == path.read_bytes()


def test_parquet(store, tmp_path):
    with store.open("wiki") as index:
        export_parquet(index, tmp_path / "wiki.parquet")
        table = pq.read_table(tmp_path / "wiki.parquet")
        assert table.num_rows == len(index)
        rows = table.to_pylist()
        passages = list(index.passages)
        assert [row["id"] for row in rows] == [p.id for p in passages]
        assert [row["text"] for row in rows] == [p.text for p in passages]
        assert rows[0]["digest"] == passages[0].digest
        np.testing.assert_array_equal([row["embedding"] for row in rows], index.embeddings[:])
        manifest = json.loads(table.schema.metadata[b"ragcli.manifest"])
        assert manifest["encoder"]["document_name"] == "hash-16"


def test_a_failed_export_leaves_no_file(store, tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ragcli.store.archive._add", fail)
    with store.open("wiki") as index, pytest.raises(NoSpaceError):
        export_archive(index, tmp_path / "out.tar.zst")
    assert "out" not in str(os.listdir(tmp_path))


def test_an_export_goes_on_when_its_version_is_removed(store, archive, tmp_path, monkeypatch):
    from ragcli.store import archive as module
    from ragcli.store.history import remove_version

    build(store, corpus(tmp_path), "other", name="wiki")
    real, removed = module._add, []

    def add(*given):
        if not removed:
            removed.append(remove_version(store, "wiki", "2018"))
        return real(*given)

    monkeypatch.setattr(module, "_add", add)
    with store.open("wiki@2018") as index:
        export_archive(index, tmp_path / "out.tar.zst")
    assert (tmp_path / "out.tar.zst").read_bytes() == archive.read_bytes()


def test_an_export_that_must_copy_says_when_its_version_is_removed(store, tmp_path):
    from ragcli.store.history import remove_version

    names = [name for name in CAPITALS if name != "Peru"]
    paths = [corpus(tmp_path, names)]
    update_index(store, HashEncoder(16), paths, "wiki", version="2019", allow_shrink=True)
    store.activate("wiki", "2018")
    with store.open("wiki@2019") as index:
        remove_version(store, "wiki", "2019")
        with pytest.raises(StoreError, match="wiki@2019 was removed while it was being read"):
            export_archive(index, tmp_path / "out.tar.zst")
    assert not list(tmp_path.glob("*.zst*"))


def test_headers_that_do_not_end(store, archive, tmp_path):
    """tarfile reads headers into memory, so they may not be as large as the files may."""
    items = members(archive)
    path = tmp_path / "evil.tar.zst"
    long = info("ragcli-index/index.faiss")
    long.pax_headers = {"comment": "x" * (1 << 20)}
    at = next(n for n, (m, _) in enumerate(items) if m.name.endswith("index.faiss"))
    big = with_manifest(items, lambda r: r["files"]["index.faiss"].update(bytes=1 << 22))
    refused(
        store,
        pack(path, [*big[:at], (long, b"x" * (1 << 22)), *big[at + 1 :]]),
        "unpacks to more than its manifest says",
    )


def test_passages_whose_batches_are_not_what_they_say(store, tmp_path):
    import pyarrow as pa

    from ragcli.errors import CorruptIndexError
    from ragcli.store.passages import _ROWS_KEY, Passages

    folder = store.versions_folder("wiki") / "2018"
    table = pa.ipc.open_file(str(folder / "passages-0.arrow")).read_all()
    for rows in (b"0", b"2"):
        path = tmp_path / "passages.arrow"
        changed = table.replace_schema_metadata({_ROWS_KEY: rows})
        with pa.ipc.new_file(str(path), changed.schema) as writer:
            for row in range(len(table)):
                writer.write_batch(changed.slice(row, 1).combine_chunks().to_batches()[0])
        with pytest.raises(CorruptIndexError, match=r"passages\.arrow|places"):
            list(Passages([path], folder / "places.arrow"))


def test_two_exports_to_one_path_give_one_whole_archive(store, tmp_path):
    """One writes while the other does; and neither follows a link that waits at a known name."""
    path, precious = tmp_path / "out.tar.zst", tmp_path / "precious"
    precious.write_bytes(b"mine")
    for guess in (".out.tar.zst.new", "out.tar.zst.new"):
        (tmp_path / guess).symlink_to(precious)
    with store.open("wiki") as index:
        barrier = threading.Barrier(2)

        def export() -> None:
            met = iter([barrier.wait])
            export_archive(index, path, lambda size: [meet() for meet in met] and None)

        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(export) for _ in range(2)]:
                done.result()
    other = Store(tmp_path / "other")
    assert import_archive(other, path).counts.passages == 6
    other.open("wiki", verify=True).close()
    assert precious.read_bytes() == b"mine"
