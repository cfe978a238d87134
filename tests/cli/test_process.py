"""What only a process of its own can show: imports, closed pipes, swaps while another asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragcli.store.store import Store
from tests.cli.conftest import World

HEAVY = (
    *("torch", "transformers", "sentence_transformers", "faiss", "pyarrow", "bs4"),
    *("bm25s", "rouge_score", "sacrebleu", "scipy", "numpy"),
)
RAG = [sys.executable, "-c", "from ragcli.cli.app import main; main()"]
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@pytest.mark.parametrize(
    "args", [["--help"], ["ask", "--help"], ["evaluate", "--help"], ["list-indexes"]]
)
def test_light_commands_import_nothing_heavy(args: list[str], tmp_path: Path) -> None:
    code = (
        "import sys; from ragcli.cli.app import main\n"
        f"sys.argv = ['rag', *{args!r}]\n"
        "try:\n    main()\nexcept SystemExit: pass\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print('LOADED', loaded, file=sys.stderr)"
    )
    environment = os.environ | {"RAG_STORE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert "LOADED []" in done.stderr


NETWORKS = ("torch", "transformers", "sentence_transformers", "pandas", "scipy", "sklearn")
QUESTIONS = """\
{"id": "1", "question": "What is the capital of Peru?", "answers": ["Lima"], "changed": false}
"""


def test_answers_need_no_torch(tmp_path: Path) -> None:
    """With the embedded models: every command that embeds, finds, answers or measures."""
    (tmp_path / "a.txt").write_text("Lima is the capital of Peru. It lies on the coast.")
    (tmp_path / "b.txt").write_text("Lyon lies on the Rhone. Its mayor is Ann Bell.")
    (tmp_path / "q.jsonl").write_text(QUESTIONS)
    keyed = {"id": "1", "question": "What is the capital of Peru?"}
    keyed |= {"answers": {"1": ["Lima"], "2": ["Lima"]}}
    (tmp_path / "k.jsonl").write_text(json.dumps(keyed) + "\n")
    commands = [
        ["build-index", "a.txt", "--version", "1"],
        ["update-index", "a.txt", "b.txt", "--version", "2"],
        ["ask", "What is the capital of Peru?"],
        ["ask", "What is the capital of Peru?", "--variant", "token"],
        ["retrieve", "What is the capital of Peru?"],
        ["score", "What is the capital of Peru?", "Lima", "Lyon"],
        ["classify", "Lima is the capital of Peru.", "--labels", "yes,no"],
        ["evaluate", "q.jsonl"],
        ["swap-experiment", "k.jsonl", "1", "2"],
        ["diff-index", "1", "2"],
        ["doctor"],
    ]
    code = (
        "import sys\n"
        "from ragcli.cli.app import main\n"
        f"for args in {commands!r}:\n"
        "    sys.argv = ['rag', *args]\n"
        "    try:\n        main()\n"
        "    except SystemExit as end: code = end.code\n"
        f"    loaded = [name for name in {NETWORKS!r} if name in sys.modules]\n"
        "    print(args[0], code, 'loaded', loaded, file=sys.stderr)\n"
    )
    environment = os.environ | ONE_THREAD | {"RAG_STORE": str(tmp_path / "store")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    told = [line for line in done.stderr.splitlines() if " loaded " in line]
    assert told == [f"{args[0]} 0 loaded []" for args in commands], done.stderr


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    for n in range(400):
        (tmp_path / f"{n}.txt").write_text("word " * 300)
    command = " ".join(f"'{part}'" for part in [*RAG, "chunk", str(tmp_path)])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -1"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["id"] == "0.txt#0"


@pytest.mark.slow
def test_a_closed_pipe_is_quiet_for_people_too(world: World) -> None:
    question, store = "river ?", f"--store {world.store}"
    command = " ".join(f"'{part}'" for part in [*RAG, "retrieve", question]) + f" {store}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | true"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_reader_that_leaves_while_stdin_is_open(world: World) -> None:
    """The thread that waits for more questions must not keep the process, or crash it."""
    command = " ".join(f"'{part}'" for part in [*RAG, "ask", "-", *map(str, world.options)])
    script = f"(echo 'lyon ?'; sleep 1; echo 'river ?'; sleep 8) | {command} --json | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=200)
    assert json.loads(done.stdout)["question"] == "lyon ?"
    assert "Fatal" not in done.stderr


@pytest.mark.slow
def test_200_swaps_while_another_process_asks(world: World) -> None:
    """The reader opens the index anew for each question; each answer names one version."""
    code = (
        "import sys, json\n"
        "from ragcli import Rag\n"
        "from ragcli.settings import AnswerSettings\n"
        "from ragcli.models.catalog import load_model\n"
        "from ragcli.models.encoders import load_encoder\n"
        "from ragcli.answering.belonging import check_encoder\n"
        "from ragcli.store.store import Store\n"
        f"store = Store({str(world.store)!r})\n"
        f"encoder = load_encoder({world.encoder!r})\n"
        f"generator = load_model({str(world.generator)!r}).generator\n"
        "print('ready', flush=True)\n"
        "while not sys.stdin.closed:\n"
        "    index = store.open()\n"
        "    check_encoder(index, encoder)\n"
        "    with Rag(index, encoder, generator, AnswerSettings(max_tokens=4)) as rag:\n"
        "        answer = rag.ask('who is the president of peru ?')\n"
        "        texts = ' '.join(r.passage.text for r in answer.passages)\n"
        "        right = {'2016': 'king', '2018': 'queen'}[answer.version]\n"
        "        assert right in texts, (answer.version, texts)\n"
        "        print(answer.version, flush=True)\n"
    )
    reader = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | ONE_THREAD,
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "ready\n"
    store = Store(world.store)
    versions = []
    for n in range(200):
        store.activate("default", ("2016", "2018")[n % 2])
        if n % 10 == 0:
            versions.append(reader.stdout.readline().strip())
    reader.kill()
    out, err = reader.communicate()
    versions += out.split()
    assert "Error" not in err, err
    assert len(versions) >= 20
    assert set(versions) <= {"2016", "2018"}
    assert store.current("default").version == "2018"  # type: ignore[union-attr]
