"""The passages of a version under construction; those that the older version has are shared."""

from __future__ import annotations

import hashlib
from array import array
from pathlib import Path

import numpy as np

from ragcli.records import Passage
from ragcli.store.build import BuildFolder
from ragcli.store.manifest import ORIGINS, PASSAGES, Counts, rows_name
from ragcli.store.passages import OriginWriter, Passages, PassageWriter, record_digest
from ragcli.store.shards import write_rows
from ragcli.store.sharing import DigestIndex, share
from ragcli.store.version import IndexVersion

SHARD_ROWS = 65_536
_SHARDS_OF_A_SIZE = 32
_BLOCK = 4096


class PassageBuilder:
    """Takes passages in the order of their rows, and counts them as they go by."""

    def __init__(self, folder: BuildFolder, parent: IndexVersion | None) -> None:
        self._folder = folder
        self._parent = parent
        self._known = DigestIndex(parent.passages.digests("record")) if parent else None
        self._waiting: list[tuple[Passage, bytes]] = []
        self._rows = array("q")  # a position in the parent's shards, or −1 − n for the n-th new one
        self._new = _Shards(folder.path, "new")
        self._origins = OriginWriter(folder.path / ORIGINS)
        self._corpus = hashlib.sha256()
        self._document: str | None = None
        self.documents = self.words = self.longest = 0

    @property
    def counts(self) -> Counts:
        return Counts(self.documents, self._origins.count, self.words)

    @property
    def corpus_digest(self) -> str:
        return self._corpus.hexdigest()

    def add(self, passage: Passage) -> None:
        """The passages of one document must follow each other."""
        self.documents += passage.document_id != self._document
        self._document = passage.document_id
        self.words += passage.end - passage.start
        self.longest = max(self.longest, passage.end - passage.start)
        self._corpus.update(f"{passage.id}\0{passage.digest}\n".encode())
        self._origins.add(passage)
        self._waiting.append((passage, record_digest(passage)))
        if len(self._waiting) == _BLOCK:
            self._flush()

    def _flush(self) -> None:
        records = np.array([record for _, record in self._waiting], "V32")
        found = self._known.find(records) if self._known else np.full(len(records), -1)
        for (passage, record), position in zip(self._waiting, found.tolist(), strict=True):
            if position >= 0:
                self._rows.append(position)
            else:
                self._rows.append(-1 - self._new.count)
                self._new.add(passage, record)
        self._waiting.clear()

    def finish(self, purge: bool = False) -> Passages:
        """Write what is left, link or copy what is shared, and open the table."""
        self._flush()
        self._origins.close()
        rows = np.array(self._rows, np.int64)
        kept = share(self._folder, self._parent, PASSAGES, rows, purge)
        copied = _Shards(self._folder.path, "copied")
        if self._parent is not None:
            for passage in self._parent.passages.at(kept.copied):
                copied.add(passage, record_digest(passage))
        for path in (*copied.close(), *self._new.close()):
            path.rename(self._folder.new_shard(PASSAGES))
        rows = kept.moved(rows)
        write_rows(self._folder.path / rows_name(PASSAGES), rows)
        return Passages(self._folder.shards(PASSAGES), self._folder.path / ORIGINS, rows)


class _Shards:
    """Writes passages into one file after the other."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder, self._stem = folder, stem
        self._paths: list[Path] = []
        self._writer: PassageWriter | None = None
        self.count = 0

    def add(self, passage: Passage, record: bytes) -> None:
        if self._writer is None:
            self._paths.append(self._folder / f"{self._stem}-{len(self._paths)}.arrow")
            self._writer = PassageWriter(self._paths[-1])
        self._writer.add(passage, record)
        self.count += 1
        # Twice as many rows after every _SHARDS_OF_A_SIZE shards: few files, whatever their rows.
        if self._writer.count == SHARD_ROWS << ((len(self._paths) - 1) // _SHARDS_OF_A_SIZE):
            self._writer.close()
            self._writer = None

    def close(self) -> list[Path]:
        """Finish the last file; returns them all."""
        if self._writer is not None:
            self._writer.close()
        return self._paths
