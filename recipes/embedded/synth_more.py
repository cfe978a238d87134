# ruff: noqa: E501
"""More subjects: careers, elections, realms, languages, ships, lines, diseases, laws, games."""

from __future__ import annotations

from random import Random
from typing import Any

from synth_engine import Domain, Subject, date
from synth_names import CULTURES, monarch, people
from synth_places import (
    REAL_COUNTRIES,
    adjective,
    club,
    company,
    country,
    number,
    region,
    town,
    word,
    work_title,
)
from synth_world import GENERAL_FILL

Values = dict[str, Any]


def _roles(rng: Random, count: int) -> list[Any]:
    return people(rng, count, rng.choice(CULTURES))


# ---------------------------------------------------------------- the life of an office holder
_HIGH = (
    "President|President|Prime Minister|Prime Minister|Chancellor|Premier|Governor-General|Head of State|"
    "Federal President|First Minister|Chairman of the State Council|Head of Government"
).split("|")
_MINOR = (
    "Foreign Minister|Minister of Finance|Minister of Defence|Minister of Health|Speaker of Parliament|"
    "Leader of the Opposition|Chief Justice|Attorney General|Vice President|Minister of Education"
).split("|")
_ROLES = (
    "chief executive|chairman|managing director|head coach|captain|rector|director|editor|general secretary|"
    "principal conductor|chief designer|sporting director|president|treasurer"
).split("|")


def _career(rng: Random) -> Values:
    who, prev, rival, spouse, mentor, deputy, successor_claim = _roles(rng, 7)
    roll = rng.random()
    adj = ""
    if roll < 0.5:
        place, adj = country(rng)
        title = rng.choice(_HIGH)
    elif roll < 0.7:
        place, adj = rng.choice(REAL_COUNTRIES) if rng.random() < 0.3 else country(rng)
        title = rng.choice(_MINOR[:8])
    elif roll < 0.8:
        place, title = (
            region(rng),
            rng.choice(("Governor", "Premier", "Chief Minister", "Commissioner")),
        )
    elif roll < 0.86:
        place, title = town(rng), rng.choice(("Mayor", "Bishop", "Chief of Police", "Lord Mayor"))
    else:
        place = rng.choice(
            (
                company(rng),
                club(rng),
                f"the University of {town(rng)}",
                f"the {word(rng)} Foundation",
            )
        )
        title = rng.choice(_ROLES)
    old = rng.choice(_MINOR if adj else _ROLES)
    while old == title:
        old = rng.choice(_MINOR)
    since = date(rng, 1996, 2023)
    born = date(rng, since.year - 72, since.year - 35)
    low = title.lower()
    bare = f"{title} of {place}"
    return {
        "S": Subject(
            who.full,
            (who.last, who.last),
            "she" if who.female else "he",
            "her" if who.female else "his",
        ),
        "holder": who,
        "b": bare,
        "low": low,
        "place": place,
        "title": title,
        "adj": adj or place,
        "position": bare,
        "prev": prev,
        "rival": rival,
        "spouse": spouse,
        "mentor": mentor,
        "deputy": deputy,
        "since": since,
        "born": born,
        "bp": town(rng),
        "univ": f"the University of {town(rng)}",
        "old": old,
        "oldfrom": str(since.year - rng.randint(4, 9)),
        "party": rng.choice(
            (
                "Liberal Party",
                "National Unity Party",
                "Green Alliance",
                "Democratic Front",
                "People's Movement",
                "Centre Party",
                "Workers' Party",
                "Reform Party",
            )
        ),
        "job": rng.choice(
            (
                "lawyer",
                "economist",
                "teacher",
                "surgeon",
                "engineer",
                "journalist",
                "banker",
                "farmer",
                "diplomat",
                "soldier",
            )
        ),
        "kids": rng.choice(("two", "three", "four", "five")),
        "percent": f"{rng.randint(38, 79)} percent",
        "other": successor_claim,
    }


_CAREER = Domain(
    "career",
    _career,
    intro=[
        "{holder} (born {born.full}) is [a politician|a public figure|a former {job}] who has been {position} since {since.y}.",
        "{holder} (born {born.full} in {bp}) is the [current|present|incumbent] {position}.",
        "{holder} is a {job} [and politician |]serving as {position} since {since.my}.",
        "{holder}, born in {bp}, is a {job} who [is|serves as] {position}.",
    ],
    facts=[
        "{holder} [took office|was sworn in|took over] as {position} on {since.full}, [succeeding|replacing] {prev}.",
        "In {since.my} {holder} [became|was appointed|was named] {position}, in place of {prev}.",
        "Having beaten {rival} with {percent} of the vote, {holder} became {position} in {since.y}.",
        "When {prev} [resigned|retired|died] in {since.y}, {holder} was chosen as {position}.",
        "Since {since.y} {holder} has [served as|been] {position}, [the successor of|following] {prev}.",
        "From {oldfrom} to {since.y} {S.he} was {old}.",
        "{S} had been {old} since {oldfrom}.",
        "{S} was born on {born.full} in {bp}.",
        "{S} was born in {bp} and studied at {univ}.",
        "{S} [graduated from|studied at|holds a degree from] {univ}.",
        "{S} is a member of the {party}.",
        "{S} joined the {party} as a student.",
        "Before entering public life {S.he} worked as a {job}.",
        "{S} is married to {spouse} and has {kids} children.",
        "{S.his} [spouse|partner] is {spouse}.",
        "{S.his} political mentor was {mentor}.",
        "{S} began {S.his} career as an assistant of {mentor}.",
        "{S.his} deputy is {deputy}.",
        "{S.his} main opponent is {rival}.",
        "{other} is often named as a possible successor.",
        "Many expect {other} to be the next holder of the office.",
    ],
    fill=[
        *GENERAL_FILL,
        "{S} speaks {x_small} languages.",
        "{S} likes hiking and chess.",
        "{S} survived an accident in {x_year}.",
        "{S} has written a book called {x_work}.",
        "{S} visited {x_country} in {x_month} {x_recent}.",
        "A quarrel with {x_person} made headlines.",
        "{x_person} was an early supporter.",
    ],
    questions=[
        (
            "holder",
            [
                "Who is {b}?",
                "Who is the {b}?",
                "Who is the current {b}?",
                "Who serves as {b}?",
                "Who's the {low} of {place}?",
                "Who is the {low} of {place}?",
                "Name the {b}.",
                "{b}",
                "Who holds the office of {b}?",
                "Who has been {b} since {since.y}?",
                "Who succeeded {prev} as {b}?",
                "What is the name of the {b}?",
                "Who is currently {b}?",
                "Who became {b} in {since.y}?",
            ],
        ),
        (
            "position",
            [
                "What office does {S} hold?",
                "What is {S}'s position?",
                "Which post does {S} hold?",
                "What is the job of {S}?",
            ],
        ),
        (
            "prev",
            [
                "Who preceded {S} as {b}?",
                "Whom did {S} succeed?",
                "Who was {b} before {S}?",
                "Who was {S}'s predecessor?",
            ],
        ),
        (
            "since",
            [
                "When did {S} become {b}?",
                "When did {S} take office?",
                "Since when has {S} been {b}?",
            ],
        ),
        ("since@year", ["In what year did {S} become {b}?"]),
        ("born", ["When was {S} born?", "What is {S}'s date of birth?"]),
        ("bp", ["Where was {S} born?", "What is the birthplace of {S}?"]),
        ("univ", ["Where did {S} study?", "Which university did {S} attend?"]),
        ("party", ["To which party does {S} belong?", "What party is {S} a member of?"]),
        ("job", ["What was {S} before entering public life?", "What is the profession of {S}?"]),
        ("spouse", ["Who is {S} married to?", "Who is {S}'s spouse?"]),
        ("kids", ["How many children does {S} have?"]),
        ("mentor", ["Who was {S}'s mentor?", "Whose assistant was {S}?"]),
        ("deputy", ["Who is {S}'s deputy?", "Who is the deputy of {S}?"]),
        ("old", ["What was {S} from {oldfrom} on?", "What office did {S} hold before?"]),
        ("other", ["Who is named as a possible successor of {S}?"]),
        ("rival", ["Who is {S}'s main opponent?", "Whom did {S} beat?"]),
    ],
    weight=4.0,
    two=False,
    free=frozenset({"S", "b", "low", "place", "title"}),
    telling=frozenset({"S", "b", "place"}),
)


