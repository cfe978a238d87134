"""Plain text, and what no format takes for text."""

import pytest

from ragcli.errors import CorpusError
from ragcli.records import Document
from tests.corpus.helpers import one


def test_text_keeps_its_lines_and_loses_its_bom():
    document = one("txt", b"\xef\xbb\xbfLima.\r\nCusco.\n")
    assert document == Document("peru.md", "Peru", "Lima.\r\nCusco.\n", "docs/peru.md")


def test_bad_bytes_name_the_line():
    with pytest.raises(CorpusError, match=r"^docs/peru\.md:3: byte 0xe9 is not UTF-8") as caught:
        one("txt", b"one\ntwo\ncaf\xe9\n")
    assert (caught.value.source, caught.value.line) == ("docs/peru.md", 3)


def test_bad_bytes_after_a_bom_name_the_line():
    with pytest.raises(CorpusError, match=r":2: byte 0xff is not UTF-8"):
        one("txt", b"\xef\xbb\xbfone\n\xff\n")


def test_binary_names_the_line():
    with pytest.raises(CorpusError, match=r":2: binary data \(a NUL byte\)"):
        one("txt", b"PNG\n\0\0")


def test_utf16_is_named_as_such():
    with pytest.raises(CorpusError, match=r":1: UTF-16 text \(convert it to UTF-8\)"):
        one("txt", "Lima".encode("utf-16"))


@pytest.mark.parametrize("format", ["txt", "md", "html"])
def test_bytes_that_are_no_text_in_every_format(format: str):
    with pytest.raises(CorpusError, match=r":2: binary data"):
        one(format, b"a\n\0")
