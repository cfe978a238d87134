"""JSON lines, CSV and TSV, each from lines made by hand."""

import csv
import io

import pytest

from ragcli.corpus import tables
from ragcli.corpus.formats import Place
from ragcli.corpus.tables import read_csv, read_jsonl, read_tsv
from ragcli.errors import CorpusError
from ragcli.records import Document

PLACE = Place("facts.jsonl", "docs/facts.jsonl", "Facts")


def read(reader, data: str | bytes) -> list[Document | CorpusError]:
    raw = data.encode() if isinstance(data, str) else data
    return list(reader(io.BytesIO(raw), PLACE))


def message(item: Document | CorpusError) -> str:
    assert isinstance(item, CorpusError)
    return item.message


def test_jsonl_keeps_other_fields_as_metadata():
    (document,) = read(
        read_jsonl, '{"id": 12, "title": " A\\n b ", "text": "Lima.", "year": 2018, "n": null}\n'
    )
    metadata = {"year": 2018, "n": None}
    assert document == Document("12", "A b", "Lima.", "docs/facts.jsonl", 1, metadata)


def test_jsonl_without_id_and_title_and_with_blank_lines():
    documents = read(read_jsonl, b'\xef\xbb\xbf{"text": "a"}\n\n{"text": "b", "title": null}')
    assert [(d.id, d.title, d.line) for d in documents] == [
        ("facts.jsonl:1", "", 1),
        ("facts.jsonl:3", "", 3),
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
    good, bad, after = read(read_jsonl, b'{"text": "a"}\n' + line + b'\n{"text": "b"}\n')
    assert good.text == "a"
    assert after.text == "b"
    assert message(bad).startswith(f"docs/facts.jsonl:2: {problem}")


def test_csv_with_quotes_and_lines_inside_a_field():
    data = (
        'Title,TEXT,Year,id\nPeru,"Lima, ""the"" capital\nof Peru",2018,p\nChile,Santiago,2016,\n'
    )
    first, second = read(read_csv, data)
    assert first == Document(
        "p", "Peru", 'Lima, "the" capital\nof Peru', "docs/facts.jsonl", 2, {"Year": "2018"}
    )
    assert (second.id, second.line, second.metadata) == ("facts.jsonl:4", 4, {"Year": "2016"})


def test_dpr_passages_as_its_own_writer_makes_them():
    rows = [
        ["id", "text", "title"],
        ["1", 'Aaron ( or ; "Ahärôn") is a prophet', "Aaron"],
        ["2", "God at Sinai granted", '"Heroes" (album)'],
    ]
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t").writerows(rows)
    documents = read(read_tsv, stream.getvalue())
    assert [[d.id, d.text, d.title] for d in documents] == rows[1:]


def test_dpr_passages_with_the_text_always_quoted():
    data = 'id\ttext\ttitle\n1\t"He said ""no""."\tA\n2\t"plain"\tB\n'
    assert [d.text for d in read(read_tsv, data)] == ['He said "no".', "plain"]


def test_a_header_without_text_names_its_columns():
    (problem,) = read(read_csv, "a;b\n1;2\n")
    assert message(problem) == (
        "docs/facts.jsonl:1: no column `text` in the header row (columns: a;b)"
    )


def test_a_header_with_a_column_twice():
    (problem,) = read(read_csv, "text,x,x\n1,2,3\n")
    assert "a column name occurs twice" in message(problem)


def test_rows_of_another_length_are_named_and_the_rest_go_on():
    first, second, third = read(read_csv, "id,text\n1\n2,b\n3,c,d\n")
    assert message(first) == "docs/facts.jsonl:2: 1 fields in this row, 2 in the header"
    assert second.text == "b"
    assert message(third) == "docs/facts.jsonl:4: 3 fields in this row, 2 in the header"


def test_a_quote_that_is_never_closed_is_an_error_not_a_lost_row():
    (problem,) = read(read_tsv, 'id\ttext\n1\t"Lima\n2\tCusco\n')
    assert message(problem).startswith("docs/facts.jsonl:2: a row that cannot be read: unexpected")


def test_a_quote_that_is_never_closed_does_not_swallow_the_corpus(monkeypatch):
    monkeypatch.setattr(tables, "LARGEST_FIELD", 100)
    problem, *_ = read(read_tsv, 'id\ttext\n1\t"Lima\n' + "2\tCusco\n" * 50)
    assert message(problem).startswith(
        "docs/facts.jsonl:2: a row that cannot be read: field larger"
    )


def test_text_after_a_closing_quote_is_an_error():
    bad, good = read(read_tsv, 'id\ttext\n1\t"Lima" is\n2\tCusco\n')
    assert "a row that cannot be read" in message(bad)
    assert good.text == "Cusco"


def test_a_long_field_is_read():
    (document,) = read(read_csv, "text\n" + "word " * 100_000 + "\n")
    assert len(document.text.split()) == 100_000


def test_a_header_alone_and_no_bytes_at_all():
    assert read(read_csv, "id,text\n") == []
    assert read(read_csv, b"") == []
    assert read(read_jsonl, b"") == []


def test_blank_rows_are_passed_over():
    assert [d.line for d in read(read_csv, "text,id\n\n , \na,1\n\nb,2\n")] == [4, 6]


def test_a_header_that_cannot_be_read_ends_the_file():
    (problem,) = read(read_csv, '"text"x,id\n1,2\n')
    assert message(problem).startswith("docs/facts.jsonl:1: a row that cannot be read")
