"""Our own question files, and one clear line for each mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragcli.datasets.read import read_examples, read_keyed
from ragcli.errors import QuestionError
from ragcli.records import QAExample
from tests.datasets.helpers import lines


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
    (example,) = read_examples(path, key="2018")
    assert example == QAExample("1", "Who?", ("Trump",), ("b",), changed=True)
    with pytest.raises(QuestionError, match=r"q\.jsonl:1: the answers depend on '2016', '2018'"):
        read_examples(path)
    with pytest.raises(QuestionError, match="no answers for '2017', only for '2016', '2018'"):
        read_examples(path, key="2017")


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


def changed(path: Path, answers: Any, **more: Any) -> bool | None:
    """Of one question with these answers, as read with the key `a`."""
    key = "a" if isinstance(answers, dict) else None
    lines(path, {"question": "Who?", "answers": answers} | more)
    return read_examples(path, key=key)[0].changed


def test_whether_the_answer_changed(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    assert changed(path, "x") is None
    assert changed(path, {"a": "x", "b": ["y"]}) is True
    assert changed(path, {"a": ["x", "y"], "b": ["y", "x"]}) is False
    assert changed(path, {"a": "x", "b": ["x"], "c": None}) is True
    assert changed(path, {"a": "x", "b": "y"}, changed=False) is False
    assert changed(path, "x", changed=True) is True


def test_the_answers_of_two_keys(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "q.jsonl",
        {"question": "Who?", "answers": {"2016": ["A. B.", "B."], "2018": ["C."]}, "id": "who"},
        {"question": "Where?", "answers": {"2016": "x", "2018": "y"}, "changed": False},
        {"question": "When?", "answers": {"2016": "x", "2017": "y", "2018": ["x"]}},
    )
    assert read_keyed(path, ("2016", "2018")) == (
        [
            QAExample("who", "Who?", ("A. B.", "B."), changed=True),
            QAExample("2", "Where?", ("x",), changed=False),
            QAExample("3", "When?", ("x",), changed=False),
        ],
        [
            QAExample("who", "Who?", ("C.",), changed=True),
            QAExample("2", "Where?", ("y",), changed=False),
            QAExample("3", "When?", ("x",), changed=False),
        ],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no questions"),
        ("{", ":1: not JSON"),
        ("[]", ":1: not a JSON object"),
        ('{"answers": {}}', ":1: no question"),
        ('{"question": "Who?", "answers": ["x"]}', ":1: answers must be an object"),
        ('{"question": "Who?", "answers": {"2016": ["x"]}}', ":1: no answers for '2018', only for"),
        ('{"question": "Who?", "answers": {"2016": [], "2018": ["y"]}}', "no answers for '2016'"),
        (
            '{"question": "Who?", "answers": {"2016": ["x"], "2018": [2]}}',
            ":1: answers for '2018' must be a text or a list of texts",
        ),
        (
            '{"question": "Who?", "answers": {"2016": ["x"], "2018": ["y"]}, "changed": 1}',
            ":1: changed must be true or false",
        ),
    ],
)
def test_one_clear_line_for_each_mistake_of_two_keys(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(text)
    with pytest.raises(QuestionError, match=message):
        read_keyed(path, ("2016", "2018"))
    with pytest.raises(QuestionError, match="cannot be read"):
        read_keyed(tmp_path / "missing", ("2016", "2018"))
