"""Answers, classifications, passages and scores for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.answering.score import ScoredAnswer
from ragcli.cli.console import out
from ragcli.protocols import SearchableIndex
from ragcli.records import Answer, Classification, RetrievedPassage

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_SHADES = " ░▒▓█"


def show_answer(answer: Answer, explain: bool = False, question: bool = False) -> None:
    """The answer, its probability, and the passages with prior and posterior."""
    from rich.text import Text

    best = answer.best
    console = out()
    if question:
        console.print(Text(answer.question))
    console.print(Text(best.text or "(an empty answer)", style="bold"))
    how = answer.variant if answer.variant == "token" else f"{answer.variant}, {answer.decoding}"
    line = (
        f"p = {math.exp(best.log_prob):.3g}   RAG-{how.capitalize()}   "
        f"index {answer.index}@{answer.version}"
    )
    console.print(Text(line, style="dim"))
    if answer.doubted:
        unsure = f"the answer is probably not in these passages (p = {answer.no_answer:.2g})"
        console.print(Text(unsure, style="yellow"))
    lines = [_line(item, best.text, console.width - 16) for item in answer.passages]
    console.print(_evidence(answer.passages, best.posterior, lines))
    others = answer.candidates[1:4]
    if others:
        text = "; ".join(f"{c.text or '(empty)'} ({math.exp(c.log_prob):.2g})" for c in others)
        console.print(Text(f"else: {text}", style="dim"))
    if explain:
        show_heat_map(answer)
    console.print()


def show_classification(result: Classification, index: SearchableIndex) -> None:
    """The label, the share of each, and the passages with prior and posterior."""
    from rich.text import Text

    console = out()
    console.print(Text(result.label, style="bold"))
    shares = "   ".join(
        f"{label} {100 * prob:.1f} %"
        for label, prob in zip(result.labels, result.probs, strict=True)
    )
    where = f"RAG-{result.variant.capitalize()}   index {index.name}@{index.version}"
    console.print(Text(f"{shares}   {where}", style="dim"))
    lines = [_line(item, "", 160) for item in result.passages]
    console.print(_evidence(result.passages, result.posterior, lines))
    console.print()


def _evidence(
    passages: Sequence[RetrievedPassage], posterior: Sequence[float], lines: Sequence[Text]
) -> Table:
    """A line for each passage, with prior and posterior."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("prior", justify="right", width=5)
    table.add_column("posterior", justify="right", width=9)
    table.add_column("passage", no_wrap=True, overflow="ellipsis", ratio=1)
    for item, share, line in zip(passages, posterior, lines, strict=True):
        table.add_row(f"{math.exp(item.log_prior):.3f}", f"{share:.3f}", line)
    return table


def _line(item: RetrievedPassage, answer: str, width: int) -> Text:
    """One line of a passage, cut so that the answer, if it holds it, is seen whole."""
    from rich.text import Text

    text = item.passage.text
    title = f"{item.passage.title}: " if item.passage.title else ""
    at = text.find(answer) if answer else -1
    room = max(0, width - len(title) - len(answer))
    start = max(0, at - room // 2)
    if start:  # begin with a whole word
        start = text.find(" ", start, at) + 1 or start
    shown = ("…" if start else "") + text[start : start + max(width, 160)]
    line = Text(title, style="cyan")
    line.append(Text(shown, style="default"))
    if at >= 0:
        line.highlight_words([answer], style="bold green")
    return line


def show_heat_map(answer: Answer) -> None:
    """Token × passage: how much each token of the best answer leans on each passage."""
    from rich.table import Table
    from rich.text import Text

    best = answer.best
    if best.token_posterior is None:
        return
    console = out()
    width = max((len(token) for token in best.token_texts), default=0)
    fitting = max(1, (console.width - width) // 8)
    likeliest = sorted(range(len(answer.passages)), key=lambda j: -best.posterior[j])[:fitting]
    shown = sorted(likeliest)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("token", no_wrap=True)
    for j in shown:
        table.add_column(f"{j + 1}", justify="center", no_wrap=True)
    for token, row in zip(best.token_texts, best.token_posterior, strict=True):
        cells = []
        for value in (row[j] for j in shown):
            shade = _SHADES[min(len(_SHADES) - 1, int(value * len(_SHADES)))] * 2
            level = round(value * 255)
            cells.append(
                Text(f"{shade}{value:.2f}", style=f"rgb({level},{level // 2},{255 - level})")
            )
        table.add_row(Text(token), *cells)
    console.print(Text("p(passage | question, answer so far)", style="dim"))
    console.print(table)
    for j in shown:
        passage = answer.passages[j].passage
        console.print(Text(f"{j + 1}  {passage.title or passage.id}", style="dim"))
    if len(shown) < len(answer.passages):
        hidden = len(answer.passages) - len(shown)
        console.print(Text(f"{hidden} less likely passages are not shown", style="dim"))


def show_passages(found: Sequence[RetrievedPassage], index: str) -> None:
    """Retrieved passages in full, best first."""
    from rich.text import Text

    console = out()
    for rank, item in enumerate(found, 1):
        head = Text(f"{rank}. {item.passage.title or item.passage.id}", style="bold cyan")
        head.append(
            f"   score {item.score:.3f}   prior {math.exp(item.log_prior):.3f}   {item.passage.id}",
            style="dim",
        )
        console.print(head)
        console.print(Text(item.passage.text))
        console.print()
    console.print(Text(f"index {index}", style="dim"))


def show_scores(scored: Sequence[ScoredAnswer]) -> None:
    """Both marginals of each answer."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("answer")
    table.add_column("log p, RAG-Sequence", justify="right")
    table.add_column("log p, RAG-Token", justify="right")
    for item in scored:
        table.add_row(
            Text(item.answer), f"{item.sequence_log_prob:.4f}", f"{item.token_log_prob:.4f}"
        )
    out().print(table)