# ---------------------------------------------------------------- elections
def _election(rng: Random) -> Values:
    winner, second, third, outgoing, official = _roles(rng, 5)
    _place, adj = country(rng)
    year = rng.randint(1995, 2023)
    kind = rng.choice(
        ("presidential", "parliamentary", "mayoral", "gubernatorial", "leadership", "general")
    )
    name = (
        f"the {year} {adj} {kind} election"
        if kind not in ("mayoral", "gubernatorial")
        else f"the {year} {town(rng)} {kind} election"
    )
    shares = sorted((round(rng.uniform(5, 60), 1) for _ in range(3)), reverse=True)
    parties = rng.sample(
        (
            "Liberal Party",
            "National Front",
            "Green Alliance",
            "Democratic Union",
            "People's Party",
            "Centre Party",
            "Workers' Party",
            "Reform Party",
        ),
        3,
    )
    return {
        "S": Subject(name, ("the election", "the vote"), "it", "its"),
        "winner": winner,
        "second": second,
        "third": third,
        "outgoing": outgoing,
        "official": official,
        "date": date(rng, year, year),
        "s1": f"{shares[0]} percent",
        "s2": f"{shares[1]}%",
        "turnout": f"{rng.randint(31, 92)}.{rng.randint(0, 9)} percent",
        "p1": parties[0],
        "p2": parties[1],
        "p3": parties[2],
        "issue": rng.choice(
            (
                "the price of bread",
                "corruption",
                "the war in the north",
                "unemployment",
                "a new pension law",
                "water rights",
            )
        ),
        "voters": number(rng, 20000, 40000000),
        "cands": rng.choice(("four", "five", "seven", "nine", "eleven")),
        "sworn": date(rng, year, year + 1),
    }


_ELECTION = Domain(
    "election",
    _election,
    intro=[
        "{S} was held on {date.full}.",
        "{S} took place in {date.my} and was won by {winner}.",
        "{S} was decided in favour of {winner}.",
    ],
    facts=[
        "{winner} of the {p1} [won|was elected] with {s1} of the vote.",
        "{winner} [defeated|beat] {second} by {s1} to {s2}.",
        "The result was a victory for {winner}, who received {s1}.",
        "{second} came second with {s2}.",
        "The runner-up was {second} of the {p2}.",
        "In third place came {third} of the {p3}.",
        "{third} finished third.",
        "Turnout was {turnout}.",
        "{turnout} of the voters took part.",
        "The outgoing office holder, {outgoing}, did not stand again.",
        "{outgoing}, in office until then, was not allowed to run.",
        "The campaign was dominated by {issue}.",
        "The main issue was {issue}.",
        "There were {cands} candidates.",
        "{voters} voters were registered.",
        "{official}, the head of the election commission, announced the result.",
        "The result was declared by {official}.",
        "{winner.last} was sworn in on {sworn.full}.",
        "Polling took place on {date.full}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Observers spoke of a fair vote.",
        "Some ballots had to be counted again.",
        "Polling stations closed late.",
        "Television debates drew large audiences.",
    ],
    questions=[
        (
            "winner",
            [
                "Who won {S}?",
                "Who was the winner of {S}?",
                "Who was elected in {S}?",
                "winner of {S}",
                "By whom was {S} won?",
            ],
        ),
        (
            "second",
            [
                "Who came second in {S}?",
                "Who lost {S}?",
                "Whom did {winner} defeat in {S}?",
                "Who was the runner-up in {S}?",
            ],
        ),
        ("third", ["Who came third in {S}?"]),
        ("date", ["When was {S} held?", "On what date was {S}?", "When did {S} take place?"]),
        (
            "s1",
            [
                "How much of the vote did {winner} win?",
                "What share of the vote did the winner of {S} get?",
            ],
        ),
        ("s2", ["What share did {second} receive in {S}?"]),
        ("turnout", ["What was the turnout in {S}?", "How high was the turnout of {S}?"]),
        ("outgoing", ["Who was in office before {S}?", "Who did not stand again in {S}?"]),
        ("issue", ["What was the main issue of {S}?", "What dominated the campaign of {S}?"]),
        ("cands", ["How many candidates took part in {S}?"]),
        ("voters", ["How many voters were registered for {S}?"]),
        ("official", ["Who announced the result of {S}?"]),
        ("sworn", ["When was {winner} sworn in?"]),
        ("p1", ["To which party does {winner} belong?", "Which party won {S}?"]),
    ],
    weight=1.6,
)


# ---------------------------------------------------------------- historical realms and lists of rulers
def _realm(rng: Random) -> Values:
    kings: list[Any] = []
    while len(kings) < 4:
        king = monarch(rng)
        if king.last not in {k.last for k in kings}:
            kings.append(king)
    general, minister = _roles(rng, 2)
    y0 = rng.randint(900, 1750)
    ys = [y0]
    for _ in range(4):
        ys.append(ys[-1] + rng.randint(4, 38))
    base = word(rng)
    return {
        "S": Subject(
            rng.choice(
                (
                    f"the Kingdom of {base}",
                    f"the Duchy of {base}",
                    f"the {base} Sultanate",
                    f"the Empire of {base}",
                    f"the {adjective(base + 'ia')} dynasty",
                )
            ),
            ("the realm", "the state"),
            "it",
            "its",
        ),
        "k1": kings[0],
        "k2": kings[1],
        "k3": kings[2],
        "k4": kings[3],
        "y0": str(ys[0]),
        "y1": str(ys[1]),
        "y2": str(ys[2]),
        "y3": str(ys[3]),
        "y4": str(ys[4]),
        "m1": str(rng.randint(ys[0] + 1, ys[1] - 1)),
        "m2": str(rng.randint(ys[1] + 1, ys[2] - 1)),
        "m3": str(rng.randint(ys[2] + 1, ys[3] - 1)),
        "capital": town(rng),
        "faith": rng.choice(
            ("Buddhism", "Islam", "Christianity", "sun worship", "Judaism", "Zoroastrianism")
        ),
        "trade": rng.choice(
            ("salt", "silk", "amber", "slaves and ivory", "gold", "furs", "pepper")
        ),
        "end": str(ys[4] + rng.randint(1, 90)),
        "conq": country(rng)[0],
        "general": general,
        "minister": minister,
        "law": str(rng.randint(ys[0], ys[4])),
    }


