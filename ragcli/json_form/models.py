"""Models, and what a training made, as JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.json_form import Json, picked

if TYPE_CHECKING:
    from ragcli.models.inventory import ModelEntry
    from ragcli.training.joint import TrainingReport
    from ragcli.training.retriever import RetrieverReport


def model_record(entry: ModelEntry) -> Json:
    """A model and where it is."""
    return asdict(entry)


def training_record(report: TrainingReport) -> Json:
    """A trained model: its folder, and its manifest."""
    return {"model": str(report.folder)} | report.manifest


def retriever_record(report: RetrieverReport) -> Json:
    """A trained encoder, with recall@1 of its pairs before and after."""
    recall = {"recall_1_before": report.before, "recall_1_after": report.after}
    counts = picked(report, "pairs negatives") | {"unmatched": len(report.unmatched)}
    return {"encoder": str(report.folder)} | counts | recall
