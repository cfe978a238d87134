"""What `from ragcli import …` offers: lazily, documented, and enough to call all of it."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ragcli
from tests import tiny
from tests.cli.test_process import HEAVY

ROOT = Path(__file__).parent.parent


def test_every_name_is_there_and_no_other() -> None:
    assert {name for name in ragcli.__all__ if not hasattr(ragcli, name)} == set()
    assert sorted(ragcli.__all__) == ragcli.__all__ == dir(ragcli)
    with pytest.raises(AttributeError, match="has no attribute 'Ragg'"):
        _ = ragcli.Ragg


def test_importing_the_package_loads_none_of_its_rooms_and_nothing_heavy() -> None:
    code = (
        "import sys, ragcli\n"
        "print([name for name in sys.modules if name.startswith('ragcli.')])\n"
        "ragcli.Store, ragcli.RagError, ragcli.Training, ragcli.Answer, ragcli.read_documents\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ragcli.__file__).read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {a.name for node in block.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert seen == {*ragcli.__all__} - {"__version__"}


def test_every_name_has_a_docstring_and_stands_in_the_docs() -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == {*ragcli.__all__} - {"__version__"}
    for name in told:
        assert getattr(ragcli, name).__doc__, name


def taken(function: Any) -> set[str]:
    """The classes and types in the hints of a function's parameters."""
    hints = [str(each.annotation) for each in inspect.signature(function).parameters.values()]
    return {word for hint in hints for word in re.findall(r"\b[A-Z]\w+", hint)}


def test_whatever_a_public_function_takes_is_public_too() -> None:
    """Or plain: texts, paths and sequences, the protocols, and a `Session`, which a `Rag` is."""
    plain = {"None", "Path", "PathLike", "Paths", "Sequence"}
    plain |= {"Allow", "OnError", "Precision", "Where"}
    protocols = {"Encoder", "SearchableIndex", "BuildProgress", "TrainingProgress"}
    public = [getattr(ragcli, name) for name in ragcli.__all__]
    functions = [each for each in public if inspect.isfunction(each)]
    methods = [getattr(ragcli.Rag, name) for name in vars(ragcli.Rag) if name[0] != "_"]
    asked_for = {kind for function in (*functions, *methods) for kind in taken(function)}
    assert {"Placement", "Training", "Where"} <= asked_for
    assert asked_for - {*ragcli.__all__} - plain - protocols == {"Session"}
    assert "Session" in [kind.__name__ for kind in ragcli.Rag.__mro__]


def test_a_path_is_as_good_as_a_string(tmp_path: Path) -> None:
    """For stores, models and encoders, wherever the library takes their names."""
    text = tmp_path / "a.txt"
    text.write_text("paris is the capital of france", encoding="utf-8")
    for part in (tiny.bart(), tiny.tokenizer()):
        part.save_pretrained(tmp_path / "bart")
    folder = tiny.sentence_encoder(tmp_path / "encoder")
    encoder = ragcli.load_encoder(folder)
    ragcli.build_index(tmp_path / "store", encoder, text, version="1")
    ragcli.build_index(str(tmp_path / "store"), encoder, str(text), version="2")
    models = {"model": tmp_path / "bart", "encoder": folder}
    with ragcli.Rag.open("@1", store=tmp_path / "store", **models) as rag:
        assert rag.generator.name == str(tmp_path / "bart")
        assert rag.retrieve("what is the capital ?")[0].passage.text == text.read_text("utf-8")