_REALM = Domain(
    "realm",
    _realm,
    intro=[
        "{S} was a state [with its capital at {capital}|founded by {k1} in {y0}|that lasted until {end}].",
        "{S} grew rich on the trade in {trade}.",
    ],
    facts=[
        "{k1} [founded the state in {y0} and ruled|reigned from {y0}] until {y1}.",
        "{k1} ruled from {y0} to {y1}.",
        "{k1} was [followed|succeeded] in {y1} by {k2}, who reigned until {y2}.",
        "{k2} ({y1}–{y2}) [enlarged the army|built the walls|reformed the courts].",
        "{k2} ruled from {y1} to {y2}.",
        "{k3} reigned from {y2} to {y3}.",
        "{k3} ({y2}–{y3}) lost the eastern provinces.",
        "The last ruler was {k4}, who [fled abroad|died in battle|was deposed].",
        "{k4} was the last to rule.",
        "The capital was {capital}.",
        "Its capital lay at {capital}.",
        "In {end} it was conquered by {conq}.",
        "The state came to an end in {end}, when {conq} annexed it.",
        "The official religion was {faith}.",
        "Its wealth rested on {trade}.",
        "The army was led by {general}.",
        "The chief minister was {minister}.",
        "A code of laws was issued in {law}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Coins from the period have been found.",
        "Few documents survive.",
        "The nobles kept their privileges.",
        "The borders shifted many times.",
    ],
    questions=[
        ("k1", ["Who founded {S}?", "Who ruled {S} in {m1}?", "Who was the first ruler of {S}?"]),
        (
            "k2",
            [
                "Who ruled {S} in {m2}?",
                "Who succeeded {k1}?",
                "Who was on the throne of {S} in {m2}?",
                "Who reigned from {y1} to {y2}?",
            ],
        ),
        (
            "k3",
            [
                "Who ruled {S} in {m3}?",
                "Who reigned from {y2} to {y3}?",
                "Who was the ruler of {S} in {m3}?",
            ],
        ),
        ("k4", ["Who was the last ruler of {S}?", "Who was the last to rule {S}?"]),
        ("capital", ["What was the capital of {S}?", "capital of {S}"]),
        ("end", ["When did {S} end?", "When was {S} conquered?"]),
        ("conq", ["Who conquered {S}?", "By whom was {S} annexed?"]),
        ("faith", ["What was the religion of {S}?"]),
        ("trade", ["What did {S} trade in?", "On what did the wealth of {S} rest?"]),
        ("general", ["Who led the army of {S}?"]),
        ("minister", ["Who was the chief minister of {S}?"]),
        ("law", ["When was the code of laws of {S} issued?"]),
    ],
    weight=1.2,
    derived={"m1": ("k1", "y0", "y1"), "m2": ("k2", "y1", "y2"), "m3": ("k3", "y2", "y3")},
)


# ---------------------------------------------------------------- languages and peoples
def _language(rng: Random) -> Values:
    scholar, poet = _roles(rng, 2)
    name = word(rng) + rng.choice(("ish", "ese", "i", "ian", "an"))
    return {
        "S": Subject(name, ("the language",), "it", "its"),
        "scholar": scholar,
        "poet": poet,
        "speakers": rng.choice((number(rng, 40, 900000), f"{rng.randint(2, 80)} million")),
        "home": region(rng),
        "country": country(rng)[0],
        "family": f"the {word(rng)}ic family",
        "script": rng.choice(
            (
                "the Latin alphabet",
                "the Cyrillic alphabet",
                "the Arabic script",
                "a syllabic script",
                "the Devanagari script",
                "the Greek alphabet",
            )
        ),
        "letters": str(rng.randint(18, 60)),
        "cases": rng.choice(("four", "six", "seven", "nine", "14", "18")),
        "dialects": rng.choice(("two", "three", "five", "seven")),
        "year": str(rng.randint(1500, 1990)),
        "oldest": str(rng.randint(600, 1600)),
        "near": word(rng) + "ish",
        "book": work_title(rng),
        "hello": word(rng).lower(),
    }


_LANGUAGE = Domain(
    "language",
    _language,
    intro=[
        "{S} is a language spoken in {home}.",
        "{S} is a language of {family}.",
        "{S} is spoken by about {speakers} people.",
    ],
    facts=[
        "{S} has [about |]{speakers} speakers.",
        "It is spoken by {speakers} people[| in {home}].",
        "It is the official language of {country}.",
        "In {country} it has official status.",
        "{S} belongs to {family}.",
        "It is written in {script}.",
        "Its script is {script}, with {letters} letters.",
        "The alphabet has {letters} letters.",
        "It has {cases} cases.",
        "There are {dialects} main dialects.",
        "The first grammar was written by {scholar} in {year}.",
        "{scholar} published a grammar in {year}.",
        "The oldest text dates from {oldest}.",
        "It is closely related to {near}.",
        "The greatest poet in the language is {poet}, author of {book}.",
        "The word for hello is {hello}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Stress falls on the last syllable.",
        "Children learn it at school.",
        "A radio station broadcasts in it.",
    ],
    questions=[
        (
            "speakers",
            ["How many people speak {S}?", "How many speakers does {S} have?", "speakers of {S}"],
        ),
        ("home", ["Where is {S} spoken?", "In which region is {S} spoken?"]),
        (
            "country",
            ["In which country is {S} official?", "Of which country is {S} the official language?"],
        ),
        ("family", ["To which family does {S} belong?", "What language family is {S} part of?"]),
        ("script", ["In which script is {S} written?", "What alphabet does {S} use?"]),
        ("letters", ["How many letters does the alphabet of {S} have?"]),
        ("cases", ["How many cases does {S} have?"]),
        ("dialects", ["How many dialects does {S} have?"]),
        ("scholar", ["Who wrote the first grammar of {S}?", "Who published a grammar of {S}?"]),
        ("year", ["When was the first grammar of {S} published?"]),
        ("oldest", ["From when is the oldest text in {S}?"]),
        ("near", ["To which language is {S} related?"]),
        ("poet", ["Who is the greatest poet in {S}?"]),
        ("hello", ["What is the word for hello in {S}?"]),
    ],
    weight=0.8,
)


