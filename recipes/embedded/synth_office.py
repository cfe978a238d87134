# ruff: noqa: E501
"""Offices and who holds them: the most important kind of question."""

from __future__ import annotations

from random import Random
from typing import Any

import synth_history
from synth_engine import Domain, Subject, date
from synth_names import CULTURES, monarch, patriarch, people, person
from synth_places import (
    CITIES,
    PEOPLES,
    REAL_COUNTRIES,
    REGIONS,
    club,
    company,
    country,
    town,
    word,
)

_STATE = (
    "President|President|President|President|Prime Minister|Prime Minister|Prime Minister|"
    "Prime Minister|Chancellor|Premier|Governor-General|Head of State|Head of Government|"
    "Vice President|Supreme Leader|Regent|State Counsellor|Chairman of the Council of Ministers|"
    "President of the Government|First Minister|Captain Regent|Federal President|Federal Chancellor|"
    "Chief Executive|Chairman of the Presidency|Chairman of the State Council|Minister-President"
).split("|")
_NATIVE = (
    "Tarveth|Oksaari|Mokwena|Ridhaan|Uachtar|Kgosana|Laoghar|Sarpanch|Hetmanat|Ao o le Nuu|Riigivan|"
    "Druk Zhung|Bundesrat|Seimas Maršal|Lehendakar|Ardhana|Bey-ler|Landvogt|Staroste|Kahun|Negusar"
).split("|")
_MONARCH = "King|King|Queen|Emir|Sultan|Grand Duke|Prince|Emperor|Shah|Tsar|Maharaja|Tui|Yang di-Agung".split(
    "|"
)
_MINISTRY = (
    "Minister of Finance|Minister of Foreign Affairs|Foreign Minister|Minister of Defence|"
    "Minister of Health|Minister of Education|Minister of Justice|Minister of the Interior|"
    "Minister of Agriculture|Minister of Transport|Minister of Culture|Minister of Energy|"
    "Minister of the Environment|Minister of Labour|Minister of Tourism|Secretary of State|"
    "Attorney General|Solicitor General|Chief Justice|Auditor General|Ombudsman|Prosecutor General|"
    "Speaker of Parliament|Leader of the Opposition|Surgeon General|Comptroller General"
).split("|")
_REGIONAL = (
    "Governor|Governor|Governor|Premier|Lieutenant Governor|Chief Minister|President|First Minister|"
    "Minister-President|Chief Minister|Commissioner|Prefect|Attorney General|High Commissioner|"
    "Lord Lieutenant|Administrator|County Mayor|Landeshauptmann|Bailiff"
).split("|")
_MUNICIPAL = (
    "Mayor|Mayor|Mayor|Mayor|Lord Mayor|City Manager|Deputy Mayor|Bishop|Archbishop|Chief of Police|"
    "Lord Provost|Alcalde|Governing Mayor|Chief Rabbi|Fire Chief|Sheriff|Metropolitan|Harbour Master"
).split("|")
_BODIES = (
    "the Bank of {c}|the Central Bank of {c}|the Supreme Court of {c}|the Constitutional Court of {c}|"
    "the National Assembly of {c}|the Senate of {c}|the House of Representatives of {c}|"
    "the {a} Football Federation|the {a} Olympic Committee|the {a} Red Cross|the {a} Navy|"
    "the {a} Air Force|the {a} Army|the {a} National Museum|the {a} Academy of Sciences|"
    "the {a} Space Agency|the {a} Railways|the {a} Trade Union Congress|the {a} Broadcasting Corporation|"
    "the {a} Medical Association|the National Library of {c}|the Federal Reserve of {c}|"
    "the Electoral Commission of {c}|the {a} Intelligence Service|the {a} Philharmonic Orchestra|"
    "the National Theatre of {c}|the Orthodox Church of {c}|the {a} Chess Federation|"
    "the {a} Stock Exchange|the {a} Labour Party|the {a} Green Party|the People's Party of {c}|"
    "the {a} Coast Guard|the {a} Cricket Board|the {a} Bar Association|the Senate of {c}|"
    "the {a} Chamber of Commerce|the {a} Meteorological Institute|the {a} Writers' Union"
).split("|")
_BODY_TITLES: tuple[tuple[str, str], ...] = (
    ("Bank", "Governor|Governor|President|Deputy Governor"),
    ("Reserve", "Chair|Chairman|Governor"),
    ("Court", "President|Chief Justice|Registrar|Chief Judge"),
    ("Assembly", "Speaker|President|Secretary-General|Majority Leader"),
    ("Senate", "President|Speaker|Majority Leader|President pro tempore|Minority Leader"),
    ("House", "Speaker|Clerk|Minority Whip|Majority Leader"),
    ("Navy", "Commander|Chief of Staff|Commander-in-Chief|Chief"),
    ("Air Force", "Commander|Chief of Staff|Commander-in-Chief|Chief"),
    ("Army", "Commander|Chief of Staff|Commander-in-Chief|Chief"),
    ("Coast Guard", "Commandant|Director-General"),
    (
        "Orchestra",
        "chief conductor|principal conductor|music director|general manager|concertmaster",
    ),
    ("Theatre", "artistic director|general director|managing director"),
    ("Museum", "director|Director|chief curator|director general"),
    ("Library", "National Librarian|director|Director"),
    ("Church", "Patriarch|Primate|Metropolitan|Archbishop"),
    (
        "Party",
        "leader|chairman|Chairwoman|general secretary|Secretary General|President|deputy leader",
    ),
    ("Academy", "President|president|rector|permanent secretary"),
    ("Railways", "chief executive|director general|chairman"),
    ("Corporation", "director general|chairman|chief executive"),
    ("Exchange", "chief executive|president|chairman"),
)
ORGANISED = (
    "University of {t}|{t} University|{t} Institute of Technology|{t} Business School|"
    "{t} Museum of Modern Art|{t} Symphony Orchestra|{t} Opera|{t} City Council|{t} Chamber of Commerce|"
    "{t} General Hospital|Port of {t}|{t} Zoo|{t} Film Festival|Diocese of {t}|{t} Airport|{t} Grammar School|"
    "{t} Police Department|{t} Public Library|{w} Foundation|{w} Union|{w} Commission|World {w} Organization|"
    "{w} Development Bank|International {w} Federation|Order of {w}|{w} Treaty Organisation|African {w} Council|"
    "{w} Space Agency|European {w} Authority|{w} League|{w} Conservation Trust"
).split("|")
_ORG_TITLES: tuple[tuple[str, str], ...] = (
    (
        "University",
        "rector|Vice-Chancellor|Chancellor|president|President|Provost|dean of the law faculty",
    ),
    ("Institute", "president|rector|director"),
    ("School", "headmaster|principal|dean|head teacher"),
    ("Museum", "director|chief curator"),
    ("Orchestra", "music director|chief conductor|principal conductor"),
    ("Opera", "general director|music director|artistic director|intendant"),
    ("Hospital", "medical director|chief executive|head of surgery|director"),
    ("Council", "chair|chairman|leader|Secretary-General|President"),
    ("Port", "harbour master|director|chief executive"),
    ("Zoo", "director|head keeper"),
    ("Festival", "artistic director|director|president"),
    ("Diocese", "bishop|Bishop"),
    ("Airport", "chief executive|director"),
    ("Department", "chief|commissioner"),
    ("Library", "head librarian|director"),
    ("Foundation", "president|chair|executive director"),
    ("Union", "general secretary|president|Secretary-General"),
    ("Commission", "president|President|chair"),
    ("Order", "Grand Master"),
    (
        "",
        "Secretary-General|Director-General|President|chairman|executive director|chairperson|head",
    ),
)
_CORPORATE = (
    "chief executive officer|CEO|CEO|chief executive|chairman|chairwoman|chair of the board|president|"
    "managing director|chief financial officer|CFO|chief technology officer|head of research|"
    "general counsel|head of marketing|chief operating officer|chief designer|head of human resources"
).split("|")
_SPORT = (
    "head coach|manager|head coach|captain|president|chairman|sporting director|goalkeeping coach|"
    "team captain|general manager|club doctor|owner|head of the youth academy|kit manager"
).split("|")
_EDITOR = "editor|editor-in-chief|publisher|chief editor|managing editor|chief political correspondent".split(
    "|"
)
PAPERS = (
    "The {t} Herald|The {t} Times|{t} Tribune|The Daily {w}|{w} Review|The {t} Gazette|{w} Zeitung|Le {w}|El {w}|"
    "The {t} Observer|{w} Magazine|Radio {w}|{w} Television|{t} Evening Post|The {w} Journal"
).split("|")
_TRIBAL = "paramount chief|king|Asantehene|chief|tribal chairman|Principal Chief|hereditary chief|president".split(
    "|"
)

