"""`rag evaluate`, `classify` and `compare` on the command line, and the page in Chromium."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from ragcli.cli.evaluate import check_gate
from ragcli.evaluation.evaluate import Evaluation
from tests.cli.conftest import Run, World

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    lines = [
        {"id": "1", "question": "what is <the> capital of france ?", "answers": ["paris"]},
        {"id": "2", "question": "who is the president of peru ?", "answers": ["queen"]},
        {"id": "3", "question": "where is the river rhone ?", "answers": ["lyon"]},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_every_report_of_one_run(rag: Run, world: World, questions: Path, tmp_path: Path) -> None:
    page, table, figure = (tmp_path / name for name in ("e.html", "e.csv", "e.svg"))
    result = rag(
        *("evaluate", questions, *world.options, "--sweep", "top-k=1,2,5", "--paper", "nq"),
        *("--json", "--html", page, "--csv", table, "--figure", figure),
    )
    assert result.code == 0, result.err
    record = json.loads(result.out)
    assert (record["task"], record["questions"], record["top_k"]) == ("qa", 3, 5)
    assert [point["top_k"] for point in record["sweep"]] == [1, 2, 5]
    assert record["metrics"]["answer_recall"]["value"] == 1.0
    assert record["paper"]["rows"]["RAG-Token"] == {"exact_match": 0.441}
    for trial in record["trials"]:
        options = ("--index", "@2018", "--json", "--top-k", 5)
        alone = json.loads(rag("ask", trial["question"], *world.options, *options).out)
        assert trial["answer"] == alone["answer"]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert rows[0].keys() >= {"top_k", "metric", "value", "low", "high", "n", "RAG-Sequence"}
    assert {row["top_k"] for row in rows} == {"1", "2", "5"}
    assert figure.read_text().startswith("<svg xmlns=")
    html = page.read_text()
    assert "what is &lt;the&gt; capital" in html
    assert "http" not in html.replace("http://www.w3.org", "")


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_page_in_a_real_browser(
    rag: Run, world: World, questions: Path, tmp_path: Path
) -> None:
    page, picture = tmp_path / "e.html", tmp_path / "e.png"
    sweep = ("--sweep", "top-k=1,3", "--paper", "nq")
    result = rag("evaluate", questions, *world.options, *sweep, "--html", page)
    assert result.code == 0, result.err
    browser = [
        *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        *(f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,1400"),
    ]
    shot = [*browser, f"--screenshot={picture}", page.as_uri()]
    subprocess.run(shot, check=True, capture_output=True, timeout=120)
    assert picture.stat().st_size > 10_000
    dumped = subprocess.run(
        [*browser, "--dump-dom", page.as_uri()],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
    # The browser's own tree: one metrics table, one figure with curves, every question.
    assert dumped.count("<details") == 3
    assert dumped.count("<polyline") >= 2
    assert dumped.count('<p class="passage"') == 9
    assert "RAG-Sequence, paper" in dumped
    assert "what is &lt;the&gt; capital" in dumped


def test_for_people(rag: Run, world: World, questions: Path) -> None:
    result = rag("evaluate", questions, *world.options, "--retriever", "bm25", "--paper", "nq")
    assert result.code == 0, result.err
    assert "exact match" in result.out
    assert "44.5" in result.out
    assert "beside the paper's Natural Questions" in result.out
    closed = rag("evaluate", questions, *world.options, "--retriever", "none", "--json")
    assert "answer_recall" not in json.loads(closed.out)["metrics"]


def test_saved_predictions_are_measured_alone(
    rag: Run, world: World, questions: Path, tmp_path: Path
) -> None:
    save = tmp_path / "p.jsonl"
    asked = rag("evaluate", questions, *world.options, "--save", save, "--json")
    given = rag("evaluate", questions, "--predictions", save, "--json")
    assert given.code == 0, given.err
    first, second = json.loads(asked.out), json.loads(given.out)
    assert first["metrics"] == second["metrics"]
    again = rag("evaluate", questions, *world.options, "--save", save, "--json")
    assert json.loads(again.out) == first
    other = rag("evaluate", questions, *world.options, "--save", save, "--beams", 2)
    assert (other.code, "other settings: decoding.beams" in other.err) == (1, True)
    for option in (("--model", "embedded"), ("--retriever", "bm25"), ("--top-k", "3")):
        unused = rag("evaluate", questions, "--predictions", save, *option)
        assert (unused.code, f"leave {option[0]} out" in unused.err) == (2, True)


def test_what_ask_printed_can_be_measured(rag: Run, world: World, questions: Path) -> None:
    stdin = questions.read_bytes()
    printed = rag("ask", "-", *world.options, "--json", stdin=stdin).out
    answers = questions.with_name("answers.jsonl")
    answers.write_text(printed)
    result = rag("evaluate", "--predictions", answers, "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["questions"] == 3


@pytest.mark.parametrize(
    ("right", "fail_under", "code"), [(2, 66, 0), (2, 67, 3), (0, 0, 0), (0, 0.1, 3), (3, 100, 0)]
)
def test_a_gate_on_exact_match(
    rag: Run, questions: Path, tmp_path: Path, right: int, fail_under: float, code: int
) -> None:
    """Two right of three are 66.7 %."""
    answers = tmp_path / "answers.jsonl"
    records = [
        {
            "id": str(n),
            "question": "?",
            "answer": answer if n <= right else "wrong",
            "answers": [answer],
        }
        for n, answer in enumerate(("paris", "queen", "lyon"), 1)
    ]
    answers.write_text("\n".join(map(json.dumps, records)))
    result = rag("evaluate", "--predictions", answers, "--fail-under", fail_under)
    assert result.code == code, result.err
    assert "exact match" in result.out
    below = f"the lowest exact match is {100 * right / 3:.1f} %, below {fail_under} %\n"
    assert result.err == (below if code else "")


@pytest.mark.parametrize(("fail_under", "passed"), [(50, True), (50.1, False)])
def test_a_gate_holds_for_every_k(fail_under: float, passed: bool) -> None:
    values = [{"exact_match": SimpleNamespace(value=value)} for value in (0.5, 0.8)]
    results: Any = [SimpleNamespace(metrics=metrics) for metrics in values]
    report = Evaluation("qa", tuple(results), {})
    assert report.worst == ("exact match", 0.5)
    with nullcontext() if passed else pytest.raises(typer.Exit) as stop:
        check_gate(*report.worst, fail_under)
    assert passed or stop.value.exit_code == 3


def test_compare(rag: Run, world: World, questions: Path, tmp_path: Path) -> None:
    paths = []
    for name in ("sequence", "token"):
        paths.append(tmp_path / f"{name}.json")
        options = ("--variant", name, "--json")
        paths[-1].write_text(rag("evaluate", questions, *world.options, *options).out)
    people = rag("compare", *paths)
    assert people.code == 0, people.err
    assert "McNemar" in people.out
    record = json.loads(rag("compare", *paths, "--json").out)
    assert record["questions"] == 3
    assert list(record["settings"]) == ["decoding"]
    wrong = rag("compare", paths[0], questions)
    assert (wrong.code, "not JSON" in wrong.err) == (1, True)
    (tmp_path / "x.json").write_text("{}")
    wrong = rag("compare", paths[0], tmp_path / "x.json")
    assert (wrong.code, "not a report" in wrong.err) == (1, True)


def test_classify(rag: Run, world: World) -> None:
    labels = ("--labels", "one,two, three")
    people = rag("classify", "lima is in peru", *labels, *world.options)
    assert people.code == 0, people.err
    assert "RAG-Sequence   index default@2018" in people.out
    stdin = b'lima is in peru\n{"question": "paris", "id": 7}\n{"id": 8}\n'
    result = rag("classify", "-", *labels, *world.options, "--json", stdin=stdin)
    assert result.code == 1
    records = [json.loads(line) for line in result.out.splitlines()]
    assert sum(records[0]["labels"].values()) == pytest.approx(1)
    assert list(records[0]["labels"]) == ["one", "two", "three"]
    assert records[1]["id"] == 7
    assert records[2]["error"] == "no question in the object"
    for code, arguments, message in [
        (2, ("lima", "--labels", "one"), "two or more"),
        (2, (" ", "--labels", "one,two"), "the text is empty"),
    ]:
        bad = rag("classify", *arguments, *world.options)
        assert (bad.code, message in bad.err) == (code, True), bad.err


def test_evaluating_classification(rag: Run, world: World, tmp_path: Path) -> None:
    claims = tmp_path / "fever.jsonl"
    lines = [
        {"id": 1, "label": "SUPPORTS", "claim": "lima is in peru", "evidence": []},
        {"id": 2, "label": "REFUTES", "claim": "paris is a river", "evidence": []},
    ]
    claims.write_text("\n".join(map(json.dumps, lines)))
    options = ("--format", "fever", "--paper", "fever3", "--json")
    result = rag("evaluate", claims, *world.options, *options)
    assert result.code == 0, result.err
    assert json.loads(result.out)["run"]["labels"] == ["supports", "refutes", "unknown"]
    bad = rag("evaluate", claims, *world.options, "--format", "fever", "--labels", "supports,other")
    assert (bad.code, "example 2: the label 'refutes' is not one of" in bad.err) == (1, True)


def test_mistakes(rag: Run, world: World, questions: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "a", "answers": ["b"]}\n{"question": "c"}\n')
    for code, arguments, message in [
        (1, (empty,), "empty.jsonl: no questions"),
        (1, (bad,), "bad.jsonl:2: no answers"),
        (1, (tmp_path / "none",), "cannot be read"),
        (2, (), "no questions to evaluate"),
        (2, (questions, "--task", "classification"), "no labels"),
        (2, (questions, "--labels", "a,b"), "belongs to --task classification"),
        (2, (questions, "--paper", "msmarco", "--task", "qa"), "a task of generation, not of qa"),
        (2, (questions, "--sweep", "beams=1"), "--sweep takes top-k=1,2,5"),
        (2, (questions, "--sweep", "top-k=1,0"), "--sweep takes top-k=1,2,5"),
        (2, (questions, "--sweep", "top-k=1", "--top-k", "2"), "leave --top-k out"),
        (2, (questions, "--figure", tmp_path / "f.svg"), "draws the curves of a sweep"),
        (2, (questions, "--html", tmp_path / "no" / "e.html"), "cannot be written"),
    ]:
        result = rag("evaluate", *arguments, *world.options)
        assert (result.code, message in result.err) == (code, True), (arguments, result.err)
        assert len(result.err.strip().splitlines()) == 1


@pytest.mark.parametrize("option", ["--csv", "--html", "--save"])
def test_reports_are_not_written_over_what_is_read(
    rag: Run, world: World, tmp_path: Path, option: str
) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "where is lyon ?", "answers": ["france"]}\n')
    (tmp_path / "link").symlink_to(questions)
    for path in (questions, tmp_path / "link", tmp_path / ".." / tmp_path.name / "q.jsonl"):
        result = rag("evaluate", questions, *world.options, option, path)
        assert result.code == 2
        assert "cannot be written: it is read as well (name another file)" in result.err
    result = rag("evaluate", questions, "--csv", tmp_path / "a", "--html", tmp_path / "a")
    assert "cannot be written: another output goes there as well" in result.err
    assert questions.read_text().startswith('{"question"')
