"""Index versions, what was done with them, and what `rag doctor` found, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.json_form import Json

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport
    from ragcli.indexing.diff import AnswerChange, DocumentChange, IndexDiff
    from ragcli.indexing.plan import IndexPlan
    from ragcli.records import Finding
    from ragcli.store.history import Entry
    from ragcli.store.manifest import Manifest
    from ragcli.store.store import Current


def build_record(report: BuildReport) -> Json:
    """What a build or an update made."""
    manifest = report.manifest
    return {
        "index": report.name,
        "version": report.version,
        "active": report.active,
        "documents": report.documents,
        "passages": report.passages,
        "words": report.words,
        "embedded": report.embedded,
        "resumed": report.resumed,
        "seconds": round(report.seconds, 3),
        "skipped": [str(problem) for problem in report.left_out.problems],
        "skipped_count": report.left_out.skipped,
        "ignored": dict(report.left_out.ignored),
        "corpus_digest": manifest.corpus_digest,
        "encoder": manifest.encoder.document_name,
        "type": manifest.factory,
        "bytes": manifest.bytes,
        "origin": asdict(manifest.origin),
        "recall": manifest.recall.value if manifest.recall else None,
    }


def import_record(manifest: Manifest, active: bool) -> Json:
    """A version that was read from an archive."""
    return {"index": manifest.name, "version": manifest.version, "active": active}


def current_record(index: str, current: Current) -> Json:
    """Which version of an index is current."""
    return {"index": index, "version": current.version, "previous": current.previous}


def prune_record(index: str, removed: Sequence[str], dry_run: bool) -> Json:
    """The versions that were removed, or would be."""
    return {"index": index, "removed": list(removed), "dry_run": dry_run}


def entry_record(entry: Entry) -> Json:
    """A version in the list of all; a damaged one has an `error`."""
    record: Json = {"index": entry.name, "version": entry.version, "current": entry.current}
    if isinstance(entry.manifest, Exception):
        return record | {"error": str(entry.manifest)}
    described = entry.manifest.to_json()
    rest = {name: value for name, value in described.items() if name not in ("name", "version")}
    return record | {"bytes": entry.manifest.bytes} | rest


def log_record(entry: Entry, previous: bool, tags: Sequence[str], own_bytes: int) -> Json:
    """Where a version came from, and what removing it would free."""
    record: Json = {
        "index": entry.name,
        "version": entry.version,
        "current": entry.current,
        "previous": previous,
        "tags": sorted(tags),
        "own_bytes": own_bytes,
    }
    manifest = entry.manifest
    if isinstance(manifest, Exception):
        return record | {"error": str(manifest)}
    return record | {
        "created": manifest.created,
        "origin": asdict(manifest.origin),
        "counts": asdict(manifest.counts),
        "type": manifest.factory,
        "recall": asdict(manifest.recall) if manifest.recall else None,
        "bytes": manifest.bytes,
    }


def diff_record(diff: IndexDiff, answers: Sequence[AnswerChange] | None, asked: int) -> Json:
    """What changed between two versions, and of `asked` questions the answers that did."""

    def listed(changes: Sequence[DocumentChange]) -> list[Json]:
        return [{"id": c.id, "title": c.title, "passages": list(c.passages)} for c in changes]

    documents = diff.documents
    record: Json = {
        "index": diff.index,
        "versions": list(diff.versions),
        "documents": {
            "added": listed(documents.added),
            "removed": listed(documents.removed),
            "changed": listed(documents.changed),
            "unchanged": documents.unchanged,
        },
        "passages": {
            "added": diff.passages_added,
            "removed": diff.passages_removed,
            "unchanged": diff.passages_unchanged,
        },
    }
    if answers is not None:
        record |= {"questions": asked, "answers_changed": [asdict(answer) for answer in answers]}
    return record


def plan_record(plan: IndexPlan) -> Json:
    """What an index would take."""
    return asdict(plan) | {"types": [asdict(row) for row in plan.types]}


def finding_record(finding: Finding, repaired: str | None) -> Json:
    """What was looked at, and what was done about it."""
    return {
        "level": finding.level,
        "about": finding.about,
        "message": finding.message,
        "advice": finding.advice,
        "repairable": finding.repair is not None,
        "repaired": repaired,
    }
