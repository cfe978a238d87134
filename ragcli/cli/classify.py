"""`rag classify`: the marginal probability of each label, with evidence."""

from __future__ import annotations

from typing import Annotated

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
    from ragcli.cli.reports.answers import show_classification
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
                lambda result: show_classification(result, rag.index),
                json,
            )
            return
        result = rag.classify(text, named)
        if json:
            print_json(classification_record(result, rag.index))
        else:
            show_classification(result, rag.index)
