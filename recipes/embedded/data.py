"""Training and held-out examples: QAMR, QED, cloze questions and denoising.

Every example is a question, a title, a text and the place of the answer in the text.
Whole documents are held out: one in ten of QAMR's articles and 27 % of QED's titles.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from text import join_tokens, read_articles, split_sentences

DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"


@dataclass(frozen=True)
class Example:
    """A question and a passage, and where in the passage the answer stands.

    `start` and `end` are character places in `text`; `start` is -1 when the text does not
    hold the answer; `wanted` is then the answer that is missing, where it is known.
    `references` are the accepted answers of a held-out example.  `rest` are passages of the
    same article that do not hold the answer.  `piece` names the text with slots that an
    example was made from.
    """

    question: str
    title: str
    text: str
    start: int
    end: int
    kind: str
    references: tuple[str, ...] = ()
    wanted: str = ""
    rest: tuple[str, ...] = ()
    piece: str = ""

    @property
    def answer(self) -> str:
        """The answer as it stands in the text, or an empty string."""
        return self.text[self.start : self.end] if self.start >= 0 else ""


def held_out(document: str, share: float) -> bool:
    """Whether a document belongs to the held-out part: a stable choice by digest."""
    digest = hashlib.sha256(document.encode()).digest()
    return int.from_bytes(digest[:4], "big") < share * 2**32


@dataclass(frozen=True)
class QamrQuestion:
    """One QAMR question: its sentence and the annotators' answers as token positions."""

    document: str
    sentence: str
    question: str
    answers: tuple[tuple[int, ...], ...]


