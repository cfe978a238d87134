"""No office, no holder and no text of the hot-swap experiment may be in the training data.

Set RAG_RECIPE_DATA to the folder of leaders_*.csv, qamr/ and qed/; without it the tests are
skipped.  QAMR and QED are other people's text: examples that name an evaluation office or
holder are dropped when they are read, and the test counts what is left.
"""

from __future__ import annotations

import os
import random
import re
import sys
from itertools import chain, islice
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import synthesize
from asked import articles, documents
from data import MAKERS, Sources, qed_is_held_out
from retrieved import training_passages
from written import pieces

DATA = os.environ.get("RAG_RECIPE_DATA")

pytestmark = pytest.mark.skipif(not DATA, reason="RAG_RECIPE_DATA is not set")


@pytest.fixture(scope="module")
def sources() -> Sources:
    """The raw material; articles are read only where a work folder holds them."""
    return Sources(Path(DATA or ""), Path(os.environ.get("RAG_RECIPE_WORK", ".")))


def test_evaluation_names_are_found(sources: Sources) -> None:
    assert not sources.allowed("Who is the President of Mexico?")
    assert not sources.allowed("It was said that Enrique Peña Nieto resigned.")
    assert sources.allowed("Who wrote the book?")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rule_made_questions_name_no_evaluation_office_or_holder(
    sources: Sources, seed: int
) -> None:
    """As whole words: an invented Mustafayev may begin as a Mustafa does, and is not trained on."""
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, sources.banned))})\b")
    assert names.search("it was enrique peña nieto who resigned")
    for row in islice(synthesize.examples(seed, 1500), 1500):
        whole = " | ".join((row["question"], row["title"], row["text"]))
        assert not names.search(whole.lower()), whole


def _has_articles() -> bool:
    return (Path(os.environ.get("RAG_RECIPE_WORK", ".")) / "articles.jsonl").exists()


@pytest.mark.skipif(not _has_articles(), reason="RAG_RECIPE_WORK has no articles.jsonl")
@pytest.mark.parametrize("kind", MAKERS)
def test_other_training_examples_name_no_evaluation_office_or_holder(
    sources: Sources, kind: str
) -> None:
    for example in islice(MAKERS[kind](sources, random.Random(5)), 1500):
        assert sources.allowed(example.question, example.title, example.text)


@pytest.mark.skipif(not _has_articles(), reason="RAG_RECIPE_WORK has no articles.jsonl")
def test_no_retrieved_distractor_names_an_evaluation_office_or_is_held_out(
    sources: Sources,
) -> None:
    pools = training_passages(sources)
    held = {(t.title, p) for t in (*articles(sources, True), *documents(True)) for p in t.passages}
    assert len(held) > 500
    for passages in pools.values():
        assert len(passages) > 3000
        assert not held & set(passages)
        assert all(sources.allowed(*passage) for passage in passages)


def _shingles(text: str, size: int = 12) -> set[tuple[str, ...]]:
    """Every run of `size` words of a text, in lower case and without punctuation."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}


@pytest.mark.skipif(not _has_articles(), reason="RAG_RECIPE_WORK has no articles.jsonl")
def test_no_twelve_words_of_the_test_documents_are_trained_on(sources: Sources) -> None:
    here = Path(__file__).resolve()
    folders = (here.parents[2] / "sample_corpus", here.with_name("unseen"))
    paths = chain.from_iterable(folder.rglob("*.md") for folder in folders)
    ours = set().union(*(_shingles(path.read_text("utf-8")) for path in paths))
    assert len(ours) > 50_000
    made = (f"{row['title']} {row['text']}" for row in synthesize.examples(1, 3000))
    read = (row["paragraph_text"] for row in sources.qed if not qed_is_held_out(row))
    written = (
        " ".join(text for _, text in piece.sentences) for piece in pieces(False) + pieces(True)
    )
    papers = (text.text for text in documents(False) + documents(True))
    for text in chain(sources.article_sentences, read, made, written, papers):
        assert not ours & _shingles(text), text
