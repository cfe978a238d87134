"""Answers, classifications, passages and scores for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcli.answering.score import ScoredAnswer
from ragcli.cli.console import line, many, out, print_table
from ragcli.protocols import SearchableIndex
from ragcli.records import Answer, Classification, RetrievedPassage

if TYPE_CHECKING:
    from rich.text import Text

_SHADES = " ░▒▓█"


def show_answer(answer: Answer, explain: bool = False, question: bool = False) -> None:
    """The answer, its probability, and the passages with prior and posterior."""
    best = answer.best
    if question:
        line(answer.question)
    line(best.text or "(an empty answer)", "bold")
    how = answer.variant if answer.variant == "token" else f"{answer.variant}, {answer.decoding}"
    where = f"index {answer.index}@{answer.version}"
    line(f"p = {math.exp(best.log_prob):.3g}   RAG-{how.capitalize()}   {where}", "dim")
    if answer.doubted:
        p = f"(p = {answer.no_answer:.2g})"
        line(f"the answer is probably not in these passages {p}", "yellow")
    _show_evidence(answer.passages, best.posterior, best.text)
    if others := answer.candidates[1:4]:
        text = "; ".join(f"{c.text or '(empty)'} ({math.exp(c.log_prob):.2g})" for c in others)
        line(f"else: {text}", "dim")
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


def _show_evidence(
    passages: Sequence[RetrievedPassage], posterior: Sequence[float], answer: str = ""
) -> None:
    """A line for each passage, with prior and posterior."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("prior", justify="right", width=5)
    table.add_column("posterior", justify="right", width=9)
    table.add_column("passage", no_wrap=True, overflow="ellipsis", ratio=1)
    for item, share in zip(passages, posterior, strict=True):
        shown = _line(item, answer, out().width - 16)
        table.add_row(f"{math.exp(item.log_prior):.3f}", f"{share:.3f}", shown)
    out().print(table)


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
    whole = Text.assemble((title, "cyan"), (shown, "default"))
    if at >= 0:
        whole.highlight_words([answer], style="bold green")
    return whole


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
        line(f"{j + 1}  {passage.title or passage.id}", "dim")
    if hidden := len(answer.passages) - len(shown):
        line(f"not shown: {many(hidden, 'less likely passage')}", "dim")


def show_passages(found: Sequence[RetrievedPassage], index: str) -> None:
    """Retrieved passages in full, best first."""
    for rank, item in enumerate(found, 1):
        passage, prior = item.passage, math.exp(item.log_prior)
        scores = f"   score {item.score:.3f}   prior {prior:.3f}   {passage.id}"
        line(f"{rank}. {passage.title or passage.id}", "bold cyan", (scores, "dim"))
        line(f"{passage.text}\n")
    line(f"index {index}", "dim")


def show_scores(scored: Sequence[ScoredAnswer]) -> None:
    """Both marginals of each answer."""
    columns = ("answer", "log p, RAG-Sequence>", "log p, RAG-Token>")
    rows = [(s.answer, f"{s.sequence_log_prob:.4f}", f"{s.token_log_prob:.4f}") for s in scored]
    print_table(columns, rows)
