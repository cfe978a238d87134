"""Markdown from texts made by hand."""

import pytest

from ragcli.corpus.markdown import strip_markdown
from ragcli.errors import CorpusError
from tests.corpus.helpers import one


def test_markdown_title_is_taken_out_of_the_text():
    document = one("md", "\n# The *Republic* of Peru #\n\nLima is its capital.\n")
    assert document.title == "The Republic of Peru"
    assert document.text == "Lima is its capital."


def test_markdown_without_a_first_heading_has_the_title_of_its_file():
    document = one("md", "Lima.\n\n# Later\n\nCusco.\n")
    assert document.title == "Peru"
    assert document.text.split() == ["Lima.", "Later", "Cusco."]


def test_a_heading_may_be_underlined():
    document = one("md", "The Republic\nof *Peru*\n========\n\nLima.\n")
    assert (document.title, document.text) == ("The Republic of Peru", "Lima.")


def test_second_level_headings_are_no_title():
    assert one("md", "## History\n\nLong.\n").title == "Peru"


def test_front_matter_is_no_text():
    document = one("md", "---\nlayout: page\ndate: 2018\n---\n# Peru 2018\n\nLima.\n")
    assert (document.title, document.text) == ("Peru 2018", "Lima.")


def test_front_matter_of_another_system():
    assert one("md", "---\r\ntitle: x\r\n---\r\nLima.\r\n").text == "Lima."


@pytest.mark.parametrize("value", ["Café Peru", '"Café Peru"', "'Café Peru'  "])
def test_front_matter_may_name_the_title(value: str):
    source = f"---\nlang: es\ntitle: {value}\n---\n\nLima.\n"
    assert one("md", source).title == "Café Peru"


@pytest.mark.parametrize("source", ["---\nLima.\n", "---\nLima.\n---\n", "---\n\nLima.\n\n---"])
def test_a_rule_at_the_start_is_no_front_matter(source: str):
    assert one("md", source).text.strip() == "Lima."


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
        ("- [x] done [x] twice", "done [x] twice"),
        ("a\n\n---\n\nb", "a\n\n\nb"),
        ("Title\n=====\ntext", "Title\ntext"),
        ("```python\nx = *y* # z\n```\nafter", "x = *y* # z\nafter"),
        ("| a | *b* |\n|---|:--|\n| 1 | 2 |\n|  | [x](y) |", "a: 1; b: 2.\nb: x."),
        ("a | b\n---|---\nc | d \\| e | f\nbelow\n\nafter", "a: c; b: d | e; f.\na: below.\nafter"),
        ("> a | b\n> -|-\n> | c | d | *e* |\n\nafter", "a: c; b: d; e.\nafter"),
        ("- | a | b |\n  |---|---|\n  | c | d | e |", "a: c; b: d; e."),
        ("| a |\n|---|\n| c<br>d<br> |", "a: c d."),
        ("a | b\n---|---\n | \nc | d", "\na: c; b: d."),
        ("| lonely | head |\n|---|---|\n\nx | y", "lonely head\n\nx | y"),
        ("```\na | b\n---|---\nc | d\n```", "a | b\n---|---\nc | d"),
        ("<b>bold</b><br/>text <https://peru.pe>", "bold  text https://peru.pe"),
        ("seen <!-- not\nseen --> again", "seen   again"),
        (r"\*not thin\*", "*not thin*"),
        ("~~old~~ new", "old new"),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
        ("a `code\nspan` and **[x]**", "a code span and [x]"),
        ("[`code`](x.md) and [![logo](data:image/svg+xml;base64,AAAA)](y)", "code and logo"),
        ("Ann <ann@peru.pe> &amp; H<sub>2</sub>O\\\nnext", "Ann ann@peru.pe & H2O\nnext"),
        ("2) two\n3) three\n\n1986.", "2) two\n3) three\n1986."),
        ("1. a\n   - [ ] b\n\n     [x] c", "1. a\nb\n[x] c"),
        ("text\n\n    *code*", "text\n*code*"),
        ("```\n<!-- kept -->\n```", "<!-- kept -->"),
        ("[^1]: A note of words.", "[^1]: A note of words."),
        ("<div>\n<b>Li</b>ma<br>is\n\n*the* capital\n\n</div>", "Lima\nis\nthe capital"),
        ("<table>\n<tr><th>a</th><td>1</td></tr>\n</table>", "a: 1."),
    ],
)
def test_markup_goes_and_words_stay(source: str, text: str):
    assert strip_markdown(source).split() == text.split()


@pytest.mark.parametrize(
    "nested",
    [
        "[" * 9000 + "Lima" + "]" * 9000,
        "![" * 9000 + "Lima" + "](x)" * 9000,
        "*_" * 9000 + "Lima" + "_*" * 9000,
        ">" * 9000 + " Lima",
        "- " * 9000 + "Lima",
        "\n".join("  " * depth + "- Lima" for depth in range(300)),
        "a" + "`" * 9000 + "Lima",
        "<div>" * 900 + "Lima",
    ],
)
def test_nothing_is_lost_however_deep_it_is_nested(nested: str):
    text = strip_markdown(f"before\n\n{nested}\n\nafter")
    assert text.startswith("before\n")
    assert "Lima" in text
    assert text.endswith("\nafter")


def test_html_in_markdown_that_cannot_be_parsed_is_an_error(monkeypatch):
    def give_up(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("bs4.BeautifulSoup.__init__", give_up)
    with pytest.raises(CorpusError, match=r"^docs/peru\.md: HTML that cannot be parsed: too deep"):
        one("md", "Lima.\n\n<p>Cusco</p>\n")
