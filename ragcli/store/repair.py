"""Put right what can be: a FAISS file from stored embeddings, a file from its twin, leftovers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ragcli.store.build import PREFIX, UNFINISHED
from ragcli.store.files import remove, replace_file, replacing, unfinished, writing
from ragcli.store.manifest import FAISS, MANIFEST, FileRecord, Manifest, manifest_bytes
from ragcli.store.names import folders
from ragcli.store.store import REMOVED, Store
from ragcli.store.vectors import build_faiss
from ragcli.store.version import open_embeddings


def rebuild_faiss(store: Store, name: str, version: str, manifest: Manifest) -> str:
    """Make a version's FAISS file again from its embeddings, which must be whole.

    With the same libraries and one thread it comes out as it was; otherwise the manifest is
    replaced after it. A kill between the two leaves a file that the next repair makes again.
    """
    folder = store.versions_folder(name) / version
    with store.locked(name, building=True), writing(folder):
        path = folder / FAISS
        build_faiss(open_embeddings(folder, manifest), manifest.factory, manifest.seed, path)
        record = FileRecord.of(path)
        if record == manifest.files[FAISS]:
            return f"{name}@{version}: {FAISS} made again, byte for byte"
        files = dict(manifest.files) | {FAISS: record}
        changed = replace(manifest, files=files, recall=None)  # it was measured on another file
        replace_file(folder / MANIFEST, manifest_bytes(changed))
        return f"{name}@{version}: {FAISS} made again from the stored embeddings"


def restore_from_twin(store: Store, name: str, path: Path, twin: Path) -> str:
    """Replace a damaged file by a copy of its twin; a copy, so that damage cannot hit both."""
    with (
        store.locked(name, building=True),
        writing(path.parent),
        open(twin, "rb") as whole,
        replacing(path) as stream,
    ):
        shutil.copyfileobj(whole, stream)
    return f"{path} restored from {twin}"


def leftovers(index: Path) -> Iterator[tuple[Path, str]]:
    """What dead processes left in the folder of an index, and what it is."""
    versions = index / "versions"
    for path in sorted(versions.glob(f"{PREFIX}*")):
        yield path, "a build that did not end"
    for path in sorted(versions.glob(f"{REMOVED}*")):
        yield path, "a removal that did not end"
    for path in sorted((index / UNFINISHED).glob("*")):
        yield path, "embeddings of an interrupted build, which the same command would take up"
    for folder in (index, *(versions / name for name in folders(versions))):
        for path in unfinished(folder):
            yield path, "a file that was not written to its end"


def clean(store: Store, name: str, path: Path) -> str:
    """Remove a leftover."""
    with store.locked(name, building=True), store.locked(name), writing(path.parent):
        remove(path)
        with suppress(OSError):
            (store.root / name / UNFINISHED).rmdir()
    return f"{path} removed"
