"""The machine that turns facts into passages and questions.

A :class:`Domain` draws the values of a subject (``make``) and holds templates of sentences and
questions.
The template language is small:

``{slot}``
    the value of a fact; in a sentence it *states* the fact, so it can be asked for;
``{slot.form}``
    another form of the value (a pronoun, a family name); it only mentions it. Dates are the
    exception: ``{d.full}``, ``{d.my}`` and ``{d.y}`` all state the date;
``{S}``
    the subject: its name the first time, later also "it", "the company", ...;
``[one|two|three]``
    one of the alternatives, which may be nested.

Answers are found by position: while a template is rendered, the place of every value is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

Node = Any  # str | tuple[str, str] | list[list[Node]]
Values = dict[str, Any]
_TOKEN = re.compile(r"\{(\w+)(?:\.(\w+))?\}|([\[\]|])")
_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b|\b[3-9][0-9]{2}\b")
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_STATING_FORMS = {"", "full", "my", "y", "titled"}
NOISE: dict[str, Callable[[Random], str]] = {}
"""Makers of passing values: ``{x_person}`` is another invented person each time it is used.

A subject's values may hold a maker of its own under the same name.
"""


@cache
def parse(template: str) -> tuple[Node, ...]:
    """Parse a template into literals, (slot, form) pairs and lists of alternatives."""
    stack: list[list[list[Node]]] = [[[]]]
    position = 0
    for match in _TOKEN.finditer(template):
        if match.start() > position:
            stack[-1][-1].append(template[position : match.start()])
        position = match.end()
        mark = match.group(3)
        if mark == "[":
            stack.append([[]])
        elif mark == "|" and len(stack) > 1:
            stack[-1].append([])
        elif mark == "]":
            alternatives = stack.pop()
            stack[-1][-1].append(alternatives)
        elif mark == "|":
            stack[-1][-1].append("|")
        else:
            stack[-1][-1].append((match.group(1), match.group(2) or ""))
    if position < len(template):
        stack[-1][-1].append(template[position:])
    if len(stack) != 1:
        raise ValueError(f"unbalanced brackets in template: {template}")
    return tuple(stack[0][0])


def _collect(nodes: Any, states: set[str], mentions: set[str]) -> None:
    for node in nodes:
        if isinstance(node, list):
            for alternative in node:
                _collect(alternative, states, mentions)
        elif isinstance(node, tuple) and not node[0].startswith("x_"):
            (states if node[1] in _STATING_FORMS else mentions).add(node[0])


@cache
def slots(template: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the slots a template states and the slots it only mentions."""
    states: set[str] = set()
    mentions: set[str] = set()
    _collect(parse(template), states, mentions)
    return frozenset(states), frozenset(mentions - states)


@dataclass(slots=True)
class Date:
    """A date shown as a year, a month and year, or in full."""

    year: int
    month: int
    day: int
    style: int

    def form(self, attr: str, seen: bool) -> tuple[str, str, str]:
        """Return (before, core, after) of one form of the date."""
        month = _MONTHS[self.month - 1]
        if attr == "y":
            return "", str(self.year), ""
        if attr == "my":
            return "", f"{month} {self.year}", ""
        if self.style == 0:
            return "", f"{self.day} {month} {self.year}", ""
        if self.style == 1:
            return "", f"{month} {self.day}, {self.year}", ""
        if self.style == 2 and attr == "iso":
            return "", f"{self.year}-{self.month:02d}-{self.day:02d}", ""
        return "", f"{self.day} {month} {self.year}", ""

    def __str__(self) -> str:
        return self.form("full", True)[1]


def date(rng: Random, low: int, high: int) -> Date:
    """Draw a date between two years, both included."""
    return Date(rng.randint(low, high), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 2))


