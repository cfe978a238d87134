"""Everything that is trained on or measured with, in one form: an `Item` a question.

`reading/` holds what people asked and answered, QAMR questions on single sentences; our own texts
are `articles/` (with slots), `asked/` (questions on Wikipedia articles), `documents/`, `changes/`.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from text import join_tokens, read_articles
from written import examples

from ragcli.corpus.markdown import strip_markdown

OWN = Path(__file__).resolve().parent

DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
"""The articles that come with gensim, by their file's name."""

NEVER = frozenset({"qed"})
"""Sources that are for measuring only: QED's questions are Natural Questions' development set."""

NAMELESS = frozenset({"qasrl", "qamr", "quartz", "mocha", "tweetqa"})
"""Sources whose questions name nothing, so that other texts may well answer them."""

FAMILIES = {"squad-sentences": "squad", "fever-symmetric": "fever"}
"""Sources that share their texts with another."""


@dataclass(frozen=True)
class Item:
    """A question over a text.  An empty answer: the text does not say.

    `task` is answer, yesno, claim, sentence or ask; `rest` are texts that do not hold the
    answer although they belong to the same document.  Texts of one `group` tell the same story at
    two times, so that one may answer what was asked of the other.
    """

    task: str
    source: str
    question: str
    title: str
    text: str
    answer: str
    rest: tuple[str, ...] = ()
    group: str = ""

    @property
    def family(self) -> str:
        """The sources that share texts have one name."""
        return FAMILIES.get(self.source, self.source)

    @property
    def key(self) -> str:
        """A digest of the text, by which whole texts are held out."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


_TIDY = (
    (re.compile(r"-LRB-\s?"), "("),
    (re.compile(r"\s?-RRB-"), ")"),
    (re.compile(r"-LSB-\s?"), "["),
    (re.compile(r"\s?-RSB-"), "]"),
    (re.compile(r"``\s?"), '"'),
    (re.compile(r"\s?''"), '"'),
    (re.compile(r"\s+([.,;:?!%)\]])"), r"\1"),
    (re.compile(r"([(\[$£€])\s+"), r"\1"),
    (re.compile(r"\s+('s|n't|'re|'ve|'ll|'d|'m)\b"), r"\1"),
    (re.compile(r"\s--\s"), " – "),
    (re.compile(r"\s+"), " "),
)


def tidy(text: str) -> str:
    """Text whose punctuation was set apart by spaces, as people write it."""
    for pattern, put in _TIDY:
        text = pattern.sub(put, text)
    return text.strip()


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


_TITLED = {"boolq": " -- ", "timeqa": " : "}
_TASKS = {"qa": "answer", "yesno": "yesno", "verify": "claim", "qg": "ask"}
_SENTENCES = frozenset({"selqa", "clapnq", "pubmedqa"})
_LABELS = {"SUPPORTS": "supports", "REFUTES": "refutes", "NOT ENOUGH INFO": "not enough info"}


def reading(folder: Path) -> Iterator[Item]:
    """What people asked and answered: the files of `reading/`."""
    for name, task in _TASKS.items():
        for row in _lines(folder / f"{name}.jsonl.gz"):
            source = row["source"]
            title, found, text = row["passage"].partition(_TITLED.get(source, "\0"))
            title, text = (title, text) if found and len(title) < 80 else ("", row["passage"])
            if source == "iirc":
                text = text.replace("Link Information:", " ")
                if row["answer"] == "none":
                    continue
            answer = _LABELS.get(row["answer"], row["answer"])
            kind = "sentence" if task == "answer" and source in _SENTENCES else task
            item = Item(kind, source, tidy(row["question"]), tidy(title), tidy(text), tidy(answer))
            if kind == "ask":
                item = replace(item, question="" if answer == "-" else item.answer,
                               answer=item.question)  # fmt: skip
                if item.answer.lower() == item.text.lower():
                    continue
            yield item
    for row in _lines(folder / "answerability.jsonl.gz"):
        yield Item("answer", row["source"], tidy(row["question"]), "", tidy(row["passage"]), "")


def qamr(folder: Path) -> Iterator[Item]:
    """QAMR: questions on single sentences, with the answer most annotators gave."""
    with (folder / "wiki-sentences.tsv").open(encoding="utf-8") as stream:
        rows = (line.rstrip("\n").split("\t") for line in stream)
        sentences = {row[0]: row[1].split() for row in rows}
    seen: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for part in ("dev", "test"):
        with (folder / f"{part}.tsv").open(encoding="utf-8") as stream:
            for line in stream:
                row = line.rstrip("\n").split("\t")
                answers = [row[6]] + [cell.partition(":")[2] for cell in row[7:]]
                spans = [tuple(map(int, a.split())) for a in answers if re.fullmatch(r"[\d ]+", a)]
                seen.setdefault((row[0], row[5].strip()), []).extend(s for s in spans if s)
    for (key, question), spans in seen.items():
        spans = [s for s in spans if max(s) - min(s) + 1 <= len(set(s)) + 2]
        if spans:
            text, places = join_tokens(sentences[key], detokenise=True)
            best = max(spans, key=spans.count)
            answer = text[places[min(best)][0] : places[max(best)][1]]
            yield Item("answer", "qamr", question, "", text, answer)


def asked(work: Path, kept_out: list[str]) -> Iterator[Item]:
    """Questions on the articles of the gensim wheel; the text is the passage and what is around.

    Passages are counted without the paragraphs that name what is kept out.
    """
    articles = {
        title: " ".join(text for text in texts if not names(f"{title} | {text}", kept_out)).split()
        for title, texts in read_articles(work / DUMP)
    }
    with (OWN / "asked" / "wikipedia.tsv").open(encoding="utf-8", newline="") as stream:
        for title, passage, question, answer in csv.reader(stream, "excel-tab"):
            first, words = int(passage) * 100, articles.get(title, [])
            text = " ".join(words[first : first + 100])
            if not text:
                continue
            if answer:  # a window may begin before the passage and end after it
                before = " ".join(words[max(0, first - 40) : first])
                after = " ".join(words[first + 100 : first + 140])
                text = f"{before} {text} {after}".strip()
            yield Item("answer", "wikipedia", question, title, text, answer)


_KINDS = {"Q": "answer", "Y": "yesno", "C": "claim", "S": "sentence"}


def documents(folder: Path, source: str) -> Iterator[Item]:
    """Texts of `folder`, each a title, a text and lines that ask about it."""
    for path in sorted(folder.glob("*.txt")):
        for block in re.split(r"(?m)^===.*$", path.read_text(encoding="utf-8")):
            title, group, body, lines = "", "", [], []
            for line in block.strip().splitlines():
                if line.startswith("TITLE:"):
                    title = line[6:].strip()
                elif found := re.match(r"([QYCS]):(.*)=>(.*)", line):
                    lines.append(found.groups())
                elif line.startswith("PAIR:"):
                    group = f"{path.stem} {line[5:].strip(' ab')}"
                else:
                    body.append(line)
            text = " ".join(strip_markdown("\n".join(body)).split())
            for kind, question, answer in lines:
                answer = "" if answer.strip() == "-" else answer.strip()
                if kind == "Q" and answer and answer not in text:
                    continue  # it stands in the title only, or in a table's markup
                yield Item(_KINDS[kind], source, question.strip(), title, text, answer, group=group)


def written(count: int, seed: int) -> Iterator[Item]:
    """Articles with slots, filled with invented names and cut into passages."""
    for number, made in enumerate(examples(Random(seed))):
        if number == count:
            return
        yield Item("answer", "written", made.question, made.title, made.text, made.answer,
                   made.rest[:6])  # fmt: skip


def banned(data: Path) -> list[str]:
    """Offices and holders of the index-swap experiment: no training text may name them."""
    found: set[str] = set()
    for path in sorted(data.glob("leaders_*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                columns = ("position", "holder", "holder_2016", "holder_2018")
                found |= {row[name].lower() for name in columns if row.get(name)}
    if not found:
        raise SystemExit(f"{data} holds no leaders_*.csv: nothing would be kept out")
    return sorted(found)


def names(text: str, kept_out: list[str]) -> bool:
    """Whether a text names something that is kept out."""
    lower = text.lower()
    return any(name in lower for name in kept_out)


def read_all(data: Path, work: Path) -> Iterator[Item]:
    """Every item, without those that name an office or a holder of the experiment."""
    kept_out = banned(data)
    streams = (
        reading(data / "reading"),
        qamr(data / "qamr"),
        asked(work, kept_out),
        documents(OWN / "documents", "documents"),
        documents(OWN / "changes", "changes"),
        written(24_000, 3),
    )
    for stream in streams:
        for item in stream:
            whole = f"{item.title} | {item.question} | {item.text} | {item.answer}"
            if not item.text or not (item.question or item.task == "ask"):
                continue
            if not names(whole, kept_out):
                yield item
