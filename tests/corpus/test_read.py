"""Folders, files and standard input."""

import gzip
import io
import json
import os
import sqlite3
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

from ragcli.corpus.read import LeftOut, as_paths, pretty_title, read_documents, require_paths
from ragcli.errors import CorpusError, NoSpaceError, SettingsError


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def stdin(monkeypatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("stem", "title"),
    [
        ("franco-prussian_war", "Franco prussian war"),
        ("Mount_Everest", "Mount Everest"),
        ("öl-und-gas", "Öl und gas"),
        ("2018", "2018"),
        ("__a__", "A"),
    ],
)
def test_pretty_title(stem: str, title: str):
    assert pretty_title(stem) == title


def test_a_folder_in_the_order_of_names_with_ids_from_there(tmp_path):
    write(
        tmp_path,
        {
            "b.txt": "Lima.",
            "sub/a.md": "# Chile\nSantiago.",
            "a.html": "<title>Bolivia</title>Sucre.",
            "C.jsonl": '{"text": "Quito."}\n',
            "sub/deep/d.tsv": "id\ttext\ttitle\n7\tCaracas.\tVenezuela\n",
        },
    )
    write(tmp_path, {".hidden.txt": "no", ".git/x.txt": "no", "map.png": b"\x89\0"})
    corpus = read_documents(tmp_path)
    documents = list(corpus)
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("C.jsonl:1", "", "Quito."),
        ("a.html", "Bolivia", "Sucre."),
        ("b.txt", "B", "Lima."),
        ("sub/a.md", "Chile", "Santiago."),
        ("7", "Venezuela", "Caracas."),
    ]
    assert documents[3].source == str(tmp_path / "sub/a.md")
    assert corpus.left_out == LeftOut(ignored={".png": 1})


def test_names_that_say_what_they_are_need_no_suffix_or_may_have_any(tmp_path):
    texts = ("FAQ", "LICENSE-MIT", "METADATA", "README.Debian", "deep/licence.python", "faq.db")
    write(tmp_path, {name: f"{name} is here." for name in texts} | {"README.png": b"\x89\0"})
    (tmp_path / "README.ijg.gz").write_bytes(gzip.compress(b"JPEG."))
    corpus = read_documents(tmp_path)
    assert {d.id: d.text for d in corpus} == {
        "FAQ": "FAQ is here.",
        "METADATA": "METADATA is here.",
        "README.Debian": "README.Debian is here.",
        "README.ijg.gz": "JPEG.",
        "deep/licence.python": "deep/licence.python is here.",
    }
    assert corpus.left_out == LeftOut(ignored={"no suffix": 1, ".db": 1, ".png": 1})


def test_ids_do_not_depend_on_where_the_folder_is(tmp_path, monkeypatch):
    for where in ("one", "two/three"):
        write(tmp_path / where, {"docs/peru.txt": "Lima."})
    first = list(read_documents([str(tmp_path / "one/docs")]))
    monkeypatch.chdir(tmp_path / "two/three/docs")
    second = list(read_documents(["."]))
    third = list(read_documents(["peru.txt"]))
    assert [d.id for d in first + second + third] == ["peru.txt"] * 3


def test_names_are_the_same_however_the_system_writes_accents(tmp_path):
    write(tmp_path, {"Peru\u0301.txt": "Lima."})
    (document,) = read_documents([str(tmp_path)])
    assert (document.id, document.title) == ("Per\u00fa.txt", "Per\u00fa")


def test_a_named_file_of_another_suffix_is_plain_text(tmp_path):
    write(tmp_path, {"README": "# Peru", "notes.log": "Lima."})
    documents = list(read_documents([str(tmp_path / "README"), str(tmp_path / "notes.log")]))
    assert [(d.id, d.text) for d in documents] == [("README", "# Peru"), ("notes.log", "Lima.")]


def test_the_format_overrides_the_suffix(tmp_path):
    write(tmp_path, {"dump.txt": '{"text": "Lima."}'})
    (document,) = read_documents([str(tmp_path / "dump.txt")], format="jsonl")
    assert document.text == "Lima."
    with pytest.raises(SettingsError, match=r"no document format 'gif' \(one of txt, md, html"):
        list(read_documents([str(tmp_path)], format="gif"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'\n {"text": "a"}\n{"text": "b"}\n', [("stdin:2", "a"), ("stdin:3", "b")]),
        (b'\xef\xbb\xbf{"text": "a"}', [("stdin:1", "a")]),
        (b"id\ttext\ttitle\n4\ta\tb\n", [("4", "a")]),
        (b"Lima is\nthe capital.\n", [("stdin", "Lima is\nthe capital.\n")]),
    ],
)
def test_standard_input_tells_its_format(monkeypatch, data, expected):
    stdin(monkeypatch, data)
    assert [(d.id, d.text) for d in read_documents(["-"])] == expected