@dataclass(slots=True)
class Subject:
    """What a passage is about: a name, ways to mention it later, and pronouns."""

    name: str
    later: tuple[str, ...] = ()
    pronoun: str = "it"
    possessive: str = "its"

    def render(self, attr: str, seen: bool, rng: Random, explicit: bool) -> str:
        """Render the subject; its name at first mention, something shorter later."""
        if attr == "name":
            return self.name
        if attr == "bare":
            return self.name[4:] if self.name.startswith("the ") else self.name
        if attr in ("he", "it"):
            return self.pronoun if seen and not explicit else self.name
        if attr == "his":
            if seen and not explicit:
                return self.possessive
            return self.name + ("'" if self.name.endswith("s") else "'s")
        if not seen or explicit or not self.later:
            return self.name
        roll = rng.random()
        if roll < 0.4:
            return self.name
        if roll < 0.7:
            return rng.choice(self.later)
        return self.pronoun


@dataclass(slots=True)
class Sentence:
    """A rendered sentence and the places of the values it states."""

    text: str
    spans: dict[str, tuple[int, int]]
    lower: bool = False  # whether its first letter may become small again
    joined: bool = False


def _wants_an(before: str, text: str) -> bool:
    """Say whether an "a" that ends ``before`` must become "an" in front of ``text``."""
    if not before.endswith((" a ", "A ")) and before != "a ":
        return False
    return text[:1] in "aeioAEIO" or (text[:1] in "uU" and text[:3].lower() != "uni")


_TITLES = frozenset(
    "President Prime Queen King Chancellor Premier Governor Minister Monday".split()
)


class Renderer:
    """Renders templates over one set of values, remembering what has been mentioned."""

    def __init__(self, values: Values, rng: Random, explicit: bool = False) -> None:
        self.values = values
        self.rng = rng
        self.explicit = explicit
        self.seen: set[str] = set()
        self.literal = False
        # years of birth in brackets are mere noise, unless births are what is told
        self.births = "born" not in values

    def sentence(self, template: str) -> Sentence:
        """Render a sentence of a passage; its first letter becomes a capital."""
        out: list[str] = []
        spans: dict[str, tuple[int, int]] = {}
        self._walk(parse(template), out, spans, 0, False)
        text = "".join(out)
        first = text.split(" ", 1)[0]
        lower = text[:1].islower() or (self.literal and first not in _TITLES)
        text = text[:1].upper() + text[1:]
        if text.endswith(".."):
            text = text[:-1]
        return Sentence(text, spans, lower)

    def question(self, template: str) -> str:
        """Render a question: the subject always by name, values as they are."""
        out: list[str] = []
        self._walk(parse(template), out, {}, 0, True)
        text = "".join(out)
        if template[:1].islower() and self.rng.random() < 0.6:
            return text
        return text[:1].upper() + text[1:]

    def _walk(
        self, nodes: Any, out: list[str], spans: dict[str, tuple[int, int]], at: int, asking: bool
    ) -> int:
        for place, node in enumerate(nodes):
            if isinstance(node, str):
                if not at:
                    self.literal = True
                out.append(node)
                at += len(node)
                continue
            if isinstance(node, list):
                chosen = node[int(self.rng.random() * len(node))]
                at = self._walk(chosen, out, spans, at, asking)
                continue
            slot, attr = node
            if not at:
                self.literal = False
            if slot.startswith("x_"):
                text = self.values.get(slot, NOISE[slot])(self.rng)
                out.append(text)
                at += len(text)
                continue
            value = self.values[slot]
            if isinstance(value, Subject):
                text = value.render(attr, slot in self.seen, self.rng, self.explicit or asking)
                if attr == "" and text == value.pronoun and out and not out[-1].endswith(", "):
                    text = value.name
                self.seen.add(slot)
                out.append(text)
                at += len(text)
                continue
            if isinstance(value, str):
                before, core, after = "", value, ""
            elif isinstance(value, int):
                before, core, after = "", str(value), ""
            else:
                before, core, after = value.form(attr, slot in self.seen)
            self.seen.add(slot)
            if out and _wants_an(out[-1], before + core):
                out[-1] = out[-1][:-1] + "n "
                at += 1
            if attr in _STATING_FORMS and slot not in spans:
                spans[slot] = (at + len(before), at + len(before) + len(core))
            if self.births and attr in ("", "titled") and not asking and self.rng.random() < 0.05:
                following = nodes[place + 1] if place + 1 < len(nodes) else "."
                if hasattr(value, "female") and not str(following).startswith(("'", " (", " –")):
                    after = f" (born {self.rng.randint(1920, 1990)})"
            text = before + core + after
            out.append(text)
            at += len(text)
        return at


