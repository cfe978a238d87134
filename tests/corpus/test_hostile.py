"""Broken and hostile files: one line each, and the rest of the folder is read."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ragcli.corpus import packed, pdf, tables, text, xlsx
from ragcli.corpus.read import read_documents
from ragcli.errors import CorpusError
from tests.corpus import make
from tests.corpus.make import EPUB, MAKE, bomb, zipped

LAUGHS = (
    '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>'
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


def cut(name: str, at: float = 0.5) -> Callable[[Path], object]:
    """The first part of a file that was whole."""

    def write(path: Path) -> None:
        MAKE[name](path, "A fact.")
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * at)])

    return write


def parts(name: str, **changed: str) -> Callable[[Path], object]:
    """A file packed as zip with some of its parts replaced."""

    def write(path: Path) -> None:
        MAKE[name](path, "A fact.")
        with zipfile.ZipFile(path) as archive:
            told = {each: archive.read(each) for each in archive.namelist()}
        zipped(path, {each: changed.get(Path(each).stem, data) for each, data in told.items()})

    return write


def zip_bomb(path: Path) -> None:
    zipped(path, {"word/document.xml": b" " * (3 << 20)})


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "locked.pdf": (lambda p: make.pdf(p, [["A"]], encrypt="secret"), "it is encrypted"),
    "cut.pdf": (cut("report.pdf", 0.3), "cannot be read as a PDF: "),
    "word.pdf": (lambda p: p.write_text("not a PDF"), "cannot be read as a PDF: "),
    "locked.docx": (lambda p: p.write_bytes(OLE), "it is encrypted, or of a version before 2007"),
    "cut.docx": (cut("handbook.docx"), "cannot be read as a Word document: not a whole zip file"),
    "bomb.docx": (zip_bomb, "its parts unpack to more than 1 MB"),
    "laughs.docx": (parts("handbook.docx", document=LAUGHS), "its XML defines entities"),
    "half.docx": (parts("handbook.docx", document="<a><b></a>"), "mismatched tag"),
    "other.docx": (lambda p: zipped(p, {"a": "b"}), "There is no item named 'word/document.xml'"),
    "cut.pptx": (cut("deck.pptx"), "cannot be read as a PowerPoint file: not a whole zip file"),
    "half.pptx": (parts("deck.pptx", presentation=LAUGHS), "its XML defines entities"),
    "cut.xlsx": (cut("costs.xlsx"), "cannot be read as an Excel workbook: not a whole zip file"),
    "laughs.xlsx": (parts("costs.xlsx", sheet1=LAUGHS), "cannot be read as an Excel workbook"),
    "cut.odt": (cut("travel.odt"), "cannot be read as an OpenDocument file"),
    "laughs.odt": (parts("travel.odt", content=LAUGHS), "its XML defines entities"),
    "locked.odt": (parts("travel.odt", manifest="<a><encryption-data/></a>"), "it is encrypted"),
    "cut.epub": (cut("book.epub"), "cannot be read as an EPUB: not a whole zip file"),
    "locked.epub": (
        lambda p: zipped(p, {**EPUB, "OPS/a.xhtml": b"\0\1\2"}),
        "cannot be read: its pages are encrypted",
    ),
    "word.rtf": (lambda p: p.write_text("plain"), "it does not begin with {\\rtf"),
    "word.eml": (lambda p: p.write_text("\n\nNo header"), "it has no header"),
    "laughs.xml": (lambda p: p.write_text(LAUGHS), "its XML defines entities"),
    "half.xml": (lambda p: p.write_text("<a><b></a>"), "cannot be read as XML: mismatched tag"),
    "deep.xml": (lambda p: p.write_text("<a>" * 300), "nested more than 200 deep"),
    "half.json": (lambda p: p.write_text('{"a":\n ['), ":2: not JSON: Expecting value"),
    "deep.json": (lambda p: p.write_text('{"a":' * 300 + "1" + "}" * 300), "nested more than 100"),
    "deeper.json": (lambda p: p.write_text("[" * 100_000), "not JSON"),
    "latin.org": (lambda p: p.write_bytes(b"* a\ncaf\xe9"), ":2: byte 0xe9 is not UTF-8"),
    "latin.rst": (lambda p: p.write_bytes(b"a\ncaf\xe9"), ":2: byte 0xe9 is not UTF-8"),
    "binary.txt": (lambda p: p.write_bytes(b"GIF\n\0"), ":2: binary data (a NUL byte)"),
    "binary.py": (lambda p: p.write_bytes(b"\0"), ":1: binary data (a NUL byte)"),
    "bomb.txt.gz": (lambda p: p.write_bytes(bomb(3 << 20)), "unpacks to more than 200 times"),
    "bomb.txt.zst": (
        lambda p: p.write_bytes(zstandard.compress(b"\n" * (3 << 20))),
        "unpacks to more than 200 times its size",
    ),
    "cut.txt.gz": (cut("old.txt.gz", 0.9), "cannot be read as a .gz file"),
    "cut.txt.zst": (
        lambda p: p.write_bytes(zstandard.compress(b"Lima " * 99)[:-4]),
        "cannot be read as a .zst file",
    ),
    "word.txt.zst": (lambda p: p.write_bytes(b"plain"), "cannot be read as a .zst file"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_line_says_what_is_wrong_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    monkeypatch.setattr(packed, "LARGEST", 1 << 20)
    write, said = HOSTILE[name]
    write(tmp_path / name)
    (tmp_path / "zz.txt").write_text("Lima.")
    with pytest.raises(CorpusError) as caught:
        list(read_documents(tmp_path))
    assert said in caught.value.message
    assert caught.value.message.startswith(str(tmp_path / name))
    assert "\n" not in str(caught.value)
    corpus = read_documents(tmp_path, "skip")
    assert [document.id for document in corpus][-1] == "zz.txt"
    assert corpus.left_out.skipped == 1


def test_pages_without_text_are_said(tmp_path: Path):
    make.pdf(tmp_path / "a.pdf", [["One."], [], ["Three."]])
    make.pdf(tmp_path / "b.pdf", [[], []])
    corpus = read_documents(tmp_path)
    assert [document.text for document in corpus] == ["One.\nThree."]
    assert corpus.left_out.named == {
        "PDF page without text, perhaps scanned": (f"{tmp_path}/a.pdf, page 2",),
        "PDF without text, perhaps scanned": (f"{tmp_path}/b.pdf",),
    }
    with pytest.raises(CorpusError, match=r"a\.pdf, page 2: not read \(PDF page without text"):
        list(read_documents(tmp_path, "skip", strict=True))


def test_what_stands_on_every_page_is_no_text(tmp_path: Path):
    pages = [["Harbour report", f"Boat {n} is", "blue.", f"page {n} of 4"] for n in range(1, 5)]
    make.pdf(tmp_path / "a.pdf", pages)
    (document,) = read_documents(tmp_path)
    assert document.text == "\n".join(f"Boat {n} is\nblue." for n in range(1, 5))
    assert [mark.page for mark in document.marks] == [1, 2, 3, 4]


def test_a_head_may_have_two_lines_and_a_row_of_numbers_is_none(tmp_path: Path):
    pages = [
        ["Harbour", f"page {n}", f"Boat {n} is", "blue.", f"1{n} 2{n} 3{n}"] for n in range(1, 5)
    ]
    make.pdf(tmp_path / "a.pdf", pages)
    (document,) = read_documents(tmp_path)
    assert document.text == "\n".join(f"Boat {n} is\nblue.\n1{n} 2{n} 3{n}" for n in range(1, 5))


@pytest.mark.parametrize(
    ("told", "title"),
    [("The harbour", "The harbour"), ("Microsoft Word - x.doc", "A"), ("a.indd", "A"), ("", "A")],
)
def test_a_title_that_a_program_gave_is_none(tmp_path: Path, told: str, title: str):
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "a.pdf"))
    canvas.setTitle(told)
    canvas.drawString(72, 700, "Lima.")
    canvas.save()
    assert [document.title for document in read_documents(tmp_path)] == [title]


def test_a_pdf_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pdf, "_SECONDS", -1)
    make.pdf(tmp_path / "a.pdf", [["One."]])
    with pytest.raises(CorpusError, match="of which 0 pages are read"):
        list(read_documents(tmp_path))


def test_a_sheet_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(xlsx, "_MOST_CELLS", 5)
    MAKE["costs.xlsx"](tmp_path / "a.xlsx", "A fact.")
    with pytest.raises(CorpusError, match="a sheet of more than 5 cells"):
        list(read_documents(tmp_path))


def test_a_file_that_is_too_large_to_be_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ragcli.corpus.mail._LARGEST", 1 << 20)
    (tmp_path / "a.eml").write_bytes(b"To: me\n\n" + b"word\n" * 300_000)
    with pytest.raises(CorpusError, match="more than 1 MB"):
        list(read_documents(tmp_path))


def test_empty_files_are_left_out_and_said(tmp_path: Path):
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "title.md").write_text("# Only a title\n")
    (tmp_path / "zz.txt").write_text("Lima.")
    corpus = read_documents(tmp_path)
    assert [document.id for document in corpus] == ["zz.txt"]
    assert corpus.left_out.ignored == {"empty file": 2}
    with pytest.raises(CorpusError, match="an empty document"):
        list(read_documents(tmp_path / "title.md"))


def test_a_long_text_is_several_documents_with_the_lines_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(text, "PART", 25)
    (tmp_path / "a.txt").write_text("".join(f"line {n} of it\n" for n in range(1, 6)))
    documents = list(read_documents(tmp_path))
    assert [(d.id, d.line, len(d.text.splitlines())) for d in documents] == [
        ("a.txt", 1, 1),
        ("a.txt:2", 2, 1),
        ("a.txt:3", 3, 1),
        ("a.txt:4", 4, 1),
        ("a.txt:5", 5, 1),
    ]
    assert [d.marks[0].line for d in documents] == [1, 2, 3, 4, 5]


def test_what_comes_through_a_pipe_is_no_file_to_seek_in(tmp_path: Path):
    MAKE["report.pdf"](tmp_path / "a.pdf", "A fact.")
    data = (tmp_path / "a.pdf").read_bytes()
    stream = (line for line in io.BytesIO(data))
    assert packed.seekable(stream, text.InputFile("a", "a")).read() == data


@pytest.mark.parametrize(
    ("name", "first", "line"),
    [
        ("a.txt", "", "some words of a text\n"),
        ("a.csv", "boat,remark\n", "ferry,some words of a row\n"),
        ("a.txt.gz", "", "some words of a text\n"),
    ],
)
def test_memory_does_not_grow_with_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, first: str, line: str
):
    monkeypatch.setattr(text, "PART", 1 << 14)
    monkeypatch.setattr(tables, "PART", 1 << 14)

    def peak(lines: int) -> int:
        written = (first + line * lines).encode()
        (tmp_path / name).write_bytes(gzip.compress(written) if name.endswith("gz") else written)
        del written
        tracemalloc.start()
        words = sum(len(document.text.split()) for document in read_documents(tmp_path / name))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert words >= 5 * lines
        return size

    peak(10)
    assert peak(20_000) < peak(2_000) + 200_000
