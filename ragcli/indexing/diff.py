"""What changed between two index versions: documents and passages added, removed, changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    counts = _passage_counts(older.passages, newer.passages)
    return IndexDiff(
        index=newer.name,
        versions=(older.version, newer.version),
        documents=compare_documents(older.passages, newer.passages),
        passages_added=counts[0],
        passages_removed=counts[1],
        passages_unchanged=counts[2],
    )


def compare_documents(older: Passages, newer: Passages) -> Changes:
    """Documents of two passage tables by id and digest."""
    before = {document.id: document for document in _documents(older)}
    added: list[DocumentChange] = []
    changed: list[DocumentChange] = []
    unchanged = 0
    for document in _documents(newer):
        old = before.pop(document.id, None)
        if old is None:
            added.append(DocumentChange(document.id, document.title, (0, document.passages)))
        elif old.digest != document.digest:
            passages = (old.passages, document.passages)
            changed.append(DocumentChange(document.id, document.title, passages))
        else:
            unchanged += 1
    removed = [DocumentChange(d.id, d.title, (d.passages, 0)) for d in before.values()]
    return Changes(tuple(added), tuple(removed), tuple(changed), unchanged)


@dataclass(frozen=True, slots=True)
class _Document:
    id: str
    title: str
    digest: bytes
    passages: int


def _documents(passages: Passages) -> Iterator[_Document]:
    """The documents of a passage table: runs of rows with one document id."""
    for name, rows in groupby(passages.outlines(), key=lambda row: row.document_id):
        digest, title, count = hashlib.sha256(), "", 0
        for row in rows:
            digest.update(row.digest)
            if not count:
                title = row.title
                digest.update(row.metadata.encode())
            count += 1
        yield _Document(name, title, digest.digest()[:16], count)


def _passage_counts(older: Passages, newer: Passages) -> tuple[int, int, int]:
    """Passages added, removed and unchanged, by content; equal ones count as often as they are."""
    import numpy as np

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
    from ragcli.answering.ask import ask

    def answers_of(session: Session) -> list[Answer]:
        answers = []
        for answer in ask(session, questions, batch_size):
            answers.append(answer)
            if progress:
                progress(1)
        return answers

    return [
        AnswerChange(a.question, a.text, b.text, (a.best.log_prob, b.best.log_prob))
        for a, b in zip(answers_of(older), answers_of(newer), strict=True)
        if a.text != b.text
    ]
