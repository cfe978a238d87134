"""Question and passage joined into the generator's one encoder input.

The passage is cut to fit, never the question: a question that is cut asks something else.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence

from ragcli.errors import QuestionError, SettingsError
from ragcli.settings import Prompting

Tokenize = Callable[[list[str]], list[list[int]]]
"""Texts to token ids, special tokens included."""


def join(question: str, title: str, text: str, prompting: Prompting) -> str:
    """The encoder input as text, for example `title / text // question`."""
    titled = f"{title}{prompting.title_separator}{text}" if title else text
    if prompting.question_first:
        return f"{prompting.prefix}{question}{prompting.question_separator}{titled}"
    return f"{prompting.prefix}{titled}{prompting.question_separator}{question}"


def told(questions: Sequence[str], style: str, prompting: Prompting) -> list[str]:
    """The questions as the generator is asked them: in the style that is wanted."""
    if style != "short" and style not in prompting.styles:
        known = ", ".join(["short", *prompting.styles])
        raise SettingsError(f"this generator does not know the style {style}, only {known}")
    return [prompting.styles.get(style, "") + question for question in questions]


def plain(text: str, reserved: Sequence[str]) -> str:
    """A text in which no special token is read: a passage about BERT may say `[SEP]`."""
    for token in reserved:
        text = text.replace(token, f"{token[0]} {token[1:]}")
    return text


def fit(
    pairs: Sequence[tuple[str, str, str]],
    prompting: Prompting,
    tokenize: Tokenize,
    reserved: Sequence[str] = (),
) -> list[list[int]]:
    """Token ids of each (question, title, text), each at most `prompting.max_length` long.

    `reserved` are the tokenizer's special tokens, which the texts may name but not be.
    Whole inputs are tokenized in one batch; only those too long lose words from the end of the
    passage, as many as needed and no more. A question that does not fit even with an empty
    passage is refused.
    """
    safe = [
        (plain(question, reserved), plain(title, reserved), plain(text, reserved))
        for question, title, text in pairs
    ]
    ids = tokenize([join(*pair, prompting) for pair in safe])
    for i, (question, title, text) in enumerate(safe):
        if len(ids[i]) > prompting.max_length:
            ids[i] = _cut(question, title, text, prompting, tokenize)
    return ids


def _cut(
    question: str, title: str, text: str, prompting: Prompting, tokenize: Tokenize
) -> list[int]:
    """The longest beginning of the passage with which the input fits: whole words if one fits.

    Scripts without spaces are one long word, so they are cut between characters.
    """
    parts, space = text.split(), " "

    def ids(title: str, count: int) -> list[int]:
        return tokenize([join(question, title, space.join(parts[:count]), prompting)])[0]

    if len(ids(title, 0)) > prompting.max_length:
        title = ""
    bare = len(ids(title, 0))
    if bare > prompting.max_length:
        raise QuestionError(
            f"the question takes {bare} tokens and the generator reads {prompting.max_length}",
            "shorten the question",
        )
    if len(ids(title, 1)) > prompting.max_length:
        parts, space = list(text), ""
    counts = range(1, len(parts) + 1)
    return ids(title, bisect(counts, prompting.max_length, key=lambda n: len(ids(title, n))))
