"""One grammar for versions: every command that takes one understands every form of it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ragcli.errors import SettingsError
from ragcli.indexing.build import build_index
from ragcli.models.encoders import EMBEDDED_ENCODER, load_encoder, require_named
from ragcli.settings import EncoderSettings
from ragcli.store.store import Store
from tests.cli.conftest import Run, World

OLD = ["2016", "@2016", "default@2016", "old", "@old", "default@old"]
"""The forms of the older version, of which `old` is a tag."""


@pytest.fixture(scope="module")
def prepared(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`default` has 2016 and 2018, `wiki` 2016 and 2020; both have 2016 tagged as `old`."""
    folder = tmp_path_factory.mktemp("prepared") / "store"
    store = Store(shutil.copytree(world.store, folder))
    encoder = load_encoder(world.encoder)
    for year, version in (("2016", "2016"), ("2018", "2020")):
        build_index(store, encoder, world.folder / year, name="wiki", version=version)
    store.activate("default", "2018")
    for name in ("default", "wiki"):
        store.tag(name, "old", "2016")
    return folder


@pytest.fixture
def store(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A copy to change."""
    monkeypatch.setenv("RAG_STORE", str(tmp_path / "store"))
    return Store(shutil.copytree(prepared, tmp_path / "store"))


@pytest.mark.parametrize("form", OLD)
def test_commands_that_only_read(
    rag: Run, store: Store, world: World, tmp_path: Path, form: str
) -> None:
    model = ("--model", world.generator, "--max-tokens", 3)
    bm25 = ("--retriever", "bm25")
    asked = json.loads(rag("ask", "lima ?", "-i", form, *model, *bm25, "--json").out)
    assert (asked["index"], asked["version"]) == ("default", "2016")
    assert "index default@2016" in rag("retrieve", "lima", "--index", form, *bm25).out
    assert "king" in rag("retrieve", "president", "--index", form, *bm25).out
    labels = ("--labels", "one,two", "--model", world.generator)
    labelled = json.loads(rag("classify", "lima", *labels, "-i", form, *bm25, "--json").out)
    assert labelled["version"] == "2016"
    assert rag("score", "lima ?", "king", *model[:2], "-i", form, *bm25).code == 0
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "who ?", "answers": {"2016": ["a"], "2018": ["b"]}}\n')
    keyed = ("evaluate", questions, "--key", "2016", "-i", form, *model, *bm25, "--json")
    assert json.loads(rag(*keyed).out)["run"]["version"] == "2016"
    [record] = map(json.loads, rag("log-index", "-i", form, "--json").out.splitlines())
    assert (record["version"], record["tags"]) == ("2016", ["old"])
    for second in ("2018", "default@2018"):
        diff = json.loads(rag("diff-index", form, second, "--json").out)
        assert (diff["index"], diff["versions"]) == ("default", ["2016", "2018"])
        swap = ("swap-experiment", questions, form, second, *model, *bm25, "--json")
        assert json.loads(rag(*swap).out)["versions"] == ["2016", "2018"]
    exported = rag("export-index", tmp_path / "x.parquet", "-i", form)
    assert exported.out.startswith("default@2016 → ")


@pytest.mark.parametrize("form", OLD)
def test_commands_that_change_the_store(rag: Run, store: Store, world: World, form: str) -> None:
    assert rag("swap-index", form).out == "default@2016 is current (before: 2018)\n"
    assert rag("swap-index", "2018").code == 0
    assert rag("tag-index", form, "older").out == "default@older is default@2016\n"
    docs, encoder = world.folder / "2018", ("--encoder", world.encoder)
    made = rag("update-index", docs, "--from", form, "--version", "2019", *encoder, "--json")
    assert json.loads(made.out)["origin"]["parent"] == "2016"
    made = rag("delete-documents", "peru.md", "--from", form, "--version", "2021", "--json")
    assert json.loads(made.out)["origin"]["parent"] == "2016"
    for tag in ("older", "old"):
        assert rag("tag-index", "default@2016", tag, "--delete").code == 0
    bare = form.replace("old", "2016")
    assert rag("remove-index", bare).out.startswith("default@2016 removed")
    assert store.versions("default") == ["2018", "2019", "2021"]


def test_the_index_of_another_name(rag: Run, store: Store) -> None:
    assert rag("swap-index", "wiki@2016").out == "wiki@2016 is current (before: 2020)\n"
    assert rag("swap-index", "2020", "-i", "wiki").out == "wiki@2020 is current (before: 2016)\n"
    assert rag("swap-index", "@old", "-i", "wiki").out == "wiki@2016 is current (before: 2020)\n"
    assert store.resolve("default") == ("default", "2018")
    for args in (("wiki@2016", "2020"), ("2016", "2020", "-i", "wiki"), ("wiki@2016", "wiki@2020")):
        diff = json.loads(rag("diff-index", *args, "--json").out)
        assert (diff["index"], diff["versions"]) == ("wiki", ["2016", "2020"])
    assert len(rag("log-index", "-i", "wiki", "--json").out.splitlines()) == 2
    assert rag("prune-index", "-i", "wiki", "--keep", 1).out == ""
    deleted = rag("delete-documents", "peru.md", "--from", "wiki@2020", "--version", "a", "--json")
    assert json.loads(deleted.out)["index"] == "wiki"
    deleted = rag("delete-documents", "lyon.txt", "--version", "wiki@b", "--json")
    assert json.loads(deleted.out)["origin"]["parent"] == "a"


def test_an_index_wins_over_a_version_of_that_name(rag: Run, store: Store) -> None:
    shutil.copytree(store.root / "wiki", store.root / "old")
    [newest, *_] = map(json.loads, rag("log-index", "-i", "old", "--json").out.splitlines())
    assert newest["index"] == "old"


def test_the_home_index(rag: Run, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of the settings is the one that versions without a name belong to."""
    monkeypatch.setenv("RAG_INDEX", "wiki@2016")
    shown = ("retrieve", "president", "--retriever", "bm25")
    assert rag(*shown).out.endswith("index wiki@2016\n")
    assert rag(*shown, "-i", "2020").out.endswith("index wiki@2020\n")
    assert rag(*shown, "-i", "@2020").out.endswith("index wiki@2020\n")
    assert rag(*shown, "-i", "default").out.endswith("index default@2018\n")
    assert rag("swap-index", "2016").out == "wiki@2016 is current (before: 2020)\n"
    assert rag("swap-index", "--previous").out == "wiki@2020 is current (before: 2016)\n"
    assert rag("swap-index", "default@2016").out == "default@2016 is current (before: 2018)\n"
    assert rag("tag-index", "2020", "new").out == "wiki@new is wiki@2020\n"
    assert rag("prune-index", "--keep", 1, "--dry-run").err == "nothing to remove\n"
    made = rag("delete-documents", "peru.md", "--version", "2021", "--json")
    assert json.loads(made.out)["index"] == "wiki"


def test_an_archive_under_other_names(rag: Run, world: World, store: Store, tmp_path: Path) -> None:
    file, named = tmp_path / "wiki.tar.zst", ("--encoder", world.encoder)
    assert rag("export-index", file, "--index", "old").code == 0
    for args, expected in (
        (("--version", "news@1"), "news@1 "),
        (("--version", "2"), "default@2 "),
        (("--index", "news", "--version", "@3"), "news@3 "),
        (("--index", "more"), "more@2016 "),
    ):
        assert rag("import-index", file, *named, *args).out.startswith(expected)


def test_an_archive_may_not_choose_what_is_loaded(
    rag: Run, world: World, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "wiki.tar.zst"
    assert rag("export-index", file).code == 0
    for named in ((), ("--encoder", "another/encoder")):
        result = rag("import-index", file, "--index", "theirs", *named)
        assert result.code == 2
        assert f"wants the encoder {world.encoder}, which is not embedded" in result.err
        assert f"allow it with: --encoder {world.encoder})" in result.err
        assert store.versions("theirs") == []
    named = ("--encoder", world.encoder)
    assert rag("import-index", file, "--index", "theirs", *named).code == 0


def test_the_embedded_encoder_needs_no_name() -> None:
    settings = EncoderSettings(
        "sentence-transformers", EMBEDDED_ENCODER, EMBEDDED_ENCODER, 384, True, 20.0, 256
    )
    require_named(settings, None)
    with pytest.raises(SettingsError, match="wants the encoder other/one, which is not embedded"):
        require_named(replace(settings, query_name="other/one"), None)
    require_named(replace(settings, query_name="other/one"), "other/one")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (
            ["retrieve", "q", "-i", "2017"],
            1,
            "no index '2017' in STORE, nor a version of default (",
        ),
        (["retrieve", "q", "-i", "2014"], 1, "STORE, nor a version of default (did you mean 201"),
        (["retrieve", "q", "-i", "wiky"], 1, "STORE, nor a version of default (did you mean wiki?"),
        (["log-index", "-i", "xx"], 1, "STORE, nor a version of default (there are: default, wiki"),
        (["export-index", "x.parquet", "-i", "@1"], 1, "no version default@1 (its versions: 2016,"),
        (["swap-index", "2020"], 1, "no version default@2020 (its versions: 2016, 2018; its tags"),
        (["tag-index", "2020", "x"], 1, "no version default@2020 (its versions: 2016, 2018; "),
        (["remove-index", "wiki"], 1, "no version default@wiki ('wiki' is an index, and a version"),
        (["remove-index", "default@"], 2, "'default@' names no version (its versions: 2016, "),
        (["diff-index", "2016", "wiki@2020"], 2, "2016 and wiki@2020 are versions of two indexes"),
        (["swap-index", "wiki@2016", "-i", "default"], 2, "'wiki@2016' is no version of the index"),
        (
            ["delete-documents", "x", "--from", "wiki@2016", "-i", "default"],
            2,
            "'wiki@2016' is no version of the index 'default'",
        ),
        (
            ["delete-documents", "x", "--version", "wiki@3", "-i", "default"],
            2,
            "wiki@3 and --index default name two indexes",
        ),
    ],
)
def test_what_is_not_there(
    rag: Run, store: Store, args: list[str], code: int, message: str
) -> None:
    result = rag(*args)
    assert (result.code, result.out) == (code, "")
    assert message.replace("STORE", str(store.root)) in result.err
    assert len(result.err.splitlines()) == 1
