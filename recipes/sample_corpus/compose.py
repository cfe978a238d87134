"""Compose the articles on political offices and their questions file.

Every article is put together from hand-written parts kept in `offices_*.toml`: a lead and a body
that hold in both snapshots, and for each snapshot the holder, the predecessor and a note. Where
the succession was a plain one, the sentence that names the holder is drawn from `PATTERNS`;
otherwise it too is written by hand. Nothing is random, so running the script again writes the
same bytes:

    python recipes/sample_corpus/compose.py

The sentence that names the holder never straddles the border of two 100-word passages. In three
articles of four it lies in the first passage, in the fourth in the second.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parents[1] / "sample_corpus"
TABLES = ("americas", "europe", "africa", "asia_pacific")
YEARS = ("2016", "2018")
PASSAGE_WORDS = 100

# N holder · P predecessor · D date · on "in/on D" · T "the President of Peru" · t without "the"
# O "the presidency" · role "president" · Y year · he, his, him, He, On, OO: as at a sentence start
PATTERNS = (
    "{N} has been {T} since {D}, having succeeded {P}.",
    "{P} was succeeded {on} by {N}, the present {t}.",
    "Since {D} {O} has been held by {N}, the successor of {P}.",
    "{N}, who took office {on}, is {T}; {his} predecessor was {P}.",
    "After {P} came {N}, who took office {on} and is {T} today.",
    "The current holder of {O} is {N}, who has served since {D} and came after {P}.",
    "The last {role} before the present one was {P}. {N} followed {on} and is now {T}.",
    "Today the post of {t} belongs to {N}, in office since {D}; {P} held it before.",
    "Once {P} had gone, {O} passed to {N}, who has held it since {D}.",
    "{On} {N} took over from {P}, and {he} is {T} to this day.",
    "{P} is the most recent former holder of {O}. The incumbent, {N}, took up the post {on}.",
    "At the end of {Y} {T} is {N}, in office since {D}; before {him} came {P}.",
    "The incumbent is {N}, who became {t} {on}, after {P}.",
    "{OO} has been in the hands of {N} since {D}; {P} had it before {him}.",
    "Following {P}, {N} became {t} {on} and remains in office.",
    "{N} is the present {t}. {He} entered office {on} as the successor of {P}.",
    "As the successor of {P}, {N} took office {on} and is {T} now.",
    "{N} is the serving {t}, having taken over from {P} {on}.",
    "A change came {on}: {P} left, and {N} became {t}, as {he} still is.",
    "{On} the office went from {P} to {N}, who is {T} today.",
    "In {Y} {O} is held by {N}. {He} began {on}, following {P}.",
    "Recent holders of {O} are {P} and, since {D}, {N}, the present {t}.",
    "{N} now serves as {t}; {he} took over {on} from {P}.",
    "{P} preceded the present {role}, {N}, who has been in office since {D}.",
    "The person in office is {N}, {t} since {D} and successor to {P}.",
    "It is {N} who holds {O} at present, as {he} has since {D}; the previous holder was {P}.",
    "{P}, the former {role}, made way {on} for {N}, who is {T} now.",
    "With the departure of {P}, {N} became {t} {on}; {he} is the incumbent.",
    "The latest name on the list of holders is that of {N}, {t} since {D}; "
    "the name before it is that of {P}.",
    "At the close of {Y} {O} rests with {N}, who took it up {on} after {P}.",
    "{P} came before {N}, who took office {on} and is the present {t}.",
    "The serving {role} is {N}. {He} has been in office since {D}; {P} is {his} predecessor.",
    "{N} took the place of {P} {on} and has been {T} ever since.",
    "{P} was {t} before {N}, who has held the office since {D}.",
    "{OO} is now with {N}, in office since {D} in succession to {P}.",
    "As of December {Y}, {T} is {N}, who succeeded {P} {on}.",
)

# What the first word or two of a title are called in the middle of a sentence.
STATIONS = {
    "President": ("president", ("the presidency", "the office of president")),
    "Prime Minister": ("prime minister", ("the premiership", "the post of prime minister")),
    "Premier": ("premier", ("the premiership",)),
    "Chancellor": ("chancellor", ("the chancellorship",)),
    "Taoiseach": ("Taoiseach", ("the office of Taoiseach",)),
    "First Minister": ("first minister", ("the office of first minister",)),
    "O le Ao o le Malo": ("head of state", ("the office",)),
}


@dataclass(frozen=True)
class Holding:
    """Who held an office in a snapshot: the fields of the tables, and the sentences on it."""

    holder: str
    gender: str
    since: str
    after: str
    text: str
    note: str


@dataclass(frozen=True)
class Office:
    """One row of the tables, with its place in the order of all offices."""

    number: int
    title: str
    lead: str
    body: tuple[str, ...]
    holdings: dict[str, Holding]
    changed: bool

    @property
    def slug(self) -> str:
        """The file name without its ending: plain letters, digits and hyphens."""
        plain = unicodedata.normalize("NFKD", self.title).encode("ascii", "ignore").decode()
        return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")

    @property
    def late(self) -> bool:
        """Whether the holder is to be named in the second passage: every fourth office."""
        return self.number % 4 == 2


@dataclass(frozen=True)
class Article:
    """A finished article: its text, and where in its words the answer's sentence stands."""

    title: str
    paragraphs: tuple[str, ...]
    answer: str

    @property
    def markdown(self) -> str:
        """The file's content: a heading, then a line for each paragraph."""
        return "\n\n".join((f"# {self.title}", *self.paragraphs)) + "\n"

    def passage(self) -> int | None:
        """Return the passage (from 0) that holds the answer's sentence, None if it straddles.

        A reader of the corpus may count the heading's words or not; both must agree.
        """
        text = " ".join(self.paragraphs)
        first = len(text[: text.index(self.answer)].split())
        last = first + len(self.answer.split()) - 1
        heading = len(self.title.split())
        places = {
            (word + offset) // PASSAGE_WORDS
            for word in (first, last)
            for offset in (0, heading, heading + 1)
        }
        return places.pop() if len(places) == 1 else None


