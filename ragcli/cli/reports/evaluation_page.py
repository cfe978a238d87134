"""The page of `rag evaluate --html`: self-contained, with curves and every question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from itertools import cycle
from typing import TYPE_CHECKING

from ragcli.evaluation.metrics import METRICS
from ragcli.evaluation.paper import PAPER, PaperTask
from ragcli.evaluation.trial import Trial
from ragcli.records import Evidence

if TYPE_CHECKING:
    from ragcli.core.statistics import Measure
    from ragcli.evaluation.evaluate import Evaluation

_COLOURS = ("#0550ae", "#1a7f37", "#9a6700", "#8250df", "#a40e26", "#57606a")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 640, 300, 48, 40, 16

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .8rem;text-align:right}
th{font-weight:600;color:#555}tr+tr{border-top:1px solid #ddd}td:first-child{text-align:left}
details{border-top:1px solid #ddd;padding:.3rem 0}summary{cursor:pointer}
.ok{color:#1a7f37}.bad{color:#a40e26}small{color:#777}
p.passage{margin:.4rem 0 .4rem 1.5rem;overflow-wrap:anywhere}
td:nth-child(3){white-space:nowrap}dt{color:#777}
dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem}
dd{margin:0;overflow-wrap:anywhere}svg{max-width:100%;height:auto}
"""


def report_html(report: Evaluation, paper: PaperTask | None = None) -> str:
    """One page with metrics, curves and questions; nothing is loaded from elsewhere."""
    main = report.main
    failed = sum(trial.failure is not None for trial in main.trials)
    curves = sweep_svg(report) if len(report.results) > 1 else ""
    facts = "".join(f"<dt>{escape(k)}<dd>{escape(_fact(v))}" for k, v in report.run.items())
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Evaluation: {escape(_what(report))}</title>
<style>{_STYLE}</style>
<h1>Evaluation: {escape(_what(report))}</h1>
<p>{len(main.trials)} questions, {failed} wrong. Values in percent with 95 % intervals.</p>
{_metrics_table(report, paper)}
{curves}
<h2>Questions</h2>
{"".join(_question(trial) for trial in main.trials)}
<h2>Settings</h2><dl>{facts}</dl>
</html>
"""


def _what(report: Evaluation) -> str:
    run = report.run
    if "index" not in run:
        return f"{report.task} of given predictions"
    return f"{report.task} on {run['index']}@{run['version']}, {run['retriever']} retriever"


def _fact(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _metrics_table(report: Evaluation, paper: PaperTask | None) -> str:
    rows = PAPER[paper].rows if paper else {}
    head = "".join(f"<th>{escape(system)}, paper</th>" for system in rows)
    body = ""
    for name, m in report.main.metrics.items():
        metric = METRICS.load(name)
        theirs = "".join(
            f"<td>{metric.text(row[name]) if name in row else ''}</td>" for row in rows.values()
        )
        body += (
            f"<tr><td>{escape(metric.title(report.main.top_k))}</td>"
            f"<td><b>{metric.text(m.value)}</b></td><td>{metric.interval(m)}</td>"
            f"<td>{m.n}</td>{theirs}</tr>"
        )
    note = (
        f"<p><small>Beside the paper's {escape(PAPER[paper].title)}.</small></p>" if paper else ""
    )
    return (
        "<table class=metrics><tr><th></th><th>value</th><th>95 % interval</th>"
        f"<th>questions</th>{head}</tr>{body}</table>{note}"
    )


def _question(trial: Trial) -> str:
    mark = "bad" if trial.failure else "ok"
    answer = escape(trial.prediction.answer) or "(empty)"
    accepted = escape("; ".join(trial.example.answers))
    wrong = f" <small>{escape(trial.failure)}</small>" if trial.failure else ""
    labels = ""
    if trial.prediction.labels is not None:
        pairs = trial.prediction.labels.items()
        labels = " ".join(f"{escape(name)} {100 * p:.0f} %" for name, p in pairs)
        labels = f"<p><small>{labels}</small></p>"
    evidence = "".join(_passage(e) for e in trial.prediction.passages)
    return (
        f"<details class={mark}><summary>{escape(trial.example.question)} "
        f"<b class={mark}>{answer}</b>{wrong}</summary>"
        f"<p>accepted: {accepted}</p>{labels}{evidence}</details>"
    )


def _passage(evidence: Evidence) -> str:
    shares = [
        f"{name} {value:.2f}"
        for name, value in (("prior", evidence.prior), ("posterior", evidence.posterior))
        if value is not None
    ]
    head = f"{escape(evidence.title or evidence.id)} <small>{' '.join(shares)}</small>"
    return f"<p class=passage><b>{head}</b><br>{escape(evidence.text)}</p>"


def sweep_svg(report: Evaluation) -> str:
    """The paper's Figure 3: metrics against k, each with its 95 % band; k is evenly spaced."""
    names = [name for name in report.main.metrics if METRICS.load(name).percent]
    ks = [result.top_k for result in report.results]
    step = (_WIDTH - _LEFT - 150) / max(1, len(ks) - 1)
    xs = [_LEFT + n * step for n in range(len(ks))]
    parts = [_axes(ks, xs)]
    for name, colour in zip(names, cycle(_COLOURS), strict=False):
        known = [
            (x, result.metrics[name])
            for x, result in zip(xs, report.results, strict=True)
            if name in result.metrics
        ]
        parts.append(_curve(known, colour))
    parts.append(_legend(names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" font-size="12" '
        f'font-family="system-ui,sans-serif" aria-label="metrics against top-k">'
        + "".join(parts)
        + "</svg>\n"
    )


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP)


def _axes(ks: Sequence[int], xs: Sequence[float]) -> str:
    lines = "".join(
        f'<line x1="{_LEFT}" x2="{xs[-1]:.0f}" y1="{_y(s):.1f}" y2="{_y(s):.1f}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{_y(s) + 4:.1f}" text-anchor="end" fill="#777">'
        f"{100 * s:.0f}</text>"
        for s in (0, 0.25, 0.5, 0.75, 1)
    )
    ticks = "".join(
        f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle" fill="#777">'
        f"{k}</text>"
        for k, x in zip(ks, xs, strict=True)
    )
    middle = (xs[0] + xs[-1]) / 2
    name = f'<text x="{middle:.0f}" y="{_HEIGHT - 4}" text-anchor="middle" fill="#777">top-k</text>'
    return lines + ticks + name


def _curve(points: Sequence[tuple[float, Measure]], colour: str) -> str:
    upper = [f"{x:.1f},{_y(m.high):.1f}" for x, m in points]
    lower = [f"{x:.1f},{_y(m.low):.1f}" for x, m in reversed(points)]
    line = " ".join(f"{x:.1f},{_y(m.value):.1f}" for x, m in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{_y(m.value):.1f}" r="3" fill="{colour}">'
        f"<title>{100 * m.value:.1f}</title></circle>"
        for x, m in points
    )
    return (
        f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" fill-opacity=".12"/>'
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'
    )


def _legend(names: Sequence[str]) -> str:
    x = _WIDTH - 134
    return "".join(
        f'<rect x="{x}" y="{_TOP + 20 * n}" width="12" height="12" fill="{colour}"/>'
        f'<text x="{x + 18}" y="{_TOP + 20 * n + 10}">{escape(METRICS.load(name).label)}</text>'
        for n, (name, colour) in enumerate(zip(names, cycle(_COLOURS), strict=False))
    )
