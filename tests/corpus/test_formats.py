"""Plain text, Markdown and HTML, each from a file made by hand."""

import pytest

from ragcli.corpus.formats import (
    Place,
    pretty_title,
    read_html,
    read_markdown,
    read_text,
    strip_markdown,
)
from ragcli.errors import CorpusError
from ragcli.records import Document

PLACE = Place("peru.md", "docs/peru.md", "Peru")


def one(reader, data: str | bytes) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    (document,) = reader(raw.splitlines(keepends=True), PLACE)
    if isinstance(document, CorpusError):
        raise document
    return document


@pytest.mark.parametrize(
    ("stem", "title"),
    [
        ("franco-prussian_war", "Franco prussian war"),
        ("Mount_Everest", "Mount Everest"),
        ("öl-und-gas", "Öl und gas"),
        ("2018", "2018"),
        ("__a__", "A"),
    ],
)
def test_pretty_title(stem: str, title: str):
    assert pretty_title(stem) == title


def test_text_keeps_its_lines_and_loses_its_bom():
    document = one(read_text, b"\xef\xbb\xbfLima.\r\nCusco.\n")
    assert document == Document("peru.md", "Peru", "Lima.\r\nCusco.\n", "docs/peru.md")


def test_bad_bytes_name_the_line():
    with pytest.raises(CorpusError, match=r"^docs/peru\.md:3: byte 0xe9 is not UTF-8") as caught:
        one(read_text, b"one\ntwo\ncaf\xe9\n")
    assert (caught.value.source, caught.value.line) == ("docs/peru.md", 3)


def test_bad_bytes_after_a_bom_name_the_line():
    with pytest.raises(CorpusError, match=r":2: byte 0xff is not UTF-8"):
        one(read_text, b"\xef\xbb\xbfone\n\xff\n")


def test_binary_names_the_line():
    with pytest.raises(CorpusError, match=r":2: binary data \(a NUL byte\)"):
        one(read_text, b"PNG\n\0\0")


def test_utf16_is_named_as_such():
    with pytest.raises(CorpusError, match=r":1: UTF-16 text \(convert it to UTF-8\)"):
        one(read_text, "Lima".encode("utf-16"))


def test_markdown_title_is_taken_out_of_the_text():
    document = one(read_markdown, "\n# The *Republic* of Peru #\n\nLima is its capital.\n")
    assert document.title == "The Republic of Peru"
    assert document.text == "Lima is its capital."


def test_markdown_without_a_first_heading_has_the_title_of_its_file():
    document = one(read_markdown, "Lima.\n\n# Later\n\nCusco.\n")
    assert document.title == "Peru"
    assert document.text.split() == ["Lima.", "Later", "Cusco."]


def test_second_level_headings_are_no_title():
    assert one(read_markdown, "## History\n\nLong.\n").title == "Peru"


def test_front_matter_is_no_text():
    document = one(read_markdown, "---\nlayout: page\ndate: 2018\n---\n# Peru 2018\n\nLima.\n")
    assert (document.title, document.text) == ("Peru 2018", "Lima.")


def test_front_matter_of_another_system():
    assert one(read_markdown, "---\r\ntitle: x\r\n---\r\nLima.\r\n").text == "Lima."


@pytest.mark.parametrize("value", ["Café Peru", '"Café Peru"', "'Café Peru'  "])
def test_front_matter_may_name_the_title(value: str):
    source = f"---\nlang: es\ntitle: {value}\n---\n\nLima.\n"
    assert one(read_markdown, source).title == "Café Peru"


@pytest.mark.parametrize("source", ["---\nLima.\n", "---\nLima.\n---\n", "---\n\nLima.\n\n---"])
def test_a_rule_at_the_start_is_no_front_matter(source: str):
    assert one(read_markdown, source).text.strip() == "Lima."


@pytest.mark.parametrize("reader", [read_text, read_markdown, read_html])
def test_bytes_that_are_no_text_in_every_format(reader):
    with pytest.raises(CorpusError, match=r":2: binary data"):
        one(reader, b"a\n\0")


