"""Answers, classifications, passages and scores for people."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragcli.answering.score import ScoredAnswer
from ragcli.cli.console import line, many, out, print_table, printable
from ragcli.core.sentences import sentence_around
from ragcli.protocols import SearchableIndex
from ragcli.records import Answer, Classification, Passage, RetrievedPassage, place

if TYPE_CHECKING:
    from rich.text import Text

_SHADES = " ░▒▓█"
_AROUND = 200
"""So many characters of a long sentence are shown on either side of the answer."""


def show_answer(
    answer: Answer, explain: bool = False, question: bool = False, whole: bool = False
) -> None:
    """The answer, its probability, where it stands, and the passages with prior and posterior.

    With `whole` they are shown in full, as the generator read them.
    """
    best = answer.best
    if question:
        line(printable(answer.question))
    line(printable(best.text) or "(an empty answer)", "bold")
    how = answer.variant if answer.variant == "token" else f"{answer.variant}, {answer.decoding}"
    where = f"index {answer.index}@{answer.version}"
    line(f"p = {math.exp(best.log_prob):.3g}   RAG-{how.capitalize()}   {where}", "dim")
    if answer.doubted:
        p = f"(p = {answer.no_answer:.2g})"
        line(f"the answer is probably not in these passages {p}", "yellow")
    if not whole:
        _show_sentence(answer.top_passage)
    _show_evidence(answer.passages, best.posterior, whole)
    if others := answer.candidates[1:4]:
        text = "; ".join(f"{c.text or '(empty)'} ({math.exp(c.log_prob):.2g})" for c in others)
        line(f"else: {printable(text)}", "dim")
    if explain:
        _show_heat_map(answer)
    line("")


def show_classification(result: Classification, index: SearchableIndex) -> None:
    """The label, the share of each, and the passages with prior and posterior."""
    line(result.label, "bold")
    shares = zip(result.labels, result.probs, strict=True)
    told = "   ".join(f"{label} {100 * prob:.1f} %" for label, prob in shares)
    where = f"RAG-{result.variant.capitalize()}   index {index.name}@{index.version}"
    line(f"{told}   {where}", "dim")
    _show_evidence(result.passages, result.posterior)
    line("")


def _show_sentence(item: RetrievedPassage) -> None:
    """The sentence that says the answer, under the place and the heading where it stands."""
    from rich.text import Text

    if item.span is None:
        return
    start, end = sentence_around(item.text, item.span)
    first, last = max(start, item.span[0] - _AROUND), min(end, item.span[1] + _AROUND)
    ends = "…" * (first > start), "…" * (last < end)
    said = _highlighted(item.text[first:last], item.span, first)
    out().print(_place(item.passage, short=False), soft_wrap=not out().is_terminal)
    out().print(Text.assemble("  ", ends[0], said, ends[1]))


def _show_evidence(
    passages: Sequence[RetrievedPassage], posterior: Sequence[float], whole: bool = False
) -> None:
    """A line for each passage, with prior and posterior; with `whole` its text as well."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("prior", justify="right", width=5)
    table.add_column("posterior", justify="right", width=9)
    table.add_column("passage", no_wrap=not whole, overflow="ellipsis", ratio=1)
    for item, share in zip(passages, posterior, strict=True):
        shown = _place(item.passage)
        if whole:
            shown = Text.assemble(shown, "\n", _highlighted(item.text, item.span), "\n")
        table.add_row(f"{math.exp(item.log_prior):.3f}", f"{share:.3f}", shown)
    out().print(table)


def _place(passage: Passage, short: bool = True) -> Text:
    """The file, with its page or line, and the heading; on a terminal the file can be opened."""
    from rich.text import Text

    if not passage.id or not passage.source:  # the closed book says `no passage`
        return Text(printable(passage.caption or passage.source))
    style = f"link {link}" if (link := _link(passage.source)) else ""
    where = place(_path(passage.source, short), passage.page, passage.line)
    name = Text(printable(where), style)
    return Text.assemble(name, "  ", (printable(passage.caption), "cyan"))


def _path(source: str, short: bool) -> str:
    """A path as seen from the folder one is in; a `short` one has its last two parts only."""
    folder = f"{Path.cwd()}{os.sep}"
    path = source.removeprefix(folder)
    parts = Path(path).parts
    return os.path.join("…", *parts[-2:]) if short and len(parts) > 3 else path


def _link(source: str) -> str:
    """The address of a file that is there, with everything escaped; only on a terminal."""
    try:
        path = Path(source)
        return path.resolve().as_uri() if out().is_terminal and path.is_file() else ""
    except (OSError, ValueError):
        return ""


def _highlighted(text: str, span: tuple[int, int] | None, offset: int = 0) -> Text:
    """A text from `offset` on, with the answer highlighted."""
    from rich.text import Text

    shown = Text(printable(text))
    if span is not None:
        shown.stylize("bold green", span[0] - offset, span[1] - offset)
    return shown


def _show_heat_map(answer: Answer) -> None:
    """Token × passage: how much each token of the best answer leans on each passage."""
    from rich.text import Text

    best = answer.best
    if best.token_posterior is None:
        return
    width = max((len(token) for token in best.token_texts), default=0)
    fitting = max(1, (out().width - width) // 8)
    likeliest = sorted(range(len(answer.passages)), key=lambda j: -best.posterior[j])
    shown = sorted(likeliest[:fitting])

    def cell(value: float) -> Text:
        shade = _SHADES[min(len(_SHADES) - 1, int(value * len(_SHADES)))] * 2
        level = round(value * 255)
        return Text(f"{shade}{value:.2f}", f"rgb({level},{level // 2},{255 - level})")

    tokens = zip(best.token_texts, best.token_posterior, strict=True)
    rows = [(Text(token), *(cell(row[j]) for j in shown)) for token, row in tokens]
    line("p(passage | question, answer so far)", "dim")
    print_table(["token", *(f"{j + 1}" for j in shown)], rows, spare=())
    for j in shown:
        passage = answer.passages[j].passage
        line(f"{j + 1}  {printable(passage.caption or passage.id)}", "dim")
    if hidden := len(answer.passages) - len(shown):
        line(f"not shown: {many(hidden, 'less likely passage')}", "dim")


def show_passages(found: Sequence[RetrievedPassage], index: str) -> None:
    """Retrieved passages in full, best first."""
    for rank, item in enumerate(found, 1):
        passage, prior = item.passage, math.exp(item.log_prior)
        scores = f"   score {item.score:.3f}   prior {prior:.3f}   {passage.id}"
        title = printable(passage.caption or passage.id)
        line(f"{rank}. {title}", "bold cyan", (printable(scores), "dim"))
        line(f"{printable(passage.text)}\n")
    line(f"index {index}", "dim")


def show_scores(scored: Sequence[ScoredAnswer]) -> None:
    """Both marginals of each answer."""
    columns = ("answer", "log p, RAG-Sequence>", "log p, RAG-Token>")
    rows = [(s.answer, f"{s.sequence_log_prob:.4f}", f"{s.token_log_prob:.4f}") for s in scored]
    print_table(columns, rows)
