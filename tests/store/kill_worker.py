"""Writers that are killed: run in a process of its own that forks one child for each of them.

The parent imports everything once, so that each child begins to work at once and kills fall into
its work, not into imports; it starts no threads of FAISS or Arrow that a fork would lose. Started
by test_kill as `python -m tests.store.kill_worker`.
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

from ragcli.indexing.update import delete_documents, update_index
from ragcli.store import vectors  # noqa: F401
from ragcli.store.archive import export_archive, import_archive
from ragcli.store.check import Checkup
from ragcli.store.history import prune_versions, remove_version
from ragcli.store.store import Store
from tests.fakes import HashEncoder
from tests.store.helpers import build

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
    return str(json.loads((root / "default/CURRENT").read_bytes().splitlines()[0])["version"])


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


def operations(root: Path, corpora: list[str], archive: Path) -> dict[str, Callable[[int], object]]:
    """Everything that writes to a store; each takes the number of the try."""
    store = Store(root)

    def remove(number: int) -> None:
        versions = store.versions("default")
        remove_version(store, "default", versions[number % len(versions)], force=True)
        if store.current("default") is None and store.versions("default"):
            store.activate("default", store.versions("default")[0])

    def swap(number: int) -> None:
        versions = store.versions("default")
        store.activate("default", versions[number % len(versions)])
        store.tag("default", f"tag{number % 3}", versions[(number + 1) % len(versions)])

    def update(number: int) -> None:
        path = corpora[number % len(corpora)]
        update_index(store, HashEncoder(16), [path], version=f"update{number}", allow_shrink=True)

    return {
        "build": lambda number: build(store, corpora[number % len(corpora)], f"build{number}"),
        "update": update,
        "delete": lambda number: delete_documents(store, ["Peru"], version=f"delete{number}"),
        "swap": swap,
        "remove": remove,
        "prune": lambda number: prune_versions(store, "default", 3),
        "import": lambda number: import_archive(store, archive, "default", f"import{number}"),
    }


def prepare_store(root: Path, corpora: list[str]) -> None:
    """Five versions, the current one with Peru in it, so that every operation has work to do."""
    store = Store(root)
    for number in range(5):
        if f"base{number}" not in store.versions("default"):
            build(store, corpora[number % len(corpora)], f"base{number}")
    store.activate("default", "base0")


def examine(root: Path) -> None:
    """The store opens, every version is whole, and the doctor finds only what it can clean."""
    store = Store(root)
    if store.versions("default") and store.current("default") is not None:
        check(root, set(store.versions("default")))
    found = [finding for finding in Checkup(store).run() if finding.level != "ok"]
    assert all(f.level == "note" and f.repair is not None for f in found), found
    for finding in found:
        if finding.repair is not None:
            finding.repair()
    left = [finding for finding in Checkup(store).run() if finding.level != "ok"]
    assert left == [], left


def mixed_kills(root: Path, corpora: list[str], kills: int, seed: int) -> dict[str, object]:
    """Each operation in turn, killed at a moment drawn over the time it takes."""
    archive = root.parent / "archive.tar.zst"

    def export() -> None:
        with Store(root).open("@base0") as index:
            export_archive(index, archive)

    assert wait(fork(lambda: prepare_store(root, corpora))) == 0
    assert wait(fork(export)) == 0
    work = operations(root, corpora, archive)
    durations = dict.fromkeys(work, 0.0)
    chance = random.Random(seed)
    killed, failed, leftovers = dict.fromkeys(work, 0), 0, 0
    for number in range(1000):
        if sum(killed.values()) >= kills:
            break
        name = list(work)[number % len(work)]
        assert wait(fork(lambda: prepare_store(root, corpora))) == 0
        start = time.monotonic()
        child = fork(lambda name=name, number=number: work[name](number))  # type: ignore[misc]
        if number >= len(work):  # the first of each is left alone, to see how long it takes
            time.sleep(durations[name] * chance.random())
            os.kill(child, signal.SIGKILL)
        code = wait(child)
        if number < len(work):
            durations[name] = time.monotonic() - start
        killed[name] += code == -signal.SIGKILL
        failed += code > 0
        leftovers += any(
            path.name.startswith(".") for path in (root / "default/versions").iterdir()
        )
        if wait(fork(lambda: examine(root))) != 0:
            return {"damaged_by": name, "number": number}
    return {"killed": killed, "failed": failed, "leftovers": leftovers}


def main() -> None:
    if sys.argv[1] == "mixed":
        root, kills, seed, *corpora = sys.argv[2:]
        print(json.dumps(mixed_kills(Path(root), corpora, int(kills), int(seed))))
        return
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
