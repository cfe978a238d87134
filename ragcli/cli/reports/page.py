"""Self-contained pages: one style, one frame, charts as SVG; nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import cycle
from typing import NamedTuple

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}tr+tr{border-top:1px solid #ddd}
th,td{padding:.3rem .8rem;text-align:right}th{font-weight:600;color:#555}
td:first-child,th:first-child,.texts td,.texts th{text-align:left;vertical-align:top}
details{border-top:1px solid #ddd;padding:.3rem 0}summary{cursor:pointer}
.right{color:#1a7f37}.wrong{color:#a40e26}small{color:#777}.texts small{display:block}
table:not(.texts) td{white-space:nowrap}.passage{margin:.4rem 0 .4rem 1.5rem;overflow-wrap:anywhere}
mark{background:#fff2a8;font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem}dt{color:#777}
.bars i{display:inline-block;height:.8rem;background:currentColor}.bars .paper{color:#bbb}
.value{font-weight:600}dd{margin:0;overflow-wrap:anywhere}svg{max-width:100%;height:auto;display:block}
"""
_COLOURS = "#0550ae #1a7f37 #9a6700 #8250df #a40e26 #57606a #bf3989 #0a7ea4".split()
Scale = Callable[[float], float]
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _LEGEND = 760, 280, 56, 16, 40, 210


def page(title: str, body: str) -> str:
    """A whole page with its title as the heading; `body` is markup."""
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</html>\n"
    )


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], marks: Mapping[tuple[int, int], str]
) -> str:
    """A table of texts; `marks` gives the class of a cell by its row and column."""
    head = "".join(f"<th>{escape(name.rstrip('>'))}</th>" for name in columns)
    body = ""
    for i, row in enumerate(rows):
        kinds = (f" class={marks[i, j]}" if (i, j) in marks else "" for j in range(len(row)))
        cells = (f"<td{kind}>{escape(text)}</td>" for kind, text in zip(kinds, row, strict=True))
        body += f"<tr>{''.join(cells)}</tr>"
    return f"<table><tr>{head}</tr>{body}</table>"


def facts(values: Mapping[str, object]) -> str:
    """Names with their values, one a line."""
    told = ""
    for name, value in values.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        told += f"<dt>{escape(name)}<dd>{escape(text)}"
    return f"<dl>{told}</dl>"


class Curve(NamedTuple):
    """A curve by its name: points (x, y), and for each of them the ends of a band, or none."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def line_chart(
    curves: Sequence[Curve], below: str, ticks: Mapping[float, str] | None = None
) -> str:
    """Curves on axes that fit them, with the last value of each in the legend.

    `below` says what runs along the x axis; `ticks` names places on it, round numbers by default.
    """
    drawn = [curve for curve in curves if curve.points]
    if not drawn:
        return "<p>Nothing was measured.</p>"
    xs = [x for curve in drawn for x, _ in curve.points]
    ys = [y for curve in drawn for y in (*(y for _, y in curve.points), *sum(curve.band, ()))]
    ticks = ticks or {
        x: f"{x:g}" for x in _round_numbers(min(xs), max(xs)) if min(xs) <= x <= max(xs)
    }
    levels = _round_numbers(min(ys), max(ys))
    right, bottom = _WIDTH - _LEGEND, _HEIGHT - _BOTTOM
    across, up = _scale(min(xs), max(xs), _LEFT, right), _scale(levels[0], levels[-1], bottom, _TOP)
    parts = [
        f'<path d="M{_LEFT} {up(y):.1f}H{right}" stroke="#ddd"/>'
        + _label(_LEFT - 8, up(y) + 4, f"{y:g}", "end")
        for y in levels
    ]
    parts += [_label(across(x), bottom + 18, name) for x, name in ticks.items()]
    parts.append(_label((_LEFT + right) / 2, _HEIGHT - 4, below))
    for n, (curve, colour) in enumerate(zip(drawn, cycle(_COLOURS), strict=False)):
        parts.append(_curve(curve, colour, across, up))
        named, y = f"{curve.name} {curve.points[-1][1]:.4g}", _TOP + 20 * n
        parts.append(f'<rect x="{right + 16}" y="{y}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{right + 34}" y="{y + 10}">{escape(named)}</text>')
    described = ", ".join(curve.name for curve in drawn) + f" by {below}"
    return (  # with all that a picture needs that stands alone in a file
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" font-family="system-ui,sans-serif" font-size="12" role="img" '
        f'aria-label="{escape(described)}">{"".join(parts)}</svg>\n'
    )


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    """From values between `low` and `high` to coordinates between `start` and `end`."""
    slope = (end - start) / (high - low) if high > low else 0.0
    return lambda value: start + slope * (value - low) if slope else (start + end) / 2


def _round_numbers(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten that enclose `low` to `high`."""
    width = (high - low) or abs(high) or 1.0
    power = 10.0 ** math.floor(math.log10(width / about))
    step = next(power * n for n in (1, 2, 5, 10) if width / (power * n) <= about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 12) for n in range(first, max(last, first + 1) + 1)]


def _curve(curve: Curve, colour: str, across: Scale, up: Scale) -> str:
    placed = [(across(x), up(y)) for x, y in curve.points]
    ends = [(x, up(low), up(high)) for (x, _), (low, high) in zip(placed, curve.band, strict=False)]
    band = _points([*((x, high) for x, _, high in ends), *((x, low) for x, low, _ in ends[::-1])])
    # Dots show where something was measured; of many points they would hide the line.
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
        f"<title>{escape(curve.name)} {value:.4g}</title></circle>"
        for (x, y), (_, value) in zip(placed, curve.points, strict=True)
        if len(placed) <= 30
    )
    return (
        (f'<polygon points="{band}" fill="{colour}" opacity=".12"/>' if band else "")
        + f'<polyline points="{_points(placed)}" fill="none" stroke="{colour}" '
        f'stroke-width="1.5"/>{dots}'
    )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def bars(shares: Sequence[tuple[str, float, str]]) -> str:
    """Bars from 0 to 100 percent, each with its name and its class."""
    drawn = ""
    for name, percent, kind in shares:
        bar = f'<i class={kind} style="width:{0.8 * percent:.1f}%"></i>'
        drawn += f"<dt>{escape(name)}<dd>{bar} {round(percent, 1):g}"
    return f"<dl class=bars>{drawn}</dl>"


def _label(x: float, y: float, text: str, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="#777">{escape(text)}</text>'