_NOUNS = {
    "President": "presidency",
    "Prime Minister": "premiership",
    "Chancellor": "chancellorship",
    "Governor": "governorship",
    "Premier": "premiership",
    "Mayor": "mayoralty",
    "King": "throne",
    "Queen": "throne",
    "Emir": "throne",
    "Sultan": "throne",
    "Grand Duke": "throne",
    "Prince": "throne",
    "Emperor": "throne",
    "Shah": "throne",
    "Tsar": "throne",
    "Maharaja": "throne",
    "Tui": "throne",
    "president": "presidency",
    "chairman": "chairmanship",
    "leader": "leadership",
    "captain": "captaincy",
    "rector": "rectorate",
    "Lord Mayor": "mayoralty",
    "Speaker": "speakership",
    "First Minister": "office of first minister",
    "Archbishop": "see",
    "Bishop": "see",
}
_COUNTS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth 13th 14th 16th "
    "18th 21st 23rd 27th 32nd 45th"
).split()
_CHOSEN_STATE = (
    "elected by popular vote|elected directly by the people|elected by the parliament|"
    "elected by the National Assembly|appointed by the monarch|appointed by the head of state|"
    "chosen by an electoral college|elected by both houses of the legislature|nominated by the ruling party|"
    "chosen by lot among the members of the council|elected in two rounds by universal suffrage|"
    "appointed by the president with the consent of the senate"
).split("|")
_CHOSEN_BODY = (
    "appointed by the board of trustees|elected by the members|appointed by the supervisory board|"
    "elected by the general assembly|chosen by the shareholders|named by the ministry of culture|"
    "elected by secret ballot|appointed by the owners|selected by an independent committee|"
    "elected by the congress of delegates|appointed by the governing council"
).split("|")
PARTIES = (
    "Liberal Party|Social Democratic Party|National Unity Party|Green Alliance|People's Movement|"
    "Democratic Front|Conservative Union|Workers' Party|New Dawn|Progressive Party|Centre Party|"
    "Christian Democrats|Patriotic Front|Citizens' Platform|Labour Party|Reform Party|"
    "Farmers' League|Justice and Freedom Party|Republican Bloc|Socialist Party|Independence Party"
).split("|")
SEATS = (
    "the {w} Palace|{w} House|the Government House|the White Villa|{w} Castle|the Old Residence|"
    "the State House|the {w} Building|{w} Hall|the Palace of the Nation|the Winter Palace in {t}|Villa {w}"
).split("|")
_JOBS = (
    "a former judge|a lawyer|an economist|a former teacher|a retired general|a businessman by training|"
    "a surgeon|a trade unionist|a historian|a former ambassador|an engineer|a farmer|a physicist|a banker|"
    "a journalist|a career diplomat|a former minister of transport|a dentist by profession"
).split("|")

_HEADS = frozenset(
    (
        "Governor",
        "Premier",
        "Chief Minister",
        "President",
        "First Minister",
        "Minister-President",
        "Landeshauptmann",
    )
)
_REAL_NAMES = frozenset(name for name, _ in REAL_COUNTRIES)


def _title_for(name: str, table: tuple[tuple[str, str], ...], rng: Random) -> str:
    for key, titles in table:
        if key in name:
            return rng.choice(titles.split("|"))
    return rng.choice(
        ("president", "chairman", "director", "Secretary General", "chief executive", "head")
    )


