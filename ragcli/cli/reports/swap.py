"""The report of `rag swap-experiment`: for people, and as a self-contained page."""

from __future__ import annotations

from html import escape

from ragcli.cli.console import out
from ragcli.cli.reports.evaluation import failure_text
from ragcli.evaluation.paper import HOT_SWAP
from ragcli.evaluation.swap import Pair, SwapReport
from ragcli.json_form.evaluation import swap_settings

_FAILURES_SHOWN = 20
_PAPER = [list(row.values()) for row in HOT_SWAP.values()]


def show_report(report: SwapReport) -> None:
    """The 2×2 table beside the paper's, the control, the test, and what failed."""
    from rich.table import Table
    from rich.text import Text

    console = out()
    names = report.versions
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for a in (0, 1):
        table.add_column(f"{names[a]} answers", justify="right")
    table.add_column("paper", justify="right", style="dim")
    table.add_column("unchanged", justify="right")
    table.add_column(f"recall@{report.top_k}", justify="right")
    for v in (0, 1):
        cells = [
            Text(_percent(report.rate(v, a)), style="bold green" if a == v else "") for a in (0, 1)
        ]
        control = _percent(report.control_rate(v))
        table.add_row(f"{names[v]} index", *cells, _paper(v), control, _percent(report.recall(v)))
    console.print(table)
    console.print(
        f"{report.flipped} of {len(report.changed)} answers flipped as they should; "
        f"{len(report.control)} unchanged questions as control",
        markup=False,
    )
    own, other, p_value = report.mcnemar
    console.print(
        f"matched against mismatched: {own} to {other}, exact McNemar p = {p_value:.2g}",
        markup=False,
    )
    failed = [(names[v], pair[v]) for pair in report.pairs for v in (0, 1) if not pair[v].right]
    for version, trial in failed[:_FAILURES_SHOWN]:
        console.print(Text(f"{version}  {failure_text(trial)}", style="dim"))
    if len(failed) > _FAILURES_SHOWN:
        rest = len(failed) - _FAILURES_SHOWN
        console.print(Text(f"… and {rest} more; all of them with --json or --html", style="dim"))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _paper(version: int) -> str:
    return " / ".join(f"{share:.0%}" for share in _PAPER[version])


def report_html(report: SwapReport) -> str:
    """One page with the table, a bar chart and every question; nothing is loaded from elsewhere."""
    names = report.versions
    settings = swap_settings(report)
    rows = "".join(_html_row(pair) for pair in report.pairs)
    own, other, p_value = report.mcnemar
    table = "".join(
        f"<tr><th>{escape(names[v])} index</th>"
        + "".join(
            f"<td class={'own' if a == v else 'other'}>{_percent(report.rate(v, a))}</td>"
            for a in (0, 1)
        )
        + f"<td>{_paper(v)}</td>"
        + f"<td>{_percent(report.control_rate(v))}</td>"
        + f"<td>{_percent(report.recall(v))}</td></tr>"
        for v in (0, 1)
    )
    facts = "".join(f"<dt>{escape(k)}<dd>{escape(str(v))}" for k, v in settings.items())
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8">
<title>Index swap: {escape(names[0])} / {escape(names[1])}</title>
<style>{_STYLE}</style>
<h1>Index swap: {escape(report.index)}@{escape(names[0])} and @{escape(names[1])}</h1>
<p>The same model and questions; only the index changes. {report.flipped} of {len(report.changed)}
answers flipped as they should. Matched against mismatched {own} to {other}, exact McNemar
p = {p_value:.2g}.</p>
<table><tr><th></th><th>{escape(names[0])} answers</th><th>{escape(names[1])} answers</th>
<th>paper</th><th>unchanged</th><th>recall@{report.top_k}</th></tr>{table}</table>
{_bars(report)}
<h2>Questions</h2>
<table class="all"><tr><th>question</th><th>{escape(names[0])} index</th>
<th>{escape(names[1])} index</th></tr>{rows}</table>
<h2>Settings</h2><dl>{facts}</dl>
</html>
"""


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .8rem;text-align:right}
th{font-weight:600;color:#555}tr+tr{border-top:1px solid #ddd}.own{font-weight:700;color:#1a7f37}
.other{color:#a40e26}.all td,.all th{text-align:left;vertical-align:top}.ok{color:#1a7f37}
.bad{color:#a40e26}small{color:#777;display:block}dl{display:grid;grid-template-columns:auto 1fr;
gap:.2rem 1rem}dt{color:#777}dd{margin:0;overflow-wrap:anywhere}
"""


def _html_row(pair: Pair) -> str:
    cells = ""
    for trial in pair:
        mark = "ok" if trial.right else "bad"
        accepted = escape(trial.example.answers[0])
        note = f"<small>{accepted}: {escape(trial.failure)}</small>" if trial.failure else ""
        cells += f"<td class={mark}>{escape(trial.prediction.answer) or '(empty)'}{note}</td>"
    kind = "" if pair[0].example.changed else "<small>unchanged</small>"
    return f"<tr><td>{escape(pair[0].example.question)}{kind}</td>{cells}</tr>"


def _bars(report: SwapReport) -> str:
    """Ours and the paper's rates as bars: two groups (indexes) of two answers each."""
    parts = []
    for v in (0, 1):
        left = 60 + v * 300
        for a in (0, 1):
            colour = "#1a7f37" if a == v else "#a40e26"
            ours = report.rate(v, a) or 0.0
            for n, (value, tone) in enumerate(((ours, "1"), (_PAPER[v][a], ".35"))):
                height, x = 180 * value, left + a * 120 + n * 46
                parts.append(
                    f'<rect x="{x}" y="{200 - height:.1f}" width="42" height="{height:.1f}" '
                    f'fill="{colour}" fill-opacity="{tone}"/>'
                    f'<text x="{x + 21}" y="{194 - height:.1f}">{100 * value:.0f}</text>'
                )
            parts.append(f'<text x="{left + a * 120 + 44}" y="216">{report.versions[a]}</text>')
        parts.append(
            f'<text x="{left + 104}" y="236" font-weight="600">{report.versions[v]} index</text>'
        )
    return (
        '<svg viewBox="0 0 640 250" width="640" role="img" font-size="12" text-anchor="middle" '
        'aria-label="rates by index and year of the answer">'
        '<line x1="40" x2="620" y1="200" y2="200" stroke="#999"/>'
        + "".join(parts)
        + '<text x="330" y="14" fill="#777">percent right; full colour ours, pale the paper</text>'
        "</svg>"
    )
