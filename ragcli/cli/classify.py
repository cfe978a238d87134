"""`rag classify`: the marginal probability of each label, with evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    DECODING,
    BatchSizeOption,
    JsonOption,
    OpeningOptions,
    RetrievalOptions,
)
from ragcli.errors import QuestionError
from ragcli.settings import Decoding

if TYPE_CHECKING:
    from ragcli.api import Rag
    from ragcli.records import Classification


def classify(
    text: Annotated[str, typer.Argument(help="The text; - reads one from each line of stdin.")],
    labels: Annotated[str, typer.Option("--labels", help="Labels, with commas between.")],
    retrieval: RetrievalOptions,
    decoding: Annotated[Decoding, DECODING.only("variant")],
    opening: OpeningOptions,
    batch_size: BatchSizeOption = 8,
    json: JsonOption = False,
) -> None:
    """Score labels for a claim or text by their marginal probability: the paper's FEVER form.

    Example: rag classify "Lima is in Peru." --labels supports,refutes,unknown

    In a pipeline: cat claims.txt | rag classify - --labels supports,refutes --json
    """
    from ragcli.answering.classify import require_labels
    from ragcli.cli.console import print_json, say_no_labels
    from ragcli.json_form.answers import classification_record

    if text != "-" and not text.strip():
        raise QuestionError("the text is empty", "rag classify 'A claim.', or - to read stdin")
    named = require_labels([label.strip() for label in labels.split(",")])
    with open_rag(opening, retrieval, decoding) as rag:
        say_no_labels(rag)
        if text == "-":
            from ragcli.cli.stdin_answers import answer_lines

            answer_lines(
                batch_size,
                lambda texts: rag.classify_many(texts, named, len(texts)),
                lambda result: classification_record(result, rag.index),
                lambda result: show_classification(result, rag),
                json,
            )
            return
        result = rag.classify(text, named)
        if json:
            print_json(classification_record(result, rag.index))
        else:
            show_classification(result, rag)


def show_classification(result: Classification, rag: Rag) -> None:
    """The label, the share of each, and the passages with prior and posterior."""
    import math

    from rich.table import Table
    from rich.text import Text

    from ragcli.cli.console import out

    console = out()
    console.print(Text(result.label, style="bold"))
    shares = "   ".join(
        f"{label} {100 * prob:.1f} %"
        for label, prob in zip(result.labels, result.probs, strict=True)
    )
    where = f"RAG-{result.variant.capitalize()}   index {rag.index.name}@{rag.index.version}"
    console.print(Text(f"{shares}   {where}", style="dim"))
    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("prior", justify="right", width=5)
    table.add_column("posterior", justify="right", width=9)
    table.add_column("passage", no_wrap=True, overflow="ellipsis", ratio=1)
    for j, item in enumerate(result.passages):
        title = f"{item.passage.title}: " if item.passage.title else ""
        table.add_row(
            f"{math.exp(item.log_prior):.3f}",
            f"{result.posterior[j]:.3f}",
            Text(f"{title}{item.passage.text[:160]}"),
        )
    console.print(table)
    console.print()
