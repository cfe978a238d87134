"""Questions that were written over whole texts: real prose, and documents of every kind.

``asked/wikipedia.tsv`` asks about the articles of the gensim wheel, passage by passage;
``documents/`` holds texts written for this model, each with its questions.  Here a text is cut into
passages, as an index cuts or anywhere else, and the passages of the same text that do not hold
an answer are its distractors.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from data import Example, Sources, content_words, held_out
from synth_engine import roughen
from text import split_sentences

from ragcli.corpus.markdown import strip_markdown

HERE = Path(__file__).resolve().parent
PASSAGE = 100
"""Words of a passage, as in an index."""
HELD_OUT = 10
"""One document of a file in this many is never trained on; of the articles one in ten, by title."""
WHOLE = 0.6
"""A passage says what a sentence of its text says when it has this share of the sentence."""
HARD = 8
"""So many of a text's other passages are most like the question, and may distract from it."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Question:
    """A question, its answer and the words of the text (first, last) it was written over.

    An empty answer: those words do not hold it.
    """

    text: str
    answer: str
    within: Span


class Text:
    """A text with its questions; `kind` is the file it comes from."""

    def __init__(self, title: str, text: str, questions: Sequence[Question], kind: str) -> None:
        self.title, self.text, self.questions, self.kind = title, text, questions, kind
        self.words = [match.span() for match in re.finditer(r"\S+", text)]
        self.sentences: list[Span] = []
        place = 0
        for sentence in split_sentences(text):
            place = text.index(sentence, place)
            self.sentences.append((place, place + len(sentence)))
            place += len(sentence)
        cuts = [self.index_cut(first) for first in range(0, len(self.words), PASSAGE)]
        self.passages = [self.cut(*span) for span in cuts if span[1] - span[0] > 12]
        self.vocabularies = [set(content_words(passage)) for passage in self.passages]

    def cut(self, first: int, last: int) -> str:
        """The text from one word to before another."""
        begin, end = self.characters((first, last))
        return self.text[begin:end]

    def characters(self, words: Span) -> Span:
        """Where some words begin and end; a last passage may be shorter than asked for."""
        return self.words[words[0]][0], self.words[min(words[1], len(self.words)) - 1][1]

    def place(self, question: Question) -> Span:
        """Where the answer stands: of several, the one in the sentence most like the question."""
        begin, end = self.characters(question.within)
        found = [
            (begin + match.start(), begin + match.end())
            for match in standing(question.answer, True).finditer(self.text[begin:end])
        ]
        if not found:
            raise ValueError(f"{question.answer!r} does not stand in its passage of {self.title!r}")
        asked = set(content_words(question.text))

        def likeness(span: Span) -> int:
            low, high = self.around(span)
            return len(asked & set(content_words(self.text[low:high])))

        return max(found, key=likeness)

    def around(self, span: Span) -> Span:
        """The sentences that a stretch of text stands in."""
        inside = [s for s in self.sentences if s[0] < span[1] and s[1] > span[0]]
        return inside[0][0], inside[-1][1]

    def support(self, question: Question) -> Span:
        """The sentence of the answer, as much of it as the question was written over."""
        low, high = self.around(self.place(question))
        first, last = self.characters(question.within)
        return max(low, first), min(high, last)

    def numbers(self, characters: Span) -> Span:
        """The words, from one to before another, of a stretch of text."""
        first = bisect_right(self.words, (characters[0], len(self.text))) - 1
        return first, bisect_left(self.words, (characters[1], 0))

    def index_cut(self, word: int) -> Span:
        """The passage that a word falls into when an index is built."""
        first = word - word % PASSAGE
        return first, min(first + PASSAGE, len(self.words))

    def rest(self, question: Question) -> tuple[str, ...]:
        """The other passages most like the question, without those in which the answer stands."""
        there = standing(question.answer)
        asked = set(content_words(question.text))
        order = sorted(
            (spot for spot, passage in enumerate(self.passages) if not there.search(passage)),
            key=lambda spot: -len(asked & self.vocabularies[spot]),
        )
        return tuple(self.passages[spot] for spot in order[:HARD])


def standing(answer: str, exact: bool = False) -> re.Pattern[str]:
    """Finds an answer as whole words."""
    return re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", 0 if exact else re.I)


