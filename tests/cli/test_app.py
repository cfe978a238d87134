"""The `rag` command itself: what it says of itself, how it ends, what it makes of slips."""

from __future__ import annotations

import pytest

from ragcli.cli.commands import COMMANDS, GROUPS, SYNONYMS, first_line, function_of
from ragcli.errors import ExitCode, RagError, SettingsError
from tests.cli.conftest import Run


def test_help_says_how_it_ends(rag: Run) -> None:
    text = " ".join(rag("--help").out.split())
    assert "Exit codes: 0 done, 1 an error, 2 usage, 3 below --fail-under, 130 interrupted." in text


@pytest.mark.parametrize(
    ("error", "code"),
    [(RagError("x"), 1), (SettingsError("x"), 2), (KeyboardInterrupt(), 130)],
)
def test_exit_codes(
    rag: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("ragcli.cli.history.list_versions", fail)
    assert rag("list-indexes").code == code
    monkeypatch.setattr("ragcli.cli.app.app", fail)
    assert rag("list-indexes").code == code


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_first_lines_are_those_of_the_docstrings(name: str) -> None:
    assert first_line(name) == function_of(name).__doc__.splitlines()[0]


def test_first_lines_without_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcli.cli.commands.__file__", "/nowhere/commands.py")
    assert first_line("ask") == "Answer a question from an index, with its evidence."


def test_help_groups_the_commands(rag: Run) -> None:
    lines = rag("--help").out.splitlines()
    titles = [line[:-1] for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["Options", *GROUPS]
    shown = [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalnum()]
    assert [name for name in shown if name in COMMANDS] == [*COMMANDS]


def test_the_codes_are_those_of_the_table() -> None:
    import ragcli.errors

    documented = [line.split() for line in (ragcli.errors.__doc__ or "").splitlines()]
    codes = {int(words[0]) for words in documented if words and words[0].isdigit()}
    assert codes == {code.value for code in ExitCode}


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("index", "build-index"),
        ("query", "ask"),
        ("search", "retrieve"),
        ("swap", "swap-index"),
        ("diff", "diff-index"),
        ("remove", "remove-index"),
        ("delete", "delete-documents"),
        ("plan", "plan-index"),
        ("evalute", "evaluate"),
        ("build_index", "build-index"),
        ("retrive", "retrieve"),
        ("list-index", "list-indexes"),
    ],
)
def test_a_wrong_command_is_put_right(rag: Run, word: str, meant: str) -> None:
    for args in ((word, "docs"), ("help", word)):
        result = rag(*args)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"rag: no command {word!r} (did you mean {meant}?)\n"


def test_a_word_that_is_like_no_command(rag: Run) -> None:
    assert rag("xyzzy").err == "rag: no command 'xyzzy' (rag --help lists them all)\n"


def test_synonyms_are_no_commands_and_mean_one() -> None:
    assert SYNONYMS.keys() <= COMMANDS.keys()
    words = [word for words in SYNONYMS.values() for word in words.split()]
    assert len(words) == len({*words} - COMMANDS.keys())


def test_help_is_a_command_too(rag: Run) -> None:
    assert rag("help", "ask") == rag("ask", "--help")
    assert rag("help").out == rag("--help").out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            "chunk docs --words x",
            "--words takes a whole number, not 'x' (rag chunk --help tells more)",
        ),
        (
            "ask x -k 0",
            "--top-k takes a whole number of at least 1, not '0' (rag ask --help tells more)",
        ),
        ("chunk docs --on-error x", "--on-error takes fail or skip, not 'x' (rag chunk --help"),
        ("chunk docs --wrods 3", "chunk has no option --wrods (did you mean --words?)"),
        ("ask who am I", "'am I' is too much for ask (a text of several words needs quotes"),
        (
            "compare",
            "compare needs A: what `rag evaluate --json` wrote; and B: the same of another run",
        ),
        (
            "train q.jsonl",
            "train needs --output: folder to write the result to (for example: rag train",
        ),
        ("ask x --encoder=", "--encoder is empty (leave the option out, or give it a value)"),
    ],
)
def test_usage_is_told_in_one_line_of_ours(rag: Run, args: str, said: str) -> None:
    result = rag(*args.split())
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"rag: {said}")
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_has_neither_types_of_python_nor_bars_between_examples(rag: Run, name: str) -> None:
    text = rag(name, "--help").out
    for foreign in ("<str", "<int", "<float>", "list[", "<=x", "x>=", "  |  ", "{"):
        assert foreign not in text, foreign
