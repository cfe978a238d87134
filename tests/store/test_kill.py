"""kill -9 in the middle of a build: the store opens, with the old version or the new one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.helpers import corpus

KILLS = 30
SEED = 20_201_206


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("kill")
    large = folder / "large.jsonl"
    with open(large, "w") as stream:
        for number in range(1500):
            text = f"The capital city of country{number} is city{number}."
            stream.write(json.dumps({"id": str(number), "text": text}) + "\n")
    command = [sys.executable, "-m", "tests.store.kill_worker", str(folder / "store")]
    command += [str(large), corpus(folder), str(KILLS), str(SEED)]
    root = Path(__file__).parents[2]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_every_writer_killed_at_random_moments(tmp_path):
    """Build, update, delete, swap, remove, prune and import; RAGCLI_KILLS=100 makes it longer."""
    kills = int(os.environ.get("RAGCLI_KILLS", "21"))
    corpora = [corpus(tmp_path), corpus(tmp_path, ["Peru", "Chile", "Ecuador"], "b")]
    command = [sys.executable, "-m", "tests.store.kill_worker", "mixed", str(tmp_path / "store")]
    done = subprocess.run(
        [*command, str(kills), str(SEED), *corpora],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert "damaged_by" not in result, (result, done.stderr)
    assert sum(result["killed"].values()) == kills
    assert all(result["killed"].values()), result
    assert result["failed"] == 0, done.stderr
    assert result["leftovers"] > 0


@pytest.mark.slow
def test_killed_at_random_moments(results):
    killed = [result for result in results["random"] if result["killed"]]
    assert len(killed) == KILLS
    assert all(result["whole"] for result in results["random"])
    assert not any(result["failed"] for result in results["random"])
    assert any(result["leftovers"] for result in killed)


@pytest.mark.slow
def test_killed_before_and_after_every_step_on_disk(results):
    steps = results["steps"]
    assert sum(result["killed"] for result in steps) >= 20
    assert all(result["whole"] for result in steps)
    assert not any(result["failed"] for result in steps)
    assert not any(result["killed"] for result in steps[-2:])
    activity = [result["active"] for result in steps]
    assert activity == sorted(activity)  # once a step is late enough, the new version is active


@pytest.mark.slow
def test_the_next_build_cleans_up_and_succeeds(results):
    (last,) = results["last"]
    assert last == {
        "killed": False,
        "failed": False,
        "whole": True,
        "active": True,
        "leftovers": [],
    }
