"""A fact in a file of every format, and where it is found again."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import pytest

from ragcli.corpus.read import LeftOut, read_documents
from ragcli.indexing.build import build_index
from ragcli.records import Document, Mark
from ragcli.store.store import Store
from tests.corpus.make import EPUB, FACT, MAKE, zipped
from tests.fakes import HashEncoder

WHERE = {  # title of the document; page, line and headings of the fact, and whether it is a unit
    "report.pdf": ("Report", Mark(0, page=2)),
    "handbook.docx": ("Staff handbook", Mark(0, headings=("Travel", "Boats"))),
    "deck.pptx": ("Deck", Mark(0, page=2, headings=("Boats",))),
    "costs.xlsx": ("Costs", Mark(0, line=2, headings=("Boats",), unit=True)),
    "travel.odt": ("Travel", Mark(0, headings=("Travel", "Boats"))),
    "sheet.ods": ("Sheet", Mark(0, headings=("Boats",), unit=True)),
    "show.odp": ("Show", Mark(0, page=2, headings=("Boats",))),
    "book.epub": ("A harbour", Mark(0, line=1, headings=("Boats", "Ferries"))),
    "letter.rtf": ("Letter", Mark(0)),
    "news.eml": ("The boats", Mark(0, line=7)),
    "box.mbox": ("The boats", Mark(0, line=44)),
    "guide.rst": ("Handbook", Mark(0, line=12, headings=("Boats",))),
    "notes.org": ("Handbook", Mark(0, line=9, headings=("Travel", "Boats"))),
    "fleet.json": ("Fleet", Mark(0, headings=("fleet", "boats"), unit=True)),
    "fleet.xml": ("Fleet", Mark(0, headings=("boat",), unit=True)),
    "ferry.py": ("ferry.py", Mark(0, line=6, headings=("Ferry", "sail"))),
    "boats.csv": ("Boats", Mark(0, line=2, unit=True)),
    "page.html": ("Harbour", Mark(0, line=2, headings=("Boats",))),
    "plan.md": ("Plan", Mark(0, line=7, headings=("Boats",))),
    "LICENSE": ("LICENSE", Mark(0, line=3)),
    "old.txt.gz": ("Old", Mark(0, line=2)),
    "new.md.zst": ("New", Mark(0, line=5, headings=("Boats",))),
}


def place(document: Document, words: str) -> Mark:
    """What the last mark at or before some words says, as a passage would take it."""
    at = document.text.index(words)
    starts = [mark.start for mark in document.marks]
    assert starts == sorted(starts)
    mark = document.marks[bisect_right(starts, at) - 1]
    return Mark(0, mark.page, mark.line, mark.headings, mark.unit)


def made(folder: Path, name: str, year: int = 1999) -> tuple[Path, str]:
    folder.mkdir(exist_ok=True)
    path, fact = folder / name, FACT.format(name.partition(".")[0], year)
    MAKE[name](path, fact)
    return path, fact


def read(path: Path) -> Document:
    """The document with the fact; it is the last of a mailbox."""
    corpus = read_documents(path, strict=True)
    document = list(corpus)[-1]
    assert document.source == str(path)
    return document


def test_every_file_made_here_is_expected():
    assert set(WHERE) == set(MAKE)


@pytest.mark.parametrize("name", MAKE)
def test_a_fact_is_found_where_it_stands(tmp_path: Path, name: str):
    path, fact = made(tmp_path, name)
    document = read(path)
    assert fact in document.text
    assert (document.title, place(document, fact)) == WHERE[name]


TEXTS = {
    "report.pdf": "A first page. A second. FACT",
    "handbook.docx": "Travel Trips are booked early. Boats FACT Meals "
    "meal: lunch; place: Lima; euros: 14.",
    "deck.pptx": "Welcome Hello. Boats FACT Say it slowly.",
    "costs.xlsx": "Costs of the year. what: paint; when: 2018-03-01; share: 25%; sum: 12. "
    "boat: ferry; remark: FACT",
    "sheet.ods": "boat: ferry; built: 1999; remark: FACT",
    "show.odp": "Welcome Hello. Boats FACT",
    "book.epub": "Once. Ferries FACT",
    "letter.rtf": "Zürich. FACT",
    "news.eml": "From: Zoë <zoe@lima.pe> To: all@lima.pe Dear all, FACT Attachments: map.png",
    "guide.rst": "Trips are booked early; see the plan and os.path.join. 3.2 With Boat too. "
    "Boats FACT sail(1) boat: ferry; built: 1999.",
    "notes.org": "Travel Trips are booked early. Boats FACT boat: ferry; built: 1999.",
    "fleet.json": "name: ferry; old: true; remark: FACT",
    "fleet.xml": "id: 7; name: ferry; remark: FACT Paint it all blue. year: 2018.",
    "boats.csv": "boat: ferry; remark: FACT",
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_of_each_format(tmp_path: Path, name: str):
    path, fact = made(tmp_path, name)
    assert " ".join(read(path).text.replace(fact, "FACT").split()) == TEXTS[name]


def test_a_folder_of_everything_is_built_and_each_fact_found(tmp_path: Path):
    facts = {}
    for number, name in enumerate(MAKE):
        path, fact = made(tmp_path / "docs", name, 1900 + number)
        facts[str(path)] = fact
    report = build_index(tmp_path / "store", HashEncoder(), tmp_path / "docs", strict=True)
    assert (report.documents, report.left_out) == (len(MAKE) + 1, LeftOut())
    with Store(tmp_path / "store").open() as index:
        found = {
            fact: p.source for p in index.passages for fact in facts.values() if fact in p.text
        }
    assert found == {fact: path for path, fact in facts.items()}


def test_a_chapter_that_is_named_twice_stands_under_one_heading(tmp_path: Path):
    pages = {name: page.replace("Ferries", "Boats") for name, page in EPUB.items()}
    zipped(tmp_path / "book.epub", {name: page.format(fact="Big.") for name, page in pages.items()})
    document = read(tmp_path / "book.epub")
    assert place(document, "Big.") == Mark(0, line=1, headings=("Boats",))


def test_a_field_of_rst_is_told_with_its_name(tmp_path: Path):
    text = "Boats\n=====\n\n:Ferries: 7\n:Owners:\n\n  - Zoë\n  - Al\n:Old: yes\n\n  Very.\n"
    (tmp_path / "a.rst").write_text(text, "utf-8")
    document = read(tmp_path / "a.rst")
    assert document.text.split("\n") == ["Ferries: 7", "Owners:", "Zoë", "Al", "Old: yes", "Very."]
    assert [place(document, word).line for word in ("7", "Zoë", "Old")] == [4, 7, 9]