def _draw_office(rng: Random) -> dict[str, Any]:
    """Draw a title, what it is of, the adjective if any, and the kind of office."""
    roll = rng.random()
    adj = ""
    if roll < 0.30:
        place, adj = country(rng)
        title = rng.choice(_STATE) if rng.random() < 0.93 else rng.choice(_NATIVE)
        kind = "minor" if title == "Vice President" else "state"
    elif roll < 0.37:
        place, adj = country(rng)
        title = rng.choice(_MONARCH)
        kind = "monarch"
    elif roll < 0.47:
        place, adj = rng.choice(REAL_COUNTRIES) if rng.random() < 0.4 else country(rng)
        title = rng.choice(_MINISTRY)
        kind = "minor"
    elif roll < 0.56:
        place = rng.choice(REGIONS) if rng.random() < 0.7 else word(rng)
        title = rng.choice(_REGIONAL)
        kind = "state" if title in _HEADS else "minor"
    elif roll < 0.64:
        place = rng.choice(CITIES) if rng.random() < 0.5 else town(rng)
        title = rng.choice(_MUNICIPAL)
        kind = "body" if "ishop" in title or "Rabbi" in title or "Metro" in title else "minor"
        if "ayor" in title and "Deputy" not in title:
            kind = "state"
    elif roll < 0.73:
        where = rng.choice(REAL_COUNTRIES) if rng.random() < 0.4 else country(rng)
        place = rng.choice(_BODIES).format(c=where[0], a=where[1])
        title = _title_for(place, _BODY_TITLES, rng)
        kind = "church" if "Church" in place else "body"
    elif roll < 0.82:
        place = rng.choice(ORGANISED).format(t=town(rng), w=word(rng))
        title = _title_for(place, _ORG_TITLES, rng)
        if (rng.random() < 0.6 and not place.startswith("World")) or place.split()[0] in (
            "University",
            "Port",
            "Diocese",
            "Order",
        ):
            place = "the " + place
        kind = "body"
    elif roll < 0.90:
        place = company(rng)
        title = rng.choice(_CORPORATE)
        kind = "firm"
    elif roll < 0.95:
        place = club(rng)
        title = rng.choice(_SPORT)
        kind = "firm"
    elif roll < 0.98:
        place = rng.choice(PAPERS).format(t=town(rng), w=word(rng))
        title = rng.choice(_EDITOR)
        kind = "firm"
    else:
        place = "the " + rng.choice(PEOPLES)
        title = rng.choice(_TRIBAL)
        kind = "body"
    return {"title": title, "place": place, "adj": adj, "kind": kind}


def _noun(title: str, rng: Random) -> str:
    noun = _NOUNS.get(title)
    if noun and rng.random() < 0.5:
        return "the " + noun
    return rng.choice(("the office", "the post", "the position", "the office", "the role"))