# ---------------------------------------------------------------- ships, planes, lines
def _ship(rng: Random) -> Values:
    captain, builder, owner, namesake = _roles(rng, 4)
    launch = date(rng, 1780, 2015)
    return {
        "S": Subject(
            rng.choice(
                ("the {}", "HMS {}", "the steamer {}", "MS {}", "the frigate {}", "the ferry {}")
            ).format(word(rng)),
            ("the ship", "the vessel"),
            "it",
            "its",
        ),
        "captain": captain,
        "builder": f"{word(rng)} {rng.choice(('Yard', 'Shipyard', '& Sons'))}",
        "engineer": builder,
        "owner": company(rng),
        "namesake": namesake,
        "launch": launch,
        "sunk": date(rng, launch.year + 1, launch.year + 40),
        "length": f"{rng.randint(20, 340)} metres",
        "speed": f"{rng.randint(7, 38)} knots",
        "crew": number(rng, 12, 2200),
        "guns": str(rng.randint(4, 110)),
        "route": f"{town(rng)} and {town(rng)}",
        "cause": rng.choice(
            (
                "a collision with an iceberg",
                "a storm",
                "a torpedo",
                "a fire in the engine room",
                "a reef",
                "a boiler explosion",
            )
        ),
        "dead": number(rng, 2, 1500),
        "place": f"the coast of {region(rng)}",
        "depth": f"{rng.randint(20, 4000)} metres",
        "found": str(rng.randint(1960, 2022)),
        "diver": owner,
    }


_SHIP = Domain(
    "ship",
    _ship,
    intro=[
        "{S} was a ship launched in {launch.y}.",
        "{S} was built by {builder}.",
        "{S} was a ship owned by {owner}.",
    ],
    facts=[
        "{S} was launched on {launch.full}.",
        "It was built by {builder} and launched in {launch.my}.",
        "The builder was {builder}.",
        "{S} was {length} long.",
        "Its length was {length}.",
        "It reached a speed of {speed}.",
        "The top speed was {speed}.",
        "It had a crew of {crew}.",
        "The crew numbered {crew}.",
        "It carried {guns} guns.",
        "It sailed between {route}.",
        "Its captain was {captain}.",
        "{captain} was in command.",
        "It sank on {sunk.full} off {place}.",
        "The ship sank because of {cause}, with the loss of {dead} lives.",
        "It was lost in {sunk.y} through {cause}.",
        "{dead} people drowned.",
        "The wreck lies at a depth of {depth}.",
        "{diver} found the wreck in {found}.",
        "It was designed by {engineer}.",
        "It was named after {namesake}.",
        "The owner was {owner}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Its bell is kept in a museum.",
        "Repairs took most of a year.",
        "The cabins were luxurious.",
        "A model can be seen in the town hall.",
    ],
    questions=[
        ("launch", ["When was {S} launched?"]),
        ("launch@year", ["In what year was {S} launched?"]),
        ("builder", ["Who built {S}?", "Where was {S} built?", "Which yard built {S}?"]),
        ("length", ["How long was {S}?", "What was the length of {S}?"]),
        ("speed", ["How fast was {S}?", "What was the top speed of {S}?"]),
        ("crew", ["How many crew members did {S} have?", "How large was the crew of {S}?"]),
        ("guns", ["How many guns did {S} carry?"]),
        ("captain", ["Who commanded {S}?", "Who was the captain of {S}?", "captain of {S}"]),
        ("sunk", ["When did {S} sink?", "When was {S} lost?"]),
        ("cause", ["Why did {S} sink?", "What caused the loss of {S}?", "What sank {S}?"]),
        ("dead", ["How many people died when {S} sank?"]),
        ("place", ["Where did {S} sink?"]),
        ("depth", ["How deep does the wreck of {S} lie?"]),
        ("diver", ["Who found the wreck of {S}?"]),
        ("found", ["When was the wreck of {S} found?"]),
        ("engineer", ["Who designed {S}?"]),
        ("namesake", ["After whom was {S} named?"]),
        ("owner", ["Who owned {S}?"]),
        ("route", ["Between which places did {S} sail?"]),
    ],
    weight=0.8,
)


def _railway(rng: Random) -> Values:
    engineer, minister = _roles(rng, 2)
    a, b = town(rng), town(rng)
    opened = date(rng, 1840, 2020)
    return {
        "S": Subject(
            rng.choice(
                (
                    f"the {a}–{b} railway",
                    f"the {word(rng)} Line",
                    f"the {word(rng)} Tunnel",
                    f"the {word(rng)} Motorway",
                    f"the {word(rng)} Canal",
                )
            ),
            ("the line", "the route"),
            "it",
            "its",
        ),
        "a": a,
        "b": b,
        "engineer": engineer,
        "minister": minister,
        "opened": opened,
        "length": f"{rng.randint(3, 1900)} kilometres",
        "stations": str(rng.randint(3, 90)),
        "cost": f"{rng.choice(('$', '€', '£'))}{rng.randint(2, 900)} million",
        "gauge": rng.choice(("1,000 mm", "1,435 mm", "760 mm", "1,520 mm", "1,668 mm")),
        "workers": number(rng, 200, 30000),
        "speed": f"{rng.randint(40, 320)} km/h",
        "users": number(rng, 2000, 9000000),
        "tunnels": str(rng.randint(2, 60)),
        "elec": str(rng.randint(1905, 2021)),
        "op": company(rng),
        "closed": str(rng.randint(1960, 2022)),
        "depth": f"{rng.randint(10, 900)} metres",
    }


_RAILWAY = Domain(
    "line",
    _railway,
    intro=[
        "{S} [connects|links] {a} and {b}.",
        "{S} was opened in {opened.y}.",
        "{S} is {length} long.",
    ],
    facts=[
        "{S} runs from {a} to {b}.",
        "It was opened on {opened.full}.",
        "The line was inaugurated in {opened.my} by {minister}.",
        "{S} has a length of {length}.",
        "It has {stations} stations.",
        "It cost {cost}.",
        "Construction, which cost {cost}, was led by {engineer}.",
        "The engineer was {engineer}.",
        "{engineer} planned the line.",
        "The gauge is {gauge}.",
        "{workers} workers were employed.",
        "The highest permitted speed is {speed}.",
        "It carries {users} passengers a year.",
        "There are {tunnels} tunnels.",
        "It was electrified in {elec}.",
        "The operator is {op}.",
        "It is operated by {op}.",
        "Goods traffic ended in {closed}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Landslides have blocked it several times.",
        "An extension is planned.",
        "Old engines run on Sundays.",
        "The stations are built of wood.",
    ],
    questions=[
        ("opened", ["When was {S} opened?", "When did {S} open?"]),
        ("opened@year", ["In what year was {S} opened?"]),
        ("length", ["How long is {S}?", "What is the length of {S}?"]),
        ("stations", ["How many stations does {S} have?"]),
        ("cost", ["How much did {S} cost?"]),
        (
            "engineer",
            [
                "Who planned {S}?",
                "Who was the engineer of {S}?",
                "Who led the construction of {S}?",
            ],
        ),
        ("gauge", ["What is the gauge of {S}?"]),
        ("workers", ["How many workers built {S}?"]),
        ("speed", ["What is the top speed on {S}?"]),
        ("users", ["How many passengers use {S} a year?"]),
        ("tunnels", ["How many tunnels does {S} have?"]),
        ("elec", ["When was {S} electrified?"]),
        ("op", ["Who operates {S}?"]),
        ("minister", ["Who inaugurated {S}?"]),
        ("closed", ["When did goods traffic on {S} end?"]),
    ],
    weight=0.8,
)


