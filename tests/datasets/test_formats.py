"""Every dataset's own format from small files written here."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragcli.datasets.formats import FORMATS, DatasetFormat
from ragcli.datasets.read import read_examples
from ragcli.errors import QuestionError, SettingsError
from ragcli.records import QAExample
from tests.datasets.helpers import lines


def test_what_a_format_says_of_its_task() -> None:
    said = {name: FORMATS.load(name) for name in FORMATS.names()}
    assert {name: dataset.task for name, dataset in said.items() if dataset.task} == {
        "msmarco": "generation",
        "fever": "classification",
        "fever2": "classification",
    }
    assert {name: dataset.labels for name, dataset in said.items() if dataset.labels} == {
        "fever": ("supports", "refutes", "unknown"),
        "fever2": ("supports", "refutes"),
    }
    with pytest.raises(SettingsError, match=r"no dataset format 'squad' \(one of jsonl, nq"):
        read_examples(Path("none"), "squad")


def _numbers(path: Path) -> list[QAExample]:
    return [QAExample(line, f"{line} + 1?", (str(int(line) + 1),)) for line in path.open()]


numbers = DatasetFormat(_numbers)


def test_another_package_brings_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("numbers", "tests.datasets.test_formats:numbers", "ragcli.datasets")
    monkeypatch.setitem(FORMATS.__dict__, "_foreign", {"numbers": entry})
    (tmp_path / "n").write_text("1")
    assert read_examples(tmp_path / "n", "numbers") == [QAExample("1", "1 + 1?", ("2",))]
    with pytest.raises(QuestionError, match="the answers of jsonl files, not of numbers"):
        read_examples(tmp_path / "n", "numbers", key="2018")


def test_nq_open(tmp_path: Path) -> None:
    record = {"question": "when was the last time anyone was on the moon", "answer": ["1972"]}
    (example,) = read_examples(lines(tmp_path / "nq.jsonl", record), "nq")
    assert example.answers == ("1972",)


def test_trivia_qa(tmp_path: Path) -> None:
    path = tmp_path / "tqa.json"
    answer = {"Value": "Sunset Boulevard", "Aliases": ["Sunset Blvd", "Sunset Boulevard"]}
    data = [{"QuestionId": "tc_1", "Question": "Which Lloyd Webber musical?", "Answer": answer}]
    path.write_text(json.dumps({"Data": data, "Version": 1.0}))
    assert read_examples(path, "tqa") == [
        QAExample("tc_1", "Which Lloyd Webber musical?", ("Sunset Boulevard", "Sunset Blvd"))
    ]
    path.write_text(json.dumps({"Data": [{"Question": "?"}]}))
    with pytest.raises(QuestionError, match=r"tqa\.json:1: no Answer"):
        read_examples(path, "tqa")
    path.write_text(json.dumps([]))
    with pytest.raises(QuestionError, match="no list of Data"):
        read_examples(path, "tqa")


def test_web_questions(tmp_path: Path) -> None:
    path = tmp_path / "wq.json"
    target = r'(list (description "Jaxon Bieber") (description Padmé) (description "a \"b\""))'
    path.write_text(json.dumps([{"utterance": "who is his brother?", "targetValue": target}]))
    (example,) = read_examples(path, "wq")
    assert example.answers == ("Jaxon Bieber", "Padmé", 'a "b"')
    path.write_text(json.dumps([{"utterance": "who?", "targetValue": "(list)"}]))
    with pytest.raises(QuestionError, match=r"wq\.json:1: no description"):
        read_examples(path, "wq")


def test_curated_trec(tmp_path: Path) -> None:
    record = {"question": "When did he die?", "answer": [r"Nov(ember|\.)\s+22"]}
    (example,) = read_examples(lines(tmp_path / "ct.jsonl", record), "ct")
    assert example.patterns
    bad = lines(tmp_path / "bad.jsonl", record, {"question": "When?", "answer": ["("]})
    with pytest.raises(QuestionError, match=r"bad\.jsonl:2: '\(' is not a regular expression"):
        read_examples(bad, "ct")


def test_ms_marco(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    columns = {
        "query": {"0": "what is rba", "1": "was ronald reagan a democrat"},
        "query_id": {"0": 1102432, "1": 1102431},
        "answers": {"0": ["Results-Based Accountability"], "1": ["Yes"]},
        "wellFormedAnswers": {"0": "[]", "1": ["Yes, Ronald Reagan was a democrat."]},
        "passages": {"0": [], "1": []},
    }
    path.write_text(json.dumps(columns))
    assert [(e.id, e.answers) for e in read_examples(path, "msmarco")] == [
        ("1102432", ("Results-Based Accountability",)),
        ("1102431", ("Yes, Ronald Reagan was a democrat.",)),
    ]
    record = {"query_id": 7, "query": "what is rba", "answers": ["accountability"]}
    (example,) = read_examples(lines(tmp_path / "lines.json", record), "msmarco")
    assert example == QAExample("7", "what is rba", ("accountability",))


def test_fever(tmp_path: Path) -> None:
    evidence = [[[1, 2, "Soul_Food_-LRB-film-RRB-", 0]], [[1, 3, None, None]]]
    path = lines(
        tmp_path / "fever.jsonl",
        {"id": 1, "label": "SUPPORTS", "claim": "A.", "evidence": evidence},
        {"id": 2, "label": "NOT ENOUGH INFO", "claim": "B.", "evidence": [[[1, None, None, None]]]},
    )
    first, second = read_examples(path, "fever")
    assert first == QAExample("1", "A.", ("supports",), ("Soul Food (film)",))
    assert second.answers == ("unknown",)
    assert read_examples(path, "fever2") == [first]
    for label in ("MAYBE", ["SUPPORTS"], None):
        bad = lines(tmp_path / "bad.jsonl", {"id": 1, "label": label, "claim": "A."})
        with pytest.raises(QuestionError, match=r"bad\.jsonl:1: the label .* is not one of"):
            read_examples(bad, "fever")


def test_kilt(tmp_path: Path) -> None:
    output = [
        {"answer": "Lima", "provenance": [{"wikipedia_id": "170691", "title": "Lima"}]},
        {"provenance": [{"wikipedia_id": "170691"}, {"wikipedia_id": "23"}]},
    ]
    path = lines(tmp_path / "kilt.jsonl", {"id": "x", "input": "capital of peru", "output": output})
    assert read_examples(path, "kilt") == [
        QAExample("x", "capital of peru", ("Lima",), ("170691", "23"))
    ]
