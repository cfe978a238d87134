"""How a training is shown: a bar while it runs, a table and a page of curves when it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ragcli.cli.console import RichProgress, err, out, say

if TYPE_CHECKING:
    from ragcli.training.joint import TrainingReport

_SHOWN = ("dev_em", "dev_f1", "dev_recall_1", "dev_recall_k", "dev_loss", "explained")
_NAMES = {
    "dev_em": "EM",
    "dev_f1": "F1",
    "dev_recall_1": "recall@1",
    "dev_recall_k": "recall@k",
    "dev_loss": "dev loss",
    "explained": "explained",
}


class TrainingBar(RichProgress):
    """Loss, rate, speed and time left on a terminal; a line for each measurement anywhere."""

    def stepped(self, record: dict[str, Any]) -> None:
        text = (
            f"loss {record['loss']:.3f}  rate {max(record['rates']):.1e}  "
            f"{record['examples_a_second']:.1f} examples/s"
        )
        self.reach(record["step"], record["steps"], text)

    def measured(self, record: dict[str, Any]) -> None:
        parts = [f"{_NAMES[name]} {record[name]:.3f}" for name in _SHOWN if name in record]
        parts.append(f"{record['distinct_top_1']} top-1 passages for {record['questions']}")
        say(f"epoch {record['epoch']:g}: " + ", ".join(parts))

    def warned(self, message: str) -> None:
        err().print(f"warning: {message}", markup=False, style="yellow")


def show_training(report: TrainingReport) -> None:
    """A row for each measurement, the best one marked, and where the model is."""
    from rich.table import Table

    names = [name for name in _SHOWN if name in report.history[0]]
    table = Table(box=None, pad_edge=False, header_style="dim")
    # Eighty columns hold it all: `top-1` is how many passages come first for how many questions.
    titles = [_NAMES[name].removeprefix("dev ") for name in names]
    for title in ("epoch", "step", *titles, "top-1", ""):
        table.add_column(title, justify="right")
    for record in report.history:
        cells = [f"{record[name]:.3f}" for name in names]
        mark = "best" if record["step"] == report.best_step else ""
        distinct = f"{record['distinct_top_1']}/{record['questions']}"
        table.add_row(f"{record['epoch']:g}", str(record["step"]), *cells, distinct, mark)
    console = out()
    console.print(table)
    if report.stopped:
        console.print(f"stopped: {report.stopped}", markup=False, style="yellow")
    console.print(
        f"{report.folder}: {report.steps} steps over {report.examples} examples; "
        f"curves in {report.folder / 'training.html'}",
        markup=False,
    )


def training_html(report: TrainingReport) -> str:
    """One page with the loss and the dev curves; nothing is loaded from elsewhere."""
    steps = [record for record in report.records if "loss" in record]
    loss = [(float(r["step"]), float(r["loss"])) for r in steps]
    curves = {
        _NAMES[name]: [(float(r["step"]), float(r[name])) for r in report.history]
        for name in ("dev_em", "dev_f1", "dev_recall_1", "dev_recall_k", "explained")
        if name in report.history[0]
    }
    dev_loss = [(float(r["step"]), float(r["dev_loss"])) for r in report.history if "dev_loss" in r]
    training = report.manifest["training"]
    facts = "".join(f"<dt>{escape(k)}<dd>{escape(str(v))}" for k, v in training.items())
    place = report.manifest["index"]
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8">
<title>Training: {escape(report.folder.name)}</title>
<style>{_STYLE}</style>
<h1>Training of {escape(report.folder.name)}</h1>
<p>{report.steps} steps over {report.examples} examples of
{escape(report.manifest["data"]["file"])}, index
{escape(place["name"])}@{escape(place["version"])}; the best checkpoint is that of step
{report.best_step}.</p>
<h2>Loss</h2>
{_chart({"training": loss, "dev": dev_loss})}
<h2>Retrieval and answers</h2>
{_chart(curves, top=1.0)}
<h2>Settings</h2><dl>{facts}</dl>
</html>
"""


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}
dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem}dt{color:#777}dd{margin:0}
"""
_COLOURS = ("#0969da", "#cf222e", "#1a7f37", "#8250df", "#9a6700")
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 240, 50, 16


def _chart(curves: Mapping[str, Sequence[tuple[float, float]]], top: float | None = None) -> str:
    """Lines of (step, value) over a common frame, each with its name at the side."""
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return "<p>nothing was measured</p>"
    last = max(1.0, *(x for x, _ in points))
    highest = top or max(1e-9, *(y for _, y in points))
    wide, tall = _WIDTH - _LEFT - 110, _HEIGHT - _TOP - 30
    parts = []
    for n, (name, curve) in enumerate((name, c) for name, c in curves.items() if c):
        placed = [
            (_LEFT + wide * x / last, _TOP + tall * (1 - max(0.0, y) / highest)) for x, y in curve
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        colour = _COLOURS[n % len(_COLOURS)]
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )
        parts.append(
            f'<text x="{_WIDTH - 104}" y="{_TOP + 12 + 16 * n}" fill="{colour}">{escape(name)}'
            f" {curve[-1][1]:.3f}</text>"
        )
    for share in (0.0, 0.5, 1.0):
        y = _TOP + tall * (1 - share)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_LEFT + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share * highest:.3g}</text>'
        )
    parts.append(
        f'<text x="{_LEFT}" y="{_HEIGHT - 8}">step 0</text>'
        f'<text x="{_LEFT + wide}" y="{_HEIGHT - 8}" text-anchor="end">{last:.0f}</text>'
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" font-size="12" '
        f'aria-label="{escape(", ".join(curves))} by step">' + "".join(parts) + "</svg>"
    )