@cache
def documents(held: bool) -> tuple[Text, ...]:
    """The texts of ``documents/`` that are held out, or those that are trained on."""
    found = []
    for path in sorted((HERE / "documents").glob("*.txt")):
        blocks = re.split(r"(?m)^===.*$", path.read_text(encoding="utf-8"))
        for spot, block in enumerate(filter(str.strip, blocks)):
            if (spot % HELD_OUT == HELD_OUT - 1) == held:
                found.append(parse(block, path.stem))
    return tuple(found)


def parse(block: str, kind: str) -> Text:
    """One document of a file: a title, a text and its questions."""
    title, body, questions = "", [], []
    for line in block.strip().splitlines():
        if line.startswith("TITLE:"):
            title = line[6:].strip()
        elif line.startswith("Q:"):
            question, _, answer = line[2:].rpartition("=>")
            questions.append((question.strip(), answer.strip()))
        else:
            body.append(line)
    text = " ".join(strip_markdown("\n".join(body)).split())  # as an index reads it
    whole = (0, len(text.split()))
    asked = [
        Question(question, "" if answer == "-" else answer, whole)
        for question, answer in questions
        if answer == "-" or standing(answer, True).search(text)  # some stand in the title only
    ]
    return Text(title, text, asked, kind)


def articles(sources: Sources, held: bool) -> list[Text]:
    """The articles of the gensim wheel that are held out, or trained on, with their questions."""
    asked: dict[str, list[Question]] = {}
    with (HERE / "asked" / "wikipedia.tsv").open(encoding="utf-8", newline="") as stream:
        for title, passage, question, answer in csv.reader(stream, "excel-tab"):
            first = int(passage) * PASSAGE
            asked.setdefault(title, []).append(Question(question, answer, (first, first + PASSAGE)))
    return [
        Text(title, " ".join(paragraphs), asked[title], "wikipedia")
        for title, paragraphs in sources.articles
        if title in asked and held_out(title, 0.1) == held
    ]


def window(text: Text, question: Question, rng: Random) -> Span:
    """The words of a passage: as an index cuts, or anywhere; most hold the answer."""
    size = PASSAGE if rng.random() < 0.75 else rng.randint(30, 90)
    count, roll = len(text.words), rng.random()
    if not question.answer:
        first, last = question.within
        first = first + (rng.randrange(0, last - first, PASSAGE) if roll < 0.7 else 0)
        return first, min(last, first + (PASSAGE if roll < 0.7 else size))
    low, high = text.numbers(text.support(question))
    if roll < 0.5:
        return text.index_cut(low)
    if roll < 0.85 and high - low < size:
        first = rng.randint(max(0, high - size), low)
    else:
        first = rng.randrange(max(1, count - size // 2))
    return first, min(count, first + size)


def example(text: Text, question: Question, words: Span, title: str) -> Example | None:
    """A question over some words of its text, or None where it is unclear what they say."""
    begin, end = text.characters(words)
    passage = text.text[begin:end]
    made = Example(
        question.text, title, passage, -1, -1, f"asked:{text.kind}", ("",), question.answer,
        piece=f"{text.kind}: {text.title or text.text[:60]}",
    )  # fmt: skip
    if not question.answer or not standing(question.answer).search(passage):
        return made
    low, high = text.support(question)
    start, stop = text.place(question)
    covered = min(end, high) - max(begin, low)
    if covered < WHOLE * (high - low) or not begin <= start < stop <= end:
        return None
    return replace(
        made, start=start - begin, end=stop - begin, references=(question.answer,), wanted="",
        rest=text.rest(question),
    )  # fmt: skip


def examples(texts: Sequence[Text], rng: Random) -> Iterator[Example]:
    """Endless examples: every question once, in a new order each time round."""
    pairs = [(text, question) for text in texts for question in text.questions]
    while True:
        rng.shuffle(pairs)
        for text, question in pairs:
            title = text.title if rng.random() < 0.9 else ""
            made = example(text, question, window(text, question, rng), title)
            if made is not None and len(made.text.split()) > 12:
                yield replace(made, question=roughen(rng, made.question))


def held_out_examples(texts: Sequence[Text], count: int) -> list[Example]:
    """Held-out questions over the passage that an index would have, evenly chosen."""
    found = []
    for text in texts:
        for question in text.questions:
            spot = text.place(question) if question.answer else text.characters(question.within)
            cut = text.index_cut(text.numbers(spot)[0])
            made = example(text, question, cut, text.title)
            if made is not None:
                found.append(made)
    return found[:: max(1, len(found) // count)]