def test_standard_input_of_a_given_format(monkeypatch):
    stdin(monkeypatch, b"text,title\na,b\n")
    assert [(d.text, d.title) for d in read_documents(["-"], format="csv")] == [("a", "b")]


def test_standard_input_only_once():
    with pytest.raises(SettingsError, match="only once"):
        list(read_documents(["-", "-"]))


def test_empty_standard_input(monkeypatch):
    stdin(monkeypatch, b"")
    with pytest.raises(CorpusError, match="stdin:1: an empty document"):
        list(read_documents(["-"]))


def test_a_named_pipe_is_read_like_standard_input(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b'{"text": "a", "id": "x"}\n'))
    writer.start()
    assert [(d.id, d.text) for d in read_documents([str(pipe)])] == [("x", "a")]
    writer.join()


def test_a_pipe_inside_a_folder_is_left_out(tmp_path):
    write(tmp_path, {"a.txt": "Lima."})
    os.mkfifo(tmp_path / "b.txt")
    corpus = read_documents(tmp_path)
    assert len(list(corpus)) == 1
    assert corpus.left_out.ignored == {".txt": 1}


def test_linked_folders_are_counted_and_not_followed(tmp_path):
    write(tmp_path, {"a.txt": "Lima."})
    (tmp_path / "loop").symlink_to(tmp_path)
    corpus = read_documents(tmp_path)
    assert len(list(corpus)) == 1
    assert corpus.left_out.ignored == {"linked folder": 1}


