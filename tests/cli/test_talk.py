"""-v, -q, and a library that leaves the logging of its host alone."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from ragcli.cli import console
from tests.cli.conftest import Run, World

QUESTION = "who is the president of peru ?"


@pytest.mark.parametrize("before", [True, False])
def test_verbose_before_and_after_the_command(rag: Run, world: World, before: bool) -> None:
    args = ("ask", QUESTION, *world.options, "--json")
    plain = rag(*args)
    assert plain.err == ""
    result = rag("-v", *args) if before else rag(*args, "--verbose")
    assert result.code == 0, result.err
    assert result.out == plain.out
    opened, query, document, generator = result.err.splitlines()
    assert opened.startswith(f"opened default@2018 from {world.store} in ")
    for line, folder in zip((query, document), world.encoder.split(","), strict=True):
        assert line.startswith(f"loaded the DPR encoder {folder} in ")
    assert generator.startswith(f"loaded the encoder–decoder {world.generator} in ")


def test_twice_verbose_says_how_a_model_was_found(rag: Run, world: World) -> None:
    result = rag("ask", QUESTION, *world.options, "-vv")
    assert f"{world.generator} is a folder\n" in result.err
    assert f"{world.generator} is of the kind seq2seq\n" in result.err


def test_quiet_leaves_notices_out_but_not_errors(rag: Run, world: World) -> None:
    args = ("ask", QUESTION, *world.options, "--top-k", 50)
    assert "using all 5 passages" in rag(*args).err
    for quiet in (("-q", *args), (*args, "--quiet")):
        result = rag(*quiet)
        assert (result.code, result.err) == (0, "")
    assert "using all 5 passages" in rag(*args).err
    assert "rag: no version" in rag("-q", "ask", QUESTION, *world.options, "-i", "@1999").err


def test_quiet_still_says_why_it_failed(rag: Run, world: World) -> None:
    result = rag("-q", "ask", "-", *world.options, "--json", stdin=b'{"id": 1}\n')
    assert (result.code, result.err) == (1, "1 of 1 lines failed\n")


def test_the_logger_is_as_it_was_before() -> None:
    logger = logging.getLogger("ragcli")
    before = logger.level, list(logger.handlers)
    with console.logged(2):
        assert logger.level == logging.DEBUG
        assert len(logger.handlers) == len(before[1]) + 1
    assert (logger.level, list(logger.handlers)) == before
    with console.quieted(), console.quieted():
        pass
    assert not console._quiet


def test_help_of_a_command_leaves_them_to_rag(rag: Run) -> None:
    assert "--quiet" in rag("--help").out
    assert "--quiet" not in rag("ask", "--help").out


def test_the_library_is_silent_and_its_logger_can_be_heard(world: World) -> None:
    """In a process of its own: no handler but ours, and a host that listens hears."""
    code = (
        "import logging, sys\n"
        "from ragcli import Store\n"
        f"Store({str(world.store)!r}).open().close()\n"
        "print('silent', file=sys.stderr)\n"
        "logging.basicConfig(level=logging.INFO, format='%(name)s %(message).14s')\n"
        f"Store({str(world.store)!r}).open().close()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "silent\nragcli.store.store opened default\n"


def test_loading_a_model_leaves_the_libraries_as_they_were(world: World) -> None:
    from huggingface_hub.utils import are_progress_bars_disabled
    from transformers.utils import logging as advice

    from ragcli.models.catalog import load_model

    before = advice.get_verbosity(), advice.is_progress_bar_enabled()
    try:
        for level, bars in ((logging.INFO, True), (logging.CRITICAL, False)):
            advice.set_verbosity(level)
            (advice.enable_progress_bar if bars else advice.disable_progress_bar)()
            assert load_model(str(world.generator)).generator.name == str(world.generator)
            assert (advice.get_verbosity(), advice.is_progress_bar_enabled()) == (level, bars)
            assert are_progress_bars_disabled() is not bars
    finally:
        advice.set_verbosity(before[0])
        (advice.enable_progress_bar if before[1] else advice.disable_progress_bar)()


def test_python_m_ragcli(tmp_path: Path) -> None:
    from ragcli import __version__

    command = [sys.executable, "-m", "ragcli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"rag {__version__}\n"
