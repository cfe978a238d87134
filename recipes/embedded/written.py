"""Whole articles written with slots for names: real discourse, invented people.

The sentences of the ``synth_*`` files are told one by one; an article has a thread, and most of it
is about something else than the question.  The pieces in ``articles/`` are texts of one to three
hundred words with slots; ``articles/README.md`` has their format.  A piece is filled with
invented names, cut into a passage as an index would cut it, and asked; when the sentences
that tell the answer are not in the passage, the question has no answer there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from synth_engine import date, roughen
from synth_names import CULTURES, Person, monarch, people, person
from synth_office import ORGANISED, PAPERS, PARTIES, SEATS
from synth_places import MONTHS, club, company, country, number, region, town, word

FOLDER = Path(__file__).resolve().parent / "articles"
HELD_OUT = 10
"""One piece in this many is never trained on."""
RARE = ("changes", "tables")
"""Files with few pieces of a kind that the others lack: asked more often than their number says."""

_SLOT = re.compile(r"\{([\w.]+?)(?:\.(last|first|he|He|his|His|him))?\}")
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[A-Z\[{\"“(])|\s+(?=\[[h\d]+\])|\n+")
_TAGS = re.compile(r"\[([h\d]+)\]\s*")
_CROWNS = re.compile(r"\{king[.}]")
_ARABIC = ("Emir", "Sultan", "Shah", "Imam", "Sheikh")
_ROLES = "holder prev prev2 founder a b c d e f g".split()
_YEARS = (1820, 1885, 1912, 1938, 1960, 1976, 1990, 1999, 2009, 2023)
_TOWNS = re.compile(r"mayor|bishop|police|harbour|port|city|rabbi|provost|fire|sheriff", re.I)
_REGIONS = re.compile(r"governor|province|region|prefect|island|tribal|chief minister", re.I)
_WHO = (
    *("Who is the {o}?",) * 10,
    *("Who is the current {o}?", "Who is {o}?", "Who is the {o} now?", "Who is the present {o}?")
    * 2,
    "Who's the {o}?",
    "Name the {o}.",
    "What is the name of the {o}?",
    "Who currently serves as {o}?",
    "Who holds the office of {o}?",
    "Who is {o} at present?",
    "Who is the incumbent {o}?",
    "Who is acting as {o} these days?",
    "Who is today's {o}?",
    "{o}",
    "current {o} name",
    "Tell me who the {o} is.",
    "Which person is the {o}?",
    "Who has the post of {o}?",
    "Who took office last as {o}?",
)


@dataclass(frozen=True)
class Made:
    """A question over a passage, and passages of the same article without the answer."""

    question: str
    title: str
    text: str
    answer: str
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A text with slots: its sentences with their tags, and what can be asked."""

    title: str
    office: str
    sentences: tuple[tuple[str, str], ...]
    questions: tuple[tuple[str, tuple[str, ...], str], ...]
    kind: str

    @property
    def name(self) -> str:
        """What tells this piece from others: its file and its first sentence."""
        return f"{self.kind}: {self.sentences[0][1]}"

    @property
    def crowned(self) -> bool:
        """Whether the office is held by a monarch with a regnal name."""
        return any(_CROWNS.search(text) for _, text in self.sentences)


def parse(text: str, kind: str) -> Iterator[Piece]:
    """The pieces of one file."""
    for block in re.split(r"(?m)^===.*$", text):
        if not block.strip():
            continue
        title = office = ""
        body, questions = [], []
        for line in block.strip().split("\n"):
            if line.startswith("TITLE:"):
                title = line[6:].strip()
            elif line.startswith("OFFICE:"):
                office = line[7:].strip().removeprefix("the ")
            elif found := re.match(r"Q (\d+):(.*)=>(.*)", line):
                wordings = tuple(part.strip() for part in found[2].split("||"))
                questions.append((found[1], wordings, found[3].strip()))
            else:
                body.append(line)
        sentences = []
        for part in _END.split("\n".join(body)):
            if part.strip():
                tags = _TAGS.match(part)
                sentences.append((tags[1] if tags else "", _TAGS.sub("", part).strip()))
        yield Piece(title, office, tuple(sentences), tuple(questions), kind)


