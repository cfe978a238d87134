"""The general articles of the sample corpus and the questions asked about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).resolve().parent.parent / "sample_corpus"
YEARS = ("2016", "2018")


def read_articles(year: str) -> dict[str, bytes]:
    folder = CORPUS / year / "general"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def split_article(raw: bytes) -> tuple[str, str]:
    first, _, body = raw.decode("utf-8").partition("\n")
    return first, body


@pytest.fixture(scope="module")
def articles() -> dict[str, bytes]:
    return read_articles(YEARS[0])


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    text = (CORPUS / "questions" / "general.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_are_enough_articles(articles: dict[str, bytes]) -> None:
    assert len(articles) >= 100
    assert all(name.endswith(".md") for name in articles)


def test_both_snapshots_hold_the_same_bytes(articles: dict[str, bytes]) -> None:
    assert read_articles(YEARS[1]) == articles


def test_every_article_opens_with_a_title_of_its_own(articles: dict[str, bytes]) -> None:
    titles = []
    for name, raw in articles.items():
        first, _ = split_article(raw)
        assert first.startswith("# "), name
        assert first[2:].strip(), name
        titles.append(first[2:].strip())
    assert len(set(titles)) == len(titles)


def test_articles_are_small(articles: dict[str, bytes]) -> None:
    for name, raw in articles.items():
        _, body = split_article(raw)
        assert 120 <= len(body.split()) <= 300, name
        paragraphs = [part for part in body.split("\n\n") if part.strip()]
        assert 1 <= len(paragraphs) <= 3, name


def test_there_are_enough_questions(questions: list[dict[str, Any]]) -> None:
    assert len(questions) >= 100
    for key in ("id", "question"):
        values = [question[key] for question in questions]
        assert len(set(values)) == len(values), key


def test_questions_have_the_agreed_form(questions: list[dict[str, Any]]) -> None:
    for question in questions:
        assert set(question) == {"id", "question", "answers", "title", "document"}
        assert question["question"].endswith("?"), question["id"]
        assert question["answers"], question["id"]
        assert all(answer.strip() for answer in question["answers"]), question["id"]


def test_first_answer_stands_in_the_article(
    articles: dict[str, bytes], questions: list[dict[str, Any]]
) -> None:
    for question in questions:
        folder, _, name = question["document"].partition("/")
        assert folder == "general", question["id"]
        first, body = split_article(articles[name])
        assert question["title"] == first[2:].strip(), question["id"]
        assert question["answers"][0] in body, question["id"]


def test_every_article_is_asked_about(
    articles: dict[str, bytes], questions: list[dict[str, Any]]
) -> None:
    assert {question["document"] for question in questions} == {
        f"general/{name}" for name in articles
    }
