"""From items to what the generator reads and writes: windows of text, prefixes, absent answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from sources import NAMELESS

PREFIXES = {"claim": "claim: ", "sentence": "sentence: ", "ask": "ask: "}
"""What is put before the question; short answers, yes and no have no prefix."""

UNKNOWN = "not enough info"
ABSENT = 0.25
"""How often a question meets a text that does not answer it."""

LONGEST = 20
"""A short answer has at most so many words."""

SHARES = {
    "squad": 1.6,
    "qasrl": 0.25,
    "covid-qa": 1.0,
    "quartz": 0.5,
    "mocha": 0.5,
    "timeqa": 1.6,
    "tweetqa": 0.6,
    "fairytaleqa": 0.8,
    "iirc": 0.7,
    "policyqa": 0.5,
    "scitail": 0.6,
    "narrativeqa": 0.8,
    "cmu-qa": 1.5,
    "qasper": 0.8,
    "selqa": 2.0,
    "clapnq": 3.0,
    "pubmedqa": 1.0,
    "boolq": 1.5,
    "strategyqa": 0.6,
    "fever": 1.0,
    "fever-symmetric": 1.0,
    "cb": 1.0,
    "squad-sentences": 0.5,
    "qamr": 0.5,
    "wikipedia": 1.2,
    "documents": 1.6,
    "changes": 3.0,
    "written": 0.5,
}
"""How often an item of a source is seen in one round, on average."""


@dataclass(frozen=True)
class Row:
    """An item with what `prepare.py` found: the texts most like its question."""

    task: str
    source: str
    question: str
    title: str
    text: str
    answer: str
    rest: tuple[str, ...]
    group: str
    held: bool
    likes: tuple[int, ...]


@dataclass(frozen=True)
class Example:
    """One pair to read.  `start` and `end`: where the answer stands in the text, or -1.

    An empty `answer` is to be met with silence; `wanted` is then what other texts would say.
    """

    task: str
    question: str
    title: str
    text: str
    answer: str
    start: int = -1
    end: int = -1
    wanted: str = ""
    source: str = ""


class Material:
    """Everything that was prepared, read once."""

    def __init__(self, work: Path) -> None:
        likes = np.load(work / "likes.npy")
        self.texts: list[list[str]] = json.loads((work / "texts.json").read_text())
        self.rows: list[Row] = []
        with (work / "items.jsonl").open(encoding="utf-8") as stream:
            for line, like in zip(stream, likes, strict=True):
                made = Row(likes=tuple(like[like >= 0].tolist()), **json.loads(line))
                self.rows.append(replace(made, rest=tuple(made.rest)))
        held = {row.question.lower() for row in self.rows if row.held and row.task == "claim"}
        self.train = [
            row
            for row in self.rows
            if not row.held and not (row.task == "claim" and row.question.lower() in held)
        ]

    def held_out(self, task: str, *sources: str) -> list[Row]:
        """Held-out rows of a task, of some sources or all."""
        return [r for r in self.rows if r.held and r.task == task
                and (r.source in sources or not sources)]  # fmt: skip


def standing(answer: str) -> re.Pattern[str]:
    """Finds an answer as whole words."""
    return re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", re.I)


def content(text: str) -> set[str]:
    """The words of three letters or more, in lower case."""
    return set(re.findall(r"\w{3,}", text.lower()))


_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!\bNo)(?<!Mrs)[.!?][\"')\]]*\s+(?=[\"'(\[]?[\w])"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence begins and ends."""
    cuts = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def place(question: str, answer: str, text: str) -> tuple[int, int] | None:
    """Where the answer stands: of several places, in the sentence most like the question."""
    found = [match.span() for match in standing(answer).finditer(text)]
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    asked, parts = content(question), sentences(text)

    def likeness(span: tuple[int, int]) -> int:
        around = " ".join(text[a:b] for a, b in parts if a < span[1] and b > span[0])
        return len(asked & content(around))

    return max(found, key=likeness)


