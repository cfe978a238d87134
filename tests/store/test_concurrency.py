"""Several processes on one store: readers never wait and never fail, writers take turns."""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from ragcli.errors import RagError
from ragcli.store.history import prune_versions, remove_version
from ragcli.store.store import Store
from tests.fakes import HashEncoder
from tests.store.helpers import build, corpus

SWAPS = 200
SPAWN = multiprocessing.get_context("spawn")


def read_until_told(root: Path, pipe: Connection) -> None:
    """Open and search the current version over and over; report the versions seen, or an error."""
    store, encoder = Store(root), HashEncoder(16)
    seen: dict[str, int] = {}
    try:
        while not pipe.poll():
            with store.open(verify=True) as index:
                _, rows = index.search(encoder.encode_queries(["capital of Peru Lima"]), 3)
                texts = [passage.text for passage in index.passages.take(rows[0])]
                assert all(f"edition {index.version}" in text for text in texts), texts
                seen[index.version] = seen.get(index.version, 0) + 1
            if sum(seen.values()) == 1:
                pipe.send("reading")
        pipe.send(seen)
    except BaseException as error:
        pipe.send(repr(error))
        raise


@pytest.mark.slow
def test_readers_during_two_hundred_swaps(tmp_path):
    store = Store(tmp_path / "store")
    for version in ("a", "b"):
        build(store, corpus(tmp_path, note=f"edition {version}"), version)
    ours, theirs = SPAWN.Pipe()
    reader = SPAWN.Process(target=read_until_told, args=(store.root, theirs))
    reader.start()
    assert ours.poll(60)
    assert ours.recv() == "reading"
    start = time.monotonic()
    for number in range(SWAPS):
        current = store.activate("default", "ab"[number % 2])
        assert current.version == "ab"[number % 2]
        time.sleep(max(0.0, 3 * number / SWAPS - (time.monotonic() - start)))  # over 3 s at least
    ours.send("stop")
    assert ours.poll(60)
    seen = ours.recv()
    reader.join(60)
    assert reader.exitcode == 0, seen
    assert set(seen) == {"a", "b"}
    assert sum(seen.values()) >= 10


def hold_and_search(root: Path, pipe: Connection) -> None:
    """Keep one version open and search it until told to stop; report how often, or an error."""
    encoder, searches = HashEncoder(16), 0
    try:
        with Store(root).open("@a") as index:
            while not pipe.poll():
                _, rows = index.search(encoder.encode_queries(["capital of Peru Lima"]), 6)
                texts = [passage.text for passage in index.passages.take(rows[0])]
                assert all("edition a" in text for text in texts), texts
                searches += 1
                if searches == 1:
                    pipe.send("reading")
        pipe.send(searches)
    except BaseException as error:
        pipe.send(repr(error))
        raise


@pytest.mark.slow
def test_a_reader_of_another_process_keeps_a_version_that_is_removed(tmp_path):
    store = Store(tmp_path / "store")
    for version in ("a", "b", "c"):
        build(store, corpus(tmp_path, note=f"edition {version}"), version)
    ours, theirs = SPAWN.Pipe()
    reader = SPAWN.Process(target=hold_and_search, args=(store.root, theirs))
    reader.start()
    assert ours.poll(60)
    assert ours.recv() == "reading"
    store.activate("default", "b")
    remove_version(store, "default", "a")
    assert prune_versions(store, "default", 1) == []  # b is current, c is the newest
    store.activate("default", "c")
    assert prune_versions(store, "default", 1) == ["b"]
    assert store.versions("default") == ["c"]
    time.sleep(0.5)
    ours.send("stop")
    assert ours.poll(60)
    searches = ours.recv()
    reader.join(60)
    assert reader.exitcode == 0, searches
    assert searches > 1


def build_once(root: Path, path: str, version: str, pipe: Connection) -> None:
    try:
        pipe.send(build(Store(root, patience=60), path, version).version)
    except RagError as error:
        pipe.send(type(error).__name__)


@pytest.mark.parametrize(
    ("versions", "outcomes"),
    [(("1", "2"), ["1", "2"]), (("1", "1"), ["1", "VersionExistsError"])],
)
def test_two_writers_take_turns(tmp_path, versions, outcomes):
    path = corpus(tmp_path)
    writers, pipes = [], []
    for version in versions:
        ours, theirs = SPAWN.Pipe()
        writer = SPAWN.Process(target=build_once, args=(tmp_path / "store", path, version, theirs))
        writer.start()
        writers.append(writer)
        pipes.append(ours)
    received = [pipe.recv() if pipe.poll(60) else None for pipe in pipes]
    for writer in writers:
        writer.join(60)
    assert sorted(received) == outcomes
    store = Store(tmp_path / "store")
    assert store.versions("default") == sorted(set(versions))
    for version in set(versions):
        store.open(f"@{version}", verify=True).close()
