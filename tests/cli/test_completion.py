"""What the shell offers: asked as bash asks, in this process and once in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragcli.answering.kinds import RETRIEVERS
from ragcli.cli import completion
from ragcli.corpus.readers import READERS
from ragcli.datasets.formats import FORMATS
from ragcli.store.index_types import INDEX_TYPES
from tests.cli.conftest import Run
from tests.cli.test_process import HEAVY

Offer = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders that look like a store with two indexes, and a hub's cache."""
    for name in ("default/versions/2018", "wiki/versions/2016", "wiki/versions/2018"):
        (tmp_path / "store" / name).mkdir(parents=True)
    (tmp_path / "store/wiki/TAGS").write_text(json.dumps({"stable": "2016"}))
    (tmp_path / "hub/models--facebook--bart-large").mkdir(parents=True)
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "store"


@pytest.fixture
def offered(rag: Run, monkeypatch: pytest.MonkeyPatch) -> Offer:
    """What is offered after these words, the last of which is not finished."""

    def offer(*words: str) -> list[str]:
        split = [part for word in ("rag", *words) for part in as_bash_splits(word)]
        monkeypatch.setenv("COMP_WORDS", "\n".join(split))
        monkeypatch.setenv("COMP_CWORD", str(len(split) - 1))
        monkeypatch.setenv("_RAG_COMPLETE", "complete_bash")
        result = rag()
        assert (result.code, result.err) == (0, "")
        return result.out.split()

    return offer


def as_bash_splits(word: str) -> list[str]:
    name, at, version = word.partition("@")
    return [part for part in (name, at, version) if part] or [""]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("swap-",), ["swap-index", "swap-experiment"]),
        (("ask", "--vari"), ["--variant"]),
        (("ask", "--variant", ""), ["sequence", "token"]),
        (("ask", "--retriever", "b"), ["bm25"]),
        (("ask", "--device", "c"), ["cpu", "cuda"]),
        (("ask", "--model", ""), ["embedded", "facebook/bart-large"]),
        (("build-index", "--encoder", "all"), ["all-MiniLM-L6-v2"]),
        (("build-index", "--format", "h"), ["html"]),
        (("build-index", "--type", "f"), ["flat"]),
        (("build-index", "--index", ""), ["default", "wiki"]),
        (("ask", "--index", "w"), ["wiki", "wiki@2016", "wiki@2018", "wiki@stable"]),
        (("ask", "--index", "wiki@"), ["@2016", "@2018", "@stable"]),
        (("ask", "--index", "wiki@20"), ["@2016", "@2018"]),
        (("ask", "--index", "@"), ["@2018"]),
        (("swap-index", "2"), ["2018"]),
        (("swap-index", "-i", "wiki", "2"), ["2016", "2018"]),
        (("remove-index", "wiki@s"), ["@stable"]),
        (("remove-index", "2"), ["2018"]),
        (("tag-index", "2"), ["2018"]),
        (("diff-index", "2"), ["2018"]),
        (("diff-index", "-i", "wiki", "2016", "2"), ["2016", "2018"]),
        (("swap-experiment", "questions.jsonl", "wiki@"), ["@2016", "@2018", "@stable"]),
        (("update-index", "docs", "--from", "2"), ["2018"]),
        (("delete-documents", "a.md", "-i", "wiki", "--from", "s"), ["stable"]),
        (("tag-index", "wiki@2018", "s"), ["stable"]),
        (("ask", "-i", "wiki@2016", "--variant", "t"), ["token"]),
        (("ask", "--store", "elsewhere", "--index", ""), []),
    ],
)
def test_what_is_offered(offered: Offer, words: tuple[str, ...], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_versions_of_the_usual_index(offered: Offer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_INDEX", "wiki")
    assert offered("swap-index", "20") == ["2016", "2018"]
    assert offered("ask", "--index", "@") == ["@2016", "@2018", "@stable"]


def test_a_broken_store_is_passed_over(offered: Offer, store: Path) -> None:
    (store / "wiki/TAGS").write_text("{")
    assert offered("ask", "--index", "") == []


def test_words_that_other_modules_name_too() -> None:
    """They are written again so that nothing heavy is loaded to offer them."""
    from ragcli.models.catalog import EMBEDDED_MODEL
    from ragcli.models.encoders import EMBEDDED_ENCODER

    assert (EMBEDDED_MODEL, EMBEDDED_ENCODER) == (completion.MODEL, completion.ENCODER)


@pytest.mark.parametrize("option", ["--retriever", "--model", "--encoder", "--index", "--top"])
def test_nothing_heavy_is_loaded(option: str) -> None:
    words = ["rag", "ask", option, ""] if option != "--top" else ["rag", "ask", option]
    code = (
        "import sys; from ragcli.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    environment = os.environ | {
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
        "_RAG_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip()
    assert done.stderr == "[]\n"


def test_a_kind_is_one_line_in_its_registry(
    rag: Run, offered: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Help and completion need no other; a kind of another package is found in the same way."""
    monkeypatch.setitem(RETRIEVERS.__dict__, "_foreign", {"nearby": None})
    monkeypatch.setitem(READERS._table, "note", "my_package:reader")
    monkeypatch.setitem(FORMATS._table, "squad", "my_package:squad")
    monkeypatch.setitem(INDEX_TYPES._table, "half", "my_package:half")
    asked, built = (" ".join(rag(name, "--help").out.split()) for name in ("ask", "build-index"))
    assert "comes from: dense, bm25, hybrid, none, nearby;" in asked
    assert "in these formats: txt, md, html, jsonl, csv, tsv, pdf," in built
    assert "whatever their suffix: txt, md, html, jsonl, csv, tsv, pdf," in built
    assert built.count("code, note.") == 2
    assert "flat, sq8, hnsw, ivf, pq, half, a FAISS factory string" in built
    assert "kilt, squad." in " ".join(rag("evaluate", "--help").out.split())
    assert offered("ask", "--retriever", "n") == ["none", "nearby"]


def test_the_options_of_completion(rag: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--install-completion" in rag("--help").out
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    assert "complete -o default -F _rag_completion rag" in rag("--show-completion").out
