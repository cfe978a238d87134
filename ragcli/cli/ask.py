"""`rag ask`, `rag retrieve` and `rag score`."""

from __future__ import annotations

from typing import Annotated

import typer

from ragcli.cli.opening import open_rag
from ragcli.cli.options import (
    OPENING,
    BatchSizeOption,
    DecodingOptions,
    JsonOption,
    Opening,
    OpeningOptions,
    RetrievalOptions,
)
from ragcli.errors import QuestionError

QuestionArgument = Annotated[str, typer.Argument(help="The question.")]


def ask(
    question: Annotated[
        str, typer.Argument(help="The question; - reads one from each line of stdin.")
    ],
    retrieval: RetrievalOptions,
    decoding: DecodingOptions,
    opening: OpeningOptions,
    batch_size: BatchSizeOption = 8,
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw which passage each token leans on.")
    ] = False,
    json: JsonOption = False,
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
    with open_rag(opening, retrieval, decoding) as rag:
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


def retrieve(
    question: QuestionArgument,
    retrieval: RetrievalOptions,
    opening: Annotated[Opening, OPENING.without("dtype")],
    json: JsonOption = False,
) -> None:
    """Show the passages that a question retrieves, with score and p(z|x).

    Example: rag retrieve "Who is the President of Peru?" --top-k 3
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.answers import show_passages
    from ragcli.json_form.answers import passage_record

    with open_rag(opening, retrieval, generate=False) as rag:
        found = rag.retrieve(question)
        if json:
            for rank, item in enumerate(found, 1):
                print_json({"rank": rank} | passage_record(item))
        else:
            show_passages(found, f"{rag.index.name}@{rag.index.version}")


def score(
    question: QuestionArgument,
    answers: Annotated[list[str], typer.Argument(help="Answers to score.", metavar="ANSWER...")],
    retrieval: RetrievalOptions,
    opening: OpeningOptions,
    json: JsonOption = False,
) -> None:
    """log p(answer | question) of answers you name, under RAG-Sequence and RAG-Token.

    Example: rag score "What is the capital of France?" Paris Lyon
    """
    from ragcli.cli.console import print_json
    from ragcli.cli.reports.answers import show_scores
    from ragcli.json_form.answers import score_record

    with open_rag(opening, retrieval) as rag:
        scored = rag.score(question, answers)
        if json:
            for item in scored:
                print_json(score_record(question, item))
        else:
            show_scores(scored)
