"""Markdown from texts made by hand."""

import pytest

from ragcli.corpus.markdown import strip_markdown
from tests.corpus.helpers import one


def test_markdown_title_is_taken_out_of_the_text():
    document = one("md", "\n# The *Republic* of Peru #\n\nLima is its capital.\n")
    assert document.title == "The Republic of Peru"
    assert document.text == "Lima is its capital."


def test_markdown_without_a_first_heading_has_the_title_of_its_file():
    document = one("md", "Lima.\n\n# Later\n\nCusco.\n")
    assert document.title == "Peru"
    assert document.text.split() == ["Lima.", "Later", "Cusco."]


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