def evaluation_names(folder: Path) -> frozenset[str]:
    """Offices and holders of the hot-swap experiment, lower-cased: never to be trained on."""
    names: set[str] = set()
    for path in sorted(folder.glob("leaders_*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                names.add(row["position"].lower())
                for column in ("holder", "holder_2016", "holder_2018"):
                    if row.get(column):
                        names.add(row[column].lower())
    if not names:
        raise FileNotFoundError(f"{folder} holds no leaders_*.csv: nothing would be kept out")
    return frozenset(names)


class Sources:
    """The raw material, read once: QAMR, QED and the articles of the gensim wheel."""

    def __init__(self, data: Path, work: Path) -> None:
        self.data = data
        self.work = work

    @cached_property
    def banned(self) -> frozenset[str]:
        """The names of the evaluation, which no training text may hold."""
        return evaluation_names(self.data)

    def allowed(self, *texts: str) -> bool:
        """Whether none of the texts names an office or a holder of the evaluation."""
        whole = " | ".join(texts).lower()
        return not any(name in whole for name in self.banned)

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """QAMR's sentences as Penn-style tokens, by id."""
        with (self.data / "qamr" / "wiki-sentences.tsv").open(encoding="utf-8") as stream:
            rows = (line.rstrip("\n").split("\t") for line in stream)
            return {row[0]: row[1].split() for row in rows}

    @cached_property
    def qamr(self) -> list[QamrQuestion]:
        """All QAMR questions; the same question about the same sentence is one question."""
        groups: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        for part in ("dev", "test"):
            with (self.data / "qamr" / f"{part}.tsv").open(encoding="utf-8") as stream:
                for line in stream:
                    row = line.rstrip("\n").split("\t")
                    answers = [row[6]] + [cell.partition(":")[2] for cell in row[7:]]
                    key = (row[0], row[5].strip())
                    found = groups.setdefault(key, [])
                    found.extend(
                        tuple(map(int, answer.split()))
                        for answer in answers
                        if answer and re.fullmatch(r"[\d ]+", answer)
                    )
        return [
            QamrQuestion(document_of(sentence), sentence, question, tuple(answers))
            for (sentence, question), answers in groups.items()
            if answers
        ]

    @cached_property
    def qed(self) -> list[dict]:
        """QED's paragraphs with one answer span."""
        with (self.data / "qed" / "qed-dev.jsonlines").open(encoding="utf-8") as stream:
            rows = [json.loads(line) for line in stream]
        return [row for row in rows if row["original_nq_answers"]]

    @cached_property
    def articles(self) -> list[tuple[str, list[str]]]:
        """Titles and paragraphs of the articles, without those that hold a banned name."""
        cache = self.work / "articles.jsonl"
        if not cache.exists():
            with cache.open("w", encoding="utf-8") as stream:
                for title, paragraphs in read_articles(self.work / "data" / DUMP):
                    kept = [text for text in paragraphs if self.allowed(title, text)]
                    stream.write(json.dumps([title, kept]) + "\n")
        with cache.open(encoding="utf-8") as stream:
            return [tuple(json.loads(line)) for line in stream]

    @cached_property
    def article_sentences(self) -> list[str]:
        """Every sentence of the articles and of QAMR's training documents, as plain text."""
        found = [
            sentence
            for _, paragraphs in self.articles
            for paragraph in paragraphs
            for sentence in split_sentences(paragraph)
        ]
        for key, tokens in self.sentences.items():
            text = join_tokens(tokens, detokenise=True)[0]
            if not held_out(document_of(key), 0.1) and self.allowed(text):
                found.append(text)
        return [sentence for sentence in found if 5 <= len(sentence.split()) <= 60]

    @cached_property
    def neighbours(self) -> Neighbours:
        """Search over all sentences, for passages that look right and hold no answer."""
        return Neighbours(self.article_sentences)


class Neighbours:
    """Sentences that share rare words with a question: hard passages without the answer."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self.rows: dict[str, list[int]] = {}
        for row, sentence in enumerate(sentences):
            for word in set(content_words(sentence)):
                self.rows.setdefault(word, []).append(row)

    def find(self, question: str, answer: str, rng: random.Random) -> str:
        """A sentence like the question in which the answer does not stand."""
        weights: Counter[int] = Counter()
        for word in set(content_words(question)):
            rows = self.rows.get(word, ())
            if 0 < len(rows) < 400:
                for row in rows:
                    weights[row] += math.log(len(self.sentences) / len(rows))
        best = [self.sentences[row] for row, _ in weights.most_common(8)]
        best = [sentence for sentence in best if answer.lower() not in sentence.lower()]
        while not best:
            best = [s for s in rng.sample(self.sentences, 8) if answer.lower() not in s.lower()]
        return rng.choice(best)


def content_words(text: str) -> list[str]:
    """The words of three letters or more, in lower case."""
    return re.findall(r"\w{3,}", text.lower())


def document_of(sentence_id: str) -> str:
    """The article of a QAMR sentence: corpus, source and article number."""
    return ":".join(sentence_id.split(":")[:3])


def names_something(question: str) -> bool:
    """Whether a question holds a name or a number, and so can be put to more than one text."""
    return bool(re.search(r"\s\W*[A-Z]|\d", question))


def plausible(sentence: str) -> bool:
    """Whether a sentence reads as prose."""
    return sum(character.isalpha() for character in sentence) > 0.7 * len(sentence)


# --- Stage A: copying -----------------------------------------------------------------


def copy_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Sentences to be written out as they stand."""
    sentences = sources.article_sentences
    while True:
        words = rng.choice(sentences).split()
        length = rng.randint(4, 28)
        begin = rng.randint(0, max(0, len(words) - length))
        text = " ".join(words[begin : begin + length])
        yield Example("", "", text, 0, len(text), "copy")


def locate_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Some words around a gap as the question, and the words of the gap as the answer."""
    sentences = sources.article_sentences
    while True:
        chosen = [rng.choice(sentences) for _ in range(rng.choice((1, 1, 2)))]
        text = " ".join(chosen)
        words = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
        if not 8 <= len(words) <= 60:
            continue
        size = rng.randint(1, 6)
        first = rng.randint(1, len(words) - size)
        last = first + size - 1
        before = [text[a:b] for a, b in words[max(0, first - rng.randint(2, 6)) : first]]
        after = [text[a:b] for a, b in words[last + 1 : last + 1 + rng.randint(2, 5)]]
        kept = [word for word in [*before, "...", *after] if word == "..." or rng.random() < 0.85]
        start, end = words[first][0], words[last][1]
        yield Example(" ".join(kept), "", text, start, end, "locate")


# --- Stage B: questions and answers -----------------------------------------------------


def _bounds(positions: Sequence[int]) -> tuple[int, int] | None:
    """First and last token of an answer, or None when its tokens lie far apart."""
    first, last = min(positions), max(positions)
    return (first, last) if last - first + 1 <= len(set(positions)) + 2 else None


def surround(sentence: str, others: Sequence[str], rng: random.Random) -> tuple[str, int]:
    """Put a sentence at a random place among others; the text and where it begins."""
    place = rng.randint(0, len(others))
    before = " ".join(others[:place])
    after = " ".join(others[place:])
    offset = len(before) + 1 if before else 0
    return " ".join(part for part in (before, sentence, after) if part), offset


def vary_question(question: str, rng: random.Random) -> str:
    """The same question, now and then without its question mark."""
    return question.rstrip("? ") if rng.random() < 0.15 else question


def qamr_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """QAMR questions over their sentence, alone or among one to three others."""
    questions = [
        item
        for item in sources.qamr
        if not held_out(item.document, 0.1)
        and sources.allowed(item.question, " ".join(sources.sentences[item.sentence]))
    ]
    others = sources.article_sentences
    while True:
        rng.shuffle(questions)
        for item in questions:
            tokens = sources.sentences[item.sentence]
            sentence, places = join_tokens(tokens, detokenise=rng.random() < 0.85)
            spans = [span for span in map(_bounds, item.answers) if span]
            if not spans:
                continue
            best = max(map(spans.count, spans))
            first, last = rng.choice([span for span in spans if spans.count(span) == best])
            number = rng.choices((0, 1, 2, 3), (0.6, 0.2, 0.15, 0.05))[0]
            around = [rng.choice(others) for _ in range(number)]
            question = vary_question(item.question, rng)
            answer = sentence[places[first][0] : places[last][1]]
            if rng.random() < 0.2 and names_something(question):
                hard = sources.neighbours.find(item.question, answer, rng)
                text, _ = surround(hard, around[:2], rng)
                yield Example(question, "", text, -1, -1, "qamr", wanted=answer)
                continue
            if around and rng.random() < 0.4:
                around[0] = sources.neighbours.find(item.question, answer, rng)
            text, offset = surround(sentence, around, rng)
            start, end = places[first][0] + offset, places[last][1] + offset
            yield Example(question, "", text, start, end, "qamr")


def qed_example(row: dict, title: bool, window: tuple[int, int] | None = None) -> Example:
    """A QED row as an example; `window` cuts the paragraph to a range of characters."""
    answer = row["annotation"].get("answer") or []
    spans = [(part["paragraph_reference"]["start"], part["paragraph_reference"]["end"])
             for part in answer] or [(row["original_nq_answers"][0][0]["start"],
                                      row["original_nq_answers"][0][0]["end"])]  # fmt: skip
    start, end = spans[0]
    begin, stop = window or (0, len(row["paragraph_text"]))
    text, start, end = plain(row["paragraph_text"][begin:stop], start - begin, end - begin)
    references = {row["paragraph_text"][a:b] for a, b in spans}
    references |= {part["string"] for parts in row["original_nq_answers"] for part in parts}
    return Example(
        row["question_text"], row["title_text"] if title else "", text, start, end, "qed",
        tuple(sorted(references)),
    )  # fmt: skip


def plain(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Detokenise space-separated text and move a span along with it."""
    matches = list(re.finditer(r"\S+", text))
    joined, places = join_tokens([match.group() for match in matches], detokenise=True)
    inside = [i for i, match in enumerate(matches) if match.start() < end and match.end() > start]
    return joined, places[inside[0]][0], places[inside[-1]][1]


def qed_is_held_out(row: dict) -> bool:
    """27 % of QED's titles are never trained on."""
    return held_out(row["title_text"], 0.27)


def qed_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """QED questions over the paragraph or over some sentences of it."""
    rows = [
        row
        for row in sources.qed
        if not qed_is_held_out(row)
        and sources.allowed(row["question_text"], row["paragraph_text"], row["title_text"])
    ]
    while True:
        rng.shuffle(rows)
        for row in rows:
            whole = qed_example(row, True)
            size = len(row["paragraph_text"])
            starts = [*row["sentence_starts"], size]
            answer = row["original_nq_answers"][0][0]
            place = answer["start"]
            mine = max(i for i, begin in enumerate(starts[:-1]) if begin <= place)
            window = (0, size)
            if size > 900 or rng.random() < 0.5:
                low = max(0, mine - rng.randint(0, 1))
                high = min(len(starts) - 1, mine + rng.randint(1, 2))
                window = (starts[low], starts[high])
            if window[1] < answer["end"] or not window[0] <= place:
                continue
            references = row["annotation"].get("answer") or []
            if any(not window[0] <= part["paragraph_reference"]["start"] < window[1]
                   for part in references[:1]):  # fmt: skip
                yield whole
                continue
            yield qed_example(row, rng.random() < 0.8, window)


# --- Cloze questions --------------------------------------------------------------------

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = re.compile(rf"\b(?:(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}},)? )?(?:1\d{{3}}|20\d\d)\b")
_NUMBER = re.compile(
    r"\b\d[\d,.]*\d?(?: (?:million|billion|percent|per cent|%))?"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand)\b"
)
_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:(?: of| de| von| van| the)? [A-Z][\w'’-]+)*")
_PHRASE = re.compile(
    r"(?<=\b(?:the) )[a-z][a-z-]+(?: [a-z][a-z-]+)?(?=[ ,.;]|$)"
    r"|\b(?:the|a|an) [a-z][a-z-]+(?: [a-z][a-z-]+)?(?= (?:of|in|by|for|to|and|on))"
)
_SMALL = frozenset(
    re.findall(r"\w+", "the a an of in on at by for to and or with as is was were are be been")
)


def _question_word(kind: str, before: str, rng: random.Random) -> str:
    """A question word for a gap of a kind, by the word before the gap."""
    if kind == "year":
        return rng.choice(("when", "what year", "in which year", "in what year", "what date"))
    if kind == "number":
        return rng.choice(("how many", "how many", "how much", "what number"))
    if kind == "phrase":
        return rng.choice(("what", "what", "which", "what kind of thing"))
    if before in ("in", "at", "near", "from", "to"):
        return rng.choice(("where", "what place", "what", "which place"))
    if before in ("by", "with", "and"):
        return rng.choice(("who", "whom", "what", "which"))
    return rng.choice(("who", "what", "who", "which", "what name"))


def _gaps(sentence: str) -> list[tuple[int, int, str]]:
    """Spans of a sentence that can be asked for."""
    found = [(*match.span(), "year") for match in _YEAR.finditer(sentence)]
    for pattern, kind in ((_NUMBER, "number"), (_NAME, "name"), (_PHRASE, "phrase")):
        for match in pattern.finditer(sentence):
            begin, end = match.span()
            if kind == "name" and begin == 0 and " " not in match.group():
                continue
            if all(end <= a or begin >= b for a, b, _ in found):
                found.append((begin, end, kind))
    return found


def _cloze_question(sentence: str, gap: tuple[int, int, str], rng: random.Random) -> str:
    """A question about a gap: the words around it, thinned out, and a question word."""
    before = sentence[: gap[0]].split()[-rng.randint(4, 12) :]
    after = sentence[gap[1] :].split()[: rng.randint(4, 12)]
    word = _question_word(gap[2], before[-1].lower() if before else "", rng)
    thin = rng.choice((0.0, 0.3, 0.7))

    def keep(words: list[str]) -> list[str]:
        return [w.strip('.,;"()') for w in words
                if rng.random() > (thin if w.lower() in _SMALL else 0.12)]  # fmt: skip

    before, after = keep(before), keep(after)
    shape = rng.random()
    if shape < 0.35:
        words = [*before, word, *after]
    elif shape < 0.75:
        words = [word, *after, *before] if rng.random() < 0.5 else [word, *before, *after]
    else:
        words = [word, *(after if len(after) > len(before) else before)]
    return " ".join(words) + ("?" if rng.random() < 0.7 else "")


def cloze_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Gaps in the sentences of the articles, asked for with their paragraph as passage."""
    articles = [(title, texts) for title, texts in sources.articles if texts]
    weights = [len(texts) for _, texts in articles]
    while True:
        title, texts = rng.choices(articles, weights)[0]
        sentences = split_sentences(rng.choice(texts))
        place = rng.randrange(len(sentences))
        sentence = sentences[place]
        gaps = _gaps(sentence)
        if not gaps or not 6 <= len(sentence.split()) <= 45 or not plausible(sentence):
            continue
        names = [gap for gap in gaps if gap[2] != "phrase"]
        gap = rng.choice(names if names and rng.random() < 0.8 else gaps)
        limit = rng.choice((20, 30, 40, 80))
        low = high = place
        size = len(sentence.split())
        while low > 0 or high < len(sentences) - 1:
            down = low > 0 and (high == len(sentences) - 1 or rng.random() < 0.5)
            size += len(sentences[low - 1 if down else high + 1].split())
            if size > limit:
                break
            low, high = (low - 1, high) if down else (low, high + 1)
        text = " ".join(sentences[low : high + 1])
        offset = sum(len(part) + 1 for part in sentences[low:place])
        shown = title if rng.random() < 0.6 else ""
        question = _cloze_question(sentence, gap, rng)
        if rng.random() < 0.1:
            other = rng.choice(texts)
            answer = sentence[gap[0] : gap[1]]
            if answer not in other:
                cut = " ".join(other.split()[:limit])
                yield Example(question, shown, cut, -1, -1, "cloze", wanted=answer)
            continue
        yield Example(question, shown, text, gap[0] + offset, gap[1] + offset, "cloze")


# --- Questions of our own -----------------------------------------------------------------


def _rule_made(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """An endless stream of rule-made examples, from odd seeds; see synthesize.py."""
    from synthesize import examples

    while True:
        for row in examples(rng.randrange(1, 2**31) | 1, 2000):
            if sources.allowed(row["question"], row["title"], row["text"]):
                yield from_synthetic(row)


def synthetic_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Rule-made questions, most of them over a few sentences of their passage."""
    for example in _rule_made(sources, rng):
        yield trimmed(example, rng) if rng.random() < 0.7 else example


def long_synthetic_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Rule-made questions over whole passages, as long as those of an index."""
    return _rule_made(sources, rng)


def written_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Questions over articles written with slots; see written.py."""
    from written import examples

    return _allowed(examples(rng), sources)


def asked_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Questions written over the articles of the gensim wheel; see asked.py."""
    from asked import articles, examples

    return _allowed(examples(articles(sources, False), rng), sources)


def document_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Questions written over documents of every kind; see asked.py."""
    from asked import documents, examples

    return _allowed(examples(documents(False), rng), sources)


def _allowed(stream: Iterator[Example], sources: Sources) -> Iterator[Example]:
    """The examples of a stream that name nothing of the evaluation, in their distractors either."""
    for example in stream:
        if sources.allowed(example.question, example.title, example.text, *example.rest):
            yield example


_LEADERS = re.compile(
    r"\b(?:president|minister|king|queen|emperor|governor|elected|ruled?|reign\w*|throne|government"
    r"|dynasty|coup|chancellor|succeeded|successor|appointed|chairman|crowned|led)\b",
    re.I,
)
_PLACE = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?= [a-z]|[,.;])")
_PERSON = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.)? [A-Z][a-z]{2,}\b")