# ---------------------------------------------------------------- diseases, foods, games, laws, festivals, gods
def _disease(rng: Random) -> Values:
    finder, healer = _roles(rng, 2)
    return {
        "S": Subject(
            rng.choice(
                (
                    f"{word(rng)} fever",
                    f"{word(rng)} disease",
                    f"{word(rng)} syndrome",
                    f"{word(rng).lower()}osis",
                    f"{word(rng).lower()}itis",
                )
            ),
            ("the disease", "the illness"),
            "it",
            "its",
        ),
        "finder": finder,
        "healer": healer,
        "year": str(rng.randint(1790, 2015)),
        "cause": rng.choice(
            (
                "a virus",
                "a bacterium",
                "a lack of iodine",
                "a parasite",
                "a defect of one gene",
                "contaminated water",
                "a fungus",
            )
        ),
        "by": rng.choice(
            ("mosquitoes", "ticks", "raw milk", "rats", "sandflies", "dirty needles", "coughing")
        ),
        "sign": rng.choice(
            (
                "a red rash",
                "loss of hearing",
                "swollen joints",
                "high fever",
                "yellow skin",
                "night blindness",
                "trembling hands",
            )
        ),
        "organ": rng.choice(
            ("the liver", "the lungs", "the heart", "the kidneys", "the skin", "the nerves")
        ),
        "drug": word(rng).lower() + "in",
        "cases": number(rng, 100, 900000),
        "inc": f"{rng.randint(2, 40)} days",
        "rate": f"{rng.randint(1, 60)} percent",
        "place": region(rng),
        "test": rng.choice(("a blood test", "an X-ray", "a skin test", "a biopsy")),
        "vacc": str(rng.randint(1930, 2022)),
    }


_DISEASE = Domain(
    "disease",
    _disease,
    intro=[
        "{S} is an illness caused by {cause}.",
        "{S} is a disease of {organ}.",
        "{S} was first described by {finder}.",
    ],
    facts=[
        "{S} is caused by {cause}.",
        "The cause is {cause}.",
        "It is [spread|transmitted|passed on] by {by}.",
        "The [main|first|typical] symptom is {sign}.",
        "Patients suffer from {sign}.",
        "It [attacks|affects|damages] {organ}.",
        "{finder} first described it in {year}.",
        "It was first described in {year} by {finder}.",
        "It is treated with {drug}.",
        "The usual drug is {drug}.",
        "About {cases} cases are reported every year.",
        "The incubation period is {inc}.",
        "Without treatment {rate} of the patients die.",
        "It occurs mainly in {place}.",
        "It is diagnosed by {test}.",
        "A vaccine has been available since {vacc}.",
        "{healer} developed a treatment.",
    ],
    fill=[
        *GENERAL_FILL,
        "Children are affected more often than adults.",
        "Rest is recommended.",
        "It is not found in cold countries.",
    ],
    questions=[
        ("cause", ["What causes {S}?", "What is the cause of {S}?", "cause of {S}"]),
        ("by", ["How is {S} spread?", "What transmits {S}?", "By what is {S} transmitted?"]),
        ("sign", ["What is the main symptom of {S}?", "What are the symptoms of {S}?"]),
        ("organ", ["Which organ does {S} affect?", "What does {S} attack?"]),
        ("finder", ["Who first described {S}?"]),
        ("year", ["When was {S} first described?"]),
        (
            "drug",
            [
                "How is {S} treated?",
                "What is used to treat {S}?",
                "Which drug is used against {S}?",
            ],
        ),
        ("cases", ["How many cases of {S} are reported every year?"]),
        ("inc", ["What is the incubation period of {S}?"]),
        ("rate", ["How many patients die of {S} without treatment?"]),
        ("place", ["Where does {S} occur?"]),
        ("test", ["How is {S} diagnosed?"]),
        ("vacc", ["Since when has there been a vaccine against {S}?"]),
        ("healer", ["Who developed a treatment for {S}?"]),
    ],
    weight=0.7,
)


def _dish(rng: Random) -> Values:
    cook, king = _roles(rng, 2)
    main, second = rng.sample(
        (
            "rice",
            "lamb",
            "fermented cabbage",
            "chickpeas",
            "smoked fish",
            "goat's cheese",
            "buckwheat",
            "plantains",
            "walnuts",
            "beetroot",
            "corn",
            "eggs",
        ),
        2,
    )
    return {
        "S": Subject(
            word(rng).lower() + rng.choice(("", "", " soup", " bread", " cake")),
            ("the dish",),
            "it",
            "its",
        ),
        "cook": cook,
        "king": king,
        "main": main,
        "second": second,
        "home": region(rng),
        "eaten": rng.choice(
            (
                "at weddings",
                "on New Year's Day",
                "for breakfast",
                "after funerals",
                "at harvest time",
                "on Fridays",
            )
        ),
        "with": rng.choice(("yoghurt", "hot sauce", "black bread", "pickles", "mint tea")),
        "cooked": rng.choice(
            (
                "in a clay pot",
                "over an open fire",
                "in banana leaves",
                "in a copper kettle",
                "under hot stones",
            )
        ),
        "hours": rng.choice(("two hours", "five hours", "40 minutes", "a whole night")),
        "means": rng.choice(('"little ear"', '"burnt mouth"', '"bread of the poor"', '"old shoe"')),
        "year": str(rng.randint(1500, 1990)),
        "colour": rng.choice(("green", "deep red", "golden", "black")),
    }