def test_html_that_the_parser_gives_up_on(monkeypatch):
    def give_up(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("bs4.BeautifulSoup.__init__", give_up)
    with pytest.raises(CorpusError, match="HTML that cannot be parsed: too deep"):
        one(read_html, "<p>")


def test_html_nested_deep():
    assert one(read_html, "<div>" * 1500 + "Lima" + "</div>" * 1500).text == "Lima"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("## Sub heading ##x", "Sub heading ##x"),
        ("a **bold** and *thin* and ***both*** word", "a bold and thin and both word"),
        ("a __bold__ and _thin_ word", "a bold and thin word"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("[Lima](https://en.wikipedia.org/wiki/Lima_(city)) is", "Lima is"),
        ('[Lima](lima.md "The capital") is', "Lima is"),
        ("![a map](map.png) of [Peru][1]\n\n[1]: http://peru.pe", "a map of Peru\n"),
        ("run `pip *install*` now", "run pip *install* now"),
        ("> quoted\n> > twice", "quoted\ntwice"),
        ("- one\n* two\n+ three\n1. four", "one\ntwo\nthree\n1. four"),
        ("- [x] done", "done"),
        ("a\n\n---\n\nb", "a\n\n\nb"),
        ("Title\n=====\ntext", "Title\ntext"),
        ("```python\nx = *y* # z\n```\nafter", "x = *y* # z\nafter"),
        ("| a | *b* |\n|---|:--|\n| 1 | 2 |\n|  | [x](y) |", "a: 1; b: 2.\nb: x."),
        ("a | b\n---|---\nc | d \\| e | f\nafter", "a: c; b: d | e; f.\nafter"),
        ("a | b\n---|---\n | \nc | d", "\na: c; b: d."),
        ("| lonely | head |\n|---|---|\n\nx | y", "lonely head\n\nx | y"),
        ("```\na | b\n---|---\nc | d\n```", "a | b\n---|---\nc | d"),
        ("<b>bold</b><br/>text <https://peru.pe>", "bold  text https://peru.pe"),
        ("seen <!-- not\nseen --> again", "seen   again"),
        (r"\*not thin\*", "*not thin*"),
        ("~~old~~ new", "old new"),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
    ],
)
def test_markup_goes_and_words_stay(source: str, text: str):
    assert strip_markdown(source).split() == text.split()


HTML = """<!doctype html><html><head><title> Peru
 facts </title><style>p { color: red }</style></head>
<body><nav>Home | About</nav><script>alert("no")</script><h1>Peru</h1>
<p>Li<b>ma</b> is the&nbsp;capital.</p><p>Cusco<br>was.</p><ul><li>one</li><li>two</li></ul>
<!-- hidden --><table><tr><td>a</td><td>b</td></tr></table></body></html>"""


def test_html_is_what_a_reader_sees():
    document = one(read_html, HTML)
    assert document.title == "Peru facts"
    expected = "Peru Lima is the capital. Cusco was. one two a b"
    assert document.text.split() == expected.split()


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("<tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p> 3</td></tr>", "a: 1; b: 2 3."),
        ("<caption>C</caption><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr>",
         "C\na: 1.\nb: 2."),
        ("<tr><th>a</th><th colspan=2>b</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>",
         "a\nb\n1\n2\n3"),
        ("<tr><td>a</td></tr>", "a"),
        ("", ""),
    ],
)  # fmt: skip
def test_html_tables_are_told_row_by_row_where_headings_are_clear(rows: str, text: str):
    assert one(read_html, f"<title>t</title><table>{rows}</table>").text == text


def test_html_without_a_title_tag_takes_its_heading():
    document = one(read_html, "<h1>Peru</h1><p>Lima.</p>")
    assert (document.title, document.text) == ("Peru", "Lima.")


def test_html_in_its_declared_character_set():
    page = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Perú</p>'
    assert one(read_html, page.encode("latin-1")).text == "Perú"


def test_html_that_declares_nothing_must_be_utf8():
    with pytest.raises(CorpusError, match="byte 0xfa is not UTF-8"):
        one(read_html, "<p>Perú</p>".encode("latin-1"))


def test_html_of_an_unknown_character_set_is_an_error():
    with pytest.raises(CorpusError, match="byte 0xfa is not UTF-8"):
        one(read_html, '<meta charset="klingon"><p>Perú</p>'.encode("latin-1"))
