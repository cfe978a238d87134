"""ragcli.toml and the environment: who wins, what is refused, and what `rag config` tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragcli.cli.commands import COMMANDS, load
from ragcli.cli.settings_file import options_of
from tests.cli.conftest import Run, World


@pytest.fixture(autouse=True)
def here(rag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and an empty configuration folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    (tmp_path / "user").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "user")
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    return folder


def in_force(rag: Run, *args: object) -> dict[str, tuple[Any, str]]:
    """Setting → value and origin."""
    result = rag("config", "--json", *args)
    assert result.code == 0, result.err
    records = map(json.loads, result.out.splitlines())
    return {
        f"{r['command']}.{r['setting']}" if r["command"] else r["setting"]: (
            r["value"],
            r["origin"],
        )
        for r in records
    }


def test_without_any_file_all_is_default_but_the_store(rag: Run, tmp_path: Path) -> None:
    settings = in_force(rag)
    assert settings.pop("store") == (str(tmp_path / "store"), "$RAG_STORE")
    assert {origin for _, origin in settings.values()} == {"default"}
    expected = {"index": "default", "model": "embedded", "encoder": None, "top-k": 5, "beams": 4}
    assert {name: settings[name][0] for name in expected} == expected
    assert (settings["device"][0], settings["words"][0], settings["type"][0]) == (
        "auto",
        100,
        "auto",
    )


def test_who_wins(rag: Run, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = tmp_path / "user/ragcli.toml"
    user.write_text('top-k = 1\nbeams = 1\nwords = 1\ndtype = "bfloat16"\n[ask]\nn-best = 1\n')
    (here / "ragcli.toml").write_text("top-k = 2\nbeams = 2\nwords = 2\n[ask]\nbatch-size = 2\n")
    monkeypatch.setenv("RAG_TOP_K", "3")
    monkeypatch.setenv("RAG_BEAMS", "3")
    settings = in_force(rag, "--top-k", 4)
    assert settings["top-k"] == (4, "command line")
    assert settings["beams"] == (3, "$RAG_BEAMS")
    assert settings["words"] == (2, "ragcli.toml")
    assert settings["dtype"] == ("bfloat16", str(user))
    assert settings["max-tokens"] == (32, "default")
    assert settings["ask.batch-size"] == (2, "ragcli.toml")
    assert settings["ask.n-best"] == (1, str(user))
    table = rag("config").out.splitlines()
    assert [line.split()[:3] for line in table if line.startswith("words")] == [
        ["words", "2", "ragcli.toml"]
    ]
    assert table[-1].split() == ["[ask]", "batch-size", "2", "ragcli.toml"]


def test_a_command_takes_what_the_files_say(
    rag: Run, here: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAG_STORE")
    (here / "ragcli.toml").write_text(
        f'store = "{world.store}"\nindex = "default@2016"\ntop-k = 2\nretriever = "bm25"\n'
        "[score]\ntop-k = 1\n"
    )

    def found(*args: object) -> int:
        result = rag("retrieve", "the river seine", *args)
        assert result.code == 0, result.err
        assert result.out.endswith("index default@2016\n")
        return result.out.count("prior")

    assert found() == 2
    assert found("-k", "3") == 3
    monkeypatch.setenv("RAG_TOP_K", "4")
    assert found() == 4
    monkeypatch.delenv("RAG_TOP_K")
    scored = rag("score", "lima ?", "queen", "--model", world.generator, "--json")
    assert len(json.loads(scored.out)["posterior"]) == 1


def test_the_file_says_more_than_the_model(rag: Run, here: Path, world: World) -> None:
    """The paper checkpoint wants 2 passages and RAG-Token; only what is set is set."""
    asked = ("ask", "lima ?", "--store", world.store, "--model", world.checkpoint, "--json")
    (here / "ragcli.toml").write_text("max-tokens = 3\n")
    record = json.loads(rag(*asked, "--trust-query-encoder").out)
    assert (record["top_k"], record["variant"]) == (2, "token")
    (here / "ragcli.toml").write_text('trust-query-encoder = true\nvariant = "sequence"\ntop-k = 3')
    record = json.loads(rag(*asked).out)
    assert (record["top_k"], record["variant"]) == (3, "sequence")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topk = 3", "topk is not a common setting (did you mean top-k?)"),
        ("epochs = 3", "epochs is not a common setting (rag config shows the common settings; "),
        ("[aks]\ntop-k = 3", "aks is not a command (did you mean ask?)"),
        ("[ask]\nbeam = 3", "beam is not an option of rag ask (did you mean beams?)"),
        ("ask = 3", "ask is not a common setting"),
        ('top-k = "3"', "top-k takes a number, not '3'"),
        ('top-k = "x"', "top-k takes a whole number of at least 1, not 'x'"),
        ("top-k = 0", "top-k takes a whole number of at least 1, not 0"),
        ("top-k = true", "top-k takes one value, not True"),
        ("top-k = [1]", "top-k takes one value, not [1]"),
        ("index = 2018", "index takes a text in quotes, not 2018"),
        ("verify = 1", "verify takes true or false, not 1"),
        ('variant = "words"', "variant takes sequence or token, not 'words'"),
        ("top-k =", "not TOML: "),
        ("[ask]\n[ask]", "not TOML: "),
    ],
)
def test_mistakes_are_one_line_that_names_file_and_key(
    rag: Run, here: Path, text: str, message: str
) -> None:
    (here / "ragcli.toml").write_text(text)
    for command in (("ask", "who?"), ("config",)):
        result = rag(*command)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"rag: ragcli.toml: {message}")
        assert len(result.err.splitlines()) == 1


def test_a_file_that_is_not_text(rag: Run, here: Path) -> None:
    (here / "ragcli.toml").write_bytes(b"\xff")
    result = rag("list-indexes")
    assert result.code == 2
    assert result.err.startswith("rag: ragcli.toml: cannot be read: ")


def test_a_bad_variable_is_named(rag: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOP_K", "many")
    result = rag("ask", "who?")
    assert result.code == 2
    assert result.err.startswith("rag: $RAG_TOP_K takes a whole number of at least 1, not 'many'")


def test_a_training_has_its_own_numbers(
    rag: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How questions are answered must not change how a model learns."""
    monkeypatch.setenv("RAG_TOP_K", "9")
    (here / "ragcli.toml").write_text('batch-size = 7\nvariant = "token"\n[train]\nepochs = 2\n')
    options = options_of(load("train"))
    own = ("top-k", "batch-size", "variant", "epochs")
    assert [options[key].envvar for key in own] == [None] * 4
    shown = " ".join(rag("train", "--help").out.split())
    assert "Times through the data. [default: 2, at least 1]" in shown
    assert "Examples in one pass. [default: 4, at least 1]" in shown


def test_predictions_and_sweeps_do_not_mind_settings(rag: Run, here: Path) -> None:
    (here / "ragcli.toml").write_text("top-k = 3\n[evaluate]\nsave = 'x.jsonl'\n")
    (here / "p.jsonl").write_text('{"question": "q", "answer": "a", "answers": ["a"]}\n')
    assert rag("evaluate", "--predictions", "p.jsonl").code == 0
    result = rag("evaluate", "--predictions", "p.jsonl", "--top-k", "3")
    assert (result.code, "leave --top-k out" in result.err) == (2, True)
    result = rag("evaluate", "p.jsonl", "--sweep", "top-k=1,2")
    assert "leave --top-k out" not in result.err


def test_config_shows_every_common_setting_there_is() -> None:
    shown = {key: option.envvar for key, option in options_of(load("config")).items()}
    assert shown.pop("json") is None
    assert shown == {key: f"RAG_{key.upper().replace('-', '_')}" for key in shown}
    for name in COMMANDS:
        for key, option in options_of(load(name)).items():
            assert option.envvar in (None, shown.get(key)), (name, key)


def test_help_needs_no_settings_file(rag: Run, here: Path) -> None:
    (here / "ragcli.toml").write_text("=")
    assert rag("--help").code == 0