def prose_examples(sources: Sources, rng: random.Random) -> Iterator[Example]:
    """Rule-made sentences set into the prose of encyclopedias, and that prose without them.

    The prose tells of people who led and ruled, most of them under invented names, so that only
    the sentence that was set in says who holds an office now.
    """
    from synth_names import person

    runs = []
    for _, paragraphs in sources.articles:
        for paragraph in paragraphs:
            sentences = [s for s in split_sentences(paragraph) if plausible(s)]
            runs += [sentences[i : i + 5] for i in range(0, len(sentences), 3)]
    told = [
        run
        for run in runs
        if len(run) > 1 and _LEADERS.search(" ".join(run)) and _PERSON.search(" ".join(run))
    ]

    def moved(text: str, title: str) -> str:
        """The prose as if it told of the place in the title."""
        places = Counter(_PLACE.findall(text)).most_common(1)
        _, _, place = title.partition(" of ")
        return text.replace(places[0][0], place) if places and place else text

    def renamed(text: str) -> str:
        names: dict[str, str] = {}
        return _PERSON.sub(lambda match: names.setdefault(match.group(), person(rng).full), text)

    for example in _rule_made(sources, rng):
        if "office" not in example.kind and rng.random() < 0.75:
            continue
        prose = renamed(" \n ".join(rng.choice(told)))
        if rng.random() < 0.6:
            prose = moved(prose, example.title)
        around = prose.split(" \n ")
        before = around[: rng.randint(0, len(around))]
        after = around[len(before) :]
        if before and rng.random() < 0.5:  # a passage may begin in the middle of a sentence
            words = before[0].split()
            before[0] = " ".join(words[rng.randrange(len(words)) :])
        kept = trimmed(example, rng)
        if example.start < 0 or rng.random() < 0.4:
            text = " ".join(" ".join(around).split()[:100])
            if example.answer and example.answer.lower() in text.lower():
                continue
            if not sources.allowed(text):
                continue
            yield replace(
                example, text=text, start=-1, end=-1, wanted=example.answer, kind="synthetic:prose"
            )
            continue
        head = "".join(f"{sentence} " for sentence in before)
        text = head + kept.text
        room = max(0, 100 - len(text.split()))
        text = " ".join([text, *" ".join(after).split()[:room]])
        if not sources.allowed(text):
            continue
        yield replace(
            kept,
            text=text,
            start=kept.start + len(head),
            end=kept.end + len(head),
            kind="synthetic:prose",
        )


