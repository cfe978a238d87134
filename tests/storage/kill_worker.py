"""Builds that are killed: run in a process of its own that forks one child for each build.

The parent imports everything once, so that each child begins to build at once and kills fall into
the build, not into imports; it starts no threads of FAISS or Arrow that a fork would lose. Started
by test_kill as `python -m tests.storage.kill_worker`.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import faiss  # noqa: F401 (imported before the fork)
import filelock  # noqa: F401
import pyarrow.ipc

from ragcli.pipeline import build_index as _  # noqa: F401
from ragcli.storage import index_version, passages, vectors  # noqa: F401
from ragcli.storage.versions import Store
from tests.fakes import HashEncoder
from tests.storage.helpers import build

pyarrow.array(["this imports pandas, if it is there"])
STEPS = ("fsync", "rename", "replace", "mkdir")


def fork(work: Callable[[], object]) -> int:
    """Run `work` in a child; its exit code is 0 if it returns."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die_at_step(number: int, after: bool) -> None:
    """Kill this process before or after its n-th call that changes the folder tree on disk."""
    count = 0

    def wrap(name: str) -> None:
        real = getattr(os, name)

        def counted(*arguments: object, **options: object) -> object:
            nonlocal count
            count += 1
            fatal = count == number
            if fatal and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return real(*arguments, **options)
            finally:
                if fatal:
                    os.kill(os.getpid(), signal.SIGKILL)

        setattr(os, name, counted)

    for name in STEPS:
        wrap(name)


def check(root: Path, allowed: set[str]) -> None:
    """The current version is one of `allowed`; every version is whole and can be searched."""
    store = Store(root)
    name, version = store.resolve()
    assert version in allowed, (version, allowed)
    query = HashEncoder(16).encode_queries(["capital of Peru Lima"])
    for other in {version, *store.versions(name)}:
        with store.open(f"{name}@{other}", verify=True) as index:
            _, rows = index.search(query, 3)
            assert len(index.passages.take(rows[0])) == 3


def current(root: Path) -> str:
    return str(json.loads((root / "default/CURRENT").read_bytes())["version"])


def attempt(
    root: Path,
    path: str,
    version: str,
    kill: Callable[[int], None] | None = None,
    prepare: Callable[[], None] | None = None,
) -> dict[str, object]:
    """One build of `version`, killed or not, and the check that follows."""
    before = current(root)

    def work() -> None:
        if prepare is not None:
            prepare()
        build(Store(root), path, version)

    child = fork(work)
    if kill is not None:
        kill(child)
    code = wait(child)
    leftovers = [p.name for p in (root / "default/versions").iterdir() if p.name.startswith(".")]
    whole = wait(fork(lambda: check(root, {before, version}))) == 0
    return {
        "killed": code == -signal.SIGKILL,
        "failed": code > 0,
        "whole": whole,
        "active": current(root) == version,
        "leftovers": leftovers,
    }


def random_kills(root: Path, path: str, kills: int, seed: int) -> list[dict[str, object]]:
    """Builds killed at moments drawn over the time a build takes, until `kills` were caught."""
    start = time.monotonic()
    assert wait(fork(lambda: build(Store(root), path, "measured"))) == 0
    duration = time.monotonic() - start
    generator = random.Random(seed)
    results: list[dict[str, object]] = []
    while sum(bool(result["killed"]) for result in results) < kills:
        delay = duration * generator.random()

        def kill(child: int, delay: float = delay) -> None:
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)

        results.append(attempt(root, path, f"random{len(results)}", kill))
    return results


def step_kills(root: Path, path: str) -> list[dict[str, object]]:
    """Killed before and after the first step, the second, … until a build gets through."""
    results: list[dict[str, object]] = []
    for number in range(1, 100):
        for after in (False, True):
            # Shards that are taken up again would make later builds shorter by some steps.
            shutil.rmtree(root / "default/unfinished", ignore_errors=True)
            result = attempt(
                root,
                path,
                f"step{number}{after}",
                prepare=lambda number=number, after=after: die_at_step(number, after),  # type: ignore[misc]
            )
            results.append(result)
        if not result["killed"]:
            return results
    raise AssertionError("no build ever got through")


def main() -> None:
    root, path, small, kills, seed = sys.argv[1:]
    assert wait(fork(lambda: build(Store(Path(root)), small, "old"))) == 0
    results = {
        "steps": step_kills(Path(root), small),
        "random": random_kills(Path(root), path, int(kills), int(seed)),
        "last": [attempt(Path(root), small, "last")],
    }
    print(json.dumps(results))


if __name__ == "__main__":
    main()
