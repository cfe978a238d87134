"""`rag classify`: the marginal probability of each label, with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli.ask import open_rag
from ragcli.cli.options import (
    BatchSizeOption,
    EncoderOption,
    IndexOption,
    JsonOption,
    ModelOption,
    RetrieverOption,
    StoreOption,
    TopKOption,
    TrustOption,
    VariantOption,
    VerifyOption,
)
from ragcli.errors import QuestionError, RagError
from ragcli.settings import Decoding

if TYPE_CHECKING:
    from ragcli.api import Rag
    from ragcli.cli.questions import Line
    from ragcli.records import Classification


def classify(
    text: Annotated[str, typer.Argument(help="The text; - reads one from each line of stdin.")],
    labels: Annotated[str, typer.Option("--labels", help="Labels, with commas between.")],
    index: IndexOption = "default",
    variant: VariantOption = None,
    top_k: TopKOption = None,
    retriever: RetrieverOption = "dense",
    batch_size: BatchSizeOption = 8,
    json: JsonOption = False,
    model: ModelOption = None,
    encoder: EncoderOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
) -> None:
    """Score labels for a claim or text by their marginal probability: the paper's FEVER form.

    Example: rag classify "Lima is in Peru." --labels supports,refutes,unknown

    In a pipeline: cat claims.txt | rag classify - --labels supports,refutes --json
    """
    from ragcli.cli.console import print_json
    from ragcli.pipeline.classify import require_labels

    if text != "-" and not text.strip():
        raise QuestionError("the text is empty", "rag classify 'A claim.', or - to read stdin")
    named = require_labels([label.strip() for label in labels.split(",")])
    settings = Decoding(variant=variant or "sequence")
    rag = open_rag(
        index,
        store,
        model,
        encoder,
        top_k,
        settings,
        variant,
        verify,
        trust_query_encoder,
        retriever,
    )
    with rag:
        if text == "-":
            _classify_lines(rag, named, batch_size, json)
            return
        result = rag.classify(text, named)
        if json:
            print_json(classification_record(result, rag))
        else:
            show_classification(result, rag)


def _classify_lines(rag: Rag, labels: tuple[str, ...], batch_size: int, json: bool) -> None:
    """Classify stdin line by line: order kept, bad lines reported in place, exit 1 if any."""
    from ragcli.cli.console import print_error, print_json
    from ragcli.cli.questions import batches, error_record, merge

    failed = False
    for batch in batches(batch_size):
        for line, result in _results(rag, batch, labels):
            if isinstance(result, RagError):
                failed = True
                if json:
                    print_json(error_record(line, result))
                else:
                    print_error(type(result)(f"line {line.number}: {result.message}", result.hint))
            elif json:
                print_json(merge(line, classification_record(result, rag)))
            else:
                show_classification(result, rag)
    if failed:
        raise typer.Exit(1)


def _results(
    rag: Rag, batch: list[Line], labels: tuple[str, ...]
) -> Iterator[tuple[Line, Classification | RagError]]:
    """Each line with its labels or error; a text that fails does not take others along."""
    good = [line for line in batch if line.error is None]
    results: dict[int, Classification | RagError] = {}
    try:
        found = rag.classify_many([line.question for line in good], labels, len(good) or 1)
        results = {line.number: each for line, each in zip(good, found, strict=True)}
    except RagError:
        for line in good:
            try:
                results[line.number] = rag.classify(line.question, labels)
            except RagError as error:
                results[line.number] = error
    for line in batch:
        yield line, line.error or results[line.number]


def classification_record(result: Classification, rag: Rag) -> dict[str, Any]:
    """The documented record of `rag classify --json`."""
    from ragcli.cli.render import passage_record

    return {
        "question": result.text,
        "label": result.label,
        "labels": dict(zip(result.labels, result.probs, strict=True)),
        "log_probs": dict(zip(result.labels, result.log_probs, strict=True)),
        "index": rag.index.name,
        "version": rag.index.version,
        "variant": result.variant,
        "top_k": len(result.passages),
        "passages": [
            passage_record(item) | {"posterior": result.posterior[j]}
            for j, item in enumerate(result.passages)
        ],
    }


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