@cache
def pieces(held_out: bool) -> tuple[Piece, ...]:
    """All pieces that are trained on, or those that are held out."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for spot, piece in enumerate(parse(path.read_text(encoding="utf-8"), path.stem)):
            if (spot % HELD_OUT == HELD_OUT - 1) == held_out:
                found.append(piece)
    return tuple(found)


class Filling:
    """Invented names, places and numbers for the slots of one piece."""

    def __init__(self, piece: Piece, rng: Random) -> None:
        self.rng = rng
        culture = rng.choice(CULTURES)
        self.people: dict[str, Person] = dict(
            zip(_ROLES, people(rng, len(_ROLES), culture), strict=True)
        )
        if piece.crowned:
            self._crown(piece.office)
        self.values = self._values(piece)

    def _crown(self, office: str) -> None:
        female = "Queen" in office or "ess " in office  # Empress, Princess, Duchess
        arabic = any(title in office for title in _ARABIC) and self.rng.random() < 0.5
        for role in ("king", "king.prev", "king.prev2", "king.founder"):
            taken = {found.full for found in self.people.values()}
            while role not in self.people or self.people[role].full in taken:
                drawn = person(self.rng, "arabic", False) if arabic else monarch(self.rng, female)
                self.people[role] = drawn

    def _values(self, piece: Piece) -> dict[str, str]:
        rng = self.rng
        adjective_used = any("{adj}" in text for _, text in piece.sentences)
        place, adj = country(rng)
        if piece.kind.startswith("officials") and not adjective_used:
            if _TOWNS.search(piece.office):
                place = town(rng)
            elif _REGIONS.search(piece.office):
                place = region(rng)
        since = rng.randint(2003, 2023)
        values = {
            "place": place,
            "adj": adj,
            "country": country(rng)[0],
            "country2": country(rng)[0],
            "river": word(rng),
            "mountain": rng.choice(("Mount {}", "{} Peak", "the {}horn")).format(word(rng)),
            "sea": rng.choice(("the {} Sea", "the Gulf of {}", "{} Bay")).format(word(rng)),
            "company": company(rng),
            "club": club(rng),
            "university": rng.choice(("the University of {}", "{} University")).format(town(rng)),
            "paper": rng.choice(PAPERS).format(t=town(rng), w=word(rng)),
            "since": str(since),
            "sincedate": str(date(rng, since, since)),
            "prevfrom": str(since - rng.randint(2, 12)),
            "date1": str(date(rng, 1950, 2010)),
            "date2": str(date(rng, 2011, 2024)),
            "weekday": rng.choice(
                ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
            ),
            "time": f"{rng.randint(6, 22)}:{rng.choice(('00', '15', '30', '45'))}",
            "pct": f"{rng.randint(2, 97)} per cent",
            "money": f"{rng.randint(11, 99) / 10} {rng.choice(('million', 'billion'))} dollars",
            "code": f"{chr(rng.randint(65, 90))}{chr(rng.randint(65, 90))}-{rng.randint(100, 999)}",
        }
        values["month"], values["month2"] = rng.sample(MONTHS, 2)
        parties = rng.sample(PARTIES, 2)
        values["party"], values["party2"] = (f"the {name}" for name in parties)
        for name in ("city", "city2", "town", "town2"):
            values[name] = town(rng)
        for name in ("w1", "w2", "w3", "w4"):
            values[name] = word(rng)
        for name in ("house", "house2"):
            values[name] = rng.choice(SEATS).format(w=word(rng), t=town(rng))
        for name in ("org", "org2"):
            values[name] = rng.choice(ORGANISED).format(w=word(rng), t=town(rng))
        for spot, (low, high) in enumerate(pairwise(_YEARS), 1):
            values[f"y{spot}"] = str(rng.randint(low, high - 2))
        for names, low, high in ((("n1", "n2", "n3"), 2, 40), (("m1", "m2"), 100, 999)):
            drawn = rng.sample(range(low, high), len(names))
            values |= dict(zip(names, map(str, drawn), strict=True))
        for name in ("big1", "big2"):
            values[name] = number(rng, 1100, 900_000)
        return values

    def _slot(self, match: re.Match[str]) -> str:
        name, form = match[1], match[2] or ""
        if name in self.people:
            value = self.people[name].form(form.lower(), True)[1]
            value = value.capitalize() if form in ("He", "His") else value
        else:
            value = self.values[name]
        before = match.string[: match.start()]
        if before.endswith((" a ", "A ")) and value[0] in "AEIOUaeiou":
            value = "\bn " + value
        if before.lower().endswith("the ") and value.startswith("the "):
            value = value[4:]
        return value

    def __call__(self, text: str) -> str:
        """A text with its slots filled."""
        filled = _SLOT.sub(self._slot, text).replace(" \bn", "n")
        return filled[:1].upper() + filled[1:] if text.startswith("{") else filled


def _office_question(office: str, rng: Random) -> str:
    title, _, place = office.partition(" of ")
    if place and rng.random() < 0.12:
        return f"Who is {place}'s {title[0].lower()}{title[1:]}?"
    return rng.choice(_WHO).format(o=office)


def _window(words: int, rng: Random) -> tuple[int, int]:
    """The first and the last word of a passage: as an index cuts, or anywhere."""
    size = 100 if rng.random() < 0.75 else rng.randint(30, 90)
    if words <= size:
        return 0, words
    as_index = rng.random() < 0.6
    first = rng.randrange(0, words, 100) if as_index else rng.randrange(words - size // 2)
    return first, min(words, first + size)


def ask(piece: Piece, rng: Random) -> Made | None:
    """One example from a piece, or None when the cut leaves it unclear."""
    filling = Filling(piece, rng)
    kept = [s for s in piece.sentences if s[0] or rng.random() > 0.1]
    filled = [(tags, filling(text)) for tags, text in kept]
    if (piece.office and rng.random() < 0.65) or not piece.questions:
        tag, answer = "h", filling("{king}" if piece.crowned else "{holder}")
        office = filling(piece.office)
        if rng.random() < 0.06:  # another office: nobody in this text holds it
            tag, place = "none", filling.values["place"]
            other = rng.choice((f"{place}-{word(rng)}", country(rng)[0], f"South {place}"))
            if place not in office:
                return None
            office = office.replace(place, other)
        question = _office_question(office, rng)
    else:
        tag, wordings, template = rng.choice(piece.questions)
        question, answer = filling(rng.choice(wordings)), filling(template)
    words = [text.split() for _, text in filled]
    title = filling(piece.title) if rng.random() < 0.9 else ""
    # A slot at the beginning of an answer is filled with a capital: "The" for "the".
    standing = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", re.I)

    def cut(first: int, last: int) -> tuple[str, int]:
        """A passage and where the answer stands in it: -1 absent, -2 unclear."""
        parts, place, at, length = [], 0, -1, 0
        for (tags, _), mine in zip(filled, words, strict=True):
            low, high = max(first - place, 0), min(last - place, len(mine))
            whole = low == 0 and high == len(mine)
            if low < high:
                part = " ".join(mine[low:high])
                if at < 0 and whole and tag in tags and (found := standing.search(part)):
                    at = length + found.start()
                parts.append(part)
                length += len(part) + 1
            place += len(mine)
        passage = " ".join(parts)
        if at < 0 and tag != "none" and answer.lower() in passage.lower():
            at = -2
        return passage, at

    count = sum(map(len, words))
    text, at = cut(*_window(count, rng))
    if at == -2 or len(text.split()) < 12:
        return None
    question = roughen(rng, question)
    if at < 0:
        return Made(question, title, text, "")
    others = (cut(first, first + 100) for first in range(0, count, 100))
    rest = tuple(other for other, spot in others if spot == -1 and len(other.split()) > 12)
    return Made(question, title, text, answer, rest)


def examples(rng: Random, held_out: bool = False) -> Iterator[Made]:
    """Endless examples: more than half of the pieces are about offices, some without an answer."""
    chosen = pieces(held_out)
    offices = [piece for piece in chosen if piece.office]
    rare = [piece for piece in chosen if piece.kind in RARE]
    while True:
        [pool] = rng.choices((offices, rare, chosen), (0.35, 0.12, 0.53))
        example = ask(rng.choice(pool), rng)
        if example and (example.answer or rng.random() < 0.7):
            yield example