def read_offices() -> list[Office]:
    """Read all tables, in their order."""
    rows = [
        row
        for name in TABLES
        for row in tomllib.loads((HERE / f"offices_{name}.toml").read_text("utf-8"))["office"]
    ]
    return [_office(number, row) for number, row in enumerate(rows)]


def _office(number: int, row: dict[str, Any]) -> Office:
    changed = "both" not in row
    holdings = {}
    for year in YEARS:
        own = row.get(year, {})
        entry = own if changed else row["both"]
        notes = [entry["note"]] if changed else [entry["note"], own.get("note", "")]
        predecessor = row["2016"]["holder"] if changed and year == "2018" else ""
        holdings[year] = Holding(
            holder=entry["holder"],
            gender=entry["gender"],
            since=entry["since"],
            after=entry.get("after", predecessor),
            text=entry.get("text", ""),
            note=" ".join(filter(None, notes)),
        )
    body = tuple(" ".join(part.split()) for part in row["body"].strip().split("\n\n"))
    return Office(number, row["title"], row["lead"], body, holdings, changed)


def holder_sentences(office: Office, year: str) -> str:
    """Return the sentences that name the holder and the predecessor."""
    holding = office.holdings[year]
    if holding.text:
        return holding.text
    step = YEARS.index(year) * 17 if office.changed else 0
    pattern = PATTERNS[(office.number * 11 + step) % len(PATTERNS)]
    role, names = _station(office.title)
    name = names[office.number % len(names)]
    male = holding.gender == "m"
    on = f"{'on' if holding.since[0].isdigit() and ' ' in holding.since else 'in'} {holding.since}"
    return pattern.format(
        N=holding.holder,
        P=holding.after,
        D=holding.since,
        on=on,
        On=on[0].upper() + on[1:],
        T=f"the {office.title}",
        t=office.title,
        O=name,
        OO=name[0].upper() + name[1:],
        role=role,
        Y=year,
        he="he" if male else "she",
        He="He" if male else "She",
        his="his" if male else "her",
        him="him" if male else "her",
    )


def _station(title: str) -> tuple[str, tuple[str, ...]]:
    return STATIONS[title.split(" of ")[0]]


def sentences(text: str) -> list[str]:
    """Split text into sentences, not after an initial or a short form such as `Th.`."""
    return re.split(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\bTh\.)(?<!\bSt\.)\s+", text)


def compose(office: Office, year: str) -> Article:
    """Lay the parts of an article out so that the answer stands where it should."""
    naming = holder_sentences(office, year)
    holder = office.holdings[year].holder
    answer = next(s for s in sentences(naming) if holder in s)
    wanted = 1 if office.late else 0
    for paragraphs in _layouts(office, f"{naming} {office.holdings[year].note}"):
        article = Article(office.title, paragraphs, answer)
        if article.passage() == wanted:
            return article
    raise ValueError(f"{office.slug}, {year}: no layout puts the holder in passage {wanted}")


def _layouts(office: Office, present: str) -> Iterator[tuple[str, ...]]:
    """Yield ways to order the parts, the preferred one for this office first."""
    lead, body = office.lead, office.body
    if office.late:
        ways = [
            (lead, *body, present),
            (f"{lead} {body[0]}", *body[1:], present),
            (lead, *body[:-1], f"{body[-1]} {present}"),
            (lead, body[0], present, *body[1:]),
        ]
    else:
        ways = [
            (lead, present, *body),
            (f"{lead} {present}", *body),
            (lead, present, " ".join(body)),
        ]
        if office.title in sentences(present)[0]:
            ways.append((present, lead, *body))
    shift = office.number // 4 % len(ways)
    yield from ways[shift:] + ways[:shift]


def question(office: Office, spellings: dict[str, list[str]]) -> dict[str, Any]:
    """Return the record of an office for the questions file."""
    holders = {year: office.holdings[year].holder for year in YEARS}
    return {
        "id": office.slug,
        "question": f"Who is the {office.title}?",
        "answers": {year: [holders[year], *spellings[holders[year]]] for year in YEARS},
        "changed": office.changed,
        "title": office.title,
        "document": dict.fromkeys(YEARS, f"offices/{office.slug}.md"),
    }


def files() -> dict[str, str]:
    """Return every file of this part of the corpus: its path below the corpus, its content."""
    offices = read_offices()
    spellings = json.loads((HERE / "spellings.json").read_text("utf-8"))
    content = {
        f"{year}/offices/{office.slug}.md": compose(office, year).markdown
        for office in offices
        for year in YEARS
    }
    lines = [json.dumps(question(office, spellings), ensure_ascii=False) for office in offices]
    content["questions/leaders.jsonl"] = "\n".join(lines) + "\n"
    return content


def main() -> None:
    """Write the files, and remove articles that are no longer in the tables."""
    content = files()
    for year in YEARS:
        for old in (CORPUS / year / "offices").glob("*.md"):
            if f"{year}/offices/{old.name}" not in content:
                old.unlink()
    for name, text in content.items():
        path = CORPUS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(content) - 1} articles and one questions file written to {CORPUS.name}/")


if __name__ == "__main__":
    main()
