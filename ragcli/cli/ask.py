"""`rag ask`, `rag retrieve`, `rag score` and `rag classify`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from ragcli.cli import options
from ragcli.cli.console import put, say_untrained
from ragcli.cli.expand import argument, flag, option
from ragcli.cli.stdin import answer, require_text
from ragcli.json_form import answers as records
from ragcli.settings import Decoding

QuestionArgument = Annotated[str, argument("The question.")]


def ask(
    question: Annotated[str, argument("The question; - reads one from each line of stdin.")],
    retrieval: options.RetrievalOptions,
    decoding: options.DecodingOptions,
    opening: options.OpeningOptions,
    placement: options.PlacementOptions,
    batch_size: options.BatchSizeOption = 8,
    explain: bool = option(False, "Draw which passage each token leans on."),
    show_passages: bool = option(False, "Show the passages in full, as they were read."),
    json: options.JsonOption = False,
) -> None:
    """Answer a question from an index, with its evidence.

    Example: rag ask "Who is the President of Peru?" --variant token

    With all that was read: rag ask "Who is the President of Peru?" --show-passages

    In a pipeline: cat questions.txt | rag ask - --json | jq -r .answer
    """
    from ragcli.cli.reports.answers import show_answer

    require_text("question", question)
    with opening.open(placement, retrieval, decoding) as rag:
        many = partial(rag.ask_many, batch_size=batch_size, explain=explain)
        show = partial(show_answer, explain=explain, question=question == "-", whole=show_passages)
        answer(question, batch_size, many, records.answer_record, show, json)


def retrieve(
    question: QuestionArgument,
    retrieval: options.PassagesOptions,
    opening: options.OpeningOptions,
    placement: options.EncoderPlacement,
    json: options.JsonOption = False,
) -> None:
    """Show the passages that a question retrieves, with score and p(z|x).

    Example: rag retrieve "Who is the President of Peru?" --top-k 3
    """
    from ragcli.cli.reports.answers import show_passages

    require_text("question", question, None)
    with opening.open(placement, retrieval, generate=False) as rag:
        found = rag.retrieve(question)
        ranked = ({"rank": n} | records.passage_record(item) for n, item in enumerate(found, 1))
        put(json, ranked, lambda: show_passages(found, f"{rag.index.name}@{rag.index.version}"))


def score(
    question: QuestionArgument,
    answers: Annotated[list[str], argument("Answers to score.", metavar="ANSWER")],
    retrieval: options.RetrievalOptions,
    opening: options.OpeningOptions,
    placement: options.PlacementOptions,
    json: options.JsonOption = False,
) -> None:
    """log p(answer | question) of answers you name, under RAG-Sequence and RAG-Token.

    Example: rag score "What is the capital of France?" Paris Lyon
    """
    from ragcli.cli.reports.answers import show_scores

    require_text("question", question, None)
    for each in answers:
        require_text("answer to score", each, None)
    with opening.open(placement, retrieval) as rag:
        scored = rag.score(question, answers)
        found = (records.score_record(question, item) for item in scored)
        put(json, found, lambda: show_scores(scored))


def classify(
    text: Annotated[str, argument("The text; - reads one from each line of stdin.")],
    labels: Annotated[str, flag("Labels, with commas between.")],
    retrieval: options.RetrievalOptions,
    decoding: Annotated[Decoding, options.DECODING.only("variant")],
    opening: options.OpeningOptions,
    placement: options.PlacementOptions,
    batch_size: options.BatchSizeOption = 8,
    json: options.JsonOption = False,
) -> None:
    """Score labels for a claim or text by their marginal probability: the paper's FEVER form.

    Example: rag classify "Lima is in Peru." --labels supports,refutes,unknown

    In a pipeline: cat claims.txt | rag classify - --labels supports,refutes --json
    """
    from ragcli.answering.classify import require_labels
    from ragcli.cli.reports.answers import show_classification

    require_text("text", text)
    named = require_labels([label.strip() for label in labels.split(",")])
    with opening.open(placement, retrieval, decoding) as rag:
        say_untrained(rag)
        many = partial(rag.classify_many, labels=named, batch_size=batch_size)
        record = partial(records.classification_record, index=rag.index)
        show = partial(show_classification, index=rag.index)
        answer(text, batch_size, many, record, show, json)
