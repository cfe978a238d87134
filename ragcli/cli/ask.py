"""`rag ask`, `rag retrieve` and `rag score`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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
from ragcli.errors import QuestionError
from ragcli.settings import Decoding, Retrieval, RetrieverName, Variant

if TYPE_CHECKING:
    from ragcli.api import Rag

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
    from ragcli.cli.console import print_json, say_closed_book
    from ragcli.cli.reports.answers import answer_record, show_answer

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
        settings,
        variant=variant,
        top_k=top_k,
        retriever=retriever,
        store=store,
        model=model,
        encoder=encoder,
        verify=verify,
        trust_query_encoder=trust_query_encoder,
    )
    with rag:
        say_closed_book(rag)
        if question == "-":
            from ragcli.cli.stdin_answers import answer_lines

            answer_lines(
                batch_size,
                lambda questions: rag.ask_many(questions, len(questions), explain),
                answer_record,
                lambda answer: show_answer(answer, explain, question=True),
                json,
            )
            return
        answer = rag.ask(question, explain)
        if json:
            print_json(answer_record(answer))
        else:
            show_answer(answer, explain)


def open_rag(
    index: str,
    decoding: Decoding = _DEFAULTS,
    *,
    variant: Variant | None = None,
    top_k: int | None = None,
    retriever: RetrieverName = "dense",
    generate: bool = True,
    **opening: Any,
) -> Rag:
    """Open the index with the model, and say when k had to be clamped.

    `generate=False` loads no generator; `opening` is what else `Rag.open` takes.
    """
    from dataclasses import replace

    from ragcli.api import Rag
    from ragcli.cli.console import say_clamped, working

    with working("loading the model" if generate else "loading the encoder"):
        rag = Rag.open(
            index,
            retrieval=Retrieval(top_k, retriever) if top_k else None,
            retriever=retriever,
            generate=generate,
            **opening,
        )
    rag.decoding = replace(decoding, variant=variant or rag.decoding.variant)
    say_clamped(rag)
    return rag


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
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.answers import passage_record, show_passages

    rag = open_rag(
        index,
        top_k=top_k,
        retriever=retriever,
        store=store,
        model=model,
        encoder=encoder,
        verify=verify,
        trust_query_encoder=trust_query_encoder,
        generate=False,
    )
    with rag:
        found = rag.retrieve(question)
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
    from ragcli.cli.reports.answers import score_record, show_scores

    rag = open_rag(
        index,
        top_k=top_k,
        store=store,
        model=model,
        encoder=encoder,
        verify=verify,
        trust_query_encoder=trust_query_encoder,
    )
    with rag:
        scored = rag.score(question, answers)
        if json:
            for item in scored:
                print_json(score_record(question, item))
        else:
            show_scores(scored)
