"""Index versions, what was done with them, and what `rag doctor` found, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.json_form import Json, picked

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport
    from ragcli.indexing.diff import AnswerChange, IndexDiff
    from ragcli.indexing.plan import IndexPlan
    from ragcli.records import Finding
    from ragcli.store.history import Entry, LogEntry
    from ragcli.store.manifest import Manifest
    from ragcli.store.store import Current


def build_record(report: BuildReport) -> Json:
    """What a build or an update made."""
    manifest, left_out = report.manifest, report.left_out
    return {
        "index": report.name,
        **picked(report, "version active documents passages words embedded resumed"),
        "seconds": round(report.seconds, 3),
        "skipped": [str(problem) for problem in left_out.problems],
        "skipped_count": left_out.skipped,
        "ignored": dict(left_out.ignored),
        **picked(manifest, "corpus_digest bytes"),
        "encoder": manifest.encoder.document_name,
        "type": manifest.factory,
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


def log_record(entry: LogEntry) -> Json:
    """Where a version came from, and what removing it would free."""
    record = {"index": entry.name, **picked(entry, "version current previous own_bytes")}
    record["tags"] = list(entry.tags)
    manifest = entry.manifest
    if isinstance(manifest, Exception):
        return record | {"error": str(manifest)}
    return record | {
        **picked(manifest, "created bytes"),
        "origin": asdict(manifest.origin),
        "counts": asdict(manifest.counts),
        "type": manifest.factory,
        "recall": asdict(manifest.recall) if manifest.recall else None,
    }


def diff_record(diff: IndexDiff, answers: Sequence[AnswerChange] | None, asked: int) -> Json:
    """What changed between two versions, and of `asked` questions the answers that did."""
    kinds = ("added", "removed", "unchanged")
    record: Json = {
        **picked(diff, "index versions"),
        "documents": asdict(diff.documents),
        "passages": {kind: getattr(diff, f"passages_{kind}") for kind in kinds},
    }
    if answers is not None:
        record |= {"questions": asked, "answers_changed": [asdict(answer) for answer in answers]}
    return record


def plan_record(plan: IndexPlan) -> Json:
    """What an index would take."""
    return asdict(plan) | {"types": [asdict(row) for row in plan.types]}


def finding_record(finding: Finding, repaired: str | None) -> Json:
    """What was looked at, and what was done about it."""
    done = {"repairable": finding.repair is not None, "repaired": repaired}
    return picked(finding, "level about message advice") | done