def trimmed(example: Example, rng: random.Random) -> Example:
    """One to five sentences of a passage, the answer's among them: cheaper, and as varied."""
    sentences = split_sentences(example.text)
    begins, place = [], 0
    for sentence in sentences:
        place = example.text.index(sentence, place)
        begins.append(place)
        place += len(sentence)
    if example.start < 0:
        mine = rng.randrange(len(sentences))
        last = mine
    else:
        mine = max(i for i, begin in enumerate(begins) if begin <= example.start)
        last = max(i for i, begin in enumerate(begins) if begin < example.end)
    low = max(0, mine - rng.randint(0, 2))
    high = min(len(sentences) - 1, last + rng.randint(0, 2))
    stop = begins[high] + len(sentences[high])
    shift = begins[low] if example.start >= 0 else 0
    return replace(
        example, text=example.text[begins[low] : stop], start=example.start - shift,
        end=example.end - shift,
    )  # fmt: skip


def from_synthetic(row: dict) -> Example:
    """A row of synthesize.py as an example."""
    start = row["start"]
    if row["answer"] and not row["text"].startswith(row["answer"], start):
        raise ValueError(f"the answer {row['answer']!r} does not stand in its text")
    end = start + len(row["answer"]) if start >= 0 else -1
    references = (row["answer"],)
    return Example(
        row["question"], row["title"], row["text"], start, end, f"synthetic:{row['kind']}",
        references,
    )  # fmt: skip