_LEADS = (
    "According to {x_person}, ",
    "According to a report in {x_paper}, ",
    "As {x_person} [noted|wrote|remarked] in {x_year}, ",
    "In addition, ",
    "At the same time, ",
    "Moreover, ",
    "It is known that ",
    "By most accounts, ",
    "According to the {x_org}, ",
    "Furthermore, ",
    "In fact, ",
    "However, ",
    "Records show that ",
    "{x_person} [reported|told reporters|confirmed|wrote] that ",
    "A notice from {x_town} says that ",
    "Still, ",
    "Contrary to what {x_person} had claimed, ",
    "As reported on {x_date}, ",
)
_LINKS = ("; ", ", and ", ", while ", "; moreover, ", ", and ", "; in addition, ", ", whereas ")


def _inner(sentence: Sentence) -> str:
    """Return the text of a sentence as it stands after a comma."""
    text = sentence.text
    return text[0].lower() + text[1:] if sentence.lower else text


def connect(rng: Random, renderer: Renderer, sentences: list[Sentence]) -> list[Sentence]:
    """Put leading phrases before some sentences and join some neighbours into one."""
    result: list[Sentence] = []
    for sentence in sentences:
        roll = rng.random()
        plain = sentence.text.endswith(".") and ":" not in sentence.text
        if plain and roll < 0.10 and sentence.text:
            lead = renderer.sentence(rng.choice(_LEADS)).text
            shift = len(lead)
            spans = {k: (a + shift, b + shift) for k, (a, b) in sentence.spans.items()}
            result.append(Sentence(lead + _inner(sentence), spans, False, True))
            continue
        if plain and roll < 0.24 and result and result[-1].text.endswith("."):
            before = result[-1]
            if len(before.text) < 130 and not before.joined and ";" not in before.text:
                body = _inner(sentence)
                head = before.text[:-1] + rng.choice(_LINKS)
                shift = len(head)
                spans = {k: (a + shift, b + shift) for k, (a, b) in sentence.spans.items()}
                spans.update(before.spans)
                result[-1] = Sentence(head + body, spans, False, True)
                continue
        result.append(sentence)
    return result


@dataclass
class Domain:
    """A kind of subject with the ways to write and to ask about it.

    ``questions`` pairs a target with question templates. A target is a slot, or ``slot@year`` for
    the year inside a date. Slots a question names besides the subject must stand in the passage,
    unless ``free`` lists them. ``derived`` names, for a slot only questions use, what must stand
    there.
    Sentences with a slot of ``naming`` say whom they are about; only questions with a slot of
    ``telling`` do so, and only those can be asked of a passage on somebody else. ``absent`` is the
    share of passages that leave the fact out that is asked for.
    """

    kind: str
    make: Callable[[Random], Values]
    intro: list[str]
    facts: list[str]
    questions: list[tuple[str, list[str]]]
    fill: list[str] = field(default_factory=list)
    derived: dict[str, tuple[str, ...]] = field(default_factory=dict)
    free: frozenset[str] = frozenset({"S"})
    near: Callable[[Random, Values], Values] | None = None
    weight: float = 1.0
    title: str = "{S.bare}"
    two: bool = True
    absent: float = 0.11
    keep_order: bool = False
    linked: bool = True
    naming: frozenset[str] = frozenset({"S"})
    telling: frozenset[str] = frozenset({"S"})

    def __post_init__(self) -> None:
        self.by_slot: dict[str, list[str]] = {}
        for template in [*self.intro, *self.facts]:
            for slot in slots(template)[0]:
                self.by_slot.setdefault(slot, []).append(template)
        weights = []
        for target, _ in self.questions:
            if target.split("@")[0] not in self.by_slot:
                raise ValueError(f"{self.kind}: nothing states {target}")
            weights.append(1.0)
        self.question_weights = weights


