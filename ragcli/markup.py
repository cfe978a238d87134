"""Evidence as HTML: what a notebook shows of an answer, and how pages mark it. All is escaped."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragcli.records import Answer, RetrievedPassage


def marked(text: str, span: tuple[int, int] | None) -> str:
    """A text with the answer marked that stands in it."""
    if span is None:
        return escape(text)
    start, end = span
    return f"{escape(text[:start])}<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"


def answer_html(answer: Answer) -> str:
    """The answer, its probability, and its evidence: the passage it leans on most is open."""
    doubt = " – probably not in these passages" if answer.doubted else ""
    shares = zip(answer.passages, answer.best.posterior, strict=True)
    evidence = "".join(_evidence(item, share, item is answer.top_passage) for item, share in shares)
    return (
        f"<p>{escape(answer.question)}<br><b>{escape(answer.text) or '(empty)'}</b> "
        f"<small>p = {math.exp(answer.best.log_prob):.3g}{doubt}; index "
        f"{escape(answer.index)}@{escape(answer.version)}</small></p>\n{evidence}"
    )


def _evidence(item: RetrievedPassage, posterior: float, shown: bool) -> str:
    where = " ".join(f"{escape(t)}" for t in (item.passage.place, item.passage.caption) if t)
    shares = f"prior {math.exp(item.log_prior):.2f}, posterior {posterior:.2f}"
    return (
        f"<details{' open' if shown else ''}><summary>{where} <small>{shares}</small></summary>"
        f"<p>{marked(item.text, item.span)}</p></details>\n"
    )
