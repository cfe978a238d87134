"""Question and passage joined into the generator's one encoder input.

The passage is cut to fit, never the question: a question that is cut asks something else.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ragcli.errors import QuestionError, SettingsError
from ragcli.settings import Prompting

Tokenize = Callable[[list[str]], list[list[int]]]
"""Texts to token ids, special tokens included."""
Words = list[str]


class Completed(NamedTuple):
    """A question, and a passage with the words that stand before and after it."""

    question: str
    title: str
    text: str
    before: Words
    after: Words

    def kept(self, count: int) -> tuple[Words, Words]:
        """The `count` words nearest to the passage, as many before as after where there are."""
        before = min(len(self.before), max(count // 2, count - len(self.after)))
        return self.before[len(self.before) - before :], self.after[: count - before]


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


def trimmed(
    pairs: Sequence[Completed],
    prompting: Prompting,
    tokenize: Tokenize,
    reserved: Sequence[str] = (),
) -> list[tuple[Words, Words]]:
    """What each pair may keep of the words beside its passage, so that `fit` cuts nothing.

    Where the input is too long they go first, from the outside, and then `fit` cuts the passage.
    """

    def lengths(which: Sequence[tuple[Completed, int]]) -> list[int]:
        joined = []
        for pair, count in which:
            before, after = pair.kept(count)
            text = plain(" ".join([*before, pair.text, *after]), reserved)
            question, title = plain(pair.question, reserved), plain(pair.title, reserved)
            joined.append(join(question, title, text, prompting))
        return [len(ids) for ids in tokenize(joined)]

    counts = [len(pair.before) + len(pair.after) for pair in pairs]
    wide = [n for n, count in enumerate(counts) if count]
    whole = lengths([(pairs[n], counts[n]) for n in wide]) if wide else []
    for n, length in zip(wide, whole, strict=True):
        if length > prompting.max_length:
            fewer = range(1, counts[n])
            most = prompting.max_length
            counts[n] = bisect(fewer, most, key=lambda count: lengths([(pairs[n], count)])[0])
    return [pair.kept(count) for pair, count in zip(pairs, counts, strict=True)]


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
