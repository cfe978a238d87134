"""The articles on political offices, in two snapshots, and the questions asked about them."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "sample_corpus"
YEARS = ("2016", "2018")


def read_questions() -> list[dict[str, Any]]:
    text = (CORPUS / "questions" / "leaders.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def article(question: dict[str, Any], year: str) -> tuple[str, str]:
    """Return the heading and the text below it."""
    raw = (CORPUS / year / question["document"][year]).read_text(encoding="utf-8")
    heading, _, body = raw.partition("\n")
    return heading, body


def passage_of(body: str, name: str) -> int:
    """Return the 100-word passage, counted from 1, in which a name begins."""
    return len(body[: body.index(name)].split()) // 100 + 1


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    return read_questions()


@pytest.fixture(scope="module")
def composer() -> ModuleType:
    path = ROOT / "recipes" / "sample_corpus" / "compose.py"
    spec = importlib.util.spec_from_file_location("compose_offices", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


def test_there_are_enough_offices(questions: list[dict[str, Any]]) -> None:
    assert sum(question["changed"] for question in questions) >= 97
    assert sum(not question["changed"] for question in questions) >= 60


def test_every_article_has_its_question_and_every_question_its_article(
    questions: list[dict[str, Any]],
) -> None:
    for year in YEARS:
        on_disk = {f"offices/{path.name}" for path in (CORPUS / year / "offices").iterdir()}
        assert on_disk == {question["document"][year] for question in questions}


def test_questions_are_unique_and_name_the_office(questions: list[dict[str, Any]]) -> None:
    for key in ("id", "question", "title"):
        assert len({question[key] for question in questions}) == len(questions), key
    for question in questions:
        assert question["question"] == f"Who is the {question['title']}?"


def test_answers_differ_exactly_where_the_office_changed_hands(
    questions: list[dict[str, Any]],
) -> None:
    for question in questions:
        before, after = (set(question["answers"][year]) for year in YEARS)
        assert before, question["id"]
        assert after, question["id"]
        if question["changed"]:
            assert not before & after, question["id"]
        else:
            assert question["answers"]["2016"] == question["answers"]["2018"]


@pytest.mark.parametrize("year", YEARS)
def test_articles_are_headed_by_their_office_and_small(
    year: str, questions: list[dict[str, Any]]
) -> None:
    for question in questions:
        heading, body = article(question, year)
        assert heading == f"# {question['title']}"
        assert 150 <= len(body.split()) <= 400, question["id"]
        assert question["title"] in body, question["id"]


@pytest.mark.parametrize("year", YEARS)
def test_articles_name_the_holder_of_their_year(year: str, questions: list[dict[str, Any]]) -> None:
    for question in questions:
        _, body = article(question, year)
        assert question["answers"][year][0] in body, question["id"]


def test_changed_articles_look_back_and_never_ahead(questions: list[dict[str, Any]]) -> None:
    for question in questions:
        if question["changed"]:
            _, earlier = article(question, "2016")
            _, later = article(question, "2018")
            assert question["answers"]["2016"][0] in later, question["id"]
            successor = [name for name in question["answers"]["2018"] if " " in name]
            assert not [name for name in successor if name in earlier], question["id"]


def test_no_article_speaks_of_what_its_snapshot_cannot_know(
    questions: list[dict[str, Any]],
) -> None:
    """Ends of terms and dates of coming elections were known ahead; nothing else was."""
    planned = {
        "president-of-ghana": "2017",
        "president-of-kyrgyzstan": "2017",
        "president-of-zimbabwe": "2018",
    }
    for question in questions:
        for year in YEARS:
            _, body = article(question, year)
            future = {found for found in re.findall(r"\b20\d\d\b", body) if found > year}
            allowed = {planned.get(question["id"])} if year == "2016" else set()
            assert future <= allowed, (question["id"], year)


@pytest.mark.parametrize("year", YEARS)
def test_the_answer_is_in_the_second_passage_of_some_articles(
    year: str, questions: list[dict[str, Any]]
) -> None:
    places = [
        passage_of(article(question, year)[1], question["answers"][year][0])
        for question in questions
    ]
    assert set(places) == {1, 2}
    assert 0.15 <= places.count(2) / len(places) <= 0.35


def test_many_2018_articles_name_the_former_holder_first(questions: list[dict[str, Any]]) -> None:
    first = 0
    changed = [question for question in questions if question["changed"]]
    for question in changed:
        _, body = article(question, "2018")
        former, present = (body.index(question["answers"][year][0]) for year in YEARS)
        first += former < present
    assert 0.35 <= first / len(changed) <= 0.75


def test_composing_again_gives_the_bytes_on_disk(composer: ModuleType) -> None:
    for name, text in composer.files().items():
        assert (CORPUS / name).read_bytes() == text.encode("utf-8"), name


def test_the_sentence_with_the_answer_never_straddles_two_passages(composer: ModuleType) -> None:
    for office in composer.read_offices():
        for year in YEARS:
            expected = 1 if office.late else 0
            assert composer.compose(office, year).passage() == expected, office.slug


def test_a_sentence_does_not_end_after_an_initial(composer: ModuleType) -> None:
    text = "George W. Bush left. Guðni Th. Jóhannesson came. K. P. Sharma Oli stayed."
    assert composer.sentences(text) == [
        "George W. Bush left.",
        "Guðni Th. Jóhannesson came.",
        "K. P. Sharma Oli stayed.",
    ]
