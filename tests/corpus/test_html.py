"""HTML from pages made by hand."""

import pytest

from ragcli.errors import CorpusError
from tests.corpus.helpers import one


def test_html_that_the_parser_gives_up_on(monkeypatch):
    def give_up(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("bs4.BeautifulSoup.__init__", give_up)
    with pytest.raises(CorpusError, match="HTML that cannot be parsed: too deep"):
        one("html", "<p>")


def test_html_nested_deep():
    assert one("html", "<div>" * 1500 + "Lima" + "</div>" * 1500).text == "Lima"


HTML = """<!doctype html><html><head><title> Peru
 facts </title><style>p { color: red }</style></head>
<body><nav>Home | About</nav><script>alert("no")</script><h1>Peru</h1>
<p>Li<b>ma</b> is the&nbsp;capital.</p><p>Cusco<br>was.</p><ul><li>one</li><li>two</li></ul>
<!-- hidden --><table><tr><td>a</td><td>b</td></tr></table></body></html>"""


def test_html_is_what_a_reader_sees():
    document = one("html", HTML)
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
    assert one("html", f"<title>t</title><table>{rows}</table>").text == text


def test_html_without_a_title_tag_takes_its_heading():
    document = one("html", "<h1>Peru</h1><p>Lima.</p>")
    assert (document.title, document.text) == ("Peru", "Lima.")


def test_html_in_its_declared_character_set():
    page = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Perú</p>'
    assert one("html", page.encode("latin-1")).text == "Perú"


def test_html_that_declares_nothing_must_be_utf8():
    with pytest.raises(CorpusError, match="byte 0xfa is not UTF-8"):
        one("html", "<p>Perú</p>".encode("latin-1"))


def test_html_of_an_unknown_character_set_is_an_error():
    with pytest.raises(CorpusError, match="byte 0xfa is not UTF-8"):
        one("html", '<meta charset="klingon"><p>Perú</p>'.encode("latin-1"))
