"""Evaluations, comparisons, the hot-swap experiment and trainings as JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from ragcli.core.statistics import Measure
from ragcli.evaluation.compare import Comparison
from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import Trial
from ragcli.evaluation.paper import HOT_SWAP, PAPER, PaperTask
from ragcli.evaluation.swap import Pair, SwapReport, right_for
from ragcli.json_form import Json, picked

if TYPE_CHECKING:
    from ragcli.training.joint import TrainingReport
    from ragcli.training.retriever import RetrieverReport


def evaluation_record(report: Evaluation, paper: PaperTask | None = None) -> Json:
    """Metrics, every trial, and all that they depend on; `rag compare` reads two of them."""
    main = report.main
    record: Json = {
        "task": report.task,
        "questions": len(main.trials),
        "top_k": main.top_k,
        "metrics": _measures(main.metrics),
        "failures": dict(Counter(t.failure for t in main.trials if t.failure)),
    }
    if len(report.results) > 1:
        results = [(result.top_k, _measures(result.metrics)) for result in report.results]
        record["sweep"] = [{"top_k": top_k, "metrics": found} for top_k, found in results]
    if paper is not None:
        record["paper"] = {"task": paper, "rows": PAPER[paper].rows}
    return record | {"run": report.run, "trials": [trial_record(trial) for trial in main.trials]}


def _measures(measures: Mapping[str, Measure]) -> Json:
    return {name: asdict(measure) for name, measure in measures.items()}


def trial_record(trial: Trial) -> Json:
    """One question: what was answered, what was accepted, and how it came to it."""
    prediction = trial.prediction
    record = picked(trial.example, "id question accepted=answers")
    record |= picked(prediction, "answer log_prob gold_log_prob")
    record |= picked(trial, "right f1 retrieved gold_recall failure")
    record["passages"] = [
        picked(e, "id title source page line prior posterior") for e in prediction.passages
    ]
    if prediction.labels is not None:
        record["labels"] = dict(prediction.labels)
    return record


def comparison_record(result: Comparison) -> Json:
    """Two runs over the same questions: differences, the test, and where they differ."""
    return {
        **picked(result, "questions settings"),
        "differences": _measures(result.differences),
        "mcnemar": result.mcnemar._asdict(),
        "differing": [
            {key: a[key] for key in ("id", "question", "accepted")}
            | {"answers": [a["answer"], b["answer"]], "right": [a["right"], b["right"]]}
            for a, b in result.differing
        ],
    }


def swap_record(report: SwapReport) -> Json:
    """The hot-swap experiment: its table beside the paper's, the test, and every trial."""
    names = report.versions
    own, other, p_value = report.mcnemar
    return {
        **picked(report, "index versions flipped worst"),
        "questions": {"changed": len(report.changed), "control": len(report.control)},
        "table": {names[v]: {names[a]: report.rate(v, a) for a in (0, 1)} for v in (0, 1)},
        "paper": HOT_SWAP,
        "control": {names[v]: report.control_rate(v) for v in (0, 1)},
        "recall": {names[v]: report.recall(v) for v in (0, 1)},
        "mcnemar": {"own_only": own, "other_only": other, "p_value": p_value},
        "settings": swap_settings(report),
        "trials": [_swap_trial(pair, v, names) for pair in report.pairs for v in (0, 1)],
    }


def swap_settings(report: SwapReport) -> Json:
    """What the answers depend on besides the index version."""
    run = report.evaluations[0].run
    names = ("ragcli", "model", "model_digest", "encoder", "encoder_digest")
    retrieval = {"top_k": report.top_k, "retriever": run["retriever"]}
    decoding = {"top_k": report.top_k, "decoding": retrieval | run["decoding"]}
    return {name: run[name] for name in names if name in run} | decoding


def _swap_trial(pair: Pair, version: int, names: tuple[str, str]) -> Json:
    trial, changed = pair[version], bool(pair[version].example.changed)
    top = trial.prediction.top_passage
    return {
        "question": trial.example.question,
        "changed": changed,
        "version": names[version],
        "accepted": list(trial.example.answers),
        **picked(trial.prediction, "answer log_prob"),
        "matched": trial.right,
        "mismatched": changed and right_for(pair, version, 1 - version),
        "top_passage": top.id if top else None,
        **picked(trial, "retrieved failure"),
    }


def training_record(report: TrainingReport) -> Json:
    """A trained model: its folder, and its manifest."""
    return {"model": str(report.folder)} | report.manifest


def retriever_record(report: RetrieverReport) -> Json:
    """A trained encoder, with recall@1 of its pairs before and after."""
    counts = picked(report, "pairs negatives") | {"unmatched": len(report.unmatched)}
    recall = picked(report, "recall_1_before=before recall_1_after=after")
    return {"encoder": str(report.folder)} | counts | recall
