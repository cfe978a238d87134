"""`rag ask`, `retrieve` and `score` as a person, a pipeline and a mistaken user run them."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from ragcli import Decoding, Rag, Retrieval
from tests import tiny
from tests.cli.conftest import Run, World

QUESTION = "who is the president of peru ?"


def test_for_people(rag: Run, world: World) -> None:
    result = rag("ask", QUESTION, *world.options)
    assert result.code == 0, result.err
    assert "RAG-Sequence, thorough" in result.out
    assert "index default@2018" in result.out
    assert "prior  posterior" in result.out
    with Rag.open(store=world.store, model=str(world.generator)) as library:
        answer = library.ask(QUESTION)
    assert result.out.splitlines()[0].strip() == (answer.text or "(an empty answer)")
    assert f"p = {math.exp(answer.best.log_prob):.3g}" in result.out


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_one_json_record(rag: Run, world: World, variant: str) -> None:
    result = rag("ask", QUESTION, *world.options, "--json", "--variant", variant, "--top-k", 2)
    assert result.code == 0, result.err
    assert result.err == ""
    [line] = result.out.splitlines()
    record = json.loads(line)
    assert record["question"] == QUESTION
    assert (record["index"], record["version"]) == ("default", "2018")
    assert record["variant"] == variant
    assert record["prob"] == pytest.approx(math.exp(record["log_prob"]))
    assert record["top_k"] == len(record["passages"]) == 2
    assert sum(p["prior"] for p in record["passages"]) == pytest.approx(1)
    assert sum(p["posterior"] for p in record["passages"]) == pytest.approx(1)
    assert record["candidates"][0]["answer"] == record["answer"]
    assert record["passes"]["encoder"] == 2
    assert ("tokens" in record) == (variant == "token")
    with Rag.open(
        store=world.store,
        model=str(world.generator),
        retrieval=Retrieval(top_k=2),
        decoding=Decoding(variant=variant),  # type: ignore[arg-type]
    ) as library:
        assert record["log_prob"] == pytest.approx(library.ask(QUESTION).best.log_prob)


def test_a_pinned_version_and_the_current_one(rag: Run, world: World) -> None:
    for reference, version in (("default@2016", "2016"), ("@2016", "2016"), ("default", "2018")):
        result = rag("ask", QUESTION, *world.options, "--index", reference, "--json")
        assert json.loads(result.out)["version"] == version


def test_a_pipeline_of_questions(rag: Run, world: World) -> None:
    lines = [
        b"where is lyon ?",
        b"",
        json.dumps({"question": QUESTION, "id": 7, "answer": "gold"}).encode(),
        b'{"question": "broken"',
        b"\xff\xfe not text",
        b'{"question": "   ", "id": 8}',
        b'{"id": 9}',
        b"river " * 80,
        b'{"question": "who ?", "weight": NaN}',
        b'{"question": "who \\ud800 ?"}',
        b'{"question": ' + b"[" * 100_000,
        json.dumps({"question": "river ?", "error": "old", "line": 3}).encode(),
        b"what is the capital of france ?",
        b'{"question": 5}',
    ]
    result = rag(
        "ask", "-", *world.options, "--json", "--batch-size", 3, stdin=b"\n".join(lines) + b"\n"
    )
    assert result.code == 1
    records = [json.loads(line) for line in result.out.splitlines()]
    assert len(records) == 13  # the blank line asks nothing
    assert result.err.endswith("9 of 13 lines failed\n")
    assert records[0]["question"] == "where is lyon ?"
    assert records[1]["id"] == 7
    assert records[1]["input"] == {"answer": "gold"}
    assert records[1]["answer"] != "gold"
    assert "not a JSON object" in records[2]["error"]
    assert records[2]["line"] == 4
    assert "not UTF-8" in records[3]["error"]
    assert records[4] == {"line": 6, "error": "the question is empty", "id": 8}
    assert records[5]["error"] == "no question in the object"
    assert "82 tokens" in records[6]["error"]
    for odd in records[7:10]:
        assert "not a JSON object" in odd["error"]
    assert records[10]["input"] == {"error": "old", "line": 3}
    assert records[11]["question"] == "what is the capital of france ?"
    assert records[12] == {"line": 14, "error": "the question is not a string", "question": 5}
    good = [r for r in records if "error" not in r]
    for record in good:
        alone = json.loads(rag("ask", record["question"], *world.options, "--json").out)
        assert record["answer"] == alone["answer"]
        assert record["log_prob"] == pytest.approx(alone["log_prob"], abs=1e-4)


def test_a_pipeline_for_people(rag: Run, world: World) -> None:
    result = rag("ask", "-", *world.options, stdin=b'lyon ?\n{"id": 1}\n')
    assert result.code == 1
    assert result.out.startswith("lyon ?\n")
    assert "index default@2018" in result.out
    assert "rag: line 2: no question in the object" in result.err


def test_a_narrow_heat_map_shows_what_fits(
    rag: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    result = rag("ask", QUESTION, *world.options, "--explain", "--variant", "token")
    assert "not shown" in " ".join(result.out.split())


def test_explain_draws_tokens_by_passages(rag: Run, world: World) -> None:
    for variant in ("sequence", "token"):
        result = rag("ask", QUESTION, *world.options, "--explain", "--variant", variant)
        assert result.code == 0, result.err
        assert "p(passage | question, answer so far)" in result.out
        assert "</s>" in result.out


def test_k_larger_than_the_index_is_clamped_and_said(rag: Run, world: World) -> None:
    result = rag("ask", QUESTION, *world.options, "--top-k", 50, "--json")
    assert len(json.loads(result.out)["passages"]) == 5
    assert "top-k 50 is more than the index holds; using all 5 passages" in result.err
    found = rag("retrieve", QUESTION, "--store", world.store, "--top-k", 50, "--json")
    assert len(found.out.splitlines()) == 5
    assert "using all 5" in found.err


def test_nobody_is_told_about_a_k_that_nobody_named(rag: Run, tmp_path: Path, world: World) -> None:
    (tmp_path / "one.txt").write_text("the president of peru is king .")
    small = ("--store", tmp_path / "store")
    assert rag("build-index", tmp_path / "one.txt", *small, "--encoder", world.encoder).code == 0
    result = rag("ask", QUESTION, *small, "--model", world.generator, "--json")
    assert (len(json.loads(result.out)["passages"]), result.err) == (1, "")


def test_retrieve(rag: Run, world: World) -> None:
    result = rag("retrieve", QUESTION, "--store", world.store, "--top-k", 2, "--json")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert [r["rank"] for r in records] == [1, 2]
    assert records[0]["score"] >= records[1]["score"]
    difference = records[0]["score"] - records[1]["score"]
    assert math.log(records[0]["prior"] / records[1]["prior"]) == pytest.approx(difference)
    people = rag("retrieve", QUESTION, "--store", world.store, "--top-k", 2)
    assert records[0]["text"] in people.out
    assert "index default@2018" in people.out


def test_marks_in_an_answer_are_plain_text(rag: Run, world: World) -> None:
    result = rag("score", QUESTION, "[/b] king", "[b]king", *world.options)
    assert result.code == 0, result.err
    assert "[/b] king" in result.out
    assert "[b]king" in result.out


def test_score_both_variants(rag: Run, world: World) -> None:
    result = rag("score", QUESTION, "king", "queen of peru", *world.options, "--json")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert [r["answer"] for r in records] == ["king", "queen of peru"]
    with Rag.open(store=world.store, model=str(world.generator)) as library:
        scored = library.score(QUESTION, ["king", "queen of peru"])
    for record, expected in zip(records, scored, strict=True):
        assert record["sequence_log_prob"] == pytest.approx(expected.sequence_log_prob)
        assert record["token_log_prob"] == pytest.approx(expected.token_log_prob)
    people = rag("score", QUESTION, "king", *world.options)
    assert f"{scored[0].sequence_log_prob:.4f}" in people.out


def test_a_paper_checkpoint_in_one_go(rag: Run, world: World) -> None:
    """Query encoder, generator, k and variant come from the checkpoint."""
    options = ("--store", world.store, "--model", world.checkpoint)
    refused = rag("ask", QUESTION, *options)
    assert refused.code == 1
    assert "--trust-query-encoder" in refused.err
    result = rag("ask", QUESTION, *options, "--trust-query-encoder", "--json")
    record = json.loads(result.out)
    assert record["variant"] == "token"
    assert record["top_k"] == 2
    other = rag(
        "ask",
        QUESTION,
        *options,
        "--trust-query-encoder",
        "--json",
        "--variant",
        "sequence",
        "-k",
        3,
    )
    assert json.loads(other.out)["variant"] == "sequence"
    assert json.loads(other.out)["top_k"] == 3


MISTAKES = [
    (("ask", "river " * 80), "82 tokens"),
    (("ask", QUESTION, "--index", "nothing"), "no index 'nothing'"),
    (("ask", QUESTION, "--index", "@1999"), "no version default@1999"),
    (("ask", QUESTION, "--encoder", "all-MiniLM-L6-v2"), "does not belong to the index"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES)
def test_mistakes_get_one_line_and_exit_code_1(
    rag: Run, world: World, args: tuple[str, ...], message: str
) -> None:
    result = rag(*args, *world.options)
    assert result.code == 1
    assert result.out == ""
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert "Traceback" not in result.err


USAGE = [
    (("--min-tokens", "9", "--max-tokens", "3"), "min-tokens must lie"),
    (("--device", "gpu"), "device must be one of auto, cpu, cuda, cuda:N, mps, not 'gpu'"),
    (("--index", "../x"), "'../x' cannot be the name of an index"),
    (("--retriever", "gold"), "no retriever 'gold'"),
]


@pytest.mark.parametrize(("args", "message"), USAGE)
def test_settings_that_cannot_be_get_one_line_and_exit_code_2(
    rag: Run, world: World, args: tuple[str, ...], message: str
) -> None:
    result = rag("ask", QUESTION, *world.options, *args)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("ask", "  "), "question"),
        (("retrieve", "", "--top-k", "1"), "question"),
        (("score", QUESTION, "lima", " "), "answer to score"),
        (("score", "", "lima"), "question"),
        (("classify", "", "--labels", "yes,no"), "text"),
    ],
)
def test_arguments_without_text_are_usage(
    rag: Run, world: World, args: tuple[str, ...], what: str
) -> None:
    result = rag(*args, *world.options)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"rag: the {what} is empty")


def test_models_that_are_not_there(rag: Run, world: World, tmp_path: Path) -> None:
    store = ("--store", world.store)
    missing = rag("ask", QUESTION, *store, "--model", tmp_path / "none")
    assert (missing.code, "no model folder" in missing.err) == (1, True)
    (tmp_path / "empty").mkdir()
    empty = rag("ask", QUESTION, *store, "--model", tmp_path / "empty")
    assert (empty.code, "config.json" in empty.err) == (1, True)
    tiny.dpr_pair(tmp_path)
    wrong = rag("ask", QUESTION, *store, "--model", tmp_path / "query")
    assert (wrong.code, "not a usable encoder–decoder" in wrong.err) == (1, True)


def test_usage_errors_exit_with_2(rag: Run, world: World) -> None:
    assert rag("ask").code == 2
    assert rag("ask", QUESTION, "--variant", "both").code == 2
    assert rag("ask", QUESTION, "--top-k", "0").code == 2
    assert rag("no-such-command").code == 2


def test_ctrl_c_says_so(rag: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ragcli.api.Rag.open", interrupted)
    result = rag("ask", QUESTION, *world.options)
    assert result.code == 130
    assert "Traceback" not in result.err


def test_a_copying_generator_says_nothing_of_itself(rag: Run, world: World, tmp_path: Path) -> None:
    folder = tmp_path / "copying"
    shutil.copytree(world.generator, folder)
    prompting = {"question_first": True, "question_separator": " </s> "}
    (folder / "rag.json").write_text(json.dumps({"copies": True, "prompting": prompting}))
    options = ("--store", world.store, "--model", folder, "--json")
    closed = rag("ask", QUESTION, *options, "--retriever", "none")
    assert closed.code == 0, closed.err
    assert closed.err == ""
    found = rag("ask", QUESTION, *options)
    assert json.loads(found.out)["answer"] != ""
    assert found.err == ""
