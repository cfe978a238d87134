"""A version under construction: a temporary sibling that one rename turns into a version."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from ragcli.digests import file_digest
from ragcli.errors import VersionExistsError
from ragcli.storage.atomic import sync
from ragcli.storage.index_version import check_agreement
from ragcli.storage.manifest import (
    EMBEDDINGS,
    FAISS,
    FILES,
    MANIFEST,
    PASSAGES,
    FileRecord,
    Manifest,
)

PREFIX = ".building-"


class BuildFolder:
    """The folder that a build fills; it becomes `versions/VERSION` when it is published."""

    def __init__(
        self,
        path: Path,
        name: str,
        version: str,
        lock: Callable[[], AbstractContextManager[None]],
        activate: Callable[[], object],
    ) -> None:
        self.path = path
        self.name = name
        self.version = version
        self._lock = lock
        self._activate = activate

    def publish(self, manifest: Manifest, activate: bool = True) -> Manifest:
        """Check the files, write the manifest, rename the folder to its version, activate it.

        The rename is the one moment the version comes into being; everything before it is on disk
        by then. Returns the manifest with the digests of the files.
        """
        self._check(manifest)
        records = {}
        for name in FILES:
            sync(self.path / name)
            size = (self.path / name).stat().st_size
            records[name] = FileRecord(file_digest(self.path / name), size)
        manifest = replace(manifest, files=records)
        text = json.dumps(manifest.to_json(), indent=2, ensure_ascii=False) + "\n"
        (self.path / MANIFEST).write_text(text, encoding="utf-8")
        sync(self.path / MANIFEST)
        sync(self.path)
        self._rename(activate)
        return manifest

    def _check(self, manifest: Manifest) -> None:
        from ragcli.storage.passages import PassageStore
        from ragcli.storage.vectors import open_embeddings, open_faiss

        passages = PassageStore(self.path / PASSAGES)
        embeddings = open_embeddings(self.path / EMBEDDINGS)
        check_agreement(manifest, passages, embeddings, open_faiss(self.path / FAISS))
        passages.close()

    def _rename(self, activate: bool) -> None:
        target = self.path.parent / self.version
        with self._lock():
            if os.path.lexists(target):
                raise version_exists(self.name, self.version)
            os.rename(self.path, target)
            sync(target.parent)
            if activate:
                self._activate()


def version_exists(name: str, version: str) -> VersionExistsError:
    return VersionExistsError(
        f"the version {name}@{version} exists, and versions are never overwritten",
        hint="give another --version",
    )