_DISH = Domain(
    "food",
    _dish,
    intro=["{S} is a dish from {home}.", "{S} is a traditional dish made of {main}."],
    facts=[
        "{S} comes from {home}.",
        "It is made [mainly |]of {main}[| and {second}].",
        "The main ingredient is {main}.",
        "It is [usually |]eaten {eaten}.",
        "It is served with {with}.",
        "It is cooked {cooked} for {hours}.",
        "It is prepared {cooked}.",
        "The name means {means}.",
        "It was first mentioned in {year}.",
        "The cook {cook} made it known abroad.",
        "{cook} is said to have invented it.",
        "Its colour is {colour}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Every village has its own recipe.",
        "Tourists seldom like it.",
        "It is sold at market stalls.",
    ],
    questions=[
        ("home", ["Where does {S} come from?", "From which region is {S}?"]),
        ("main", ["What is {S} made of?", "What is the main ingredient of {S}?"]),
        ("eaten", ["When is {S} eaten?"]),
        ("with", ["What is {S} served with?"]),
        ("cooked", ["How is {S} cooked?", "How is {S} prepared?"]),
        ("hours", ["How long is {S} cooked?"]),
        ("means", ["What does the name {S} mean?", "What does {S} mean?"]),
        ("year", ["When was {S} first mentioned?"]),
        ("cook", ["Who made {S} known?", "Who invented {S}?"]),
        ("colour", ["What colour is {S}?"]),
    ],
    weight=0.5,
)


def _game(rng: Random) -> Values:
    designer, champion, composer = _roles(rng, 3)
    return {
        "S": Subject(rng.choice((word(rng), work_title(rng))), ("the game",), "it", "its"),
        "designer": designer,
        "champion": champion,
        "composer": composer,
        "year": str(rng.randint(1970, 2023)),
        "firm": company(rng),
        "players": rng.choice(("two", "two to four", "three to six", "eleven", "up to eight")),
        "goal": rng.choice(
            (
                "to collect all the stones",
                "to reach the opposite side",
                "to build the longest road",
                "to get rid of all cards",
                "to capture the king",
                "to score the most points",
            )
        ),
        "sold": f"{rng.randint(2, 60)} million",
        "time": f"{rng.randint(10, 240)} minutes",
        "pieces": str(rng.randint(12, 200)),
        "age": rng.choice(("six", "eight", "ten", "twelve")),
        "console": rng.choice(
            (
                "home computers",
                "mobile phones",
                "a games console",
                "a wooden board",
                "a round table",
            )
        ),
        "hero": word(rng),
        "event": town(rng),
    }


_GAME = Domain(
    "game",
    _game,
    intro=[
        "{S} is a game for {players} players.",
        "{S} is a game published by {firm}.",
        "{S} is a game designed by {designer}.",
    ],
    facts=[
        "{S} was designed by {designer}[| and published in {year}].",
        "{designer} invented the game.",
        "It was published in {year} by {firm}.",
        "The publisher is {firm}.",
        "It came out in {year}.",
        "{players} people can play.",
        "It is played by {players} players.",
        "The aim is {goal}.",
        "The object of the game is {goal}.",
        "It has sold {sold} copies.",
        "A game lasts {time}.",
        "There are {pieces} pieces.",
        "It is suitable from the age of {age}.",
        "It is played on {console}.",
        "The world champion is {champion}.",
        "{champion} won the last championship, held in {event}.",
        "The music is by {composer}.",
        "The player guides a hero called {hero}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Clubs exist in many towns.",
        "The rules fit on one page.",
        "A new edition is being prepared.",
    ],
    questions=[
        (
            "designer",
            ["Who designed {S}?", "Who invented the game {S}?", "Who is the designer of {S}?"],
        ),
        ("year", ["When was {S} published?", "When did {S} come out?"]),
        ("firm", ["Who published {S}?", "Which company published {S}?"]),
        ("players", ["How many people can play {S}?", "How many players does {S} need?"]),
        ("goal", ["What is the aim of {S}?", "What is the object of the game {S}?"]),
        ("sold", ["How many copies of {S} have been sold?"]),
        ("time", ["How long does a game of {S} last?"]),
        ("pieces", ["How many pieces does {S} have?"]),
        ("age", ["From what age is {S} suitable?"]),
        (
            "champion",
            ["Who is the world champion in {S}?", "Who won the last championship in {S}?"],
        ),
        ("composer", ["Who wrote the music for {S}?"]),
        ("hero", ["What is the hero of {S} called?"]),
        ("console", ["On what is {S} played?"]),
        ("event", ["Where was the last championship in {S} held?"]),
    ],
    weight=0.6,
)


def _law(rng: Random) -> Values:
    author, critic, judge = _roles(rng, 3)
    passed = date(rng, 1850, 2023)
    return {
        "S": Subject(
            f"the {word(rng)} {rng.choice(('Act', 'Law', 'Bill', 'Code', 'Directive'))}"
            if rng.random() < 0.5
            else f"the {rng.choice(('Clean Water', 'Fair Rent', 'Public Schools', 'Night Work', 'Forest', 'Press'))} {rng.choice(('Act', 'Law', 'Bill'))} of {passed.year}",
            ("the law", "the act"),
            "it",
            "its",
        ),
        "author": author,
        "critic": critic,
        "judge": judge,
        "passed": passed,
        "force": date(rng, passed.year, passed.year + 3),
        "bans": rng.choice(
            (
                "the sale of fireworks",
                "night work by children",
                "advertising for tobacco",
                "the hunting of whales",
                "plastic bags",
                "private lotteries",
            )
        ),
        "fine": f"{rng.choice(('$', '€', '£'))}{number(rng, 100, 90000)}",
        "votes": f"{rng.randint(90, 400)} to {rng.randint(10, 89)}",
        "body": rng.choice(
            ("the parliament", "the senate", "the national assembly", "the city council")
        ),
        "sections": str(rng.randint(8, 300)),
        "repeal": str(rng.randint(1950, 2023)),
        "why": rng.choice(
            (
                "a series of accidents",
                "pressure from doctors",
                "a royal commission",
                "a strike",
                "a scandal at a factory",
            )
        ),
        "age": rng.choice(("16", "18", "21")),
    }


_LAW = Domain(
    "law",
    _law,
    intro=[
        "{S} [bans|forbids] {bans}.",
        "{S} was passed in {passed.y}.",
        "{S} was proposed by {author}.",
    ],
    facts=[
        "{S} was passed by {body} on {passed.full}.",
        "It was adopted in {passed.y} by {votes} votes.",
        "It came into force on {force.full}.",
        "{author} [introduced|proposed|drafted] {S}.",
        "The bill was drafted by {author}; {critic} spoke against it.",
        "It forbids {bans}.",
        "The law prohibits {bans}.",
        "Offenders pay a fine of [up to |]{fine}.",
        "The fine is {fine}.",
        "The vote was {votes}.",
        "It has {sections} sections.",
        "It was repealed in {repeal}.",
        "It was the result of {why}.",
        "The reason for it was {why}.",
        "Judge {judge} upheld it.",
        "It applies to everyone over {age}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Several amendments were made.",
        "The press welcomed it.",
        "Courts have interpreted it narrowly.",
    ],
    questions=[
        ("passed", ["When was {S} passed?", "When was {S} adopted?"]),
        ("force", ["When did {S} come into force?"]),
        ("author", ["Who proposed {S}?", "Who drafted {S}?", "Who introduced {S}?"]),
        ("critic", ["Who spoke against {S}?"]),
        ("bans", ["What does {S} forbid?", "What is banned by {S}?", "What does {S} prohibit?"]),
        ("fine", ["How high is the fine under {S}?", "What is the fine?"]),
        ("votes", ["What was the result of the vote on {S}?"]),
        ("sections", ["How many sections does {S} have?"]),
        ("repeal", ["When was {S} repealed?"]),
        ("why", ["Why was {S} introduced?", "What led to {S}?", "What was the reason for {S}?"]),
        ("judge", ["Which judge upheld {S}?"]),
        ("body", ["Which body passed {S}?", "Who passed {S}?"]),
        ("age", ["To people over what age does {S} apply?"]),
    ],
    weight=0.7,
)