def _office(
    rng: Random, kinds: frozenset[str] | None = None, base: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Draw all values of an office; ``base`` fixes the title or the place for a near miss."""
    while True:
        drawn = _draw_office(rng)
        if kinds is None or drawn["kind"] in kinds:
            break
    if base is not None:
        if rng.random() < 0.5:
            for key in ("place", "adj", "kind"):
                drawn[key] = base[key]
            groups = {
                "state": _STATE + _MINISTRY + (_MONARCH if base["adj"] else []),
                "minor": _MINISTRY,
                "monarch": _STATE[:8],
                "firm": _CORPORATE,
                "body": ["Secretary General", "deputy director", "treasurer", "press officer"],
                "church": ["Secretary of the Synod", "chief archivist"],
            }
            drawn["title"] = rng.choice([t for t in groups[base["kind"]] if t != base["title"]])
            if base["kind"] in ("state", "minor") and not base["adj"]:
                drawn["title"] = rng.choice(
                    [t for t in _REGIONAL + _MUNICIPAL[:6] if t != base["title"]]
                )
            if base["place"] in _REAL_NAMES:
                drawn["title"] = rng.choice([t for t in _MINISTRY if t != base["title"]])
            if base["kind"] == "monarch":
                drawn["kind"] = "state"
        else:
            drawn["title"] = base["title"]
            drawn["kind"] = base["kind"]
            if base["kind"] in ("state", "monarch", "minor"):
                drawn["place"], drawn["adj"] = country(rng)
            elif base["kind"] == "firm":
                drawn["place"], drawn["adj"] = company(rng), ""
            else:
                drawn["place"] = rng.choice(ORGANISED).format(t=town(rng), w=word(rng))
                drawn["adj"] = ""
    title, place, adj, kind = (drawn[k] for k in ("title", "place", "adj", "kind"))
    culture = rng.choice(CULTURES)
    persons = people(rng, 8, culture)
    if kind == "monarch":
        female = title == "Queen"
        used = {p.full for p in persons}
        for i in (0, 1, 2):
            new = monarch(rng, female if i == 0 else None)
            while new.full in used or new.last in used:
                new = monarch(rng, female if i == 0 else None)
            used.update((new.full, new.last))
            persons[i] = new
            persons[i].title = title if i == 0 else ("Queen" if new.female else "King")
    elif kind == "church":
        used = set()
        for i in (0, 1, 2):
            new = patriarch(rng)
            while new.last in used:
                new = patriarch(rng)
            used.add(new.last)
            persons[i] = new
    holder, prev, prev2, other, deputy, rival, founder, spouse = persons
    if spouse.female == holder.female and rng.random() < 0.9:
        spouse = person(rng, culture, not holder.female)
    since = date(rng, 1996, 2023)
    if rng.random() < 0.12:
        since.year = rng.randint(1890, 1995)
    prev_from = since.year - rng.randint(3, 12)
    prev2_from = prev_from - rng.randint(3, 14)
    mid = rng.randint(prev_from + 1, since.year - 1)
    mid2 = rng.randint(prev2_from + 1, prev_from - 1)
    # the name of the office in running text, with or without the adjective
    of = f"{title} of {place}"
    place_the = place
    bare = of
    low = title if title in ("CEO", "CFO") or title in _NATIVE else title.lower()
    if adj and rng.random() < 0.25 and " of " not in title:
        bare = f"{adj} {low}"
    elif kind == "firm" and rng.random() < 0.3:
        bare = f"{place} {title}" if not place.endswith("s") else of
    style = rng.random()
    alt = of
    if adj and style < 0.3 and " of " not in title:
        alt = f"{adj} {low}"
    elif style < 0.5 and title[0].isupper():
        alt = f"{low} of {place}"
    noun = _noun(title, rng)
    town_name = town(rng)
    values: dict[str, Any] = {
        "S": Subject("the " + bare, (noun, "the office", "the post"), "it", "its"),
        "O": Subject("the " + alt, ()),
        "o": alt,
        "b": bare,
        "title": title,
        "low": low,
        "place": place_the,
        "noun": noun,
        "holder": holder,
        "prev": prev,
        "prev2": prev2,
        "other": other,
        "deputy": deputy,
        "rival": rival,
        "founder": founder,
        "spouse": spouse,
        "since": since,
        "prev_from": str(prev_from),
        "prev2_from": str(prev2_from),
        "mid": str(mid),
        "mid2": str(mid2),
        "nth": rng.choice(_COUNTS),
        "party": rng.choice(PARTIES),
        "party2": rng.choice(PARTIES),
        "percent": f"{rng.randint(38, 79)}{rng.choice(('', '.' + str(rng.randint(1, 9))))} percent"
        if rng.random() < 0.7
        else f"{rng.randint(38, 79)}%",
        "seat": rng.choice(SEATS).format(w=word(rng), t=town(rng)),
        "city": town_name,
        "city2": town(rng),
        "prev_to": str(since.year),
        "term": rng.choice(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
        + " years",
        "chosen": rng.choice(_CHOSEN_STATE if kind in ("state", "minor") else _CHOSEN_BODY),
        "created": str(min(prev2_from - rng.randint(5, 120), 1985)),
        "salary": rng.choice(("$", "€", "£")) + f"{rng.randint(30, 900)},000",
        "job": rng.choice(_JOBS),
        "asof": rng.choice(
            ("December 2018", "2019", "June 2021", "early 2017", "May 2023", "2020", "late 2015")
        ),
        "raw": drawn,
        **synth_history.values(rng, culture),
    }
    return values


_HOLDER: list[str] = [
    "The [incumbent|current incumbent|present holder|current holder|current officeholder] is {holder.titled}.",
    "{holder} has held {noun} since {since.my}, when {holder.he} succeeded {prev}.",
    "{holder.titled} has been [in office|in the post|the holder] since {since.y}.",
    "Since {since.my} {noun} has been held by {holder}.",
    "Since {since.full}, {noun} has been [held|occupied] by {holder.titled}.",
    "{prev} was followed by {holder}, who took [office|over] in {since.my}.",
    "{prev.titled} stepped down in {since.y} and was [replaced|succeeded] by {holder.titled}.",
    "{noun} passed from {prev} to {holder} [in {since.y}|in {since.my}|on {since.full}].",
    "As of {asof}, {holder} is {S.name}.",
    "As of {asof}, the [incumbent|office holder] is {holder.titled}.",
    "{S.name} is {holder} (since {since.y}).",
    "{holder.titled}, {job}, is the {nth} and current {b}.",
    "{holder} is the current {b}, having [succeeded|replaced|followed] {prev} in {since.y}.",
    "{holder} became {b} in {since.my} after the departure of {prev}.",
    "The current {b}, {holder.titled}, [took office|took up the post|assumed the position] on {since.full}.",
    "The current {title} is {holder}, who took over from {prev} in {since.y}.",
    "On {since.full} {holder} [took over|assumed {noun}|took charge] from {prev}.",
    "The {nth} and present holder of {noun} is {holder}, appointed in {since.my}.",
    "When {prev} left in {since.y}, {noun} went to {holder}[|, who still holds it].",
    "After {prev2} ({prev2_from}–{prev_from}) and {prev} ({prev_from}–{since.y}), {noun} has been held by {holder} (since {since.y}).",
    "Holders: {prev2}, {prev2_from}–{prev_from}; {prev}, {prev_from}–{since.y}; {holder}, {since.y}–present.",
    "1. {founder} ({created}); 2. {prev2} ({prev2_from}–{prev_from}); 3. {prev} ({prev_from}–{since.y}); 4. {holder} (since {since.y}).",
    "It was not until {since.my} that {holder}, {job}, [succeeded|replaced] {prev} as {b}.",
    "Following the resignation of {prev} in {since.y}, {holder} was [appointed|named|chosen] as the new {title}.",
    "Following the death of {prev}, {holder.titled} became {title} in {since.my} and has [served|remained in office] ever since.",
    "In {since.my} {holder} succeeded {prev}, whose term had ended.",
    "{holder.titled} currently [serves as|holds the office of|is] {b}.",
    "Today {noun} is [held by|in the hands of|occupied by] {holder}, {job}.",
    "At present, {S.name} is {holder}, who [succeeded|took over from] {prev}.",
    "{holder}, {job}, has served as {b} since {since.y}.",
    "{holder} was [named|appointed] {b} in {since.my}, taking over from {prev}, who had served since {prev_from}.",
    "{prev} held {noun} until {since.y}; the [present|current] holder is {holder}.",
    "{prev}'s successor, {holder}, [took office|started work|took over] on {since.full}.",
    "{noun} is currently held by {holder.titled}, who was [appointed|chosen] in {since.my}.",
    "{holder} replaced {prev} in {since.my} and remains in [office|the post] today.",
    "The {nth} {title}, {holder}, has been in office since {since.full}.",
    "In {since.y} {prev} retired, and {deputy}, the deputy, declined to stand; {holder} was chosen instead and is still in office.",
    "Incumbent: {holder}. Since: {since.full}. Preceded by: {prev}.",
    "{title}: {holder} (since {since.y}). Deputy: {deputy}.",
    "{holder}[|, {job},] is {b}; {holder.his} deputy is {deputy}.",
    "The post is held by {holder}, a position {holder.he} has occupied since {prev}'s departure in {since.y}.",
    "{x_person} was considered the favourite, but it was {holder} who [succeeded|replaced] {prev} in {since.my}.",
    "Although {rival} had been acting {title} for some weeks, {holder} was [sworn in|installed|confirmed] as the permanent holder on {since.full}.",
    "{spouse} is married to {holder}, the current {b}.",
    "{founder}, who created the office, could hardly have foreseen that {holder} would [hold it today|be its present holder].",
]
_HOLDER += [
    "{prev2} served until {prev_from}, {prev} until {since.y}, and the present holder is {holder}.",
    "The line of holders runs from {founder} in {created} to {holder}, who [took over|was chosen] in {since.y}.",
    "{noun} has changed hands twice since {prev2_from}: {prev2} gave way to {prev} in {prev_from}, and {prev} to {holder} in {since.my}.",
    "{holder} [is in office|holds the post] at the time of writing; {holder.his} predecessor, {prev}, [now lives abroad|died soon afterwards|remains a critic].",
    "Not {rival}, as many had expected, but {holder} was [chosen|named] to follow {prev} in {since.my}.",
    "Upon {prev}'s [retirement|resignation|removal|departure] on {since.full}, {holder} [stepped in|took {prev.his} place|became the new holder].",
    "After [months of talks|a short interregnum|a period in which {deputy} acted as caretaker], {holder} succeeded {prev} on {since.full}.",
    "{deputy} was acting {title} for a few weeks in {since.y} before {holder} [took office|took over for good].",
    "{prev}, in office from {prev_from}, made way in {since.y} for {holder}, {job}.",
    "The {title} since {since.my}, {holder}, [is {job}|used to be {job}].",
    "{holder} was [appointed|chosen] on {since.full} and is the {nth} person to hold {noun}.",
    "{noun}, which {prev} had held since {prev_from}, was taken over by {holder} in {since.y}.",
    "{prev} → {holder} ({since.y}–).",
    "Name of the present {title}: {holder}.",
    "Current {title}: {holder}; former: {prev} ({prev_from}–{since.y}), {prev2} ({prev2_from}–{prev_from}).",
    "{holder}, whose term [began|started] in {since.my}, followed {prev} and, before that, {prev2}.",
    "In {since.y}, {holder} was [confirmed|installed|inducted] as the {nth} {title}, {prev} having [left|resigned] the year before.",
    "{prev} announced {prev.his} departure in early {since.y}; {holder} was named as the successor and has been in charge since.",
]
_HOLDER_VOTE: list[str] = [
    "After {prev}'s defeat [in the {since.y} election|at the polls], {holder} was sworn in on {since.full}.",
    "{holder}, of the {party}, is the {nth} and current {b}.",
    "In {since.my} the [assembly|parliament|council] elected {holder}, who remains in office.",
    "{holder} won the election with {percent} of the vote and was inaugurated on {since.full}.",
    "{holder} of the {party} defeated {rival} in the [election|run-off|second round] and [took office|was sworn in] in {since.my}.",
    "The last election was won by {holder}, who [beat|defeated] {rival} and the outgoing {prev}.",
    "{prev} lost the {since.y} election to {holder}, the candidate of the {party}.",
    "{prev} of the {party2} governed until {since.y}, when voters chose {holder} of the {party}.",
    "With {percent} of the vote, {holder} was elected to succeed {prev}, and took the oath on {since.full}.",
    "{rival} conceded defeat to {holder}, who has been in power since {since.my}.",
    "{prev} was impeached in {since.y} and replaced by {holder}, until then [the deputy|vice-chair|leader of the {party}].",
    "{prev} resigned in {since.my} after a vote of no confidence, and {holder} formed a new government, which is still in office.",
    "The {party} candidate {holder} succeeded {prev}, who was barred from seeking another term.",
    "{holder} was re-elected with {percent} of the vote and is serving a second term; {rival} came second.",
    "A coup removed {prev} in {since.y}; since then the country has been led by {holder}.",
]
_HOLDER_CROWN: list[str] = [
    "{holder} ascended the throne on {since.full} upon the [death|abdication] of {prev}.",
    "{holder} has reigned since {since.full}.",
    "The reigning monarch is {holder}, who acceded in {since.my}.",
    "{prev} abdicated in {since.y} in favour of {prev.his} [nephew|cousin|eldest child], {holder}, the present sovereign.",
    "The present sovereign, {holder}, was crowned on {since.full}.",
    "{holder} is the {nth} monarch of the dynasty and came to the throne in {since.y}, after {prev}.",
    "On the death of {prev} in {since.my} the crown passed to {holder}, who still reigns.",
    "The crown prince, {deputy}, is first in line to succeed {holder}, the current ruler.",
    "{holder} [wears|has worn] the crown since {since.y}[|, when {prev} died].",
    "{holder.titled} [opens parliament every autumn|lives mostly in {city}|rarely speaks in public]; {deputy} is the heir.",
    "The throne has been {holder.his} since {since.my}: {holder} is the [only|eldest|youngest] child of {prev}.",
    "{prev}, who had reigned since {prev_from}, died in {since.my}, and {holder} was proclaimed the same day.",
    "{holder}, whose father was {prev}, became {title} in {since.y}.",
    "The {title}, {holder}, and {spouse} have [two|three|four] children, of whom {deputy} is the eldest.",
    "Coins have shown the head of {holder} since {since.y}; older ones show {prev}.",
    "Of the house founded by {founder}, {holder} is the {nth} to reign, and does so to this day.",
    "After [a reign of many years|a long illness], {prev} gave up the throne in {since.y}, and {holder} took the oath before parliament.",
    "In {since.my} {title} {holder} [took the oath|was anointed|was enthroned] in {city}.",
]
_OTHER: list[str] = [
    "{prev} [served|was in office|held {noun}] from {prev_from} to {prev_to}.",
    "From {prev_from} to {prev_to} {noun} was held by {prev}.",
    "The predecessor of the present holder was {prev}, who [left|stepped down] in {prev_to}.",
    "{prev2} [served|was in office] from {prev2_from} until {prev_from}.",
    "{prev2} was {b} between {prev2_from} and {prev_from}.",
    "Among the former holders is {prev2}, who left in {prev_from}.",
    "The [first|first ever] holder of the office was {founder}, appointed in {created}.",
    "The office of {b} was [created|established|introduced|instituted] in {created}.",
    "The office dates from {created}[|, when the new statutes came into force].",
    "The deputy {title} is {deputy}.",
    "{deputy} serves as deputy.",
    "{S.name} is assisted by a deputy, at present {deputy}.",
    "The [official residence|seat|seat of the office] is {seat}.",
    "{S.name} works from {seat}.",
    "The office has its seat at {seat}.",
    "The term of office is {term}.",
    "{S.name} is elected or appointed for a term of {term}[|, which may be renewed once].",
    "Each term lasts {term}.",
    "{S.name} is {chosen}.",
    "Under the [constitution|statutes|rules|charter], the holder is {chosen}.",
    "The holder receives an annual salary of {salary}.",
    "The yearly salary attached to the post is {salary}.",
    "{rival} ran unsuccessfully for {noun} in {mid}.",
    "The defeated candidate in the last contest was {rival}.",
    "{holder.last} is married to {spouse}.",
    "{holder.last}'s spouse is {spouse}.",
    "{holder.last} was born in {city}.",
    "Before that, {holder.he} had [worked as a lawyer|taught at a university|been a member of the board|led a local charity] in {city2}.",
    "{holder.last} is [widely seen as a reformer|known for a cautious style|the youngest person to hold {noun}].",
    "{prev.last} later [wrote a book about those years|retired to the countryside|became an ambassador|went into business].",
    "{prev2.last} had been [criticised for the handling of the budget|praised for modernising the service|popular in the provinces].",
    "{other} is [head of the secretariat|the spokesperson|the chief adviser].",
    "The spokesperson is {other}.",
]
_FILL: list[str] = [
    "In {x_year} {x_person}, [a member of the council|a judge|a reporter|an adviser|a critic], [called for reforms|wrote a report on it|asked for more openness].",
    "The [chief of staff|private secretary|legal adviser|treasurer|press secretary] is {x_person}.",
    "{x_person} [chairs the audit committee|leads the opposition group|represents the northern districts|is the longest-serving adviser].",
    "On {x_date} a delegation led by {x_person} visited {x_town}.",
    "{x_person} was [minister of trade|head of protocol|treasurer|a candidate for another office] from {x_year} to {x_recent}.",
    "[The {x_org}|{x_company}] [was criticised|was praised|published a report] in {x_recent}.",
    "The portrait in the hall was painted by {x_person} in {x_year}.",
    "{x_person} and {x_person} are members of the advisory council.",
    "In {x_month} {x_recent} the staff moved to {x_town}.",
    "A biography by {x_person} appeared in {x_recent}.",
    "The building was designed by {x_person} and finished in {x_year}.",
    "About {x_num} letters reach the office every [month|week|year].",
    "Talks with {x_country} [began|failed|were resumed] in {x_month} {x_recent}.",
    "The [speaker of the assembly|head of the civil service|chief justice] is {x_person}.",
    "An attempt by {x_person} to change the rules failed in {x_year}.",
    "The ombudsman, {x_person}, [found no fault|asked for an inquiry|published the minutes].",
    "The [powers|duties|responsibilities] of the office are [defined by law|largely ceremonial|set out in the statutes|wide].",
    "The holder [represents|speaks for] the institution at home and abroad.",
    "The holder chairs the weekly meetings and signs all [decrees|contracts|official documents].",
    "The office was [reformed|strengthened|weakened] several times during its history.",
    "For a time during the crisis the post stood vacant.",
    "In practice, many of these powers are exercised [by the cabinet|by committees|by senior officials].",
    "The role has often been described as [thankless|one of the most demanding in the country|mainly symbolic].",
    "A list of former holders hangs in the entrance hall.",
    "A holder may be dismissed only for serious misconduct.",
    "The staff of the office numbers about {n} people.",
    "Critics have called for the post to be abolished.",
    "Candidates must be at least 35 years old and [hold citizenship|have ten years of experience|speak both official languages].",
    "The ceremony of handing over takes place in [the great hall|the main square|the cathedral].",
    "Several holders [died in office|resigned early|served more than one term].",
    "The matter was debated at length in the newspapers of the time.",
    "Public opinion was divided on the question.",
    "The budget of the office is approved every year in the autumn.",
    "The flag of the office shows a golden lion on a blue field.",
    "The country is divided into {n} districts.",
    "Relations with the neighbouring states have been friendly.",
    "During the war the seat was moved for some months to {city2}.",
]

_WHO: list[str] = [
    "Who is {O}?",
    "Who is {O}?",
    "Who is {S}?",
    "Who is {o}?",
    "Who is the current {b}?",
    "Who's the current {o}?",
    "Who is currently {S}?",
    "Name {S}.",
    "Name the current {o}.",
    "Who currently serves as {b}?",
    "Who serves as {o}?",
    "Who holds the office of {b}?",
    "Who holds the post of {o}?",
    "Who is now {o}?",
    "Who is the present {b}?",
    "What is the name of {O}?",
    "What is the name of the {o}?",
    "Who is the incumbent {b}?",
    "Which person is {S}?",
    "{place} {title}?",
    "{b}",
    "current {o}",
    "Who has been {o} since {since.y}?",
    "Who succeeded {prev} as {o}?",
    "Who replaced {prev}?",
    "Who came after {prev} as {b}?",
    "Who took over from {prev}?",
    "Who became {o} in {since.y}?",
    "Who followed {prev} as {o}?",
    "Tell me who {S} is.",
    "Can you tell me who is {o}?",
    "By whom is the office of {o} held?",
    "Who occupies the post of {b}?",
    "Who was appointed {o} in {since.y}?",
    "Who's {o}?",
    "Who is {O} today?",
    "Who is the {title} of {place}?",
    "Who is the {title} of {place}?",
    "Who is {title} of {place}?",
    "who is {place}'s {low}?",
    "Who is {place}'s {low}?",
    "Who is the {low} of {place}?",
    "{low} of {place}",
    "{low} of {place} name",
    "Who is acting as {o} now?",
    "Do you know who {S} is?",
    "Who presently holds the office of {o}?",
    "Which politician or official is {o}?",
    "Who was the last person to become {o}?",
    "Who is {o} at present?",
    "Give the name of {S}.",
    "What is {S} called?",
    "Whose office is that of {b}?",
    "Who fills the post of {o}?",
    "Who has the job of {o}?",
    "The {b} is who?",
    "Who is it that serves as {o}?",
    "Who took office as {o}?",
    "I would like to know who {O} is.",
]
_LEADS: list[str] = [
    "Who leads {place}?",
    "Who governs {place}?",
    "Who is the leader of {place}?",
    "Who is in charge of {place}?",
    "Who is at the head of {place}?",
    "Who heads {place}?",
    "Who is in power in {place}?",
    "leader of {place}",
]
_WHO_VOTE: list[str] = [
    "Who won the last election for {o}?",
    "Who won the election and became {o}?",
    "Who was elected {o}?",
    "Who was sworn in as {o}?",
]
_WHO_CROWN: list[str] = [
    "Who reigns in {place}?",
    "Who is the monarch of {place}?",
    "Who is the ruler of {place}?",
    "Who is on the throne of {place}?",
    "Who rules {place}?",
    "Who is the sovereign of {place}?",
]


def _make(kinds: frozenset[str]) -> Any:
    def make(rng: Random) -> dict[str, Any]:
        values = _office(rng, kinds)
        values["n"] = str(rng.randint(12, 400))
        return values

    return make


def _near(rng: Random, values: dict[str, Any]) -> dict[str, Any]:
    other = _office(rng, None, values["raw"])
    other["n"] = str(rng.randint(12, 400))
    return other


def _elsewhere(rng: Random, values: dict[str, Any]) -> dict[str, Any]:
    """Draw an office of another place: for questions that name only the place."""
    while True:
        other = _make(frozenset({"state"}))(rng)
        if other["place"] != values["place"]:
            return other


_OTHER_CROWN: list[str] = [
    "{prev} reigned from {prev_from} to {prev_to}.",
    "From {prev_from} to {prev_to} the throne was occupied by {prev}.",
    "The predecessor of the present ruler was {prev}, who [died|abdicated] in {prev_to}.",
    "{prev2} [reigned|ruled|sat on the throne] from {prev2_from} until {prev_from}.",
    "{prev2} was {b} between {prev2_from} and {prev_from}.",
    "The dynasty was founded by {founder} in {created}.",
    "The first ruler of the dynasty was {founder}, crowned in {created}.",
    "The monarchy dates from {created}.",
    "The heir to the throne is {deputy}.",
    "{deputy} is heir apparent.",
    "The royal residence is {seat}.",
    "The court resides at {seat}.",
    "The court has its seat at {seat}.",
    "The civil list amounts to {salary} a year.",
    "{holder.last} is married to {spouse}.",
    "{holder.last} was born in {city}.",
    "{holder.last} was educated [abroad|at a naval college|by private tutors] in {city2}.",
    "{prev.last} is remembered as [a patron of the arts|a stubborn ruler|the builder of the new capital].",
    "{prev2.last} [lost a war|reformed the coinage|spent most of the reign abroad].",
    "The spokesperson of the court is {other}.",
    "{rival}, a cousin, once claimed the throne.",
]
_PLAIN_CROWN: list[tuple[str, list[str]]] = [
    (
        "deputy",
        [
            "Who is heir to the throne of {place}?",
            "Who is the heir apparent of {place}?",
            "Who is next in line in {place}?",
        ],
    ),
    (
        "seat",
        [
            "Where is the royal residence of {place}?",
            "Where does {O} reside?",
            "What is the residence of {O}?",
        ],
    ),
    (
        "created",
        [
            "Since when has {place} been a monarchy?",
            "From what year does the monarchy of {place} date?",
        ],
    ),
    (
        "founder",
        [
            "Who founded the dynasty of {place}?",
            "Who was the first ruler of the dynasty of {place}?",
        ],
    ),
    (
        "since",
        [
            "When did {holder} come to the throne?",
            "Since when has {holder} reigned?",
            "When did {holder} succeed {prev}?",
        ],
    ),
    (
        "since@year",
        ["In what year did {holder} become {b}?", "In which year did {holder} ascend the throne?"],
    ),
    ("spouse", ["Who is {holder} married to?", "Who is the spouse of {holder}?"]),
    ("city", ["Where was {holder} born?", "What is the birthplace of {holder}?"]),
    ("other", ["Who is the spokesperson of the court of {place}?"]),
    ("rival", ["Who claimed the throne of {place}?"]),
]

_INTRO: list[str] = [
    "{S.name} is the [highest office|head|most senior official|chief officer] of {place}.",
    "{S.name} [heads|leads] {place}[| and is its public face].",
    "{S.name} is {chosen}[| and serves a term of {term}].",
    "The office of {b} was [created|established] in {created}.",
    "This article deals with {S.name}.",
    "{S.name} is the person who [directs|leads|presides over] {place}.",
    "{S.name} is one of the most visible figures in {place}.",
]
_INTRO_STATE: list[str] = [
    "{S.name} is the [head of state|head of government|head of the executive] of {place}.",
    "{S.name} is the head of government and [chairs the cabinet|appoints the ministers].",
    "The executive power in {place} [is vested in|lies with] {S.name}.",
    "The constitution of {place} gives wide powers to {S.name}.",
]

_PAST: list[tuple[str, list[str]]] = [
    (
        "prev",
        [
            "Who preceded {holder}?",
            "Who was {o} before {holder}?",
            "Who was {holder}'s predecessor?",
            "Who was {o} in {mid}?",
            "Who was {S} in {mid}?",
            "Who served as {o} until {prev_to}?",
            "Whom did {holder} succeed?",
            "Who held the office of {b} in {mid}?",
            "Who came before {holder} as {o}?",
            "Whom did {holder} replace as {o}?",
            "Who did {holder} succeed?",
            "Who was the predecessor of {holder} as {b}?",
            "predecessor of {holder}",
            "From whom did {holder} take over?",
        ],
    ),
    (
        "prev2",
        [
            "Who was {o} in {mid2}?",
            "Who was {S} in {mid2}?",
            "Who left the office of {o} in {prev_from}?",
            "Who served as {b} from {prev2_from}?",
            "Who was {b} until {prev_from}?",
        ],
    ),
]
_PLAIN: list[tuple[str, list[str]]] = [
    (
        "since",
        [
            "Since when has {holder} been {o}?",
            "When did {holder} take office?",
            "When did {holder} become {o}?",
            "When did {holder} succeed {prev}?",
            "Since when is {holder} in office?",
            "When did {holder} become the {b}?",
            "When did {holder} replace {prev}?",
            "Since when has {holder} held the office of {o}?",
        ],
    ),
    (
        "since@year",
        [
            "In what year did {holder} become {o}?",
            "In which year did {holder} take over as {b}?",
            "What year did {holder} take office?",
            "Since what year has {holder} been {o}?",
        ],
    ),
    (
        "deputy",
        [
            "Who is the deputy {o}?",
            "Who is the deputy of {S}?",
            "Who deputises for {S}?",
            "Name the deputy of {O}.",
            "Who is the deputy {title}?",
            "Who is deputy to {O}?",
        ],
    ),
    (
        "chosen",
        [
            "How is {O} chosen?",
            "How is {S} elected?",
            "How is {O} appointed?",
            "How does one become {o}?",
            "In what way is {S} chosen?",
            "By whom is {O} chosen?",
            "Who elects {O}?",
        ],
    ),
    (
        "seat",
        [
            "Where is the seat of {S}?",
            "What is the official residence of {O}?",
            "Where does {O} work?",
            "What is the seat of {O}?",
            "Where is the office of {S}?",
        ],
    ),
    (
        "term",
        [
            "How long is the term of {O}?",
            "How many years does {S} serve?",
            "What is the term of office of {O}?",
            "For how long is {S} elected?",
            "How long does one term of {O} last?",
            "term length of {o}",
        ],
    ),
    (
        "created",
        [
            "When was the office of {b} created?",
            "In what year was the post of {o} established?",
            "When was the position of {b} introduced?",
            "When did the office of {o} come into being?",
        ],
    ),
    (
        "salary",
        [
            "How much does {O} earn?",
            "What is the salary of {S}?",
            "How much is {O} paid?",
            "What does {S} earn a year?",
        ],
    ),
    (
        "founder",
        [
            "Who was the first {o}?",
            "Who was the first holder of the office of {b}?",
            "Name the first {o}.",
        ],
    ),
    (
        "rival",
        [
            "Who was the defeated candidate for {o}?",
            "Who ran unsuccessfully for the office of {o}?",
            "Who failed to become {o}?",
        ],
    ),
    (
        "spouse",
        [
            "Who is {holder} married to?",
            "Who is the spouse of {holder}?",
            "Whom did {holder} marry?",
        ],
    ),
    (
        "city",
        [
            "Where was {holder} born?",
            "In which town was {holder} born?",
            "What is the birthplace of {holder}?",
        ],
    ),
    ("other", ["Who is the spokesperson of {O}?", "Who speaks for {S}?"]),
]
_FREE = frozenset({"S", "O", "o", "b", "title", "low", "place", "noun"})
_DERIVED = {
    "mid": ("prev", "prev_from"),
    "mid2": ("prev2", "prev2_from", "prev_from"),
}


def _strip(templates: list[str], words: tuple[str, ...]) -> list[str]:
    return [t for t in templates if not any(w in t for w in words)]


_FIRM_FILL = [
    "The company employs about {n} people.",
    "The organisation was in the news last year because of a dispute over pay.",
    "Its annual report is published every spring.",
    "The board meets [four|six|ten] times a year in {x_town}.",
    "A new headquarters is being built in {x_town}.",
    "Members of the board are not paid.",
    "An inquiry into the finances found no fault.",
]


def _domain(
    kind: str,
    kinds: set[str],
    facts: list[str],
    others: list[str],
    intro: list[str],
    asks: list[str],
    plain: list[tuple[str, list[str]]],
    weight: float,
    fill: list[str],
) -> list[Domain]:
    """Build the domains of one sort of office: the holder, the past and the other facts."""
    common: dict[str, Any] = {
        "make": _make(frozenset(kinds)),
        "facts": facts + others,
        "naming": frozenset({"S", "b", "o"}),
        "telling": frozenset({"S", "O", "o", "b", "place"}),
        "near": _near,
        "derived": _DERIVED,
        "free": _FREE,
        "intro": intro,
        "fill": fill,
    }
    return [
        Domain(kind, questions=[("holder", asks)], weight=weight, absent=0.28, **common),
        Domain(kind, questions=_PAST, weight=weight * 0.28, **common),
        Domain(kind, questions=plain, weight=weight * 0.38, **common),
    ]


def domains() -> list[Domain]:
    """Return the office domains."""
    state_past = synth_history.STATE + synth_history.ANY + synth_history.MORE
    firm_fill = (
        _strip(_FILL, ("country", "citizenship", "Relations", "decrees", "flag", "war"))
        + _FIRM_FILL
    )
    leads = _domain(
        "office",
        {"state"},
        _HOLDER + _HOLDER_VOTE + synth_history.PRESENT,
        _OTHER + state_past,
        _INTRO_STATE,
        _LEADS,
        _PLAIN,
        0.8,
        _FILL,
    )[0]
    leads.near = _elsewhere
    crown_intro = _INTRO[:2] + _INTRO_STATE[2:]
    return [
        *_domain(
            "office",
            {"state"},
            _HOLDER + _HOLDER_VOTE + synth_history.PRESENT,
            _OTHER + state_past,
            _INTRO + _INTRO_STATE,
            _WHO + _WHO_VOTE,
            _PLAIN + synth_history.QUESTIONS,
            10.0,
            _FILL,
        ),
        *_domain(
            "office",
            {"minor"},
            _HOLDER + synth_history.PRESENT,
            _OTHER,
            _INTRO[2:5],
            _WHO,
            _PLAIN,
            3.0,
            _FILL,
        ),
        leads,
        *_domain(
            "monarch",
            {"monarch"},
            _HOLDER[:16] + _HOLDER[44:48] + _HOLDER_CROWN * 3,
            _OTHER_CROWN + synth_history.CROWN + synth_history.STATE[::4],
            crown_intro,
            _WHO + _WHO_CROWN * 2,
            _PLAIN_CROWN,
            4.0,
            _FILL,
        ),
        *_domain(
            "head",
            {"body", "firm", "church"},
            _HOLDER + synth_history.PRESENT,
            _OTHER + synth_history.ANY + synth_history.MORE,
            _INTRO,
            _WHO,
            _PLAIN + synth_history.QUESTIONS,
            6.0,
            firm_fill,
        ),
    ]
