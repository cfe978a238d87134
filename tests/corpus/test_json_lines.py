"""JSON lines, each made by hand."""

import pytest

from ragcli.records import Document
from tests.corpus.helpers import message, read


def test_jsonl_keeps_other_fields_as_metadata():
    (document,) = read(
        "jsonl", '{"id": 12, "title": " A\\n b ", "text": "Lima.", "year": 2018, "n": null}\n'
    )
    metadata = {"year": 2018, "n": None}
    assert document == Document("12", "A b", "Lima.", "docs/peru.md", 1, metadata)


def test_jsonl_without_id_and_title_and_with_blank_lines():
    documents = read("jsonl", b'\xef\xbb\xbf{"text": "a"}\n\n{"text": "b", "title": null}')
    assert [(d.id, d.title, d.line) for d in documents] == [
        ("peru.md:1", "", 1),
        ("peru.md:3", "", 3),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"text": "a"', "not JSON: Expecting ',' delimiter (column 13)"),
        (b"[1]", "a JSON object was expected"),
        (b'{"title": "a", "body": "b"}', "no field `text` (fields: title, body)"),
        (b"{}", "no field `text` (fields: none)"),
        (b'{"text": 3}', "the field `text` must be a string"),
        (b'{"text": "a", "title": 3}', "the field `title` must be a string"),
        (b'{"text": "a", "id": true}', "the field `id` must be a string or a whole number"),
        (b'{"text": "a", "id": 1.5}', "the field `id` must be a string or a whole number"),
        (b'{"text": "a", "x": NaN}', "not JSON: NaN is not a JSON value"),
        (b'{"text": "caf\xe9"}', "byte 0xe9 is not UTF-8"),
        (b'{"text": "a\0"}', "binary data (a NUL byte), not text"),
        (b'{"text": ' + b"[" * 100_000, "not JSON: "),
        (b'{"text": "a", "x": ' + b"9" * 5000 + b"}", "not JSON: "),
    ],
)
def test_a_bad_line_is_named_and_the_rest_go_on(line: bytes, problem: str):
    good, bad, after = read("jsonl", b'{"text": "a"}\n' + line + b'\n{"text": "b"}\n')
    assert good.text == "a"
    assert after.text == "b"
    assert message(bad).startswith(f"docs/peru.md:2: {problem}")
