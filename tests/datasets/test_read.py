"""Every dataset's own format from small files written here, and one clear line for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragcli.datasets.read import read_examples
from ragcli.errors import QuestionError
from ragcli.records import QAExample


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_our_own(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "q.jsonl",
        {"id": "a", "question": "Who?", "answers": ["Ann", "A. Lee"], "document": "ann.md"},
        {"question": "Where?", "answers": "Lima", "passage": ["peru.md#0"], "more": 1},
    )
    assert read_examples(path) == [
        QAExample("a", "Who?", ("Ann", "A. Lee"), ("ann.md",)),
        QAExample("2", "Where?", ("Lima",), ("peru.md#0",)),
    ]


def test_answers_by_key(tmp_path: Path) -> None:
    by_year = {"2016": ["Obama"], "2018": ["Trump"]}
    record = {"question": "Who?", "answers": by_year, "document": {"2016": "a", "2018": "b"}}
    path = lines(tmp_path / "q.jsonl", record)
    assert read_examples(path, key="2018") == [QAExample("1", "Who?", ("Trump",), ("b",))]
    with pytest.raises(QuestionError, match=r"q\.jsonl:1: the answers depend on '2016', '2018'"):
        read_examples(path)
    with pytest.raises(QuestionError, match="not on '2017'"):
        read_examples(path, key="2017")


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
    bad = lines(tmp_path / "bad.jsonl", {"id": 1, "label": "MAYBE", "claim": "A."})
    with pytest.raises(QuestionError, match=r"bad\.jsonl:1: the label 'MAYBE' is not one of"):
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"q\.jsonl: no questions"),
        ("\n\n", r"q\.jsonl: no questions"),
        ("\ufeff", r"q\.jsonl: no questions"),
        ('{"question": "a", "answers": ["b"]}\n{', r"q\.jsonl:2: not JSON"),
        ("[1]", r"q\.jsonl:1: not a JSON object"),
        ('{"question": " ", "answers": ["b"]}', r"q\.jsonl:1: no question"),
        ('{"question": "a"}', r"q\.jsonl:1: no answers"),
        ('{"question": "a", "answers": []}', r"q\.jsonl:1: no answers"),
        ('{"question": "a", "answers": [""]}', r"q\.jsonl:1: answers must be a text or a list"),
        ('{"question": "a", "answers": 3}', r"q\.jsonl:1: answers must be a text or a list"),
        ('{"id": 1, "question": "a", "answers": ["b"]}\n' * 2, "two questions have the id '1'"),
        ('{"question": "a", "answers": ["b"], "positive": ""}', r"q\.jsonl:1: no positive"),
        ('{"question": "a", "positive": "b"}', r"q\.jsonl:1: no answers"),
    ],
)
def test_one_clear_line_for_each_mistake(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(text)
    with pytest.raises(QuestionError, match=message):
        read_examples(path)


def test_bad_bytes_are_named_by_their_line(tmp_path: Path) -> None:
    good = b'\xef\xbb\xbf{"question": "a", "answers": ["caf\xc3\xa9"]}\n'
    (tmp_path / "q.jsonl").write_bytes(good + b'{"question": "caf\xe9"}\n')
    with pytest.raises(QuestionError, match=r"q\.jsonl:2: cannot be read: byte 0xe9 is not UTF-8"):
        read_examples(tmp_path / "q.jsonl")
    (tmp_path / "q.jsonl").write_bytes(good)
    (example,) = read_examples(tmp_path / "q.jsonl")
    assert example == QAExample("1", "a", ("café",))
    assert example.place == f"{tmp_path}/q.jsonl:1"


def test_a_positive_may_stand_for_answers(tmp_path: Path) -> None:
    line = '{"question": "Where?", "positive": " Lima is in Peru. "}\n'
    (tmp_path / "q.jsonl").write_text(line)
    (example,) = read_examples(tmp_path / "q.jsonl", pairs=True)
    assert example == QAExample("1", "Where?", (), positive="Lima is in Peru.")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="cannot be read: No such file"):
        read_examples(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe{")
    with pytest.raises(QuestionError, match="cannot be read"):
        read_examples(tmp_path / "bytes", "nq")
    (tmp_path / "half.json").write_text('{"Data": [')
    with pytest.raises(QuestionError, match="not JSON"):
        read_examples(tmp_path / "half.json", "tqa")