def _typo(rng: Random, text: str) -> str:
    """Make one small slip in a longer lower-case word."""
    words = text.split(" ")
    places = [i for i, w in enumerate(words) if len(w) > 5 and w.isalpha() and w.islower()]
    if not places:
        return text
    i = rng.choice(places)
    word = words[i]
    k = rng.randint(1, len(word) - 3)
    if rng.random() < 0.5:
        word = word[:k] + word[k + 1] + word[k] + word[k + 2 :]
    else:
        word = word[:k] + word[k + 1 :]
    words[i] = word
    return " ".join(words)


def roughen(rng: Random, question: str) -> str:
    """Vary the outer form of a question: case, question mark, rare typos."""
    roll = rng.random()
    if roll < 0.08:
        question = question.rstrip("?").lower()
    elif roll < 0.13:
        question = question.lower()
    elif roll < 0.18:
        question = question.rstrip("?")
    elif roll < 0.20:
        question = _typo(rng, question)
    return question


def _compatible(template: str, covered: set[str], banned: str | None) -> bool:
    states, mentions = slots(template)
    if banned is not None and (banned in states or banned in mentions):
        return False
    return not (states - {"S"}) & covered


class _Block:
    """The sentences chosen about one subject, before they are put into order."""

    def __init__(self, domain: Domain, values: Values, rng: Random, explicit: bool) -> None:
        self.domain = domain
        self.values = values
        self.rng = rng
        self.explicit = explicit
        self.chosen: list[str] = []
        self.followers: dict[str, list[str]] = {}
        self.covered: set[str] = set()
        self.intro: str | None = None

    def add(self, template: str) -> None:
        """Take a template in; its facts count as told."""
        if template in self.domain.intro and self.intro is None:
            self.intro = template
        elif template not in self.chosen:
            self.chosen.append(template)
        self.covered |= slots(template)[0]

    def require(self, slot: str, banned: str | None, also: set[str] | None = None) -> bool:
        """Choose a sentence that states a slot (and ``also``, if one does); False when none can."""
        if slot in self.covered:
            return True
        options = [
            t
            for t in self.domain.by_slot.get(slot, ())
            if _compatible(t, self.covered, banned) and not (t in self.domain.intro and self.intro)
        ]
        if not options:
            return False
        if also:
            most = max(len(also & slots(t)[0]) for t in options)
            options = [t for t in options if len(also & slots(t)[0]) == most]
        self.add(self.rng.choice(options))
        return True

    def fill(self, words: int, banned: str | None) -> None:
        """Add further facts and filler sentences up to about a number of words."""
        rng = self.rng
        domain = self.domain
        facts, padding = domain.facts, domain.fill or domain.facts
        have = sum(t.count(" ") + 1 for t in self.chosen)
        have += self.intro.count(" ") + 1 if self.intro else 0
        tries = 0
        while have < words and tries < 40:
            tries += 1
            pool = facts if rng.random() < 0.72 else padding
            template = pool[int(rng.random() * len(pool))]
            if template in self.chosen or not _compatible(template, self.covered, banned):
                continue
            lacking = slots(template)[1] - self.covered - {"S"}
            lacking = {s for s in lacking if s in domain.by_slot}
            if lacking:
                continue
            self.add(template)
            have += int(template.count(" ") * 0.85) + 1

    def render(self) -> list[Sentence]:
        """Order the sentences, followers after what they refer to, and render them."""
        rng = self.rng
        order: list[str] = []
        loose: list[str] = []
        tied: list[tuple[str, set[str]]] = []
        for template in self.chosen:
            _states, mentions = slots(template)
            needs = {s for s in mentions if s != "S" and s in self.domain.by_slot}
            (tied.append((template, needs)) if needs else loose.append(template))
        if self.domain.keep_order:
            ranks = {t: i for i, t in enumerate(self.domain.facts)}
            loose.sort(key=lambda t: ranks.get(t, rng.randint(0, len(ranks))))
        else:
            rng.shuffle(loose)
        order = ([self.intro] if self.intro else []) + loose
        for template, needs in tied:
            place = 0
            for i, other in enumerate(order):
                if slots(other)[0] & needs:
                    place = i + 1
            order.insert(place, template)
        if self.explicit and order:
            naming = next((t for t in order if self._names(t)), None)
            if naming is None:
                return []
            order.remove(naming)
            order.insert(0, naming)
        renderer = Renderer(self.values, rng, self.explicit)
        sentences = [renderer.sentence(t) for t in order]
        return connect(rng, renderer, sentences) if self.domain.linked else sentences

    def _names(self, template: str) -> bool:
        states, mentions = slots(template)
        return bool((states | mentions) & self.domain.naming)