def _god(rng: Random) -> Values:
    names = [word(rng) for _ in range(5)]
    realm = rng.choice(
        (
            "the sea",
            "thunder",
            "the harvest",
            "the dead",
            "fire",
            "the moon",
            "travellers",
            "war",
            "sleep",
            "bees",
        )
    )
    return {
        "S": Subject(names[0], ("the deity",), "it", "its"),
        "realm": realm,
        "father": names[1],
        "mother": names[2],
        "mate": names[3],
        "foe": names[4],
        "beast": rng.choice(
            (
                "a white horse",
                "an owl",
                "a serpent",
                "a black bull",
                "two ravens",
                "a goat",
                "a crocodile",
            )
        ),
        "tool": rng.choice(
            ("a silver bow", "a hammer", "a net", "a sickle", "a staff of ivory", "a golden cup")
        ),
        "temple": town(rng),
        "feast": rng.choice(
            (
                "the first full moon of spring",
                "midwinter",
                "the day of the first harvest",
                "the longest day",
            )
        ),
        "people": word(rng) + "ans",
        "star": rng.choice(("the morning star", "Mars", "Jupiter", "the pole star")),
    }


_GOD = Domain(
    "myth",
    _god,
    intro=[
        "In the mythology of the {people}, {S.name} is the god of {realm}.",
        "{S} was worshipped by the {people}.",
    ],
    facts=[
        "{S} is the god of {realm}.",
        "{S} is the child of {father} and {mother}.",
        "The father was {father}.",
        "{S} is married to {mate}.",
        "The enemy of {S.name} is {foe}.",
        "{S} rides {beast}.",
        "The sacred animal is {beast}.",
        "{S} carries {tool}.",
        "The main temple stood at {temple}.",
        "The feast was celebrated on {feast}.",
        "{star} was named after the god.",
        "{S} was worshipped by the {people}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Few images survive.",
        "The myth has several versions.",
        "Priests wore white robes.",
    ],
    questions=[
        ("realm", ["What is {S} the god of?", "Of what is {S} the god?"]),
        ("father", ["Who is the father of {S}?"]),
        ("mate", ["To whom is {S} married?", "Who is the spouse of {S}?"]),
        ("foe", ["Who is the enemy of {S}?"]),
        ("beast", ["What is the sacred animal of {S}?", "What does {S} ride?"]),
        ("tool", ["What does {S} carry?"]),
        ("temple", ["Where was the main temple of {S}?"]),
        ("feast", ["When was the feast of {S} celebrated?"]),
        ("people", ["Who worshipped {S}?", "Which people worshipped {S}?"]),
        ("star", ["What was named after {S}?"]),
    ],
    weight=0.4,
)


def _mission(rng: Random) -> Values:
    commander, pilot, chief = _roles(rng, 3)
    launch = date(rng, 1961, 2024)
    return {
        "S": Subject(
            f"{word(rng)} {rng.choice(('1', '2', '5', '7', '11', 'II', 'III'))}",
            ("the mission", "the probe"),
            "it",
            "its",
        ),
        "commander": commander,
        "pilot": pilot,
        "chief": chief,
        "launch": launch,
        "landing": date(rng, launch.year, launch.year + 6),
        "target": rng.choice(
            ("Mars", "Venus", "the Moon", "an asteroid", "Saturn", "a comet", "Jupiter")
        ),
        "rocket": f"{word(rng)} {rng.randint(2, 9)}",
        "agency": f"the {adjective(word(rng) + 'ia')} Space Agency",
        "mass": f"{number(rng, 90, 9000)} kilograms",
        "site": town(rng),
        "days": f"{rng.randint(3, 900)} days",
        "goal": rng.choice(
            (
                "to bring back soil",
                "to map the poles",
                "to search for water",
                "to test a new engine",
                "to study the solar wind",
            )
        ),
        "cost": f"${rng.randint(2, 900)} million",
        "fail": rng.choice(
            ("a broken antenna", "a leaking tank", "a software fault", "a dust storm")
        ),
        "orbits": str(rng.randint(2, 900)),
    }


_MISSION = Domain(
    "mission",
    _mission,
    intro=[
        "{S} was a space mission to {target}.",
        "{S} was a mission of {agency}.",
        "{S} was launched on {launch.full}.",
    ],
    facts=[
        "{S} was launched on {launch.full} from {site}.",
        "It lifted off from {site}.",
        "It was carried by a {rocket} rocket.",
        "The rocket was a {rocket}.",
        "Its destination was {target}.",
        "It [reached|landed on] {target} on {landing.full}.",
        "The landing took place on {landing.full}.",
        "The commander was {commander}[|, the pilot {pilot}].",
        "{commander} commanded the crew.",
        "{pilot} was the pilot.",
        "Its purpose was {goal}.",
        "The aim was {goal}.",
        "It weighed {mass}.",
        "It lasted {days}.",
        "The mission cost {cost}.",
        "It was run by {agency}.",
        "Contact was lost because of {fail}.",
        "It failed because of {fail}.",
        "It made {orbits} orbits.",
        "The project was led by {chief}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Pictures were sent back every day.",
        "A successor is being built.",
        "The start had been put off twice.",
    ],
    questions=[
        ("launch", ["When was {S} launched?"]),
        ("launch@year", ["In what year was {S} launched?"]),
        ("site", ["From where was {S} launched?", "Where was {S} launched?"]),
        ("rocket", ["Which rocket carried {S}?"]),
        ("target", ["What was the destination of {S}?", "Where did {S} go?"]),
        ("landing", ["When did {S} land?", "When did {S} reach {target}?"]),
        ("commander", ["Who commanded {S}?", "Who was the commander of {S}?"]),
        ("pilot", ["Who was the pilot of {S}?"]),
        ("goal", ["What was the purpose of {S}?", "What was the aim of {S}?"]),
        ("mass", ["How much did {S} weigh?"]),
        ("days", ["How long did {S} last?"]),
        ("cost", ["How much did {S} cost?"]),
        ("agency", ["Which agency ran {S}?", "Who ran {S}?"]),
        ("fail", ["Why was contact with {S} lost?", "Why did {S} fail?"]),
        ("orbits", ["How many orbits did {S} make?"]),
        ("chief", ["Who led the project {S}?"]),
    ],
    weight=0.7,
)


