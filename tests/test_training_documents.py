"""The documents that the embedded model is trained on, beside those it is tested on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RECIPE = ROOT / "recipes" / "embedded"
FILES = sorted((RECIPE / "documents").glob("*.txt"))


def blocks(path: Path) -> list[str]:
    """The documents of a file, each with its questions."""
    found = re.split(r"(?m)^===.*$", path.read_text(encoding="utf-8"))
    return [block for block in found if block.strip()]


def shingles(text: str) -> set[tuple[str, ...]]:
    """Every twelve words in a row, in lower case and without punctuation."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + 12]) for i in range(len(words) - 11)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_stands_in_its_document(path: Path) -> None:
    for block in blocks(path):
        asked = re.findall(r"(?m)^Q:(.+)=>(.+)$", block)
        assert len(asked) >= 5, block[:80]
        text = " ".join(re.sub(r"(?m)^Q:.*$", "", block).split())
        for question, answer in asked:
            assert answer.strip() == "-" or " ".join(answer.split()) in text, question


def test_no_twelve_words_of_the_test_documents_are_trained_on() -> None:
    tested = [*(ROOT / "sample_corpus").rglob("*.md"), *(RECIPE / "unseen").rglob("*.md")]
    kept = set().union(*(shingles(path.read_text(encoding="utf-8")) for path in tested))
    assert len(kept) > 50_000
    assert FILES
    for path in FILES:
        for block in blocks(path):
            assert not kept & shingles(block), block[:80]