PROBLEMS = {
    "empty.jsonl": (b'{"text": " "}', "an empty document"),
    "latin.txt": (b"one\ncaf\xe9\n", "byte 0xe9 is not UTF-8"),
    "zip.txt": (b"PK\0\0", "binary data"),
    "row.csv": (b"text\nok\ncaf\xe9\n", "byte 0xe9 is not UTF-8"),
    "nul.csv": (b"text\na\0b\n", "binary data"),
    "half.jsonl": (b'{"text": "\\ud800"}', r"half a character (\ud800)"),
    "meta.jsonl": (b'{"text": "a", "b": "\\udfff"}', r"half a character (\udfff)"),
    "noid.jsonl": (b'{"text": "a", "id": " "}', "an empty id"),
    "broken.jsonl": (b"{", "not JSON"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_cannot_be_read_fails_or_is_skipped(tmp_path, name):
    content, problem = PROBLEMS[name]
    write(tmp_path, {name: content, "zz.txt": "Lima."})
    with pytest.raises(CorpusError) as caught:
        list(read_documents([str(tmp_path)]))
    assert problem in caught.value.message
    assert caught.value.source == str(tmp_path / name)
    assert caught.value.line is not None
    corpus = read_documents(tmp_path, "skip")
    assert list(corpus)[-1].text == "Lima."
    assert [p.message for p in corpus.left_out.problems] == [caught.value.message]


def test_duplicate_ids_name_both_places(tmp_path):
    lines = [json.dumps({"id": "peru", "text": text}) for text in ("Lima.", "Cusco.")]
    write(tmp_path, {"a.jsonl": "\n".join(lines), "b.jsonl": lines[0]})
    source = str(tmp_path / "a.jsonl")
    with pytest.raises(CorpusError) as caught:
        list(read_documents([str(tmp_path)]))
    assert caught.value.message == f"{source}:2: the id 'peru' is already that of {source}:1"
    corpus = read_documents(tmp_path, "skip")
    assert [d.text for d in corpus] == ["Lima."]
    assert [p.line for p in corpus.left_out.problems] == [2, 1]


def test_two_folders_with_the_same_name_in_them(tmp_path):
    write(tmp_path, {"a/peru.txt": "Lima.", "b/peru.txt": "Cusco."})
    with pytest.raises(CorpusError, match="name the one that holds them"):
        list(read_documents([str(tmp_path / "a"), str(tmp_path / "b")]))
    assert [d.id for d in read_documents([str(tmp_path)])] == ["a/peru.txt", "b/peru.txt"]


def test_no_such_path(tmp_path):
    with pytest.raises(CorpusError, match="nowhere: cannot be read: No such file or directory"):
        list(read_documents([str(tmp_path / "nowhere")]))


def test_a_broken_link_is_an_error(tmp_path):
    (tmp_path / "a.txt").symlink_to(tmp_path / "gone.txt")
    with pytest.raises(CorpusError, match=r"a\.txt: cannot be read: No such file"):
        list(read_documents([str(tmp_path)]))


def test_a_file_without_permission(tmp_path, monkeypatch):
    write(tmp_path, {"a.txt": "Lima.", "b.txt": "Cusco."})
    real = open

    def forbidden(path, *arguments, **options):
        if str(path).endswith("a.txt"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr("builtins.open", forbidden)
    corpus = read_documents(tmp_path, "skip")
    assert [d.id for d in corpus] == ["b.txt"]
    (problem,) = corpus.left_out.problems
    assert problem.message == f"{tmp_path}/a.txt: cannot be read: Permission denied"


def test_a_folder_without_permission(tmp_path, monkeypatch):
    write(tmp_path, {"a.txt": "Lima.", "closed/b.txt": "Cusco.", "open/c.txt": "Piura."})
    real = os.scandir

    def forbidden(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", forbidden)
    with pytest.raises(CorpusError, match="closed: cannot be read: Permission denied"):
        list(read_documents([str(tmp_path)]))
    corpus = read_documents(tmp_path, "skip")
    assert [d.id for d in corpus] == ["a.txt", "open/c.txt"]
    assert corpus.left_out.skipped == 1


def test_a_name_that_is_not_utf8(tmp_path):
    (tmp_path / os.fsdecode(b"per\xfa.txt")).write_text("Lima.")
    write(tmp_path, {"zz.txt": "Cusco."})
    corpus = read_documents(tmp_path, "skip")
    assert [d.id for d in corpus] == ["zz.txt"]
    (problem,) = corpus.left_out.problems
    assert "its name or path is not UTF-8" in problem.message
    problem.message.encode()
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    write(folder, {"a.txt": "Lima."})
    with pytest.raises(CorpusError, match="its name or path is not UTF-8"):
        list(read_documents([str(folder)]))


@pytest.mark.parametrize("on_error", ["fail", "skip"])
def test_an_empty_corpus(tmp_path, on_error):
    write(tmp_path, {"map.png": b"\x89"})
    with pytest.raises(CorpusError, match=r"no documents \(1 left out: \.png\)"):
        list(read_documents([str(tmp_path)], on_error))
    with pytest.raises(CorpusError, match="corpus: no documents"):
        list(read_documents([], on_error))


def test_nothing_left_after_skipping(tmp_path):
    write(tmp_path, {"a.txt": b"\xff"})
    with pytest.raises(CorpusError, match=r"no documents \(1 could not be read\)"):
        list(read_documents([str(tmp_path)], "skip"))


def test_memory_does_not_grow_with_the_corpus(tmp_path):
    def peak(lines: int) -> int:
        path = tmp_path / f"{lines}.jsonl"
        with open(path, "w") as stream:
            for number in range(lines):
                stream.write(json.dumps({"id": f"d{number}", "text": "word " * 200}) + "\n")
        tracemalloc.start()
        assert sum(1 for _ in read_documents([str(path)])) == lines
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(100)
    assert peak(5000) < peak(500) + 200_000  # 5,000 documents hold 5 MB of text


def test_ids_that_find_no_room(tmp_path, monkeypatch):
    class Full(sqlite3.Connection):
        def execute(self, statement, *arguments):
            if statement.startswith("INSERT"):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(statement, *arguments)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Full))
    write(tmp_path, {"a.txt": "Lima."})
    with pytest.raises(NoSpaceError, match="temporary folder: database or disk is full"):
        list(read_documents([str(tmp_path)], "skip"))


def test_paths_can_be_checked_beforehand(tmp_path):
    require_paths([str(tmp_path), "-"])
    require_paths(tmp_path)
    with pytest.raises(CorpusError, match="nowhere: no such file or folder"):
        require_paths(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "kind", [str, os.fsencode, Path, lambda path: [path], lambda path: iter([str(path)])]
)
def test_one_path_or_several(tmp_path, kind):
    """A string is one path, and not the paths that its characters would be."""
    write(tmp_path, {"a.txt": "Lima."})
    assert as_paths(kind(tmp_path)) == (str(tmp_path),)
    assert [d.id for d in read_documents(kind(tmp_path))] == ["a.txt"]


def test_all_problems_are_counted_and_the_first_few_kept(tmp_path):
    write(tmp_path, {"a.txt": b"\xff" * 1_000_000, "b.jsonl": "{\n" * 1000, "c.txt": "Lima."})
    corpus = read_documents(tmp_path, "skip")
    assert corpus.left_out == LeftOut()
    assert [d.id for d in corpus] == ["c.txt"]
    assert corpus.left_out.skipped == 1001
    assert [p.line for p in corpus.left_out.problems] == [1, *range(1, 20)]
    held = [(p.__traceback__, p.__context__) for p in corpus.left_out.problems]
    assert held == [(None, None)] * 20  # else they would hold the bytes of their files


def test_a_corpus_can_be_read_again(tmp_path):
    write(tmp_path, {"a.txt": b"\xff", "b.txt": "Lima.", "map.png": b"\x89"})
    corpus = read_documents(tmp_path, "skip")
    assert [d.id for d in corpus] == [d.id for d in corpus] == ["b.txt"]
    assert (corpus.left_out.skipped, corpus.left_out.ignored) == (1, {".png": 1})
