import hashlib
import json
from contextlib import closing
from dataclasses import replace

import pyarrow as pa
import pytest

from ragcli.core.chunking import passages
from ragcli.errors import CorruptIndexError
from ragcli.records import Document, Passage
from ragcli.settings import Chunking
from ragcli.store.passages import BATCH_ROWS, ORIGIN, PASSAGE, Passages, Writer, row_of


def make(count: int) -> list[Passage]:
    words = " ".join(f"wörd{number}" for number in range(2 * count))
    document = Document("d", "Title", words, "d.txt", 3, {"year": 2018, "tags": ["a", None]})
    return list(passages(document, Chunking(2)))


def store(path, items: list[Passage]) -> Passages:
    origins_path = path.with_name("origins")
    writers = closing(Writer(path, PASSAGE)), closing(Writer(origins_path, ORIGIN, "zstd"))
    with writers[0] as writer, writers[1] as origins:
        for item in items:
            writer.add(row_of(item))
            origins.add(row_of(item))
        assert writer.count == origins.count == len(items)
    return reopen(path)


def reopen(path) -> Passages:
    return Passages([path], path.with_name("origins"))


@pytest.mark.parametrize("count", [1, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 1, 2500])
def test_what_is_written_is_read(tmp_path, count):
    items = make(count)
    read = store(tmp_path / "p.arrow", items)
    assert len(read) == count
    assert list(read) == items
    assert read[0] == items[0]
    assert read[count - 1] == items[-1]
    read.close()


def test_rows_are_taken_in_the_order_given(tmp_path):
    items = make(2500)
    rows = [2499, 0, 1024, 1023, 7, 7]
    assert store(tmp_path / "p.arrow", items).take(rows) == [items[row] for row in rows]


@pytest.mark.parametrize("size", [1, 7, 1000, 1024, 1025, 4096])
def test_blocks_cover_all_rows_in_order(tmp_path, size):
    items = make(2100)
    blocks = list(store(tmp_path / "p.arrow", items).blocks(size))
    assert [item for block in blocks for item in block] == items
    assert all(len(block) == size for block in blocks[:-1])


@pytest.mark.parametrize("row", [-1, 3])
def test_there_is_no_row_outside(tmp_path, row):
    with pytest.raises(IndexError, match=f"row {row} of 3 passages"):
        store(tmp_path / "p.arrow", make(3))[row]


def test_an_empty_store(tmp_path):
    empty = store(tmp_path / "p.arrow", [])
    assert len(empty) == 0
    assert list(empty) == []


def test_the_file_is_mapped_not_loaded(tmp_path):
    items = make(20_000)
    path = tmp_path / "p.arrow"
    store(path, items).close()
    before = pa.total_allocated_bytes()
    read = reopen(path)
    assert read[19_999] == items[-1]
    assert pa.total_allocated_bytes() - before < 50_000
    assert path.stat().st_size > 2_000_000


def test_a_file_cut_short_or_of_another_kind(tmp_path):
    path = tmp_path / "p.arrow"
    store(path, make(10))
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"not arrow", whole[:-1]):
        path.write_bytes(damaged)
        with pytest.raises(CorruptIndexError, match=r"p\.arrow: passages that cannot be read"):
            reopen(path)


def test_altered_bytes_never_crash(tmp_path):
    """Any damage gives passages or an error of ours; a checksum tells which bytes were altered."""
    path = tmp_path / "p.arrow"
    items = make(50)
    store(path, items)
    whole = path.read_bytes()
    outcomes = set()
    for position in range(0, len(whole), 61):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        try:
            outcomes.add(len(list(reopen(path))))
        except CorruptIndexError:
            outcomes.add("error")
    assert "error" in outcomes


def test_a_file_that_was_not_finished_cannot_be_opened(tmp_path):
    path = tmp_path / "p.arrow"
    writer = Writer(path, PASSAGE)
    for passage in make(BATCH_ROWS + 1):
        writer.add(row_of(passage))
    with pytest.raises(CorruptIndexError):
        reopen(path)


def test_pages_headings_and_borders_are_kept(tmp_path):
    first, second, third = make(3)
    items = [
        replace(first, page=3, headings=("Handbook", "Reise › Essen")),
        replace(second, apart=True),
        third,
    ]
    with closing(store(tmp_path / "p.arrow", items)) as read:
        assert list(read) == items


def test_rows_of_release_0_1_stand_beside_new_ones(tmp_path):
    """Its files lack three columns, and its rows have the record digests of today."""
    old, new = make(2)
    new = replace(new, page=7, headings=("Travel",))
    older = [name for name in PASSAGE if name not in ("headings", "apart")]
    with closing(Writer(tmp_path / "0.arrow", older)) as writer:
        writer.add(row_of(old))
    with closing(Writer(tmp_path / "1.arrow", PASSAGE)) as writer:
        writer.add(row_of(new))
    with closing(Writer(tmp_path / "origins", ("source", "line"), "zstd")) as writer:
        writer.add(row_of(old))
        writer.add(row_of(new))
    paths = [tmp_path / "0.arrow", tmp_path / "1.arrow"]
    with closing(Passages(paths, tmp_path / "origins")) as read:
        assert list(read) == [old, replace(new, page=None)]
    values = [getattr(old, name) for name in ("id", "document_id", "title", "text", "digest")]
    record = [*values, old.start, old.end, json.dumps(dict(old.metadata), ensure_ascii=False)]
    assert row_of(old)["record"] == hashlib.sha256(json.dumps(record).encode()).digest()
    assert row_of(replace(old, apart=True))["record"] != row_of(old)["record"]
    assert row_of(replace(old, page=4))["record"] == row_of(old)["record"]