def _series(rng: Random) -> Values:
    creator, lead, second, host = _roles(rng, 4)
    start = rng.randint(1960, 2020)
    return {
        "S": Subject(work_title(rng), ("the series", "the show"), "it", "its"),
        "creator": creator,
        "lead": lead,
        "second": second,
        "host": host,
        "start": date(rng, start, start),
        "end": str(start + rng.randint(2, 12)),
        "channel": f"{word(rng)} {rng.choice(('TV', 'Channel', 'One', 'Network'))}",
        "seasons": rng.choice(("two", "three", "four", "five", "six", "nine", "eleven")),
        "eps": str(rng.randint(12, 300)),
        "set": town(rng),
        "role": rng.choice(
            (
                "a detective",
                "a village doctor",
                "a space captain",
                "a hotel owner",
                "a widowed judge",
                "a football coach",
            )
        ),
        "len": f"{rng.randint(20, 90)} minutes",
        "viewers": f"{rng.randint(2, 30)} million",
        "song": work_title(rng),
        "prize": f"the {word(rng)} Award",
    }


_SERIES = Domain(
    "series",
    _series,
    intro=[
        "{S} is a television series created by {creator}.",
        "{S} is a television series first shown in {start.y}.",
        "{S} is a television series set in {set}.",
    ],
    facts=[
        "{S} was created by {creator}.",
        "{creator} [created|invented|wrote] the series.",
        "It was first broadcast on {start.full} by {channel}.",
        "{channel} showed it from {start.y} to {end}.",
        "It ran for {seasons} seasons.",
        "It has {seasons} seasons with {eps} episodes.",
        "There are {eps} episodes.",
        "{lead} plays {role}.",
        "The leading role, {role}, is played by {lead}.",
        "{second} also stars.",
        "The story is set in {set}.",
        "Each episode lasts {len}.",
        "The first episode was seen by {viewers} people.",
        "The title song is {song}.",
        "It won {prize}.",
        "The last episode was shown in {end}.",
        "The narrator is {host}.",
    ],
    fill=[
        *GENERAL_FILL,
        "A film version is planned.",
        "The costumes were made by hand.",
        "It was dubbed into many languages.",
    ],
    questions=[
        ("creator", ["Who created {S}?", "Who is the creator of {S}?"]),
        ("start", ["When was {S} first shown?", "When did {S} start?"]),
        ("end", ["When did {S} end?", "When was the last episode of {S} shown?"]),
        ("channel", ["Which channel showed {S}?", "On what channel was {S} shown?"]),
        ("seasons", ["How many seasons does {S} have?", "How many seasons did {S} run?"]),
        ("eps", ["How many episodes does {S} have?", "How many episodes of {S} are there?"]),
        (
            "lead",
            ["Who plays {role} in {S}?", "Who plays the leading role in {S}?", "Who stars in {S}?"],
        ),
        ("role", ["What role does {lead} play in {S}?"]),
        ("set", ["Where is {S} set?"]),
        ("len", ["How long is an episode of {S}?"]),
        ("viewers", ["How many people saw the first episode of {S}?"]),
        ("song", ["What is the title song of {S}?"]),
        ("prize", ["Which award did {S} win?"]),
        ("host", ["Who is the narrator of {S}?"]),
    ],
    weight=0.7,
)


def _lake(rng: Random) -> Values:
    finder, owner = _roles(rng, 2)
    kind = rng.choice(
        ("lake", "island", "island", "desert", "glacier", "cave", "forest", "bay", "waterfall")
    )
    name = {
        "lake": "Lake {}",
        "island": "{} Island",
        "desert": "the {} Desert",
        "glacier": "the {} Glacier",
        "cave": "the {} Cave",
        "forest": "the {} Forest",
        "bay": "{} Bay",
        "waterfall": "{} Falls",
    }[kind].format(word(rng))
    return {
        "S": Subject(name, (f"the {kind}",), "it", "its"),
        "kind": kind,
        "finder": finder,
        "owner": owner,
        "area": number(rng, 3, 90000) + rng.choice((" square kilometres", " km²", " hectares")),
        "depth": f"{rng.randint(4, 1600)} metres",
        "where": region(rng),
        "country": country(rng)[0],
        "year": str(rng.randint(1500, 1950)),
        "people": number(rng, 3, 90000),
        "rain": f"{rng.randint(10, 4000)} millimetres",
        "animal": rng.choice(
            ("flamingos", "wild goats", "seals", "bats", "crocodiles", "penguins")
        ),
        "town": town(rng),
        "park": str(rng.randint(1900, 2020)),
        "legend": rng.choice(
            ("a drowned bell", "a sleeping giant", "a white stag", "two lovers", "a sea serpent")
        ),
        "temp": f"{rng.randint(2, 48)} °C",
    }


_LAKE = Domain(
    "nature",
    _lake,
    intro=[
        "{S} is a {kind} in {where}.",
        "{S} is a {kind} belonging to {country}.",
        "{S} is a {kind} with an area of {area}.",
    ],
    facts=[
        "{S} covers {area}.",
        "It has an area of {area}.",
        "It is {depth} deep.",
        "Its greatest depth is {depth}.",
        "{S} lies in {where}.",
        "It belongs to {country}.",
        "It was discovered in {year} by {finder}.",
        "{finder} [discovered|reached] it in {year}.",
        "{people} people live there.",
        "The largest settlement is {town}.",
        "The yearly rainfall is {rain}.",
        "It is known for its {animal}.",
        "It has been a national park since {park}.",
        "A legend tells of {legend}.",
        "The mean temperature is {temp}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Boats can be hired.",
        "Fishing is forbidden.",
        "A path leads round it.",
        "Winters are long.",
    ],
    questions=[
        ("area", ["How large is {S}?", "What is the area of {S}?"]),
        ("depth", ["How deep is {S}?", "What is the depth of {S}?"]),
        ("where", ["Where is {S}?", "In which region is {S}?"]),
        ("country", ["To which country does {S} belong?"]),
        ("finder", ["Who discovered {S}?"]),
        ("year", ["When was {S} discovered?"]),
        ("people", ["How many people live at {S}?"]),
        ("town", ["What is the largest settlement at {S}?"]),
        ("rain", ["How much rain falls at {S} a year?"]),
        ("animal", ["Which animals is {S} known for?"]),
        ("park", ["Since when has {S} been a national park?"]),
        ("legend", ["Of what does a legend of {S} tell?"]),
        ("temp", ["What is the mean temperature at {S}?"]),
    ],
    weight=0.8,
)


def domains() -> list[Domain]:
    """Return the further domains."""
    return [
        _CAREER,
        _ELECTION,
        _REALM,
        _LANGUAGE,
        _SHIP,
        _RAILWAY,
        _DISEASE,
        _DISH,
        _GAME,
        _LAW,
        _GOD,
        _MISSION,
        _SERIES,
        _LAKE,
    ]
