"""Index versions, what was done with them, and what `rag doctor` found, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.json_form import Json, picked

if TYPE_CHECKING:
    from ragcli.indexing.build import BuildReport
    from ragcli.indexing.diff import AnswerChange, IndexDiff
    from ragcli.records import Finding
    from ragcli.store.history import Entry, LogEntry
    from ragcli.store.manifest import Manifest
    from ragcli.store.store import Current


def build_record(report: BuildReport) -> Json:
    """What a build or an update made."""
    left_out, recall = report.left_out, report.manifest.recall
    return {
        **picked(report, "index=name version active documents passages words embedded resumed"),
        "seconds": round(report.seconds, 3),
        "skipped": [str(problem) for problem in left_out.problems],
        "skipped_count": left_out.skipped,
        "ignored": dict(left_out.ignored),
        **picked(report.manifest, "corpus_digest bytes encoder=encoder.document_name"),
        **picked(report.manifest, "type=factory origin"),
        "recall": recall.value if recall else None,
    }


def import_record(manifest: Manifest, active: bool) -> Json:
    """A version that was read from an archive."""
    return picked(manifest, "index=name version") | {"active": active}


def current_record(index: str, current: Current) -> Json:
    """Which version of an index is current."""
    return {"index": index} | picked(current, "version previous")


def prune_record(index: str, removed: Sequence[str], dry_run: bool) -> Json:
    """The versions that were removed, or would be."""
    return {"index": index, "removed": list(removed), "dry_run": dry_run}


def entry_record(entry: Entry) -> Json:
    """A version in the list of all; a damaged one has an `error`."""
    record = picked(entry, "index=name version current")
    if isinstance(entry.manifest, Exception):
        return record | {"error": str(entry.manifest)}
    described = entry.manifest.to_json()
    rest = {name: value for name, value in described.items() if name not in ("name", "version")}
    return record | {"bytes": entry.manifest.bytes} | rest


def log_record(entry: LogEntry) -> Json:
    """Where a version came from, and what removing it would free."""
    record = picked(entry, "index=name version current previous own_bytes tags")
    if isinstance(entry.manifest, Exception):
        return record | {"error": str(entry.manifest)}
    return record | picked(entry.manifest, "created bytes origin counts type=factory recall")


def diff_record(diff: IndexDiff, answers: Sequence[AnswerChange] | None, asked: int) -> Json:
    """What changed between two versions, and of `asked` questions the answers that did."""
    passages = "added=passages_added removed=passages_removed unchanged=passages_unchanged"
    record = picked(diff, "index versions documents") | {"passages": picked(diff, passages)}
    if answers is not None:
        record |= {"questions": asked, "answers_changed": [asdict(answer) for answer in answers]}
    return record


def finding_record(finding: Finding, repaired: str | None) -> Json:
    """What was looked at, and what was done about it."""
    done = {"repairable": finding.repair is not None, "repaired": repaired}
    return picked(finding, "level about message advice") | done
