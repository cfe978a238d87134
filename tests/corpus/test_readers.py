"""The registry of readers, and a reader that another package brings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ragcli.corpus.readers import READERS, formats_by_suffix

PLUG_IN = """
from ragcli.corpus.readers import Reader, decode
from ragcli.errors import CorpusError
from ragcli.records import Document

def read(lines, file):
    for number, line in enumerate(lines, 1):
        text = decode(line, file.path, number).strip()
        if text == "END":
            raise CorpusError("the log ends here", file.path, number)
        yield Document(f"{file.id}:{number}", file.title, text, file.path, number)

reader = Reader(read, (".log", ".txt"))
"""


def test_ours() -> None:
    assert READERS.names()[:6] == ["txt", "md", "html", "jsonl", "csv", "tsv"]
    assert READERS.load("txt").suffixes[:3] == (".txt", ".text", "readme")
    assert {name: READERS.load(name).suffixes for name in READERS.names()[1:6]} == {
        "md": (".md", ".markdown"),
        "html": (".html", ".htm"),
        "jsonl": (".jsonl", ".ndjson"),
        "csv": (".csv",),
        "tsv": (".tsv",),
    }
    assert formats_by_suffix()[".htm"] == "html"


def test_loading_every_reader_loads_no_parser() -> None:
    parsers = "bs4 markdown_it docutils openpyxl pypdfium2 striprtf defusedxml zstandard"
    code = (
        "import sys; from ragcli.corpus.readers import formats_by_suffix; formats_by_suffix();"
        f"found = {{*{parsers.split()}}} & set(sys.modules); assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`rag` where a package in `folder` is installed."""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    code = "from ragcli.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def test_another_package_brings_a_reader_and_its_suffixes(tmp_path: Path) -> None:
    site, docs = tmp_path / "site", tmp_path / "docs"
    information = site / "log_reader-1.0.dist-info"
    information.mkdir(parents=True)
    docs.mkdir()
    (site / "log_reader.py").write_text(PLUG_IN)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: log-reader\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[ragcli.readers]\nlog = log_reader:reader\n")
    (docs / "system.log").write_text("Disk full.\nDisk empty.\nEND\n")
    (docs / "notes.txt").write_text("One text,\nnot two lines.\n")

    result = run(site, "chunk", str(docs), "--on-error", "skip")
    assert [line.split('"')[3] for line in result.stdout.splitlines()] == [
        "notes.txt#0",  # a suffix that was ours stays ours
        "system.log:1#0",
        "system.log:2#0",
    ]
    assert f"skipped {docs}/system.log:3: the log ends here" in result.stderr
    result = run(site, "chunk", str(docs / "notes.txt"), "--format", "log")
    assert [line.split('"')[3] for line in result.stdout.splitlines()] == [
        "notes.txt:1#0",
        "notes.txt:2#0",
    ]
    result = run(site, "chunk", str(docs), "--format", "gif")
    assert result.returncode == 2
    assert "'gif' is not one of" in result.stderr
