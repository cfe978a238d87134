"""CSV and TSV from rows made by hand."""

import csv
import io

from ragcli.corpus import tables
from ragcli.corpus.readers import InputFile
from ragcli.records import Document, Mark
from tests.corpus.helpers import message, read


def test_csv_with_quotes_and_lines_inside_a_field():
    data = (
        'Title,TEXT,Year,id\nPeru,"Lima, ""the"" capital\nof Peru",2018,p\nChile,Santiago,2016,\n'
    )
    first, second = read("csv", data)
    assert first == Document(
        "p", "Peru", 'Lima, "the" capital\nof Peru', "docs/peru.md", 2, {"Year": "2018"}
    )
    assert (second.id, second.line, second.metadata) == ("peru.md:4", 4, {"Year": "2016"})


def test_dpr_passages_as_its_own_writer_makes_them():
    rows = [
        ["id", "text", "title"],
        ["1", 'Aaron ( or ; "Ahärôn") is a prophet', "Aaron"],
        ["2", "God at Sinai granted", '"Heroes" (album)'],
    ]
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t").writerows(rows)
    documents = read("tsv", stream.getvalue())
    assert [[d.id, d.text, d.title] for d in documents] == rows[1:]


def test_dpr_passages_with_the_text_always_quoted():
    data = 'id\ttext\ttitle\n1\t"He said ""no""."\tA\n2\t"plain"\tB\n'
    assert [d.text for d in read("tsv", data)] == ['He said "no".', "plain"]


def test_a_table_without_text_is_told_row_by_row():
    (document,) = read("csv", 'host,role,host\nosprey,"mail\nand web",a\n,,\nkite,files,b,c\n')
    assert (
        document.text
        == "host: osprey; role: mail and web; host: a.\nhost: kite; role: files; host: b; c."
    )
    assert (document.id, document.line) == ("peru.md", 1)
    assert document.marks == (Mark(0, line=2, unit=True), Mark(43, line=5, unit=True))


def test_a_table_of_spreadsheets_where_a_comma_is_in_numbers():
    assert [d.text for d in read("csv", "a;b\n1,5;2\n")] == ["a: 1,5; b: 2."]
    assert [d.text for d in read("csv", "text;id\nLima;2\n")] == ["Lima"]


def test_a_long_table_is_several_documents_of_whole_rows(monkeypatch):
    monkeypatch.setattr(tables, "PART", 20)
    documents = read("csv", "a,b\n" + "".join(f"x{n},y{n}\n" for n in range(5)))
    assert [(d.id, d.line, d.text) for d in documents] == [
        ("peru.md", 1, "a: x0; b: y0.\na: x1; b: y1."),
        ("peru.md:4", 4, "a: x2; b: y2.\na: x3; b: y3."),
        ("peru.md:6", 6, "a: x4; b: y4."),
    ]


def test_a_told_row_of_another_encoding_is_named_and_the_rest_go_on():
    problem, document = read("csv", b"a,b\n1,caf\xe9\n2,3\n")
    assert message(problem) == "docs/peru.md:2: byte 0xe9 is not UTF-8"
    assert document.text == "a: 2; b: 3."


def test_a_header_with_a_column_twice():
    (problem,) = read("csv", "text,x,x\n1,2,3\n")
    assert "a column name occurs twice" in message(problem)


def test_rows_of_another_length_are_named_and_the_rest_go_on():
    first, second, third = read("csv", "id,text\n1\n2,b\n3,c,d\n")
    assert message(first) == "docs/peru.md:2: 1 fields in this row, 2 in the header"
    assert second.text == "b"
    assert message(third) == "docs/peru.md:4: 3 fields in this row, 2 in the header"


def test_a_quote_that_is_never_closed_is_an_error_not_a_lost_row():
    (problem,) = read("tsv", 'id\ttext\n1\t"Lima\n2\tCusco\n')
    assert message(problem).startswith("docs/peru.md:2: a row that cannot be read: unexpected")


def test_a_quote_that_is_never_closed_does_not_swallow_the_corpus(monkeypatch):
    monkeypatch.setattr(tables, "LARGEST_FIELD", 100)
    problem, *_ = read("tsv", 'id\ttext\n1\t"Lima\n' + "2\tCusco\n" * 50)
    assert message(problem).startswith("docs/peru.md:2: a row that cannot be read: field larger")


def test_text_after_a_closing_quote_is_an_error():
    bad, good = read("tsv", 'id\ttext\n1\t"Lima" is\n2\tCusco\n')
    assert "a row that cannot be read" in message(bad)
    assert good.text == "Cusco"


def test_a_long_field_is_read():
    (document,) = read("csv", "text\n" + "word " * 100_000 + "\n")
    assert len(document.text.split()) == 100_000


def test_the_limit_of_others_is_left_alone():
    """Between rows too, and after a reader that nobody has read to its end."""
    before = csv.field_size_limit(50)
    try:
        rows = tables.csv_reader.read(
            [b"text\n", b"a" * 99 + b"\n", b"b\n"], InputFile("a.csv", "a.csv")
        )
        assert len(next(iter(rows)).text) == 99
        assert csv.field_size_limit() == 50
    finally:
        csv.field_size_limit(before)


def test_a_header_alone_and_no_bytes_at_all():
    assert read("csv", "id,text\n") == []
    assert read("csv", b"") == []
    assert read("jsonl", b"") == []


def test_blank_rows_are_passed_over():
    assert [d.line for d in read("csv", "text,id\n\n , \na,1\n\nb,2\n")] == [4, 6]


def test_a_header_that_cannot_be_read_ends_the_file():
    (problem,) = read("csv", '"text"x,id\n1,2\n')
    assert message(problem).startswith("docs/peru.md:1: a row that cannot be read")
