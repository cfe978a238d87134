import json
from dataclasses import replace

import pytest

from ragcli.errors import CorruptIndexError
from ragcli.settings import Chunking
from ragcli.store.manifest import (
    MANIFEST,
    Counts,
    FileRecord,
    Manifest,
    parse_manifest,
    rendered,
)
from tests.fakes import HashEncoder
from tests.store.helpers import FILES


def manifest(**fields: object) -> Manifest:
    made = Manifest(
        name="default",
        version="2018",
        created="2018-12-20T10:00:00+00:00",
        ragcli="0.1.0",
        corpus_digest="ab" * 32,
        sources=("docs/2018", "-"),
        chunking=Chunking(100),
        encoder=HashEncoder(16).settings,
        dimension=16,
        type="auto",
        factory="Flat",
        counts=Counts(3, 7, 650),
        seed=0,
        files={name: FileRecord("cd" * 32, 10 + n) for n, name in enumerate(FILES)},
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def test_json_and_back(tmp_path):
    made = manifest()
    text = json.dumps(made.to_json())
    assert Manifest.from_json(json.loads(text), "x") == made
    made.write(tmp_path)
    assert Manifest.read(tmp_path) == made
    assert made.bytes == 10 + 11 + 12 + 13 + 14 + 15


def test_the_record_says_what_it_is():
    record = manifest().to_json()
    assert next(iter(record)) == "schema"
    assert record["schema"] == 2
    assert record["metric"] == "inner_product"
    assert record["chunking"] == {"words": 100}
    assert record["encoder"]["dimension"] == 16
    assert record["counts"] == {"documents": 3, "passages": 7, "words": 650}
    assert record["files"]["index.faiss"] == {"sha256": "cd" * 32, "bytes": 12}


def test_another_schema_is_named():
    record = manifest().to_json() | {"schema": 9}
    with pytest.raises(
        CorruptIndexError, match=r"m\.json: schema 9, and this ragcli reads schema 2"
    ):
        Manifest.from_json(record, "m.json")


@pytest.mark.parametrize("record", [None, [], {}, {"schema": "1"}])
def test_what_is_no_manifest(record):
    with pytest.raises(CorruptIndexError, match="not the manifest"):
        Manifest.from_json(record, "m.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chunking", {"words": 0}),
        ("chunking", {"letters": 5}),
        ("encoder", {"kind": "hash"}),
        ("counts", None),
        ("files", {}),
        ("files", ["a"]),
        ("version", None),
        ("dimension", "16"),
        ("metric", "l2"),
        ("sources", None),
        ("sources", [7]),
        ("type", None),
        ("recall", {"k": 5, "queries": 1, "value": "x"}),
        ("origin", {"how": "build", "added": None}),
        ("origin", {"how": "build", "elsewhere": 1}),
        ("files", {"index.faiss": {"sha256": 1, "bytes": 2}}),
        ("files", {name: {"sha256": "cd", "bytes": -1} for name in FILES}),
        ("files", {name: {"sha256": "cd", "bytes": 1, "more": 1} for name in FILES}),
        ("files", {name: {"sha256": "cd", "bytes": 1} for name in (*FILES, "../x")}),
        ("seed", True),
        ("created", "x" * 50),
        ("created", "\x1b[2J"),
        ("created", "2018-13-41"),
        ("encoder", HashEncoder(16).settings.to_json() | {"score_scale": float("inf")}),
        ("encoder", HashEncoder(16).settings.to_json() | {"score_scale": float("nan")}),
        ("recall", {"k": 5, "queries": 1, "value": float("nan")}),
        ("dimension", 16.0),
    ],
)
def test_a_damaged_field_is_an_error_of_ours(name, value):
    with pytest.raises(CorruptIndexError, match=r"m\.json: a damaged manifest"):
        Manifest.from_json(manifest().to_json() | {name: value}, "m.json")


@pytest.mark.parametrize("name", sorted({*manifest().to_json()} - {"roots", "sequence"}))
def test_every_field_must_be_there(name):
    record = manifest().to_json()
    del record[name]
    with pytest.raises(CorruptIndexError, match=r"m\.json: (a damaged|not the) manifest"):
        Manifest.from_json(record, "m.json")


def test_what_other_releases_left_out_or_added(tmp_path):
    """Settings that came later have a default; what stands beside the fields is passed over."""
    record = manifest().to_json() | {"sha256": "ab", "later": {"a": 1}}
    record["encoder"] = {k: v for k, v in record["encoder"].items() if k != "trained"}
    assert Manifest.from_json(record, "m.json") == manifest()


def test_paths_of_any_bytes():
    made = manifest(sources=("per\udcfa",))
    assert parse_manifest(rendered(made.to_json()), "m.json") == made


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"])
def test_a_file_that_is_not_json(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(CorruptIndexError, match=r"manifest\.json: not JSON"):
        Manifest.read(tmp_path)


def test_no_file(tmp_path):
    with pytest.raises(CorruptIndexError, match=r"manifest\.json: cannot be read: No such file"):
        Manifest.read(tmp_path)