def window(
    text: str, keep: tuple[int, int] | None, rng: Random, hint: str, short: bool = False
) -> tuple[int, int]:
    """The characters of a passage of some 60 to 150 words that holds `keep`; 25 to 60 if `short`.

    Without a place to keep, the passage that has most words of the hint.
    """
    words = [match.span() for match in re.finditer(r"\S+", text)]
    size = 100 if rng.random() < 0.4 else rng.randint(60, 150)
    size = rng.randint(25, 60) if short else size
    if len(words) <= size + (5 if short else 15):
        return 0, len(text)
    if keep is None:
        asked = content(hint)
        firsts = range(0, len(words) - size // 2, 20)
        first = max(firsts, key=lambda f: len(asked & content(
            text[words[f][0] : words[min(f + size, len(words)) - 1][1]])))  # fmt: skip
    else:
        low = sum(a < keep[0] for a, _ in words)
        high = sum(a < keep[1] for a, _ in words)
        if rng.random() < 0.35 and low // size == (high - 1) // size:
            first = low - low % size  # as an index cuts
        else:
            first = rng.randint(max(0, high - size), max(0, max(high - size, low - 1)))
    last = min(first + size, len(words))
    return words[first][0], words[last - 1][1]


def roughen(question: str, rng: Random) -> str:
    """A question as it may be typed."""
    roll = rng.random()
    if roll < 0.12:
        return question.rstrip("? .")
    return question


class Maker:
    """Makes examples of rows; each call draws another window, another distractor."""

    def __init__(self, texts: list[list[str]], rng: Random, shorts: float = 0.0) -> None:
        self.texts, self.rng, self.shorts = texts, rng, shorts
        self.short = False

    def __call__(self, row: Row) -> Example | None:
        """One example of a row, or None where it is of no use."""
        rng, task = self.rng, row.task
        self.short = rng.random() < self.shorts
        if task in ("answer", "yesno", "claim", "sentence") and rng.random() < ABSENT:
            return self.absent(row)
        if task == "answer" and row.answer and rng.random() < 0.2 and (made := self.turned(row)):
            return made
        return self.present(row)

    def present(self, row: Row) -> Example | None:
        """The question over its own text."""
        span = None
        if row.answer and row.task in ("answer", "sentence"):
            span = place(row.question, row.answer, row.text)
        if row.task == "answer" and len(row.answer.split()) > LONGEST:
            return None
        if row.task == "ask" and row.question:
            span = place(row.answer, row.question, row.text)
        hint = f"{row.question} {row.answer}"
        begin, end = window(row.text, span, self.rng, hint, self.short)
        if span and not begin <= span[0] < span[1] <= end:
            return None
        aligned = span if row.task != "ask" and span else None
        start, stop = (aligned[0] - begin, aligned[1] - begin) if aligned else (-1, -1)
        question = row.question if row.task == "ask" else roughen(row.question, self.rng)
        title = row.title if self.rng.random() < 0.92 else ""
        return Example(row.task, question, title, row.text[begin:end], row.answer, start, stop,
                       source=row.source)  # fmt: skip

    def turned(self, row: Row) -> Example | None:
        """An extractive example as a question to be written, or answered by its sentence."""
        span = place(row.question, row.answer, row.text)
        if span is None or row.source in ("qasrl", "qamr", "quartz"):
            return None
        begin, end = window(row.text, span, self.rng, "", self.short)
        if not begin <= span[0] < span[1] <= end:
            return None
        text = row.text[begin:end]
        if self.rng.random() < 0.5:
            if row.question.islower():
                return None
            return Example("ask", row.answer, row.title, text, row.question, source=row.source)
        for a, b in sentences(row.text):
            if a <= span[0] and span[1] <= b and begin <= a and b <= end + 1:
                said = row.text[a:b].strip()
                first = said.split()[0].lower()
                if 6 <= len(said.split()) <= 30 and first not in _LEANING and said[0].isupper():
                    at = a - begin
                    return Example("sentence", row.question, row.title, text, said, at,
                                   at + len(said), source=row.source)  # fmt: skip
        return None

    def distractors(self, row: Row, count: int) -> list[tuple[str, str]]:
        """Title and text of passages like the question that do not hold the answer."""
        found = []
        there = standing(row.answer) if row.answer and row.task == "answer" else None
        if there and (own := self.elsewhere(row, there)):
            found += [own] * 4
        for spot in row.likes:
            title, text, _ = self.texts[spot]
            if there and there.search(text):
                continue
            begin, end = window(text, None, self.rng, row.question, self.short)
            found.append((title, text[begin:end]))
        picked = self.rng.sample(found, min(count, len(found)))
        if row.rest and self.rng.random() < 0.6 and picked:
            picked[0] = (row.title, self.rng.choice(row.rest))
        return picked

    def elsewhere(self, row: Row, there: re.Pattern[str]) -> tuple[str, str] | None:
        """Another part of the row's own text, in which the answer does not stand."""
        words = [match.span() for match in re.finditer(r"\S+", row.text)]
        places = [match.span() for match in there.finditer(row.text)]
        if not places:
            return None
        before = sum(b <= places[0][0] for _, b in words) - 12
        after = sum(a < places[-1][1] for a, _ in words) + 12
        sides = [(0, before), (after, len(words))]
        sides = [(a, b) for a, b in sides if b - a >= (20 if self.short else 40)]
        if not sides:
            return None
        first, last = self.rng.choice(sides)
        text = row.text[words[first][0] : words[min(last, first + 110) - 1][1]]
        return row.title, text

    def absent(self, row: Row) -> Example | None:
        """The question over a text that does not answer it."""
        if row.source in NAMELESS and row.task == "answer":
            return None
        picked = self.distractors(row, 1)
        if not picked:
            return None
        title, text = picked[0]
        answer = UNKNOWN if row.task == "claim" else ""
        return Example(row.task, roughen(row.question, self.rng), title, text, answer,
                       wanted=row.answer, source=row.source)  # fmt: skip


_LEANING = frozenset("he she it they this that these those his her its their there such".split())


def stream(material: Material, rng: Random, shorts: float) -> Iterator[Example]:
    """Endless examples in rounds; a row of a source comes as often as SHARES says."""
    make = Maker(material.texts, rng, shorts)
    while True:
        spots: list[int] = []
        for spot, row in enumerate(material.train):
            share = SHARES[row.source]
            spots += [spot] * (int(share) + (rng.random() < share % 1))
        rng.shuffle(spots)
        for spot in spots:
            made = make(material.train[spot])
            if made is not None:
                yield made


def gold(rows: Sequence[Row], seed: int = 0) -> list[tuple[Row, Example]]:
    """Held-out rows over their own text, cut the same way every time."""
    found = []
    for number, row in enumerate(rows):
        made = Maker([], Random(seed + number)).present(row)
        if made is not None:
            found.append((row, replace(made, question=row.question, title=row.title)))
    return found
