"""How a training is shown: a bar while it runs, a table and a page of curves when it is done."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ragcli.cli.console import Progress, err, line, many, print_table, say
from ragcli.cli.reports.page import Curve, facts, line_chart, page

if TYPE_CHECKING:
    from ragcli.training.joint import TrainingReport

_NAMES = {"dev_em": "EM", "dev_f1": "F1", "dev_recall_1": "recall@1", "dev_recall_k": "recall@k"}
_NAMES |= {"dev_loss": "dev loss", "explained": "explained"}


class TrainingBar(Progress):
    """Loss, rate, speed and time left on a terminal; a line for each measurement anywhere."""

    def stepped(self, record: dict[str, Any]) -> None:
        speed = f"{record['examples_a_second']:.1f} examples/s"
        text = f"loss {record['loss']:.3f}  rate {max(record['rates']):.1e}  {speed}"
        self.reach(record["step"], record["steps"], text)

    def measured(self, record: dict[str, Any]) -> None:
        parts = [f"{_NAMES[name]} {record[name]:.3f}" for name in _NAMES if name in record]
        first, asked = many(record["distinct_top_1"], "passage"), record["questions"]
        parts.append(f"{first} in first place for {many(asked, 'question')}")
        say(f"epoch {record['epoch']:g}: " + ", ".join(parts))

    def warned(self, message: str) -> None:
        err().print(f"warning: {message}", markup=False, style="yellow")


def show_training(report: TrainingReport) -> None:
    """A row for each measurement, the best one marked, and where the model is."""
    names = [name for name in _NAMES if name in report.history[0]]
    # Eighty columns hold it all: `top-1` is how many passages come first for how many questions.
    titles = ("epoch", "step", *(_NAMES[name].removeprefix("dev ") for name in names), "top-1", "")
    rows = []
    for record in report.history:
        cells = (f"{record[name]:.3f}" for name in names)
        mark = "best" if record["step"] == report.best_step else ""
        distinct = f"{record['distinct_top_1']}/{record['questions']}"
        rows.append((f"{record['epoch']:g}", str(record["step"]), *cells, distinct, mark))
    print_table([f"{title}>" for title in titles], rows)
    if report.stopped:
        line(f"stopped: {report.stopped}", "yellow")
    if report.best_step == 0:
        say("nothing was learnt: no step was better than the model it began with, which is kept")
    line(f"{report.folder}: {_steps(report)}; curves in {report.folder / 'training.html'}")


def _steps(report: TrainingReport) -> str:
    return f"{many(report.steps, 'step')} over {many(report.examples, 'example')}"


def training_html(report: TrainingReport) -> str:
    """One page with the losses, each on its own axis, and the dev curves."""
    manifest = report.manifest
    index, data = manifest["index"], escape(manifest["data"]["file"])
    shares = [name for name in _NAMES if name != "dev_loss" and name in report.history[0]]
    charts = {
        "Training loss": [_curve("loss", "loss", report.records)],
        "Dev loss": [_curve("dev loss", "dev_loss", report.history)],
        "Retrieval and answers": [_curve(_NAMES[name], name, report.history) for name in shares],
    }
    drawn = ""
    for title, curves in charts.items():
        if any(curve.points for curve in curves):
            drawn += f"<h2>{title}</h2>\n{line_chart(curves, 'step')}"
    body = f"""
<p>{_steps(report)} of {data}, index
{escape(index["name"])}@{escape(index["version"])}; the best checkpoint is that of step
{report.best_step}.</p>
{drawn}<h2>Settings</h2>{facts(manifest["training"])}"""
    return page(f"Training of {report.folder.name}", body)


def _curve(label: str, key: str, records: Sequence[Mapping[str, Any]]) -> Curve:
    """One value of each record that has it; the dev loss may be infinite."""
    points = [(float(r["step"]), float(r.get(key, math.nan))) for r in records]
    return Curve(label, [(step, value) for step, value in points if math.isfinite(value)])