# --- Held-out examples ------------------------------------------------------------------


def qamr_held_out(sources: Sources) -> list[Example]:
    """Questions about held-out documents over the gold sentence, with all answers."""
    found = []
    for item in sources.qamr:
        if not held_out(item.document, 0.1):
            continue
        tokens = sources.sentences[item.sentence]
        text, places = join_tokens(tokens, detokenise=True)
        plain_tokens = [text[a:b] for a, b in places]
        references = {" ".join(plain_tokens[i] for i in answer) for answer in item.answers}
        references |= {text[places[min(answer)][0] : places[max(answer)][1]]
                       for answer in item.answers}  # fmt: skip
        first, last = min(item.answers[0]), max(item.answers[0])
        found.append(Example(
            item.question, "", text, places[first][0], places[last][1], "qamr",
            tuple(sorted(references)),
        ))  # fmt: skip
    return found


def qed_held_out(sources: Sources) -> list[Example]:
    """Held-out QED questions over the whole paragraph with its title."""
    return [qed_example(row, True) for row in sources.qed if qed_is_held_out(row)]


def synthetic_held_out(count: int) -> list[Example]:
    """Rule-made examples from an even seed; training uses odd seeds only."""
    from synthesize import examples

    return [from_synthetic(row) for row in examples(2, count)]