def _target_span(sentence: Sentence, target: str) -> tuple[int, int] | None:
    slot, _, part = target.partition("@")
    span = sentence.spans.get(slot)
    if span is None:
        return None
    if part == "year":
        match = _YEAR.search(sentence.text, span[0], span[1])
        return match.span() if match else None
    return span


def _join(
    rng: Random, sentences: list[Sentence], target: str | None, owners: list[int], owner: int
) -> tuple[str, int, int, list[tuple[int, int]]]:
    """Join sentences; return the text, the answer's start and end, and the sentences' places."""
    text = ""
    start = end = -1
    places: list[tuple[int, int]] = []
    gap = "\n" if rng.random() < 0.03 else " "
    for sentence, whose in zip(sentences, owners, strict=True):
        if text:
            text += gap
        base = len(text)
        if target is not None and start < 0 and whose == owner:
            span = _target_span(sentence, target)
            if span is not None:
                start, end = base + span[0], base + span[1]
        text += sentence.text
        places.append((base, len(text)))
    return text, start, end, places


def _question_needs(domain: Domain, template: str, target: str) -> set[str]:
    states, mentions = slots(template)
    needs: set[str] = set()
    for slot in states | mentions:
        if slot in domain.derived:
            needs.update(domain.derived[slot])
        elif slot not in domain.free and slot in domain.by_slot:
            needs.add(slot)
    needs.discard(target)
    return needs


