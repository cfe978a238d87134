"""Evaluations, comparisons and the hot-swap experiment as JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict

from ragcli.core.statistics import Measure
from ragcli.evaluation.compare import Comparison
from ragcli.evaluation.evaluate import Evaluation
from ragcli.evaluation.metrics import Trial
from ragcli.evaluation.paper import HOT_SWAP, PAPER, PaperTask
from ragcli.evaluation.swap import Pair, SwapReport, right_for
from ragcli.json_form import Json, picked


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
        record["sweep"] = [
            {"top_k": r.top_k, "metrics": _measures(r.metrics)} for r in report.results
        ]
    if paper is not None:
        record["paper"] = {"task": paper, "rows": PAPER[paper].rows}
    return record | {"run": report.run, "trials": [trial_record(trial) for trial in main.trials]}


def _measures(measures: Mapping[str, Measure]) -> Json:
    return {name: asdict(measure) for name, measure in measures.items()}


def trial_record(trial: Trial) -> Json:
    """One question: what was answered, what was accepted, and how it came to it."""
    example, prediction = trial.example, trial.prediction
    record = {
        **picked(example, "id question"),
        "accepted": list(example.answers),
        **picked(prediction, "answer log_prob gold_log_prob"),
        **picked(trial, "right f1 retrieved gold_recall failure"),
        "passages": [picked(e, "id title prior posterior") for e in prediction.passages],
    }
    if prediction.labels is not None:
        record["labels"] = dict(prediction.labels)
    return record


def comparison_record(result: Comparison) -> Json:
    """Two runs over the same questions: differences, the test, and where they differ."""
    return {
        "questions": result.questions,
        "differences": _measures(result.differences),
        "mcnemar": result.mcnemar._asdict(),
        "settings": result.settings,
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
    return {name: run[name] for name in names if name in run} | {
        "top_k": report.top_k,
        "decoding": retrieval | run["decoding"],
    }


def _swap_trial(pair: Pair, version: int, names: tuple[str, str]) -> Json:
    trial = pair[version]
    example, prediction = trial.example, trial.prediction
    top = prediction.top_passage
    return {
        **picked(example, "question"),
        "changed": bool(example.changed),
        "version": names[version],
        "accepted": list(example.answers),
        **picked(prediction, "answer log_prob"),
        "matched": trial.right,
        "mismatched": bool(example.changed) and right_for(pair, version, 1 - version),
        "top_passage": top.id if top else None,
        **picked(trial, "retrieved failure"),
    }
