"""What changed between two index versions: documents and passages added, removed, changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ragcli.answering.ask import ask
from ragcli.answering.session import Session
from ragcli.records import Answer
from ragcli.store.passages import Passages
from ragcli.store.version import IndexVersion


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document of one version or both, and how many passages it has in each."""

    id: str
    title: str
    passages: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Changes:
    """Documents by what happened to them, each list in the order of its version.

    A document has changed if its title, text or metadata has. The passages are counted by their
    content: one that only moved to another place is neither added nor removed.
    """

    added: tuple[DocumentChange, ...]
    removed: tuple[DocumentChange, ...]
    changed: tuple[DocumentChange, ...]
    unchanged: int


@dataclass(frozen=True, slots=True)
class IndexDiff:
    """Two versions, older first, with what changed in documents and in passages."""

    index: str
    versions: tuple[str, str]
    documents: Changes
    passages_added: int
    passages_removed: int
    passages_unchanged: int


def diff_index(older: IndexVersion, newer: IndexVersion) -> IndexDiff:
    """Compare two open versions by their digests; no text is read."""
    tables = older.passages, newer.passages
    versions, documents = (older.version, newer.version), compare_documents(*tables)
    return IndexDiff(newer.name, versions, documents, *_passage_counts(*tables))


def compare_documents(older: Passages, newer: Passages) -> Changes:
    """Documents of two passage tables by id and digest."""
    before = {document.id: document for document in _documents(older)}
    added, changed, unchanged = [], [], 0
    for new in _documents(newer):
        old = before.pop(new.id, None)
        if old is None:
            added.append(DocumentChange(new.id, new.title, (0, new.passages)))
        elif old.digest != new.digest:
            changed.append(DocumentChange(new.id, new.title, (old.passages, new.passages)))
        else:
            unchanged += 1
    removed = [DocumentChange(d.id, d.title, (d.passages, 0)) for d in before.values()]
    return Changes(tuple(added), tuple(removed), tuple(changed), unchanged)


class _Document(NamedTuple):
    id: str
    title: str
    digest: bytes
    passages: int


def _documents(passages: Passages) -> Iterator[_Document]:
    """The documents of a passage table: runs of rows with one document id."""
    for name, group in groupby(passages.outlines(), key=lambda row: row.document_id):
        rows = list(group)
        content = rows[0].metadata.encode() + b"".join(row.digest for row in rows)
        yield _Document(name, rows[0].title, hashlib.sha256(content).digest()[:16], len(rows))


def _passage_counts(older: Passages, newer: Passages) -> tuple[int, int, int]:
    """Passages added, removed and unchanged, by content; equal ones count as often as they are."""
    before, before_counts = np.unique(older.digests()[older.rows], return_counts=True)
    after, after_counts = np.unique(newer.digests()[newer.rows], return_counts=True)
    _, left, right = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    common = int(np.minimum(before_counts[left], after_counts[right]).sum())
    return int(after_counts.sum()) - common, int(before_counts.sum()) - common, common


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """A question whose answer is another one in the newer version."""

    question: str
    before: str
    after: str
    log_probs: tuple[float, float]


def changed_answers(
    older: Session,
    newer: Session,
    questions: Sequence[str],
    batch_size: int = 8,
    progress: Callable[[int], None] | None = None,
) -> list[AnswerChange]:
    """Ask both versions with the same model; the answers that differ, in the order asked."""

    def answers_of(session: Session) -> Iterator[Answer]:
        for answer in ask(session, questions, batch_size):
            if progress:
                progress(1)
            yield answer

    return [
        AnswerChange(a.question, a.text, b.text, (a.best.log_prob, b.best.log_prob))
        for a, b in zip(list(answers_of(older)), answers_of(newer), strict=True)
        if a.text != b.text
    ]
