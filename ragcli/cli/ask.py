"""`rag ask`, `rag retrieve` and `rag score`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli.cli.options import (
    BatchSizeOption,
    BeamsOption,
    DecodingOption,
    DeviceOption,
    DTypeOption,
    EncoderOption,
    IndexOption,
    JsonOption,
    MaxTokensOption,
    ModelOption,
    RetrieverOption,
    StoreOption,
    TopKOption,
    TrustOption,
    VariantOption,
    VerifyOption,
)
from ragcli.errors import QuestionError
from ragcli.settings import Decoding, Placement, Retrieval

if TYPE_CHECKING:
    from ragcli.api import Rag


def ask(
    question: Annotated[
        str, typer.Argument(help="The question; - reads one from each line of stdin.")
    ],
    index: IndexOption = "default",
    variant: VariantOption = None,
    decoding: DecodingOption = None,
    top_k: TopKOption = None,
    retriever: RetrieverOption = None,
    beams: BeamsOption = None,
    max_tokens: MaxTokensOption = None,
    min_tokens: Annotated[
        int | None,
        typer.Option(
            "--min-tokens", help="Shortest answer, its end included.", min=1, show_default=False
        ),
    ] = None,
    length_penalty: Annotated[
        float | None,
        typer.Option(
            "--length-penalty", help="Favour length in the search only.", show_default=False
        ),
    ] = None,
    no_repeat_ngram: Annotated[
        int | None,
        typer.Option(
            "--no-repeat-ngram", help="Never repeat n tokens in a row.", min=0, show_default=False
        ),
    ] = None,
    n_best: Annotated[
        int | None,
        typer.Option("--n-best", help="Answers to keep; 5 by default.", min=1, show_default=False),
    ] = None,
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
    device: DeviceOption = "auto",
    dtype: DTypeOption = "float32",
) -> None:
    """Answer a question from an index, with its evidence.

    Example: rag ask "Who is the President of Peru?" --variant token

    In a pipeline: cat questions.txt | rag ask - --json | jq -r .answer
    """
    from ragcli.cli.console import print_json, say_closed_book
    from ragcli.cli.reports.answers import show_answer
    from ragcli.json_form.answers import answer_record

    if question != "-" and not question.strip():
        raise QuestionError("the question is empty", "rag ask 'Who …?', or - to read stdin")

    rag = open_rag(
        index,
        retrieval=Retrieval(top_k, retriever),
        decoding=Decoding(
            variant,
            decoding,
            beams,
            max_tokens,
            min_tokens,
            length_penalty,
            no_repeat_ngram,
            n_best,
        ),
        placement=Placement(device, dtype),
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


def open_rag(index: str, *, generate: bool = True, **opening: Any) -> Rag:
    """Open the index with the model, load what is needed, and say when k had to be clamped.

    `generate=False` loads no generator; `opening` is what else `Rag.open` takes.
    """
    from ragcli.api import Rag
    from ragcli.cli.console import say_clamped, working

    with working("loading the model" if generate else "loading the encoder"):
        rag = Rag.open(index, **opening)
        try:
            if rag.retriever.encodes:
                _ = rag.encoder
            if generate:
                _ = rag.generator
        except BaseException:
            rag.close()
            raise
    say_clamped(rag)
    return rag


def retrieve(
    question: Annotated[str, typer.Argument(help="The question.")],
    top_k: TopKOption = None,
    retriever: RetrieverOption = None,
    index: IndexOption = "default",
    json: JsonOption = False,
    encoder: EncoderOption = None,
    model: ModelOption = None,
    store: StoreOption = None,
    verify: VerifyOption = False,
    trust_query_encoder: TrustOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Show the passages that a question retrieves, with score and p(z|x).

    Example: rag retrieve "Who is the President of Peru?" --top-k 3
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.answers import show_passages
    from ragcli.json_form.answers import passage_record

    rag = open_rag(
        index,
        retrieval=Retrieval(top_k, retriever),
        placement=Placement(device),
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
    device: DeviceOption = "auto",
    dtype: DTypeOption = "float32",
) -> None:
    """log p(answer | question) of answers you name, under RAG-Sequence and RAG-Token.

    Example: rag score "What is the capital of France?" Paris Lyon
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.answers import show_scores
    from ragcli.json_form.answers import score_record

    rag = open_rag(
        index,
        retrieval=Retrieval(top_k),
        placement=Placement(device, dtype),
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