def written_held_out(count: int) -> list[Example]:
    """Questions over the articles with slots that are never trained on."""
    from written import examples

    return list(islice(examples(random.Random(2), held_out=True), count))


def asked_held_out(sources: Sources, count: int) -> list[Example]:
    """Questions over articles of the gensim wheel that are never trained on."""
    from asked import articles, held_out_examples

    return held_out_examples(articles(sources, True), count)


def documents_held_out(count: int) -> list[Example]:
    """Questions over documents that are never trained on."""
    from asked import documents, held_out_examples

    return held_out_examples(documents(True), count)


def handmade(path: Path) -> list[Example]:
    """Questions and passages written by hand, never trained on."""
    with path.open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return [
        Example(
            row["question"],
            row["title"],
            row["text"],
            max(row["text"].find(row["references"][0]), 0) if row["references"][0] else -1,
            -1,
            "handmade",
            tuple(row["references"]),
        )
        for row in rows
    ]


Maker = Callable[[Sources, random.Random], Iterator[Example]]

MAKERS: dict[str, Maker] = {
    "copy": copy_examples,
    "locate": locate_examples,
    "qamr": qamr_examples,
    "qed": qed_examples,
    "cloze": cloze_examples,
    "synthetic": synthetic_examples,
    "synthetic-long": long_synthetic_examples,
    "prose": prose_examples,
    "written": written_examples,
    "asked": asked_examples,
    "documents": document_examples,
}


def mixture(sources: Sources, shares: dict[str, float], seed: int) -> Iterator[Example]:
    """An endless stream of examples of several kinds in the given shares."""
    rng = random.Random(seed)
    streams = {
        kind: MAKERS[kind](sources, random.Random(f"{seed}-{kind}"))
        for kind, share in shares.items()
        if share > 0
    }
    kinds: Sequence[str] = list(streams)
    weights = [shares[kind] for kind in kinds]
    while True:
        yield next(streams[rng.choices(kinds, weights)[0]])
