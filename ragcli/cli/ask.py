"""`rag ask`, `rag retrieve` and `rag score`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragcli.cli.options import (
    BatchSizeOption,
    BeamsOption,
    DecodingOption,
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
from ragcli.settings import Decoding, Retrieval, RetrieverName, Variant

if TYPE_CHECKING:
    from ragcli.api import Rag
    from ragcli.cli.questions import Line
    from ragcli.records import Answer

_DEFAULTS = Decoding()


def ask(
    question: Annotated[
        str, typer.Argument(help="The question; - reads one from each line of stdin.")
    ],
    index: IndexOption = "default",
    variant: VariantOption = None,
    decoding: DecodingOption = _DEFAULTS.mode,
    top_k: TopKOption = None,
    retriever: RetrieverOption = "dense",
    beams: BeamsOption = _DEFAULTS.beams,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", help="Longest answer, its end included.", min=1)
    ] = _DEFAULTS.max_tokens,
    min_tokens: Annotated[
        int, typer.Option("--min-tokens", help="Shortest answer, its end included.", min=1)
    ] = _DEFAULTS.min_tokens,
    length_penalty: Annotated[
        float, typer.Option("--length-penalty", help="Favour length in the search only.")
    ] = _DEFAULTS.length_penalty,
    no_repeat_ngram: Annotated[
        int, typer.Option("--no-repeat-ngram", help="Never repeat n tokens in a row.", min=0)
    ] = _DEFAULTS.no_repeat_ngram,
    n_best: Annotated[int, typer.Option("--n-best", help="Answers to keep.", min=1)] = (
        _DEFAULTS.n_best
    ),
    batch_size: BatchSizeOption = 8,
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw which passage each token leans on.")
    ] = False,
    json: JsonOption = False,
    model: ModelOption = None,
    encoder: EncoderOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
) -> None:
    """Answer a question from an index, with its evidence.

    Example: rag ask "Who is the President of Peru?" --variant token

    In a pipeline: cat questions.txt | rag ask - --json | jq -r .answer
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.render import answer_record, show_answer

    if question != "-" and not question.strip():
        raise QuestionError("the question is empty", "rag ask 'Who …?', or - to read stdin")

    settings = Decoding(
        variant=variant or "sequence",
        mode=decoding,
        beams=beams,
        max_tokens=max_tokens,
        min_tokens=min_tokens,
        length_penalty=length_penalty,
        no_repeat_ngram=no_repeat_ngram,
        n_best=n_best,
    )
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
        if question == "-":
            _ask_lines(rag, batch_size, json, explain)
            return
        answer = rag.ask(question, explain)
        if json:
            print_json(answer_record(answer))
        else:
            show_answer(answer, explain)


def open_rag(
    index: str,
    store: Path | None,
    model: str | None,
    encoder: str | None,
    top_k: int | None,
    decoding: Decoding,
    variant: Variant | None,
    verify: bool,
    trust: bool,
    retriever: RetrieverName = "dense",
    frozen: bool = False,
) -> Rag:
    """Open the index with the model, and say when k had to be clamped."""
    from dataclasses import replace

    from ragcli.api import Rag
    from ragcli.cli.console import say_clamped, working

    with working("loading the model"):
        rag = Rag.open(
            index,
            store=store,
            model=model,
            encoder=encoder,
            retrieval=Retrieval(top_k, retriever) if top_k else None,
            retriever=retriever,
            frozen=frozen,
            verify=verify,
            trust_query_encoder=trust,
        )
    rag.decoding = replace(decoding, variant=variant or rag.decoding.variant)
    say_clamped(rag)
    return rag


def _ask_lines(rag: Rag, batch_size: int, json: bool, explain: bool) -> None:
    """Answer stdin line by line: order kept, bad lines reported in place, exit 1 if any."""
    from ragcli.cli.console import print_error, print_json
    from ragcli.cli.questions import batches, error_record, merge
    from ragcli.cli.render import answer_record, show_answer

    failed = False
    for batch in batches(batch_size):
        for line, answer in _answers(rag, batch, explain):
            if isinstance(answer, RagError):
                failed = True
                if json:
                    print_json(error_record(line, answer))
                else:
                    print_error(type(answer)(f"line {line.number}: {answer.message}", answer.hint))
            elif json:
                print_json(merge(line, answer_record(answer)))
            else:
                show_answer(answer, explain, question=True)
    if failed:
        raise typer.Exit(1)


def _answers(
    rag: Rag, batch: list[Line], explain: bool
) -> Iterator[tuple[Line, Answer | RagError]]:
    """Each line with its answer or error; a question that fails does not take others along."""
    good = [line for line in batch if line.error is None]
    try:
        answers = rag.ask_many([line.question for line in good], len(good) or 1, explain)
        results: dict[int, Answer | RagError] = {
            line.number: answer for line, answer in zip(good, answers, strict=True)
        }
    except RagError:
        results = {line.number: _one(rag, line, explain) for line in good}
    for line in batch:
        yield line, line.error or results[line.number]


def _one(rag: Rag, line: Line, explain: bool) -> Answer | RagError:
    try:
        return rag.ask(line.question, explain)
    except RagError as error:
        return error


def retrieve(
    question: Annotated[str, typer.Argument(help="The question.")],
    top_k: TopKOption = None,
    retriever: RetrieverOption = "dense",
    index: IndexOption = "default",
    json: JsonOption = False,
    encoder: EncoderOption = None,
    model: ModelOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
) -> None:
    """Show the passages that a question retrieves, with score and p(z|x).

    Example: rag retrieve "Who is the President of Peru?" --top-k 3
    """
    from ragcli.api import Rag
    from ragcli.cli.console import print_json, say_clamped, working
    from ragcli.cli.render import passage_record, show_passages

    with working("loading the encoder"):
        rag = Rag.open(
            index,
            store=store,
            model=model,
            encoder=encoder,
            retrieval=Retrieval(top_k, retriever) if top_k else None,
            retriever=retriever,
            generate=False,
            verify=verify,
            trust_query_encoder=trust_query_encoder,
        )
    with rag:
        found = rag.retrieve(question)
        say_clamped(rag)
        if json:
            for rank, item in enumerate(found, 1):
                print_json({"rank": rank} | passage_record(item))
        else:
            show_passages(found, f"{rag.index.name}@{rag.index.version}")


def score(
    question: Annotated[str, typer.Argument(help="The question.")],
    answers: Annotated[list[str], typer.Argument(help="Answers to score.", metavar="ANSWER...")],
    top_k: TopKOption = None,
    index: IndexOption = "default",
    json: JsonOption = False,
    model: ModelOption = None,
    encoder: EncoderOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
) -> None:
    """log p(answer | question) of answers you name, under RAG-Sequence and RAG-Token.

    Example: rag score "What is the capital of France?" Paris Lyon
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.render import score_record, show_scores

    settings = Decoding()
    rag = open_rag(index, store, model, encoder, top_k, settings, None, verify, trust_query_encoder)
    with rag:
        scored = rag.score(question, answers)
        if json:
            for item in scored:
                print_json(score_record(question, item))
        else:
            show_scores(scored)