def compose(domain: Domain, rng: Random) -> dict[str, Any] | None:
    """Make one example of a domain, or None when the draw does not work out."""
    values = domain.make(rng)
    target, asks = domain.questions[int(rng.random() * len(domain.questions))]
    slot = target.partition("@")[0]
    ask = asks[int(rng.random() * len(asks))]
    needs = _question_needs(domain, ask, slot)
    roll = rng.random()
    # 1: the passage tells other facts only; 2: it tells the fact of another subject
    unanswerable = 1 if roll < domain.absent else 2 if roll < domain.absent + 0.135 else 0
    asked = values
    states, mentions = slots(ask)
    tells = bool((states | mentions) & domain.telling)
    if unanswerable == 2:
        if needs or not tells:
            unanswerable = 1
        else:
            asked = (domain.near or (lambda r, _: domain.make(r)))(rng, values)
            if str(asked["S"].name) == str(values["S"].name):
                return None
    banned = slot if unanswerable == 1 else None
    short = rng.random() < 0.35
    two = domain.two and tells and unanswerable != 1 and rng.random() < 0.13

    block = _Block(domain, values, rng, explicit=two)
    if unanswerable != 1 and not block.require(slot, None, needs):
        return None
    for need in sorted(needs):
        if not block.require(need, banned):
            return None
    if rng.random() < (0.35 if short else 0.8) and block.intro is None:
        options = [t for t in domain.intro if _compatible(t, block.covered, banned)]
        if options:
            block.add(rng.choice(options))
    length = rng.randint(8, 32) if short else rng.choice((38, 50, 62, 70, 75, 80, 85, 90))
    block.fill(length // 2 if two else length, banned)
    if not block.chosen and block.intro is None:
        return None
    sentences = block.render()
    if not sentences:
        return None
    owners = [0] * len(sentences)
    if two:
        other = (domain.near or (lambda r, _: domain.make(r)))(rng, values)
        names = {other["S"].name, asked["S"].name, values["S"].name}
        if len(names) != (3 if unanswerable == 2 else 2):
            return None
        second = _Block(domain, other, rng, explicit=True)
        second.require(slot, None)
        if second.intro is None and domain.intro and rng.random() < 0.6:
            options = [t for t in domain.intro if _compatible(t, second.covered, None)]
            if options:
                second.add(rng.choice(options))
        second.fill(length // 2, None)
        more = second.render()
        if not more:
            return None
        if rng.random() < 0.5:
            sentences, owners = sentences + more, owners + [1] * len(more)
        else:
            sentences, owners = more + sentences, [1] * len(more) + owners
    wanted = None if unanswerable else target
    text, start, end, places = _join(rng, sentences, wanted, owners, 0)
    if wanted is not None and start < 0:
        return None
    named = values["S"].name.removeprefix("the ").lower() in text.lower()
    text, start, end, cut = _cut(rng, text, start, end, places, sentences, needs, short or two)
    title = ""
    if not named or cut or rng.random() < 0.6:
        title = Renderer(values, rng).question(domain.title) if not two else ""
        if two and (not named or cut):
            return None
    question = roughen(rng, Renderer(asked, rng).question(ask))
    if start >= 0 and end - start > 5 and text[start : start + 4].lower() == "the ":
        start += 4 if text[start + 4].isupper() else 0
    answer = text[start:end] if start >= 0 else ""
    return {
        "question": question,
        "title": title,
        "text": text,
        "answer": answer,
        "start": start if answer else -1,
        "kind": domain.kind if answer else f"unanswerable-{domain.kind}",
        "tells": tells and not needs,
    }


def _nth_gap(text: str, left: int, words: int) -> int:
    """Return where a number of words after ``left`` ends, or -1 when there are fewer."""
    at = left
    for _ in range(words):
        at = text.find(" ", at + 1)
        if at < 0:
            return -1
    return at


def _cut(
    rng: Random,
    text: str,
    start: int,
    end: int,
    places: list[tuple[int, int]],
    sentences: list[Sentence],
    needs: set[str],
    whole: bool,
) -> tuple[str, int, int, bool]:
    """Cut a passage in mid-sentence at either end, as passages of fixed length are."""
    if whole or rng.random() < 0.45 or len(places) < 3:
        return text, start, end, False
    kept = [p for p, s in zip(places, sentences, strict=True) if needs & s.spans.keys()]
    if start >= 0:
        kept += [p for p in places if p[0] <= start < p[1]]
    first = min((p[0] for p in kept), default=places[1][0])
    last = max((p[1] for p in kept), default=places[-1][0])
    left, right = 0, len(text)
    if first > 40 and rng.random() < 0.5:
        left = text.find(" ", rng.randint(8, first - 8)) + 1
        if left > first or left <= 0:
            left = 0
    if len(text) - last > 30 and rng.random() < 0.6:
        hundredth = _nth_gap(text, left, 100)
        if hundredth > last + 5 and rng.random() < 0.6:
            right = hundredth
        else:
            right = text.find(" ", rng.randint(last + 5, len(text) - 5))
        if right < 0:
            right = len(text)
    text = text[left:right]
    if start >= 0:
        start, end = start - left, end - left
    return text, start, end, left > 0


def stream(domains: list[Domain], rng: Random) -> Iterator[dict[str, Any]]:
    """Yield examples of all domains for ever, by their weights."""
    total: list[float] = []
    running = 0.0
    for domain in domains:
        running += domain.weight
        total.append(running)
    while True:
        domain = rng.choices(domains, cum_weights=total)[0]
        example = compose(domain, rng)
        if example is None:
            continue
        if rng.random() < 0.02:
            # a passage on something else altogether, as a bad search would find it
            other = compose(rng.choices(domains, cum_weights=total)[0], rng)
            if other is not None and other["tells"]:
                example.update(
                    question=other["question"], answer="", start=-1, kind="unanswerable-other"
                )
        del example["tells"]
        yield example
