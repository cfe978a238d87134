# ruff: noqa: E501
"""Encyclopedia-like subjects: companies, clubs, prizes, places, works, sciences, events, people."""

from __future__ import annotations

from random import Random
from typing import Any

from synth_engine import Domain, Subject, date
from synth_names import CULTURES, people
from synth_places import club, company, country, number, region, town, word, work_title

Values = dict[str, Any]

GENERAL_FILL = [
    "Little is known about [the early years|this period|the circumstances].",
    "The subject has been treated in [several books|a study by {x_person}|{x_small} documentaries].",
    "A number of [scholars|experts|observers], among them {x_person}, have disagreed.",
    "Opinions on the matter [differ|remain divided].",
    "The archives were [damaged by fire|lost in a flood|moved to {x_town}] in {x_year}.",
    "Local tradition tells a rather different story.",
    "It has received [wide|little|some] attention in the press[|, notably in {x_paper}].",
    "Further details were published [in {x_year}|in a supplement|by the {x_org}].",
    "There are [several|{x_small}|few] similar cases in {x_region}.",
    "The details are still [debated|disputed|under discussion].",
    "In {x_year} {x_person} [gave a lecture on the subject|published a short account|visited {x_town}].",
    "{x_person}, [a journalist|a local historian|a critic|a member of the council], [called it|described it as] [remarkable|a mixed blessing|typical of its time|overrated].",
    "Interest has [grown|declined] since {x_recent}.",
    "A delegation from {x_country} [came|travelled] to {x_town} in {x_month} {x_recent}.",
    "The {x_org} [published|issued|withdrew] a report in {x_year}.",
    "An exhibition [opened|was shown] in {x_town} on {x_date}.",
    "Some {x_num} [people|visitors|guests|residents] [attended|signed a petition|took part].",
    "{x_person} and {x_person} [quarrelled over|wrote letters about|argued about] the matter for years.",
    "A [plaque|small monument|stamp] recalls {x_person}, who [died|worked|lived] in {x_town}.",
    "The [project|plan|proposal] was [supported|opposed] by {x_company}.",
    "On {x_date} the [first|last|second] [stone was laid|meeting was held|change was made].",
    "More than {x_money} was [spent|raised|lost].",
    "[Visitors|Guests] from {x_country} and {x_country} are frequent.",
    "The [novel|film] {x_work} refers to it briefly.",
    "Between {x_year} and {x_recent} much was changed.",
    "{x_person} is [said|believed|reported] to have [opposed|supported|inspired] it.",
    "In the same year the {x_org} moved from {x_town} to {x_town}.",
    "A [rumour|story|legend] about {x_person} has never been confirmed.",
]


def _roles(rng: Random, count: int) -> list[Any]:
    return people(rng, count, rng.choice(CULTURES))


# ---------------------------------------------------------------- companies
_PRODUCTS = (
    "bicycles|tractors|furniture|chocolate|insurance|medical equipment|shoes|paper|cement|video games|"
    "solar panels|watches|cosmetics|elevators|pianos|dairy products|textbooks|mobile phones|ships|glass|"
    "batteries|sewing machines|frozen food|fertilisers|optical lenses|railway carriages|toys|beer|tea|"
    "accounting software|printers|wind turbines|hearing aids|tyres|ceramics|fishing nets"
).split("|")


def _company(rng: Random) -> Values:
    founder, ceo, chair, former, cofounder, _buyer = _roles(rng, 6)
    name = company(rng)
    first, second = rng.sample(_PRODUCTS, 2)
    founded = date(rng, 1850, 2015)
    return {
        "S": Subject(name, ("the company", "the firm", "the company"), "it", "its"),
        "founder": founder,
        "ceo": ceo,
        "chair": chair,
        "former": former,
        "cofounder": cofounder,
        "founded": founded,
        "city": town(rng),
        "hq": town(rng),
        "product": first,
        "product2": second,
        "staff": number(rng, 40, 90000),
        "revenue": rng.choice(("$", "€", "£", "¥"))
        + f"{rng.randint(1, 990)}.{rng.randint(1, 9)} "
        + rng.choice(("million", "billion")),
        "parent": company(rng),
        "bought": str(rng.randint(1990, 2022)),
        "rival": company(rng),
        "joined": str(rng.randint(1995, 2023)),
        "named": rng.choice(
            (
                "a river near the first factory",
                "the founder's daughter",
                "a Greek goddess",
                "the street where the first shop stood",
                "a species of falcon",
                "the founder's home village",
                "a character in a novel",
                "the Latin word for light",
            )
        ),
        "slogan": rng.choice(
            (
                "Built to last",
                "Simply better",
                "Closer to you",
                "Made for tomorrow",
                "Every day counts",
                "Quality without compromise",
                "Think in decades",
                "Power to move",
            )
        ),
        "exchange": rng.choice(
            (
                "the London Stock Exchange",
                "the New York Stock Exchange",
                "Nasdaq",
                "the Frankfurt exchange",
                "the Tokyo exchange",
                "Euronext",
            )
        ),
        "ticker": "".join(rng.choice("ABCDEFGHKLMNPRSTVXZ") for _ in range(rng.randint(3, 4))),
    }


_COMPANY = Domain(
    "company",
    _company,
    intro=[
        "{S} is a [|multinational |family-owned |publicly traded |privately held ]company [that makes|producing|known for] {product}.",
        "{S} is a [manufacturer|maker|producer|distributor] of {product} based in {hq}.",
        "{S}, [founded|established] in {founded.y} by {founder}, is a [large|small|medium-sized|leading] maker of {product}.",
        "{S} ([stylised in capitals|often shortened to its initials|formerly a state enterprise]) is a company headquartered in {hq}.",
    ],
    facts=[
        "{S} was [founded|established|started|set up|created] in {founded.y} by {founder}[| and {cofounder}] in {city}.",
        "{founder} [founded|started|established|set up] {S} in {founded.y}.",
        "In {founded.y} {founder}[|, a former teacher,|, then aged 27,] opened a workshop in {city} from which {S} grew.",
        "The company was [registered|incorporated] on {founded.full} by {founder}, with help from {cofounder}.",
        "{S} has its [headquarters|head office|registered office|main seat] in {hq}.",
        "[Headquartered|Based] in {hq}, {S.it} [employs|has a workforce of] {staff} people.",
        "Headquarters: {hq}. Employees: {staff}.",
        "In {joined} the headquarters were moved to {hq}.",
        "The [chief executive|CEO|chief executive officer] is {ceo}[|, who joined in {joined}].",
        "{ceo} has been [CEO|chief executive] since {joined}, when {ceo.he} [replaced|succeeded] {former}.",
        "{S} is [led|headed|run] by chief executive {ceo}; {chair} chairs the board.",
        "{former} [handed over|gave way] to {ceo} as chief executive in {joined}.",
        "The [board is chaired by|chairman of the board is|chair is] {chair}.",
        "{chair} is chair of the board of directors.",
        "{S} [employs|has|employed at last count] [about|some|around|more than] {staff} people.",
        "With {staff} employees, {S} is one of the largest employers in the region.",
        "Its [revenue|turnover|sales] last year [was|came to|amounted to|reached] {revenue}.",
        "{S} reported [revenues|sales] of {revenue}.",
        "In {bought} {S} was [acquired|bought|taken over] by {parent}.",
        "{parent} [bought|acquired|took over] {S} in {bought}.",
        "{S} has been a [subsidiary|division|wholly owned subsidiary] of {parent} since {bought}.",
        "Its main [competitor|rival] is {rival}.",
        "{S} competes mainly with {rival}.",
        "The name [comes from|derives from|refers to] {named}.",
        "{S} is named after {named}.",
        'Its slogan is "{slogan}".',
        "The shares are [listed|traded] on {exchange} under the symbol {ticker}.",
        "{S} at first made {product2} and turned to {product} only later.",
        "[Originally|In the beginning|At first] {S.it} [produced|sold] {product2}.",
    ],
    fill=[
        *GENERAL_FILL,
        "A strike closed the main plant for [three weeks|two months|several days].",
        "Exports account for [more than half|about a third|only a small part] of sales.",
        "Analysts expect [slow growth|a difficult year|further expansion].",
        "A second factory was opened abroad.",
        "The firm survived the depression by cutting prices.",
        "It sponsors a local cycling team.",
        "Its first products were sold door to door.",
        "The company has won several awards for design.",
    ],
    questions=[
        (
            "founder",
            [
                "Who founded {S}?",
                "Who is the founder of {S}?",
                "Who started {S}?",
                "By whom was {S} founded?",
                "Who established {S}?",
                "founder of {S}",
                "{S} was founded by whom?",
                "Who set up {S}?",
            ],
        ),
        (
            "founded",
            [
                "When was {S} founded?",
                "When was {S} established?",
                "When was {S} started?",
                "When did {founder} found {S}?",
                "founding date of {S}",
            ],
        ),
        (
            "founded@year",
            [
                "In what year was {S} founded?",
                "In which year was {S} established?",
                "What year was {S} founded?",
                "{S} founding year",
            ],
        ),
        (
            "city",
            ["Where was {S} founded?", "In which town did {S} start?", "Where was {S} set up?"],
        ),
        (
            "hq",
            [
                "Where is {S} based?",
                "Where is {S} headquartered?",
                "In which city is the headquarters of {S}?",
                "What city is {S} based in?",
                "Where is the head office of {S}?",
                "{S} headquarters",
            ],
        ),
        (
            "ceo",
            [
                "Who is the CEO of {S}?",
                "Who runs {S}?",
                "Who is the chief executive of {S}?",
                "Who is {S}'s CEO?",
                "Who heads {S}?",
                "What is the name of the chief executive of {S}?",
                "{S} CEO",
                "Who leads {S}?",
                "Who succeeded {former} as chief executive of {S}?",
            ],
        ),
        (
            "former",
            [
                "Who was CEO of {S} before {ceo}?",
                "Whom did {ceo} succeed at {S}?",
                "Who led {S} before {ceo}?",
            ],
        ),
        (
            "chair",
            [
                "Who chairs {S}?",
                "Who is the chair of {S}?",
                "Who chairs the board of {S}?",
                "Who is chairman of {S}?",
            ],
        ),
        (
            "staff",
            [
                "How many people does {S} employ?",
                "How many employees does {S} have?",
                "How many people work for {S}?",
                "What is the number of employees of {S}?",
                "{S} number of employees",
            ],
        ),
        (
            "revenue",
            [
                "What is the revenue of {S}?",
                "How much did {S} turn over?",
                "What were the sales of {S}?",
                "How much revenue does {S} have?",
            ],
        ),
        (
            "parent",
            [
                "Who owns {S}?",
                "Which company bought {S}?",
                "Who acquired {S}?",
                "By whom was {S} taken over?",
                "What is the parent company of {S}?",
            ],
        ),
        (
            "bought",
            [
                "When was {S} acquired?",
                "When did {parent} buy {S}?",
                "In what year was {S} taken over?",
            ],
        ),
        (
            "rival",
            ["Who is the main competitor of {S}?", "Which company is the main rival of {S}?"],
        ),
        (
            "named",
            [
                "What is {S} named after?",
                "Where does the name of {S} come from?",
                "After what is {S} named?",
            ],
        ),
        ("slogan", ["What is the slogan of {S}?", "What is {S}'s motto?"]),
        (
            "product",
            [
                "What does {S} make?",
                "What does {S} produce?",
                "What is {S} known for making?",
                "Which products does {S} make?",
            ],
        ),
        (
            "product2",
            [
                "What did {S} make at first?",
                "What did {S} originally produce?",
                "What were the first products of {S}?",
            ],
        ),
        ("exchange", ["Where are the shares of {S} listed?", "On which exchange is {S} listed?"]),
        ("ticker", ["What is the ticker symbol of {S}?", "Under what symbol is {S} traded?"]),
    ],
    weight=3.0,
)

# ---------------------------------------------------------------- clubs
_COLOURS = "red blue green yellow white black orange purple maroon claret navy gold silver pink sky-blue".split()


def _club(rng: Random) -> Values:
    coach, captain, president, former, scorer, founder = _roles(rng, 6)
    name = club(rng)
    colours = rng.sample(_COLOURS, 2)
    place = town(rng)
    return {
        "S": Subject(name, ("the club", "the team", "the side"), "it", "its"),
        "coach": coach,
        "captain": captain,
        "president": president,
        "former": former,
        "scorer": scorer,
        "founder": founder,
        "founded": date(rng, 1870, 1995),
        "stadium": rng.choice(
            (
                "{} Park",
                "{} Arena",
                "Estadio {}",
                "{} Road",
                "the {} Stadium",
                "{} Field",
                "Stadion {}",
                "the {} Dome",
            )
        ).format(word(rng)),
        "capacity": number(rng, 1500, 80000),
        "nick": "the "
        + rng.choice(
            (
                "Lions",
                "Wolves",
                "Bees",
                "Millers",
                "Foxes",
                "Magpies",
                "Cobras",
                "Old Ladies",
                "Sailors",
                "Bulls",
                "Dragons",
                "Canaries",
                "Hammers",
                "Crows",
                "Saints",
            )
        ),
        "colours": f"{colours[0]} and {colours[1]}",
        "city": place,
        "rival": club(rng),
        "titles": rng.choice(
            (
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "11",
                "14",
                "17",
                "22",
            )
        ),
        "goals": str(rng.randint(80, 420)),
        "joined": str(rng.randint(2005, 2023)),
        "league": rng.choice(
            (
                "the First Division",
                "the Premier League",
                "the Second League",
                "the Superliga",
                "the National League",
                "the Eastern Conference",
                "Serie B",
                "the Championship",
            )
        ),
        "last": str(rng.randint(1950, 2022)),
        "sponsor": company(rng),
        "sport": rng.choice(
            (
                "football",
                "football",
                "football",
                "basketball",
                "rugby",
                "ice hockey",
                "handball",
                "volleyball",
                "cricket",
                "water polo",
            )
        ),
    }


_CLUB = Domain(
    "club",
    _club,
    intro=[
        "{S} is a [|professional |semi-professional ]{sport} club from {city}.",
        "{S} is a {sport} team [based in|representing] {city} that plays in {league}.",
        "{S}, nicknamed {nick}, is a {sport} club.",
        "{S} is a {sport} club founded in {founded.y}.",
    ],
    facts=[
        "{S} was [founded|formed|established] in {founded.y}[| by {founder}| by a group of students led by {founder}].",
        "On {founded.full} {founder} [founded|brought together] the club in a [tavern|school|railway workshop].",
        "The club's founder and first president was {founder}.",
        "The [home ground|stadium|home] of {S} is {stadium}, which [holds|has room for|seats] {capacity} [spectators|people].",
        "{S} plays its home [games|matches] at {stadium}.",
        "Home games are played at {stadium} (capacity {capacity}).",
        "Since {joined} the team has been coached by {coach}.",
        "The [head coach|manager|coach|current coach] is {coach}[|, appointed in {joined}].",
        "{coach} [replaced|succeeded] {former} as [head coach|manager] in {joined}.",
        "{former} was dismissed in {joined} and [replaced|succeeded] by {coach}.",
        "The [captain|team captain|current captain] is {captain}.",
        "{captain} [captains the side|wears the captain's armband|leads the team on the field].",
        "The club president is {president}.",
        "{president} has been president of the club for many years.",
        "{S} is nicknamed {nick}.",
        "Supporters call the team {nick}.",
        "Its nickname is {nick}[|, after the animals on the coat of arms].",
        "The team plays in {colours}.",
        "The club's colours are {colours}.",
        "Its traditional colours are {colours}.",
        "{S} has won the [championship|league title|league] {titles} times[|, most recently in {last}].",
        "With {titles} league titles, {S.it} is among the most successful clubs in the country.",
        "The last championship was won in {last}.",
        "The club's [record scorer|all-time top scorer|leading scorer] is {scorer}, with {goals} goals.",
        "{scorer} scored {goals} goals for {S}, a club record.",
        "{S} plays in {league}.",
        "The team [was promoted to|currently competes in|was relegated to] {league}.",
        "Its [great|fiercest|local|traditional] rival is {rival}.",
        "Matches against {rival} are known as the derby.",
        "The shirt sponsor is {sponsor}.",
        "{S} is sponsored by {sponsor}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The supporters are known for their songs.",
        "The youth academy has produced several internationals.",
        "The club nearly went bankrupt [in the nineties|after the war|twice].",
        "A women's team was added some years ago.",
        "Season tickets sell out quickly.",
        "The ground was rebuilt after a fire.",
        "The team reached the semi-finals of the cup.",
    ],
    questions=[
        (
            "coach",
            [
                "Who coaches {S}?",
                "Who is the coach of {S}?",
                "Who is the manager of {S}?",
                "Who is {S}'s head coach?",
                "{S} coach",
                "Who manages {S}?",
                "Who trains {S}?",
                "Who succeeded {former} as coach of {S}?",
                "Who is the head coach of {S}?",
            ],
        ),
        ("former", ["Who coached {S} before {coach}?", "Whom did {coach} replace at {S}?"]),
        (
            "captain",
            [
                "Who is the captain of {S}?",
                "Who captains {S}?",
                "Which player is captain of {S}?",
                "{S} captain",
            ],
        ),
        ("president", ["Who is the president of {S}?", "Who is club president of {S}?"]),
        (
            "stadium",
            [
                "Where does {S} play its home games?",
                "What is the name of {S}'s stadium?",
                "What is the home ground of {S}?",
                "In which stadium does {S} play?",
                "stadium of {S}",
            ],
        ),
        (
            "capacity",
            [
                "How many spectators does {S}'s stadium hold?",
                "What is the capacity of {stadium}?",
                "How many people fit into the stadium of {S}?",
                "How many seats does {stadium} have?",
            ],
        ),
        (
            "nick",
            [
                "What is the nickname of {S}?",
                "How are the players of {S} nicknamed?",
                "What are {S} called by their supporters?",
            ],
        ),
        (
            "colours",
            [
                "What are the colours of {S}?",
                "In which colours does {S} play?",
                "What colours does {S} wear?",
                "{S} colors",
            ],
        ),
        (
            "founded",
            ["When was {S} founded?", "When was {S} formed?", "When was the club {S} established?"],
        ),
        (
            "founded@year",
            [
                "In what year was {S} founded?",
                "Which year was {S} formed?",
                "What year was {S} established?",
            ],
        ),
        ("founder", ["Who founded {S}?", "Who was the founder of {S}?"]),
        (
            "titles",
            [
                "How many championships has {S} won?",
                "How many times has {S} won the league?",
                "How many league titles does {S} have?",
            ],
        ),
        (
            "scorer",
            [
                "Who is the record scorer of {S}?",
                "Who scored most goals for {S}?",
                "Who is {S}'s all-time top scorer?",
            ],
        ),
        ("goals", ["How many goals did {scorer} score for {S}?"]),
        ("league", ["In which league does {S} play?", "What league does {S} play in?"]),
        ("rival", ["Who is the rival of {S}?", "Which club is {S}'s main rival?"]),
        (
            "city",
            ["Which town is {S} from?", "Where is {S} based?", "What city does {S} represent?"],
        ),
        ("sponsor", ["Who sponsors {S}?", "Who is the sponsor of {S}?"]),
        ("last", ["When did {S} last win the championship?", "When did {S} win its last title?"]),
        ("sport", ["What sport does {S} play?", "Which sport is played by {S}?"]),
    ],
    weight=2.6,
)


# ---------------------------------------------------------------- universities
def _university(rng: Random) -> Values:
    rector, founder, former, alum, donor = _roles(rng, 5)
    place = town(rng)
    name = rng.choice(
        (
            "the University of {}",
            "{} University",
            "{} Technical University",
            "{} College",
            "the {} Institute of Technology",
            "the {} Academy of Arts",
            "Saint {} College",
        )
    ).format(place)
    return {
        "S": Subject(name, ("the university", "the school", "the institution"), "it", "its"),
        "rector": rector,
        "founder": founder,
        "former": former,
        "alum": alum,
        "donor": donor,
        "founded": date(rng, 1380, 1990),
        "students": number(rng, 800, 62000),
        "faculties": rng.choice(
            ("four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "14")
        ),
        "motto": rng.choice(
            (
                "Lux in tenebris",
                "Veritas vincit",
                "Sapere et audere",
                "Per ardua",
                "Labor et spes",
                "Scientia et virtus",
                "Truth and service",
                "Light and liberty",
            )
        ),
        "campus": rng.choice(
            (
                "the northern suburbs",
                "the old barracks",
                "a former monastery",
                "the harbour district",
                "a hill above the river",
                "the castle gardens",
            )
        ),
        "books": number(rng, 90000, 4000000),
        "field": rng.choice(
            (
                "medicine",
                "marine biology",
                "law",
                "theology",
                "mining",
                "agriculture",
                "astronomy",
                "music",
                "engineering",
                "veterinary science",
                "economics",
                "linguistics",
            )
        ),
        "joined": str(rng.randint(2000, 2023)),
        "teachers": number(rng, 90, 4000),
    }


_UNIVERSITY = Domain(
    "university",
    _university,
    intro=[
        "{S} is a [public|private|state] university [founded in {founded.y}|with {students} students|known for its school of {field}].",
        "{S} is [one of the oldest|a large|a small|the second-oldest] [university|school of higher education] in the country.",
    ],
    facts=[
        "{S} was [founded|established|chartered] in {founded.y}[| by {founder}].",
        "{founder} [founded|established|endowed] {S} in {founded.y}.",
        "The charter was granted to {founder}, the founder, on {founded.full}.",
        "The [rector|president|vice-chancellor] is {rector}[|, who took over from {former} in {joined}].",
        "{rector} has been [rector|president|vice-chancellor] since {joined}.",
        "{former} was succeeded as [rector|president|vice-chancellor] by {rector}.",
        "{S} [has|enrols|counts] [about|some|more than] {students} students.",
        "Some {students} students [are enrolled|study] there, taught by {teachers} teachers.",
        "The teaching staff numbers {teachers}.",
        "{S} is divided into {faculties} faculties.",
        "There are {faculties} faculties.",
        'Its motto is "{motto}".',
        "The main campus [lies in|is situated in|occupies] {campus}.",
        "The library [holds|owns|contains] {books} volumes.",
        "{S} is [best known|famous|renowned] for its school of {field}.",
        "It has a strong reputation in {field}.",
        "Its most famous [graduate|alumnus|former student] is {alum}.",
        "Among those who studied there is {alum}.",
        "The new library was paid for by {donor}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Tuition is free for residents.",
        "The buildings are protected as monuments.",
        "Lectures are given in two languages.",
        "The university was closed during the war.",
        "A botanical garden belongs to the campus.",
        "Student life centres on the old town.",
        "The rowing team is well known.",
    ],
    questions=[
        (
            "founder",
            ["Who founded {S}?", "Who was the founder of {S}?", "By whom was {S} founded?"],
        ),
        ("founded", ["When was {S} founded?", "When was {S} established?", "founding of {S}"]),
        ("founded@year", ["In what year was {S} founded?", "In which year was {S} established?"]),
        ("rector", ["Who heads {S}?", "Who is in charge of {S}?", "Who leads {S}?"]),
        ("former", ["Who led {S} before {rector}?", "Who was the predecessor of {rector} at {S}?"]),
        (
            "students",
            [
                "How many students does {S} have?",
                "How many students study at {S}?",
                "number of students at {S}",
                "How many students are enrolled at {S}?",
            ],
        ),
        (
            "faculties",
            ["How many faculties does {S} have?", "Into how many faculties is {S} divided?"],
        ),
        ("motto", ["What is the motto of {S}?", "What is {S}'s motto?"]),
        ("campus", ["Where is the main campus of {S}?", "Where does the main campus of {S} lie?"]),
        (
            "books",
            [
                "How many volumes does the library of {S} hold?",
                "How many books are in the library of {S}?",
            ],
        ),
        ("field", ["What is {S} known for?", "For which subject is {S} famous?"]),
        (
            "alum",
            [
                "Who is the most famous graduate of {S}?",
                "Who studied at {S}?",
                "Name a former student of {S}.",
            ],
        ),
        ("teachers", ["How many teachers does {S} have?"]),
        ("donor", ["Who paid for the library of {S}?"]),
    ],
    weight=1.2,
)

# ---------------------------------------------------------------- prizes
_ACHIEVEMENTS = "a cycle of poems about the sea|work on the structure of proteins|a new method of desalination|reports from the war zone|a vaccine against river fever|a novel about exile|research on bird migration|a bridge without pillars|efforts to end the border conflict|a proof in number theory|the design of a cheap stove|a study of coral reefs|the restoration of old manuscripts|work on superconductors|a film about fishermen|the rescue of miners|a theory of auctions|discoveries about sleep".split(
    "|"
)


def _prize(rng: Random) -> Values:
    a, b, c, donor, chair = _roles(rng, 5)
    year = rng.randint(1960, 2023)
    founder = rng.choice(
        (
            f"the {word(rng)} Foundation",
            f"the {word(rng)} Academy",
            f"the city of {town(rng)}",
            f"the {word(rng)} Society",
            f"the {country(rng)[1]} government",
        )
    )
    first, second, third = rng.sample(_ACHIEVEMENTS, 3)
    name = rng.choice(
        (
            "the {} Prize",
            "the {} Award",
            "the {} Medal",
            "the Golden {} Award",
            "the {} Prize for Literature",
            "the {} Book Prize",
            "the {} Prize in Chemistry",
            "the {} Peace Prize",
        )
    ).format(word(rng))
    return {
        "S": Subject(name, ("the prize", "the award", "the distinction"), "it", "its"),
        "y1": str(year),
        "y2": str(year - rng.randint(1, 3)),
        "y3": str(year - rng.randint(4, 9)),
        "w1": a,
        "w2": b,
        "w3": c,
        "donor": donor,
        "chair": chair,
        "giver": founder,
        "for1": first,
        "for2": second,
        "for3": third,
        "money": rng.choice(("$", "€", "£")) + f"{rng.randint(5, 900)},000",
        "created": str(year - rng.randint(12, 80)),
        "city": town(rng),
        "month": rng.choice(
            ("January", "March", "May", "June", "September", "October", "November", "December")
        ),
        "often": rng.choice(
            (
                "every year",
                "every two years",
                "every three years",
                "every four years",
                "twice a year",
            )
        ),
        "object": rng.choice(
            (
                "a bronze statuette",
                "a silver medal",
                "a crystal bowl",
                "a golden key",
                "a wooden owl",
                "a hand-written diploma",
            )
        ),
    }


_PRIZE = Domain(
    "prize",
    _prize,
    intro=[
        "{S} is [an award|a prize|a distinction] [given|awarded|presented] {often} by {giver}.",
        "{S} is one of the most [respected|coveted|important] awards in its field.",
        "{S}, [founded|created] in {created}, is awarded by {giver}.",
    ],
    facts=[
        "{S} is [awarded|given|presented|handed out] {often}.",
        "{S} is [awarded|presented|given] by {giver}.",
        "{giver} awards {S}.",
        "It was [created|founded|endowed] in {created} by {donor}.",
        "{donor} [endowed|created|founded] {S} in {created}.",
        "In {y1} the [prize|award] went to {w1}[| for {for1}].",
        "The {y1} [laureate|winner|recipient] was {w1}, [honoured|recognised|chosen] for {for1}.",
        "{w1} [received|won|was awarded] {S} in {y1} for {for1}.",
        "The jury gave {S} to {w1} in {y1}, praising {for1}.",
        "In {y2} {w2} was honoured for {for2}.",
        "{w2} [won|received] it in {y2} for {for2}.",
        "The winner in {y2} was {w2}.",
        "An earlier laureate, {w3}, [won|was chosen] in {y3}[| for {for3}].",
        "{w3} received the award in {y3}.",
        "The prize money [is|amounts to] {money}.",
        "The winner receives {money} and {object}.",
        "The winner is given {object}.",
        "The ceremony [takes place|is held] in {city} every {month}.",
        "The [award|prize] is presented in {city}.",
        "The jury is chaired by {chair}.",
        "{chair} heads the jury.",
    ],
    fill=[
        *GENERAL_FILL,
        "Nominations close in the spring.",
        "The jury consists of [five|seven|nine] members.",
        "The list of nominees is kept secret for fifty years.",
        "The decision was criticised in some newspapers.",
        "No award was given during the war.",
        "Winners come from more than twenty countries.",
    ],
    questions=[
        (
            "w1",
            [
                "Who won {S} in {y1}?",
                "Who received {S} in {y1}?",
                "Who was awarded {S} in {y1}?",
                "Who was the {y1} laureate of {S}?",
                "To whom was {S} given in {y1}?",
                "{S} {y1} winner",
                "Name the winner of {S} in {y1}.",
                "Who got {S} for {for1}?",
                "Which person won {S} in {y1}?",
            ],
        ),
        (
            "w2",
            [
                "Who won {S} in {y2}?",
                "Who received {S} in {y2}?",
                "Who was the winner of {S} in {y2}?",
            ],
        ),
        ("w3", ["Who won {S} in {y3}?", "Who was given {S} in {y3}?"]),
        (
            "for1",
            [
                "For what did {w1} win {S}?",
                "Why was {w1} awarded {S}?",
                "What did {w1} receive {S} for?",
                "For what was {S} given in {y1}?",
            ],
        ),
        ("for2", ["For what was {w2} honoured?", "Why did {w2} receive {S}?"]),
        (
            "y1",
            [
                "When did {w1} win {S}?",
                "In what year did {w1} receive {S}?",
                "In which year was {S} given to {w1}?",
            ],
        ),
        ("y2", ["When did {w2} win {S}?", "In what year did {w2} win {S}?"]),
        (
            "giver",
            [
                "Who awards {S}?",
                "By whom is {S} awarded?",
                "Who gives {S}?",
                "Which body presents {S}?",
            ],
        ),
        ("donor", ["Who created {S}?", "Who endowed {S}?", "Who founded {S}?"]),
        (
            "created",
            [
                "When was {S} created?",
                "In what year was {S} founded?",
                "When was {S} first established?",
            ],
        ),
        (
            "money",
            [
                "How much money does the winner of {S} receive?",
                "How much is {S} worth?",
                "What is the prize money of {S}?",
            ],
        ),
        ("often", ["How often is {S} awarded?", "How often is {S} given?"]),
        (
            "city",
            [
                "Where is {S} presented?",
                "Where does the ceremony of {S} take place?",
                "In which city is {S} awarded?",
            ],
        ),
        (
            "object",
            [
                "What does the winner of {S} receive besides money?",
                "What object is given to the winner of {S}?",
            ],
        ),
        ("chair", ["Who chairs the jury of {S}?", "Who heads the jury of {S}?"]),
    ],
    weight=1.8,
)


# ---------------------------------------------------------------- countries and cities
def _country(rng: Random) -> Values:
    president, pm, king, former, hero, speaker = _roles(rng, 6)
    name, adj = country(rng)
    langs = [w + rng.choice(("ish", "ese", "i", "ian")) for w in (word(rng), word(rng))]
    cities = [town(rng) for _ in range(3)]
    while len(set(cities)) < 3:
        cities = [town(rng) for _ in range(3)]
    return {
        "S": Subject(name, ("the country", "the republic", "the state"), "it", "its"),
        "adj": adj,
        "president": president,
        "pm": pm,
        "former": former,
        "hero": hero,
        "speaker": speaker,
        "bank": king,
        "capital": cities[0],
        "largest": cities[1],
        "port": cities[2],
        "pop": rng.choice(
            (
                number(rng, 20000, 90000000),
                f"{rng.randint(2, 90)}.{rng.randint(1, 9)} million",
                f"{rng.randint(2, 90)} million",
            )
        ),
        "area": number(rng, 300, 900000)
        + rng.choice((" square kilometres", " km²", " square miles", " sq km")),
        "currency": "the "
        + word(rng).lower().capitalize()
        + rng.choice((" dollar", "", " franc", " crown", " pound")),
        "lang": langs[0],
        "lang2": langs[1],
        "indep": date(rng, 1790, 2005),
        "colonial": country(rng)[0],
        "mountain": f"Mount {word(rng)}",
        "height": number(rng, 600, 7900) + rng.choice((" metres", " m", " feet")),
        "river": f"the {word(rng)}",
        "export": ", ".join(
            rng.sample(
                (
                    "copper",
                    "coffee",
                    "timber",
                    "wool",
                    "cocoa",
                    "oil",
                    "fish",
                    "cotton",
                    "tin",
                    "tea",
                    "bananas",
                ),
                2,
            )
        ).replace(", ", " and "),
        "north": country(rng)[0],
        "south": country(rng)[0],
        "joined": str(rng.randint(2005, 2023)),
        "provinces": rng.choice(
            ("seven", "eight", "nine", "eleven", "twelve", "14", "17", "22", "26")
        ),
        "flag": " and ".join(rng.sample(("red", "blue", "green", "white", "yellow", "black"), 2)),
        "anthem": f'"{work_title(rng)}"',
        "flower": rng.choice(
            ("the blue orchid", "the white lily", "the mountain rose", "the edelweiss", "the lotus")
        ),
    }


_COUNTRY = Domain(
    "country",
    _country,
    intro=[
        "{S} is [a country|a landlocked country|an island state|a republic|a small state][| bordering {north} in the north].",
        "{S} is a country whose capital is {capital}.",
        "{S}, with a population of {pop}, lies between {north} and {south}.",
        "{S} is [a sovereign state|an independent country] with an area of {area}.",
    ],
    facts=[
        "The capital [is|and seat of government is] {capital}.",
        "{capital} is the capital, while {largest} is the largest city.",
        "The government [sits|has its seat] in the capital, {capital}; the main port is {port}.",
        "The largest city is {largest}.",
        "Its main port is {port}.",
        "{S} has a population of [about |roughly ||some ]{pop}.",
        "About {pop} people live in {S}.",
        "Population: {pop}. Area: {area}.",
        "{S} [covers|has] an area of {area}.",
        "[The currency is|The official currency is|Its currency is] {currency}.",
        "Prices are given in {currency}, the national currency.",
        "The official language is {lang}[|; {lang2} is also widely spoken].",
        "Most people speak {lang}, the official language.",
        "A minority speaks {lang2}.",
        "{S} [gained|won|declared] independence from {colonial} [on {indep.full}|in {indep.y}].",
        "{S} was ruled by {colonial} until {indep.y}, when {S.it} became independent.",
        "The highest [mountain|peak|point] is {mountain}, [at|with a height of|which rises to] {height}.",
        "The longest river is {river}.",
        "Its main exports are {export}.",
        "{S} exports mainly {export}.",
        "In the north {S.it} borders on {north}.",
        "To the south lies {south}.",
        "{S} is divided into {provinces} provinces.",
        "The president[| of the republic] is {president}[|, elected in {joined}].",
        "{president} has been president since {joined}, and {pm} is prime minister.",
        "The head of state is President {president}; the government is led by Prime Minister {pm}.",
        "President {president} [succeeded|replaced] {former} in {joined}.",
        "The {adj} president, {president}, [took office|was elected] in {joined}.",
        "The prime minister is {pm}.",
        "The government is headed by {pm} as prime minister.",
        "The parliament is presided over by its speaker, {speaker}.",
        "The speaker of parliament is {speaker}.",
        "The central bank is headed by {bank}.",
        "{hero} is regarded as the [national hero|father of the nation|national poet].",
        "The flag is {flag}.",
        "The national anthem is {anthem}.",
        "The national flower is {flower}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The climate is [tropical|temperate|arid|alpine].",
        "Most of the land is covered with forest.",
        "Tourism has grown quickly.",
        "Military service is voluntary.",
        "The railway network is old.",
        "There are two universities.",
        "Schooling is compulsory for nine years.",
    ],
    questions=[
        (
            "capital",
            [
                "What is the capital of {S}?",
                "capital of {S}",
                "Which city is the capital of {S}?",
                "Name the capital of {S}.",
                "What's the capital city of {S}?",
                "What is the {adj} capital?",
                "Where is the seat of government of {S}?",
            ],
        ),
        (
            "largest",
            [
                "What is the largest city of {S}?",
                "Which is the biggest city in {S}?",
                "largest city in {S}",
            ],
        ),
        ("port", ["What is the main port of {S}?", "Which town is the chief port of {S}?"]),
        (
            "pop",
            [
                "What is the population of {S}?",
                "How many people live in {S}?",
                "How many inhabitants does {S} have?",
                "population of {S}",
                "How large is the population of {S}?",
            ],
        ),
        (
            "area",
            ["What is the area of {S}?", "How large is {S}?", "How big is {S}?", "area of {S}"],
        ),
        (
            "currency",
            [
                "What is the currency of {S}?",
                "Which currency is used in {S}?",
                "What money is used in {S}?",
            ],
        ),
        (
            "lang",
            [
                "What is the official language of {S}?",
                "Which language is official in {S}?",
                "What language do most people in {S} speak?",
            ],
        ),
        (
            "indep",
            [
                "When did {S} become independent?",
                "When did {S} gain independence?",
                "When was {S} freed from {colonial}?",
            ],
        ),
        (
            "indep@year",
            [
                "In what year did {S} gain independence?",
                "In which year did {S} become independent?",
            ],
        ),
        (
            "colonial",
            ["From which country did {S} gain independence?", "Who ruled {S} before independence?"],
        ),
        (
            "mountain",
            [
                "What is the highest mountain in {S}?",
                "What is the highest point of {S}?",
                "highest peak of {S}",
            ],
        ),
        (
            "height",
            [
                "How high is {mountain}?",
                "What is the height of {mountain}?",
                "How tall is {mountain}?",
            ],
        ),
        ("river", ["What is the longest river in {S}?", "Which river is the longest in {S}?"]),
        ("export", ["What does {S} export?", "What are the main exports of {S}?"]),
        ("north", ["Which country lies north of {S}?", "Which country borders {S} in the north?"]),
        ("south", ["Which country lies to the south of {S}?"]),
        (
            "provinces",
            ["How many provinces does {S} have?", "Into how many provinces is {S} divided?"],
        ),
        (
            "president",
            [
                "Who is the president of {S}?",
                "Who is the {adj} president?",
                "Who is President of {S}?",
                "Who is the current president of {S}?",
                "president of {S}",
                "What is the name of the president of {S}?",
                "Who's president of {S}?",
                "Who succeeded {former} as president of {S}?",
                "Who is {S}'s president?",
            ],
        ),
        (
            "pm",
            [
                "Who is the prime minister of {S}?",
                "Who is the {adj} prime minister?",
                "Who is Prime Minister of {S}?",
                "Who heads the government of {S}?",
                "prime minister of {S}",
                "Who leads the government of {S}?",
            ],
        ),
        (
            "former",
            ["Who was president of {S} before {president}?", "Whom did {president} succeed?"],
        ),
        (
            "speaker",
            [
                "Who is the speaker of the {adj} parliament?",
                "Who presides over the parliament of {S}?",
            ],
        ),
        (
            "bank",
            ["Who heads the central bank of {S}?", "Who is governor of the central bank of {S}?"],
        ),
        ("flag", ["What colours is the flag of {S}?", "What is the flag of {S} like?"]),
        ("anthem", ["What is the national anthem of {S}?", "What is the anthem of {S} called?"]),
        ("flower", ["What is the national flower of {S}?"]),
    ],
    weight=3.4,
    free=frozenset({"S", "adj"}),
    telling=frozenset({"S", "adj"}),
)


def _city(rng: Random) -> Values:
    mayor, former, founder, architect, born = _roles(rng, 5)
    name = town(rng)
    return {
        "S": Subject(name, ("the city", "the town", "the municipality"), "it", "its"),
        "mayor": mayor,
        "former": former,
        "founder": founder,
        "architect": architect,
        "born": born,
        "region": region(rng),
        "river": f"the {word(rng)}",
        "pop": number(rng, 900, 3200000),
        "year": str(rng.randint(1995, 2022)),
        "founded": str(rng.randint(700, 1910)),
        "sister": town(rng),
        "elev": f"{rng.randint(3, 2600)} {rng.choice(('metres', 'm', 'feet'))}",
        "dist": f"{rng.randint(6, 480)} {rng.choice(('kilometres', 'km', 'miles'))}",
        "near": town(rng),
        "airport": f"{word(rng)} {rng.choice(('Airport', 'International Airport', 'Airfield'))}",
        "fair": rng.choice(
            (
                "a book fair",
                "a jazz festival",
                "an onion market",
                "a kite festival",
                "a horse fair",
                "a film festival",
                "a lantern parade",
                "a wine festival",
            )
        ),
        "month": rng.choice(
            ("January", "February", "April", "May", "July", "August", "September", "October")
        ),
        "industry": rng.choice(
            (
                "shipbuilding",
                "textiles",
                "brewing",
                "steel",
                "tourism",
                "watchmaking",
                "salt mining",
                "paper making",
                "glassmaking",
                "fishing",
                "leather",
                "car manufacturing",
            )
        ),
        "saint": f"Saint {word(rng)}",
        "joined": str(rng.randint(2006, 2023)),
        "lines": rng.choice(("two", "three", "four", "five", "six", "eleven")),
        "museum": f"the {word(rng)} Museum",
        "code": str(rng.randint(1000, 99999)),
        "church": f"the {rng.choice(('Cathedral', 'Church', 'Basilica'))} of Saint {word(rng)}",
        "cb": str(rng.randint(1100, 1900)),
    }


_CITY = Domain(
    "city",
    _city,
    intro=[
        "{S} is a [city|town|municipality|port city] in {region}.",
        "{S} lies on {river} in {region}.",
        "{S} is a [town|city] of {pop} inhabitants.",
        "{S} is the [administrative centre|largest town|second-largest city] of {region}.",
    ],
    facts=[
        "{S} [lies|is situated|stands] on {river}.",
        "{S} [lies|is located] {dist} [north|south|east|west|northeast] of {near}.",
        "The nearest large town, {near}, is {dist} away.",
        "[In|At the census of] {year} the population was {pop}.",
        "{S} had {pop} inhabitants in {year}.",
        "The population is {pop}.",
        "{S} was [founded|first mentioned|granted town rights] in {founded}.",
        "{founder} founded {S} in {founded}.",
        "The [town|city] stands at an elevation of {elev}.",
        "It lies {elev} above sea level.",
        "The mayor is {mayor}[|, elected in {joined}].",
        "{mayor} has been mayor since {joined}, succeeding {former}.",
        "In {joined} {former} lost the mayoral election to {mayor}.",
        "The town is twinned with {sister}.",
        "Its twin town is {sister}.",
        "{S} is served by {airport}.",
        "The nearest airport is {airport}.",
        "Every {month} {S} [hosts|holds] {fair}.",
        "{S} is known for {fair}, held every {month}.",
        "The [main|most important|traditional] industry is {industry}.",
        "{S} grew rich through {industry}.",
        "Its patron saint is {saint}.",
        "The underground railway has {lines} lines.",
        "The town hall was [designed|built] by {architect}.",
        "{architect} designed the town hall.",
        "The painter {born} was born there.",
        "{S} is the birthplace of {born}.",
        "The best-known sight is {museum}.",
        "The postal code is {code}.",
        "{church} was built in {cb}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The old town was destroyed by fire and rebuilt.",
        "Trams run until midnight.",
        "Many buildings are of red brick.",
        "The market is held on Saturdays.",
        "There are several parks.",
        "The university has a branch there.",
        "The walls were pulled down to make room for a ring road.",
    ],
    questions=[
        (
            "river",
            [
                "On which river does {S} lie?",
                "What river flows through {S}?",
                "Which river is {S} on?",
            ],
        ),
        (
            "region",
            [
                "Where is {S}?",
                "In which region is {S}?",
                "Where does {S} lie?",
                "In what region is {S} located?",
            ],
        ),
        ("dist", ["How far is {S} from {near}?", "What is the distance between {S} and {near}?"]),
        (
            "pop",
            [
                "How many inhabitants does {S} have?",
                "What is the population of {S}?",
                "How many people live in {S}?",
                "population {S}",
            ],
        ),
        ("founded", ["When was {S} founded?", "In what year was {S} founded?"]),
        ("founder", ["Who founded {S}?", "By whom was {S} founded?"]),
        (
            "elev",
            [
                "How high does {S} lie?",
                "What is the elevation of {S}?",
                "At what height above sea level is {S}?",
            ],
        ),
        (
            "mayor",
            [
                "Who is the mayor of {S}?",
                "Who is mayor of {S}?",
                "mayor of {S}",
                "Who is {S}'s mayor?",
                "Who governs the town of {S}?",
                "What is the name of the mayor of {S}?",
                "Who followed {former} as mayor of {S}?",
            ],
        ),
        (
            "former",
            [
                "Who was mayor of {S} before {mayor}?",
                "Who was {mayor}'s predecessor as mayor of {S}?",
            ],
        ),
        ("sister", ["Which town is {S} twinned with?", "What is the twin town of {S}?"]),
        ("airport", ["Which airport serves {S}?", "What is the airport of {S} called?"]),
        (
            "fair",
            ["What is held in {S} every {month}?", "Which event takes place in {S} every {month}?"],
        ),
        ("month", ["In which month does {S} hold {fair}?", "When is {fair} held in {S}?"]),
        ("industry", ["What is the main industry of {S}?", "Which industry made {S} rich?"]),
        ("saint", ["Who is the patron saint of {S}?"]),
        (
            "lines",
            [
                "How many underground lines does {S} have?",
                "How many lines does the underground of {S} have?",
            ],
        ),
        (
            "architect",
            [
                "Who designed the town hall of {S}?",
                "Who was the architect of {S}'s town hall?",
                "Who built the town hall in {S}?",
            ],
        ),
        ("born", ["Who was born in {S}?", "Which painter was born in {S}?"]),
        ("museum", ["What is the best-known sight of {S}?"]),
        ("code", ["What is the postal code of {S}?", "postcode of {S}"]),
        ("cb", ["When was {church} built?", "In what year was {church} in {S} built?"]),
    ],
    weight=2.2,
)


def _nature(rng: Random) -> Values:
    climber, guide, explorer = _roles(rng, 3)
    name = word(rng)
    kind = rng.choice(("river", "river", "lake", "mountain", "mountain", "island"))
    return {"name": name, "nkind": kind, "climber": climber, "guide": guide, "explorer": explorer}


def _river(rng: Random) -> Values:
    v = _nature(rng)
    v.update(
        {
            "S": Subject(
                f"the {v['name']}{rng.choice(('', ' River'))}",
                ("the river", "the stream"),
                "it",
                "its",
            ),
            "length": number(rng, 40, 4200) + rng.choice((" kilometres", " km", " miles")),
            "source": rng.choice(
                (
                    f"the {word(rng)} Mountains",
                    f"Lake {word(rng)}",
                    f"the {word(rng)} Plateau",
                    f"Mount {word(rng)}",
                )
            ),
            "mouth": rng.choice(
                (
                    f"the {word(rng)} Sea",
                    f"Lake {word(rng)}",
                    f"the Gulf of {word(rng)}",
                    f"the {word(rng)} Ocean",
                )
            ),
            "trib": f"the {word(rng)}",
            "city": town(rng),
            "basin": number(rng, 500, 900000) + " square kilometres",
            "dam": f"the {word(rng)} Dam",
            "built": str(rng.randint(1910, 2012)),
            "width": f"{rng.randint(20, 900)} metres",
            "fish": rng.choice(("sturgeon", "salmon", "pike", "catfish", "eels", "trout")),
            "flood": str(rng.randint(1880, 2020)),
            "bridge": f"the {word(rng)} Bridge",
            "flow": f"{number(rng, 20, 9000)} cubic metres per second",
        }
    )
    return v


_RIVER = Domain(
    "river",
    _river,
    intro=[
        "{S} is a river [that flows into {mouth}|with a length of {length}|rising in {source}].",
        "{S} is [one of the longest rivers|the second-longest river|an important waterway] in the region.",
    ],
    facts=[
        "{S} is {length} long.",
        "It has a [total |]length of {length}.",
        "With a length of {length}, {S} is the longest in the province.",
        "{S} [rises|has its source|springs] in {source}.",
        "Its source is in {source}.",
        "{S} [flows|empties|drains|runs] into {mouth}.",
        "After many bends it flows into {mouth}.",
        "From {source} it flows [south|north|west|east] to {mouth}.",
        "Its [main|largest|most important] tributary is {trib}.",
        "{trib} joins it as its largest tributary.",
        "The largest city on its banks is {city}.",
        "It passes through {city}.",
        "Its basin covers {basin}.",
        "{dam}, completed in {built}, [regulates its flow|supplies electricity].",
        "At {city} the river is {width} wide.",
        "The river is known for its {fish}.",
        "The worst flood [occurred|struck] in {flood}.",
        "The only crossing is {bridge}.",
        "The mean discharge is {flow}.",
        "{explorer} was the first to [map|explore] its upper course.",
    ],
    fill=[
        *GENERAL_FILL,
        "Navigation is possible in summer only.",
        "The banks are lined with willows.",
        "Rafting is popular.",
        "Several rapids make navigation difficult.",
        "Its valley is densely wooded.",
    ],
    questions=[
        ("length", ["How long is {S}?", "What is the length of {S}?", "length of {S}"]),
        (
            "source",
            ["Where does {S} rise?", "What is the source of {S}?", "Where is the source of {S}?"],
        ),
        (
            "mouth",
            [
                "Into what does {S} flow?",
                "Where does {S} end?",
                "What is the mouth of {S}?",
                "Where does {S} flow into?",
            ],
        ),
        ("trib", ["What is the main tributary of {S}?", "Which tributary of {S} is the largest?"]),
        ("city", ["Which city lies on {S}?", "What is the largest city on {S}?"]),
        ("basin", ["How large is the basin of {S}?", "What area does the basin of {S} cover?"]),
        ("dam", ["Which dam stands on {S}?", "What is the dam on {S} called?"]),
        ("built", ["When was {dam} completed?", "In what year was {dam} finished?"]),
        ("width", ["How wide is {S} at {city}?"]),
        ("fish", ["Which fish is {S} known for?", "What fish live in {S}?"]),
        ("flood", ["When was the worst flood of {S}?"]),
        ("flow", ["What is the mean discharge of {S}?"]),
        (
            "explorer",
            ["Who first explored the upper course of {S}?", "Who was the first to explore {S}?"],
        ),
        ("bridge", ["Which bridge crosses {S}?"]),
    ],
    weight=1.1,
)


def _mountain(rng: Random) -> Values:
    v = _nature(rng)
    name = rng.choice(
        ("Mount {}", "{} Peak", "Pico {}", "{}horn", "the {}spitze", "Cerro {}")
    ).format(v["name"])
    year = rng.randint(1780, 1975)
    v.update(
        {
            "S": Subject(name, ("the mountain", "the peak"), "it", "its"),
            "height": number(rng, 900, 8000) + rng.choice((" metres", " m", " feet")),
            "range": f"the {word(rng)} {rng.choice(('Mountains', 'Range', 'Alps', 'Hills'))}",
            "ascent": date(rng, year, year),
            "second": str(year + rng.randint(2, 40)),
            "place": region(rng),
            "country": country(rng)[0],
            "erupt": str(rng.randint(1500, 2019)),
            "rock": rng.choice(
                ("granite", "limestone", "basalt", "sandstone", "gneiss", "marble", "schist")
            ),
            "hut": f"the {word(rng)} Hut",
            "route": rng.choice(
                ("the north face", "the south ridge", "the east couloir", "the west flank")
            ),
            "named": rng.choice(
                (
                    "a local saint",
                    "a surveyor",
                    "the shape of a saddle",
                    "an admiral",
                    "a goddess of thunder",
                )
            ),
            "glacier": f"the {word(rng)} Glacier",
        }
    )
    return v


_MOUNTAIN = Domain(
    "mountain",
    _mountain,
    intro=[
        "{S} is a [mountain|peak|summit] in {range}.",
        "{S} is the highest mountain of {range}.",
        "{S} is [a dormant|an extinct] volcano [in|on the border of] {country}.",
    ],
    facts=[
        "{S} is {height} high.",
        "It rises to [a height of |]{height}.",
        "At {height}, {S} is the highest point of the range.",
        "The summit, {height} above the sea, is covered with snow.",
        "{S} belongs to {range}.",
        "It stands in {range}.",
        "The first ascent was made [on {ascent.full}|in {ascent.y}|in {ascent.my}] by {climber}.",
        "{climber} was the first to [climb it|reach the top|reach the summit], in {ascent.y}.",
        "In {ascent.y} {climber} and the guide {guide} reached the summit for the first time.",
        "The second ascent followed in {second}.",
        "The last eruption was in {erupt}.",
        "It last erupted in {erupt}.",
        "The mountain consists [mainly |]of {rock}.",
        "It is made of {rock}.",
        "Climbers start from {hut}.",
        "The usual route leads over {route}.",
        "It is named after {named}.",
        "The name recalls {named}.",
        "{glacier} covers its northern side.",
        "{S} lies in {country}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The view from the top is famous.",
        "Several climbers have died on it.",
        "A cable car was planned but never built.",
        "Ibex live on the lower slopes.",
        "The weather changes quickly.",
    ],
    questions=[
        (
            "height",
            [
                "How high is {S}?",
                "What is the height of {S}?",
                "How tall is {S}?",
                "height of {S}",
                "What is the elevation of {S}?",
            ],
        ),
        (
            "range",
            [
                "In which range is {S}?",
                "To which mountains does {S} belong?",
                "What mountain range is {S} part of?",
            ],
        ),
        (
            "climber",
            [
                "Who first climbed {S}?",
                "Who made the first ascent of {S}?",
                "By whom was {S} first climbed?",
                "Who was the first to reach the summit of {S}?",
                "first ascent of {S} by whom",
            ],
        ),
        ("ascent", ["When was {S} first climbed?", "When was the first ascent of {S}?"]),
        (
            "ascent@year",
            ["In what year was {S} first climbed?", "In which year did {climber} climb {S}?"],
        ),
        ("guide", ["Which guide took part in the first ascent of {S}?"]),
        ("erupt", ["When did {S} last erupt?", "When was the last eruption of {S}?"]),
        ("rock", ["What is {S} made of?", "Of what rock does {S} consist?"]),
        ("hut", ["From where do climbers of {S} start?"]),
        ("route", ["What is the usual route up {S}?"]),
        ("named", ["What is {S} named after?", "After whom or what is {S} named?"]),
        ("glacier", ["Which glacier covers {S}?"]),
        ("country", ["In which country is {S}?", "Where is {S}?"]),
        ("second", ["When was the second ascent of {S}?"]),
    ],
    weight=1.0,
)

# ---------------------------------------------------------------- works
_THEMES = (
    "a village cut off by snow|two sisters who inherit a ferry|the last days of a lighthouse keeper|a stolen violin|"
    "a family of glassblowers|a doctor in a besieged town|a boy who collects maps|the building of a railway|"
    "a clerk who forges letters|a circus lost in the desert|a war between two islands|the trial of a beekeeper"
).split("|")


def _book(rng: Random) -> Values:
    author, translator, illustrator, hero, director = _roles(rng, 5)
    year = rng.randint(1830, 2022)
    title = work_title(rng)
    return {
        "S": Subject(title, ("the book", "the novel", "the work"), "it", "its"),
        "author": author,
        "translator": translator,
        "illustrator": illustrator,
        "hero": hero,
        "director": director,
        "year": str(year),
        "publisher": f"{word(rng)} {rng.choice(('Press', 'Books', 'Verlag', 'Editions', 'House'))}",
        "theme": rng.choice(_THEMES),
        "set": town(rng),
        "pages": f"{rng.randint(90, 1100)} pages",
        "lang": word(rng) + "ish",
        "film": str(min(year + rng.randint(2, 40), 2023)),
        "sold": f"{rng.randint(2, 90)},000",
        "genre": rng.choice(
            (
                "novel",
                "historical novel",
                "crime novel",
                "collection of short stories",
                "children's book",
                "science fiction novel",
                "memoir",
                "epic poem",
                "play",
            )
        ),
        "sequel": work_title(rng),
        "prize": f"the {word(rng)} Prize",
        "languages": str(rng.randint(3, 48)),
        "nth": rng.choice(("first", "second", "third", "fourth", "fifth", "last")),
        "dedicatee": rng.choice(
            (
                "her mother",
                "his brother",
                "a school friend",
                "the people of the valley",
                "an unknown soldier",
            )
        ),
    }


_BOOK = Domain(
    "work",
    _book,
    intro=[
        "{S} is a {genre} by {author}.",
        "{S} is a {genre} [published|first published] in {year}.",
        "{S} is a {genre} written by {author} and published in {year}.",
        "{S} is the {nth} {genre} of the writer {author}.",
    ],
    facts=[
        "{S} was written by {author}.",
        "{author} wrote {S} [in {year}|while living abroad|in only six weeks].",
        "Its author is {author}.",
        "The author, {author}, [worked on it for years|never saw it in print].",
        "It was [first |]published in {year} by {publisher}.",
        "{publisher} [published|brought out] the book in {year}.",
        "It [came out|appeared] in {year}.",
        "The publisher was {publisher}.",
        "{S} [tells the story of|is about|deals with|describes] {theme}.",
        "The plot concerns {theme}.",
        "The [story|action] is set in {set}.",
        "It takes place in {set}.",
        "The [main character|hero|protagonist] is {hero}.",
        "The story follows {hero}, the main character.",
        "It was translated [into English |]by {translator}.",
        "The English translation is by {translator}.",
        "The drawings are by {illustrator}.",
        "It was illustrated by {illustrator}.",
        "The book was written in {lang}.",
        "It has {pages}.",
        "A film version directed by {director} followed in {film}.",
        "{director} turned it into a film in {film}.",
        "{S} sold {sold} copies in its first year.",
        "A sequel, {sequel}, appeared later.",
        "It won {prize}.",
        "The book was awarded {prize}.",
        "It has been translated into {languages} languages.",
        "The book is dedicated to {dedicatee}.",
    ],
    fill=[
        *GENERAL_FILL,
        "Critics praised its style.",
        "The first reviews were poor.",
        "It is read in many schools.",
        "The manuscript is kept in the national library.",
        "Several passages were cut by the censor.",
    ],
    questions=[
        (
            "author",
            [
                "Who wrote {S}?",
                "Who is the author of {S}?",
                "author of {S}",
                "By whom was {S} written?",
                "Whose work is {S}?",
                "Who is {S} by?",
                "Name the author of {S}.",
                "Which writer wrote {S}?",
                "{S} was written by whom?",
            ],
        ),
        (
            "year",
            [
                "When was {S} published?",
                "In what year was {S} published?",
                "When did {S} come out?",
                "When did {S} appear?",
                "publication year of {S}",
            ],
        ),
        (
            "publisher",
            ["Who published {S}?", "Which publisher brought out {S}?", "publisher of {S}"],
        ),
        (
            "theme",
            ["What is {S} about?", "What does {S} tell of?", "What is the plot of {S} about?"],
        ),
        ("set", ["Where is {S} set?", "Where does {S} take place?", "In which town is {S} set?"]),
        (
            "hero",
            [
                "Who is the main character of {S}?",
                "Who is the hero of {S}?",
                "What is the name of the protagonist of {S}?",
            ],
        ),
        ("translator", ["Who translated {S}?", "By whom was {S} translated?"]),
        ("illustrator", ["Who illustrated {S}?", "Who made the drawings for {S}?"]),
        ("lang", ["In which language was {S} written?", "What language was {S} written in?"]),
        ("pages", ["How many pages does {S} have?", "How long is {S}?"]),
        ("director", ["Who directed the film of {S}?", "Who made {S} into a film?"]),
        ("film", ["When was {S} made into a film?"]),
        ("sold", ["How many copies of {S} were sold?"]),
        ("sequel", ["What is the sequel of {S} called?"]),
        ("prize", ["Which prize did {S} win?", "What award did {S} receive?"]),
        ("languages", ["Into how many languages has {S} been translated?"]),
        ("genre", ["What kind of book is {S}?", "What genre is {S}?"]),
        ("dedicatee", ["To whom is {S} dedicated?"]),
    ],
    weight=1.7,
)


def _film(rng: Random) -> Values:
    director, actor, actress, composer, writer, producer = _roles(rng, 6)
    year = rng.randint(1925, 2023)
    return {
        "S": Subject(work_title(rng), ("the film", "the picture", "the movie"), "it", "its"),
        "director": director,
        "actor": actor,
        "actress": actress,
        "composer": composer,
        "writer": writer,
        "producer": producer,
        "year": str(year),
        "genre": rng.choice(
            (
                "drama",
                "comedy",
                "thriller",
                "western",
                "musical",
                "documentary",
                "horror film",
                "science fiction film",
                "war film",
                "animated film",
            )
        ),
        "length": f"{rng.randint(62, 240)} minutes",
        "budget": rng.choice(("$", "€", "£")) + f"{rng.randint(1, 200)} million",
        "gross": "$" + f"{rng.randint(201, 900)} million",
        "shot": town(rng),
        "studio": f"{word(rng)} {rng.choice(('Pictures', 'Films', 'Studios'))}",
        "theme": rng.choice(_THEMES),
        "premiere": f"the {town(rng)} Film Festival",
        "role": rng.choice(
            (
                "a retired sailor",
                "a young judge",
                "a blind pianist",
                "a smuggler",
                "a nun",
                "a taxi driver",
                "a chess champion",
            )
        ),
        "awards": rng.choice(("two", "three", "four", "five", "six", "seven", "eleven")),
        "country": country(rng)[1],
    }


_FILM = Domain(
    "film",
    _film,
    intro=[
        "{S} is a {year} {country} {genre} [directed|made] by {director}.",
        "{S} is a {genre} directed by {director}.",
        "{S} is a {genre} [released in|of|from] {year}.",
        "{S} is a {country} {genre} about {theme}.",
    ],
    facts=[
        "It was directed by {director}.",
        "{director} [directed|shot|made] {S}[| in {year}].",
        "The director was {director}.",
        "The film was released in {year}.",
        "It [opened|came to cinemas|had its first showing] in {year}.",
        "It stars {actor}[| as {role}].",
        "The [leading|main|title] role is played by {actor}.",
        "{actor} plays {role}.",
        "{actress} appears in a supporting role.",
        "The supporting role went to {actress}.",
        "The [score|music] was [composed|written] by {composer}.",
        "{composer} wrote the music.",
        "The [screenplay|script] is by {writer}.",
        "{writer} wrote the screenplay.",
        "It was produced by {producer} [for|at] {studio}.",
        "The producer was {producer}.",
        "{S} runs for {length}.",
        "The running time is {length}.",
        "The film cost {budget} and [earned|grossed|took in] {gross}.",
        "The budget was {budget}.",
        "It [grossed|earned] {gross} worldwide.",
        "It was [filmed|shot] in {shot}.",
        "Filming took place in {shot}.",
        "The premiere was at {premiere}.",
        "{S} [won|received] {awards} awards.",
        "The film tells of {theme}.",
    ],
    fill=[
        *GENERAL_FILL,
        "It was restored recently.",
        "Critics were divided.",
        "The costumes were much admired.",
        "A remake has been announced.",
        "It was banned for some years.",
    ],
    questions=[
        (
            "director",
            [
                "Who directed {S}?",
                "Who is the director of {S}?",
                "director of {S}",
                "By whom was {S} directed?",
                "Who made {S}?",
                "Which director made the film {S}?",
            ],
        ),
        (
            "year",
            [
                "When was {S} released?",
                "In what year did {S} come out?",
                "What year is the film {S} from?",
                "When did {S} open?",
            ],
        ),
        (
            "actor",
            [
                "Who stars in {S}?",
                "Who plays the leading role in {S}?",
                "Who plays {role} in {S}?",
                "Who had the main role in {S}?",
            ],
        ),
        ("role", ["What role does {actor} play in {S}?", "Whom does {actor} play in {S}?"]),
        ("actress", ["Who has a supporting role in {S}?"]),
        (
            "composer",
            ["Who wrote the music for {S}?", "Who composed the score of {S}?", "composer of {S}"],
        ),
        ("writer", ["Who wrote the screenplay of {S}?", "Who wrote the script for {S}?"]),
        ("producer", ["Who produced {S}?", "Who was the producer of {S}?"]),
        (
            "length",
            [
                "How long is {S}?",
                "What is the running time of {S}?",
                "How many minutes does {S} last?",
            ],
        ),
        ("budget", ["How much did {S} cost?", "What was the budget of {S}?"]),
        ("gross", ["How much did {S} earn?", "How much money did {S} gross?"]),
        ("shot", ["Where was {S} filmed?", "Where was {S} shot?"]),
        ("premiere", ["Where was the premiere of {S}?", "Where was {S} first shown?"]),
        ("awards", ["How many awards did {S} win?"]),
        ("theme", ["What is {S} about?"]),
        ("genre", ["What genre is {S}?"]),
        ("studio", ["Which studio made {S}?"]),
        ("country", ["What nationality is the film {S}?"]),
    ],
    weight=1.2,
)


def _art(rng: Random) -> Values:
    painter, owner, _composer, patron = _roles(rng, 4)
    year = rng.randint(1480, 1990)
    return {
        "S": Subject(work_title(rng), ("the work", "the piece"), "it", "its"),
        "painter": painter,
        "owner": owner,
        "patron": patron,
        "year": str(year),
        "museum": f"the {word(rng)} {rng.choice(('Gallery', 'Museum', 'Collection'))}",
        "medium": rng.choice(
            (
                "oil on canvas",
                "oil on wood",
                "tempera on panel",
                "watercolour on paper",
                "fresco",
                "pastel",
            )
        ),
        "size": f"{rng.randint(20, 300)} by {rng.randint(20, 300)} centimetres",
        "shows": rng.choice(
            (
                "a harbour at dusk",
                "a woman reading a letter",
                "a battle on a frozen lake",
                "three musicians",
                "a bowl of pears",
                "a shipwreck",
                "a market scene",
                "a child with a bird",
            )
        ),
        "price": rng.choice(("$", "€", "£")) + f"{rng.randint(2, 120)} million",
        "sold": str(rng.randint(1985, 2023)),
        "stolen": str(rng.randint(1911, 2010)),
        "style": rng.choice(
            ("baroque", "impressionist", "cubist", "romantic", "realist", "mannerist")
        ),
    }


_ART = Domain(
    "painting",
    _art,
    intro=[
        "{S} is a painting by {painter}.",
        "{S} is a {style} painting from {year}.",
        "{S} is a painting that shows {shows}.",
    ],
    facts=[
        "{S} was painted by {painter}[| in {year}].",
        "{painter} painted it in {year}.",
        "The painter, {painter}, finished it in {year}.",
        "It [shows|depicts] {shows}.",
        "It is {medium}.",
        "The technique is {medium}.",
        "It measures {size}.",
        "It [hangs|is kept|can be seen] in {museum}.",
        "Since {sold} it has belonged to {museum}.",
        "It was sold for {price} in {sold}.",
        "At an auction it fetched {price}.",
        "It was commissioned by {patron}.",
        "{patron} ordered the picture.",
        "It was stolen in {stolen} and found two years later.",
        "An earlier owner was {owner}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The frame is original.",
        "Copies exist in several collections.",
        "It was cleaned some years ago.",
        "The background was painted over.",
    ],
    questions=[
        (
            "painter",
            [
                "Who painted {S}?",
                "By whom is the painting {S}?",
                "painter of {S}",
                "Which artist painted {S}?",
                "Who is the painter of {S}?",
            ],
        ),
        ("year", ["When was {S} painted?", "In what year was {S} painted?"]),
        ("shows", ["What does {S} show?", "What does {S} depict?", "What can be seen in {S}?"]),
        ("medium", ["What is the technique of {S}?", "In what medium is {S}?"]),
        ("size", ["How large is {S}?", "What size is {S}?"]),
        ("museum", ["Where is {S} kept?", "In which museum is {S}?", "Where can {S} be seen?"]),
        (
            "price",
            [
                "For how much was {S} sold?",
                "How much did {S} fetch?",
                "What price was paid for {S}?",
            ],
        ),
        ("sold", ["When was {S} sold?"]),
        ("patron", ["Who commissioned {S}?", "For whom was {S} painted?"]),
        ("stolen", ["When was {S} stolen?"]),
        ("owner", ["Who was an earlier owner of {S}?"]),
        ("style", ["What style is {S}?"]),
    ],
    weight=0.7,
)


def _music(rng: Random) -> Values:
    singer, writer, producer, member, drummer = _roles(rng, 5)
    band = rng.choice(
        (f"The {word(rng)}s", f"{word(rng)} Quartet", f"the {word(rng)} Brothers", singer.full)
    )
    return {
        "S": Subject(work_title(rng), ("the song", "the record", "the piece"), "it", "its"),
        "band": band,
        "writer": writer,
        "producer": producer,
        "year": date(rng, 1955, 2023),
        "label": f"{word(rng)} Records",
        "album": work_title(rng),
        "peak": rng.choice(("one", "two", "three", "five", "eight", "12", "17")),
        "weeks": rng.choice(("six", "nine", "14", "22")),
        "studio": f"{word(rng)} Studios",
        "city": town(rng),
        "length": f"{rng.randint(2, 9)}:{rng.randint(10, 59)}",
        "sold": f"{rng.randint(2, 30)} million",
        "member": member,
        "drummer": drummer,
        "instr": rng.choice(("cello", "harp", "trumpet", "banjo", "organ")),
    }


_MUSIC = Domain(
    "music",
    _music,
    intro=[
        "{S} is a song by {band}.",
        "{S} is a song [recorded|released] in {year.y}.",
        "{S} is a song from the album {album}.",
    ],
    facts=[
        "{S} was recorded by {band}[| in {year.y}].",
        "{band} recorded the song for the album {album}.",
        "It was written by {writer}.",
        "{writer} wrote words and music.",
        "The producer was {producer}.",
        "It was produced by {producer}.",
        "The song was released on {year.full} by {label}.",
        "{label} [released|issued] it in {year.my}.",
        "It reached number {peak} [in the charts|on the hit list].",
        "It stayed in the charts for {weeks} weeks.",
        "It was recorded at {studio} in {city}.",
        "Recording took place at {studio}.",
        "The song lasts {length}.",
        "It sold {sold} copies.",
        "{drummer} played the drums.",
        "On the recording, {member} plays the {instr}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The video was filmed on a beach.",
        "Many artists have covered it.",
        "The chorus is in a minor key.",
    ],
    questions=[
        (
            "band",
            [
                "Who recorded {S}?",
                "Who sings {S}?",
                "Which artist recorded {S}?",
                "Who is the song {S} by?",
            ],
        ),
        ("writer", ["Who wrote the song {S}?", "Who wrote {S}?", "songwriter of {S}"]),
        ("producer", ["Who produced {S}?"]),
        ("year", ["When was {S} released?", "When did the song {S} come out?"]),
        ("year@year", ["In what year was {S} released?"]),
        ("label", ["Which label released {S}?", "On what label was {S} issued?"]),
        ("album", ["From which album is {S}?", "On what album is {S}?"]),
        ("peak", ["What position did {S} reach in the charts?", "What number did {S} reach?"]),
        ("weeks", ["How many weeks was {S} in the charts?"]),
        ("studio", ["Where was {S} recorded?"]),
        ("length", ["How long is the song {S}?"]),
        ("sold", ["How many copies did {S} sell?"]),
        ("drummer", ["Who played the drums on {S}?"]),
        ("member", ["Who plays the {instr} on {S}?"]),
        ("instr", ["Which instrument does {member} play on {S}?"]),
    ],
    weight=0.8,
)


# ---------------------------------------------------------------- sciences
def _element(rng: Random) -> Values:
    finder, namer, other = _roles(rng, 3)
    name = word(rng).lower() + rng.choice(("ium", "ite", "ine", "ol", "on"))
    kind = "mineral" if name.endswith("ite") else "substance"
    uses = rng.sample(
        (
            "in batteries",
            "in surgical instruments",
            "as a food colouring",
            "in the making of glass",
            "as a fertiliser",
            "in fireworks",
            "as a coolant",
            "in cancer treatment",
            "in jewellery",
            "as a pesticide",
        ),
        2,
    )
    return {
        "S": Subject(name, (f"the {kind}",), "it", "its"),
        "finder": finder,
        "namer": namer,
        "other": other,
        "year": str(rng.randint(1740, 2005)),
        "symbol": name[:1].upper() + rng.choice("abcdegklmnrstuvx"),
        "number": str(rng.randint(3, 140)),
        "melt": f"{number(rng, -200, 3400)} °C".replace("-", "−"),
        "boil": f"{number(rng, 3500, 5900)} °C",
        "half": f"{rng.randint(2, 950)} {rng.choice(('years', 'days', 'hours', 'minutes', 'seconds', 'million years'))}",
        "density": f"{rng.randint(1, 22)}.{rng.randint(10, 99)} g/cm³",
        "color": rng.choice(
            (
                "silvery white",
                "pale yellow",
                "deep blue",
                "black",
                "greenish",
                "reddish brown",
                "colourless",
            )
        ),
        "use": uses[0],
        "use2": uses[1],
        "place": region(rng),
        "named": rng.choice(
            (
                "the Greek word for smoke",
                "a Roman god",
                "the village where it was found",
                "a queen",
                "the Latin word for stone",
                "a comet",
            )
        ),
        "hard": f"{rng.randint(1, 9)}.5",
        "mass": f"{rng.randint(6, 290)}.{rng.randint(1, 99)}",
        "family": rng.choice(
            (
                "the alkali metals",
                "the noble gases",
                "the halogens",
                "the transition metals",
                "the lanthanides",
            )
        ),
    }


_ELEMENT = Domain(
    "science",
    _element,
    intro=[
        "{S} is a chemical element with the symbol {symbol} and atomic number {number}.",
        "{S} is a {color} [metal|solid|mineral|substance].",
        "{S} is a [rare|common|toxic|radioactive] substance [discovered|first isolated] in {year}.",
    ],
    facts=[
        "{S} was discovered in {year} by {finder}.",
        "{finder} [discovered|first isolated|identified] {S} in {year}[|, while {other} doubted its existence].",
        "It was {finder} who discovered it.",
        "Its [chemical |]symbol is {symbol}.",
        "It has the symbol {symbol}.",
        "Its atomic number is {number}.",
        "{S} melts at {melt}[| and boils at {boil}].",
        "The melting point is {melt}.",
        "Its boiling point is {boil}.",
        "Its most stable isotope has a half-life of {half}.",
        "The half-life is {half}.",
        "Its density is {density}.",
        "In pure form it is {color}.",
        "{S} is used {use}[| and {use2}].",
        "Today it is mostly used {use}.",
        "The largest deposits are in {place}.",
        "It is mined in {place}.",
        "It is named after {named}.",
        "The name, proposed by {namer}, comes from {named}.",
        "Its atomic mass is {mass}.",
        "{S} belongs to {family}.",
        "On the Mohs scale its hardness is {hard}.",
    ],
    fill=[
        *GENERAL_FILL,
        "It reacts slowly with water.",
        "Its dust is harmful to the lungs.",
        "Prices have risen sharply.",
        "It must be stored under oil.",
    ],
    questions=[
        (
            "finder",
            [
                "Who discovered {S}?",
                "By whom was {S} discovered?",
                "discoverer of {S}",
                "Who first isolated {S}?",
            ],
        ),
        ("year", ["When was {S} discovered?", "In what year was {S} discovered?"]),
        ("symbol", ["What is the symbol of {S}?", "What is the chemical symbol for {S}?"]),
        ("number", ["What is the atomic number of {S}?", "atomic number of {S}"]),
        ("melt", ["What is the melting point of {S}?", "At what temperature does {S} melt?"]),
        ("boil", ["What is the boiling point of {S}?", "At what temperature does {S} boil?"]),
        ("half", ["What is the half-life of {S}?", "How long is the half-life of {S}?"]),
        ("density", ["What is the density of {S}?", "How dense is {S}?"]),
        ("color", ["What colour is {S}?", "What is the color of {S}?"]),
        ("use", ["What is {S} used for?", "How is {S} used?"]),
        ("place", ["Where is {S} mined?", "Where are the largest deposits of {S}?"]),
        ("named", ["What is {S} named after?", "Where does the name {S} come from?"]),
        ("namer", ["Who named {S}?", "Who proposed the name {S}?"]),
        ("mass", ["What is the atomic mass of {S}?"]),
        ("family", ["To which group does {S} belong?"]),
        ("hard", ["How hard is {S}?", "What is the hardness of {S}?"]),
    ],
    weight=1.2,
)


def _species(rng: Random) -> Values:
    finder, namer = _roles(rng, 2)
    animal = rng.choice(
        (
            "frog",
            "beetle",
            "finch",
            "orchid",
            "bat",
            "lizard",
            "moth",
            "fern",
            "snail",
            "shrew",
            "crab",
            "parrot",
            "oak",
            "spider",
            "duck",
            "antelope",
        )
    )
    name = (
        f"the {word(rng)} {animal}"
        if rng.random() < 0.6
        else f"the {rng.choice(('spotted', 'dwarf', 'golden', 'long-tailed', 'mountain', 'black-faced', 'giant', 'striped'))} {animal}"
    )
    plant = animal in ("orchid", "fern", "oak")
    return {
        "S": Subject(name, ("the species", "the plant" if plant else "the animal"), "it", "its"),
        "finder": finder,
        "namer": namer,
        "year": str(rng.randint(1758, 2021)),
        "length": f"{rng.randint(2, 180)} {rng.choice(('centimetres', 'cm', 'millimetres', 'mm'))}",
        "weight": f"{rng.randint(3, 900)} {rng.choice(('grams', 'g', 'kilograms', 'kg'))}",
        "home": rng.choice(
            (
                f"the forests of {region(rng)}",
                f"the island of {word(rng)}",
                f"the highlands of {region(rng)}",
                f"the swamps of {region(rng)}",
                f"Lake {word(rng)}",
            )
        ),
        "food": rng.choice(
            (
                "ants and termites",
                "fruit",
                "small fish",
                "grass seeds",
                "snails",
                "nectar",
                "fallen leaves",
                "earthworms",
            )
        )
        if not plant
        else "decaying wood",
        "eggs": rng.choice(("two", "three", "four", "five to seven", "about 40", "up to 200")),
        "life": f"{rng.randint(2, 80)} years",
        "threat": rng.choice(
            (
                "the loss of its habitat",
                "hunting",
                "introduced rats",
                "a fungal disease",
                "climate change",
                "illegal trade",
                "pesticides",
            )
        ),
        "latin": word(rng)
        + "us "
        + rng.choice(
            ("minor", "vulgaris", "montanus", "elegans", "insularis", "borealis", "nobilis")
        ),
        "count": number(rng, 40, 90000),
        "status": rng.choice(
            (
                "endangered",
                "critically endangered",
                "vulnerable",
                "of least concern",
                "near threatened",
            )
        ),
        "family": rng.choice(("a large family", "the passerines", "the weevils", "the composites")),
        "colour": rng.choice(
            ("bright green", "dull brown", "grey with white stripes", "yellow", "blue-black")
        ),
    }


_SPECIES = Domain(
    "species",
    _species,
    intro=[
        "{S} ({latin}) is found in {home}.",
        "{S} is a [rare|common|little-known] species.",
        "{S} is a species [first described|described] in {year} by {namer}.",
    ],
    facts=[
        "{S} was [discovered|first described|first collected] in {year} by {finder}.",
        "{finder} [discovered|found|first described] it in {year}.",
        "Its scientific name is {latin}.",
        "{S} lives in {home}.",
        "It is found only in {home}.",
        "It grows to a length of {length}.",
        "Adults are {length} long[| and weigh {weight}].",
        "It weighs {weight}.",
        "It feeds [mainly |]on {food}.",
        "Its diet consists of {food}.",
        "The female lays {eggs} eggs.",
        "It lives for up to {life}.",
        "The main threat is {threat}.",
        "It is threatened by {threat}.",
        "About {count} individuals are left.",
        "The population is estimated at {count}.",
        "It is classified as {status}.",
        "Its colour is {colour}.",
    ],
    fill=[
        *GENERAL_FILL,
        "It is active at night.",
        "The call is a short whistle.",
        "Males and females look alike.",
        "It is protected by law.",
    ],
    questions=[
        (
            "finder",
            ["Who discovered {S}?", "Who first described {S}?", "By whom was {S} discovered?"],
        ),
        ("year", ["When was {S} discovered?", "In what year was {S} described?"]),
        ("latin", ["What is the scientific name of {S}?", "What is the Latin name of {S}?"]),
        ("home", ["Where does {S} live?", "Where is {S} found?", "What is the habitat of {S}?"]),
        ("length", ["How long is {S}?", "How large does {S} grow?", "How long does {S} get?"]),
        ("weight", ["How much does {S} weigh?", "What is the weight of {S}?"]),
        ("food", ["What does {S} eat?", "What does {S} feed on?", "diet of {S}"]),
        ("eggs", ["How many eggs does {S} lay?"]),
        ("life", ["How long does {S} live?", "How old can {S} get?"]),
        (
            "threat",
            ["What threatens {S}?", "Why is {S} threatened?", "What is the main threat to {S}?"],
        ),
        ("count", ["How many individuals of {S} are left?", "What is the population of {S}?"]),
        ("status", ["What is the conservation status of {S}?"]),
        ("colour", ["What colour is {S}?"]),
    ],
    weight=0.9,
)


def _planet(rng: Random) -> Values:
    finder, namer = _roles(rng, 2)
    kind = rng.choice(("planet", "moon", "comet", "asteroid", "star"))
    name = f"{word(rng)}{rng.choice(('', '', ' b', '-' + str(rng.randint(2, 900))))}"
    return {
        "S": Subject(name, (f"the {kind}", "the body"), "it", "its"),
        "finder": finder,
        "namer": namer,
        "kind": kind,
        "year": date(rng, 1690, 2022),
        "diam": number(rng, 4, 140000) + " kilometres",
        "period": f"{rng.randint(2, 900)} {rng.choice(('days', 'years', 'hours'))}",
        "dist": f"{rng.randint(2, 900)} light-years",
        "mag": f"{rng.randint(1, 18)}.{rng.randint(1, 9)}",
        "const": rng.choice(
            ("Lyra", "Cygnus", "Orion", "Draco", "Aquila", "Perseus", "Hydra", "Carina", "Vela")
        ),
        "temp": f"{rng.randint(20, 900)} °C",
        "moons": rng.choice(("two", "three", "five", "eight", "17")),
        "named": rng.choice(
            (
                "a sea god",
                "the astronomer's wife",
                "a Norse giant",
                "a figure in a tale",
                "a mountain",
            )
        ),
        "obs": f"the {word(rng)} Observatory",
        "probe": word(rng) + " " + rng.choice(("1", "2", "3", "4")),
        "gas": rng.choice(("methane", "carbon dioxide", "nitrogen", "hydrogen", "helium")),
    }


_PLANET = Domain(
    "astronomy",
    _planet,
    intro=[
        "{S} is a {kind} in the constellation {const}.",
        "{S} is a {kind} discovered in {year.y}.",
        "{S} is a {kind} with a diameter of {diam}.",
    ],
    facts=[
        "{S} was discovered by {finder} on {year.full}.",
        "{finder} [discovered|first saw] {S} in {year.y}[| at {obs}].",
        "It was discovered in {year.y} by {finder}.",
        "It has a diameter of {diam}.",
        "Its diameter is {diam}.",
        "It takes {period} to complete one orbit.",
        "The orbital period is {period}.",
        "It lies {dist} from Earth.",
        "{S} is {dist} away.",
        "Its surface temperature is {temp}.",
        "It has {moons} known companions.",
        "It is named after {named}.",
        "The name was chosen by {namer}.",
        "The probe {probe} flew past it.",
        "Its atmosphere consists [mainly |]of {gas}.",
        "Its apparent magnitude is {mag}.",
    ],
    fill=[
        *GENERAL_FILL,
        "It can be seen with a small telescope.",
        "Its orbit is very elongated.",
        "No signs of water have been found.",
    ],
    questions=[
        ("finder", ["Who discovered {S}?", "By whom was {S} discovered?", "discoverer of {S}"]),
        ("year", ["When was {S} discovered?", "When did {finder} discover {S}?"]),
        ("year@year", ["In what year was {S} discovered?"]),
        ("diam", ["What is the diameter of {S}?", "How large is {S}?"]),
        ("period", ["What is the orbital period of {S}?", "How long does {S} take for one orbit?"]),
        ("dist", ["How far away is {S}?", "How far is {S} from Earth?"]),
        ("temp", ["How hot is {S}?", "What is the surface temperature of {S}?"]),
        ("moons", ["How many companions does {S} have?"]),
        ("named", ["What is {S} named after?"]),
        ("namer", ["Who named {S}?", "Who chose the name of {S}?"]),
        ("probe", ["Which probe flew past {S}?"]),
        ("gas", ["What does the atmosphere of {S} consist of?"]),
        ("obs", ["Where was {S} discovered?"]),
        ("const", ["In which constellation is {S}?"]),
        ("mag", ["What is the magnitude of {S}?"]),
    ],
    weight=0.7,
)


def _invention(rng: Random) -> Values:
    inventor, rival, partner, backer = _roles(rng, 4)
    thing = rng.choice(
        (
            "lamp",
            "pump",
            "loom",
            "plough",
            "camera",
            "valve",
            "engine",
            "lock",
            "press",
            "brake",
            "filter",
            "compass",
            "telegraph",
            "bearing",
            "stove",
            "turbine",
            "code",
            "algorithm",
            "process",
            "test",
        )
    )
    name = rng.choice(
        (
            f"the {word(rng)} {thing}",
            f"the {rng.choice(('double', 'rotary', 'folding', 'silent', 'automatic', 'portable', 'floating', 'magnetic'))} {thing}",
        )
    )
    return {
        "S": Subject(name, ("the device", "the invention"), "it", "its"),
        "inventor": inventor,
        "rival": rival,
        "partner": partner,
        "backer": backer,
        "year": str(rng.randint(1700, 2015)),
        "patent": str(rng.randint(1800, 2018)),
        "city": town(rng),
        "purpose": rng.choice(
            (
                "to drain flooded mines",
                "to keep milk fresh",
                "to measure the depth of wells",
                "to protect bridges from lightning",
                "to sort letters",
                "to dry grain quickly",
                "to detect gas leaks",
                "to steer boats in fog",
                "to print on cloth",
                "to purify drinking water",
            )
        ),
        "material": rng.choice(
            (
                "brass",
                "cast iron",
                "hardened steel",
                "bamboo",
                "aluminium",
                "glass and copper",
                "porcelain",
                "rubber",
                "carbon fibre",
            )
        ),
        "parts": rng.choice(
            (
                "a cylinder and two pistons",
                "a coil and a magnet",
                "three gears and a spring",
                "a lens and a mirror",
                "a drum and a belt",
            )
        ),
        "power": rng.choice(
            (
                "steam",
                "a hand crank",
                "a small battery",
                "compressed air",
                "sunlight",
                "running water",
            )
        ),
        "sold": number(rng, 100, 90000),
        "first": rng.choice(
            (
                "a brewery",
                "the navy",
                "a railway company",
                "a hospital",
                "a salt mine",
                "the post office",
            )
        ),
        "named": rng.choice(
            (
                "the inventor's sister",
                "the town where it was built",
                "a sea bird",
                "the sound it makes",
            )
        ),
        "cost": rng.choice(("$", "£")) + str(rng.randint(3, 900)),
    }


_INVENTION = Domain(
    "invention",
    _invention,
    intro=[
        "{S} is a device used {purpose}.",
        "{S} is an invention of {inventor}.",
        "{S} was invented in {year}.",
    ],
    facts=[
        "{S} was [invented|devised|developed] in {year} by {inventor}.",
        "{inventor} [invented|developed|devised|built] {S} in {year}.",
        "It was [invented|first built] by {inventor} [in|at] {city}.",
        "A patent was granted in {patent}.",
        "{inventor.last} [received|obtained] a patent for it in {patent}.",
        "It [serves|is used] {purpose}.",
        "Its purpose is {purpose}.",
        "It is made [mainly |]of {material}.",
        "The [case|body] is made of {material}.",
        "It consists of {parts}.",
        "The device is driven by {power}.",
        "It runs on {power}.",
        "{sold} were sold in the first year.",
        "The first customer was {first}.",
        "It was first used by {first}.",
        "It is named after {named}.",
        "{rival} claimed to have had the same idea earlier.",
        "The money for the work came from {backer}.",
        "A single unit cost {cost}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The first model did not work.",
        "An example is shown in a museum of technology.",
        "It was soon copied abroad.",
        "Later versions were smaller.",
    ],
    questions=[
        (
            "inventor",
            [
                "Who invented {S}?",
                "Who is the inventor of {S}?",
                "By whom was {S} invented?",
                "inventor of {S}",
                "Who developed {S}?",
            ],
        ),
        (
            "year",
            [
                "When was {S} invented?",
                "In what year was {S} invented?",
                "In which year was {S} developed?",
            ],
        ),
        ("patent", ["When was {S} patented?", "In what year was the patent for {S} granted?"]),
        ("city", ["Where was {S} first built?"]),
        ("purpose", ["What is {S} used for?", "What is the purpose of {S}?", "Why was {S} made?"]),
        ("material", ["What is {S} made of?", "Of what material is {S}?"]),
        ("parts", ["What does {S} consist of?", "Which parts does {S} have?"]),
        ("power", ["What drives {S}?", "How is {S} powered?", "What does {S} run on?"]),
        ("sold", ["How many of {S} were sold in the first year?"]),
        ("first", ["Who first used {S}?", "Who was the first customer for {S}?"]),
        ("named", ["What is {S} named after?"]),
        ("rival", ["Who claimed to have had the idea of {S} earlier?"]),
        ("backer", ["Who paid for the work on {S}?"]),
        ("cost", ["How much did {S} cost?", "What was the price of {S}?"]),
    ],
    weight=0.9,
)


# ---------------------------------------------------------------- events
def _battle(rng: Random) -> Values:
    winner_gen, loser_gen, historian, _messenger = _roles(rng, 4)
    place = town(rng)
    a, b = country(rng)[0], country(rng)[0]
    return {
        "S": Subject(
            f"the {rng.choice(('Battle', 'Battle', 'Siege', 'Battle'))} of {place}",
            ("the battle", "the fighting"),
            "it",
            "its",
        ),
        "winner": a,
        "loser": b,
        "wg": winner_gen,
        "lg": loser_gen,
        "historian": historian,
        "date": date(rng, 1150, 1945),
        "place": region(rng),
        "war": f"the {word(rng)} War",
        "wn": number(rng, 800, 90000),
        "ln": number(rng, 800, 90000),
        "dead": number(rng, 200, 40000),
        "days": rng.choice(
            (
                "three days",
                "a single afternoon",
                "six weeks",
                "two days",
                "five months",
                "eleven hours",
            )
        ),
        "cause": rng.choice(
            (
                "a dispute over fishing rights",
                "the murder of an envoy",
                "a quarrel about the succession",
                "the closing of the straits",
                "a border raid",
                "the refusal to pay tribute",
            )
        ),
        "treaty": f"the Treaty of {town(rng)}",
        "river": f"the {word(rng)}",
    }


_BATTLE = Domain(
    "event",
    _battle,
    intro=[
        "{S} was fought [on {date.full}|in {date.y}|in {date.my}] between {winner} and {loser}.",
        "{S} was a battle of {war}.",
        "{S} [took place|was fought] near {river} in {place}.",
    ],
    facts=[
        "{S} [took place|was fought|occurred] on {date.full}.",
        "It was fought in {date.my} [near|in] {place}.",
        "{winner} [defeated|beat|overcame] {loser}.",
        "It ended in a victory for {winner}.",
        "The battle was won by {winner}, led by {wg}.",
        "{wg} commanded the troops of {winner}, {lg} those of {loser}.",
        "The army of {loser} was led by {lg}.",
        "The winning side was commanded by {wg}.",
        "{winner} had {wn} men, {loser} {ln}.",
        "About {dead} soldiers were killed.",
        "The dead numbered {dead}.",
        "It lasted {days}.",
        "The fighting went on for {days}.",
        "The cause was {cause}.",
        "It was caused by {cause}.",
        "The war had broken out over {cause}.",
        "{treaty} was signed soon afterwards.",
        "Peace was made by {treaty}.",
        "The battle was part of {war}.",
        "The site lies in {place}.",
        "{historian} wrote the best-known account.",
    ],
    fill=[
        *GENERAL_FILL,
        "Heavy rain had turned the field to mud.",
        "A monument marks the site.",
        "The cavalry arrived too late.",
        "Prisoners were exchanged in the spring.",
    ],
    questions=[
        (
            "date",
            [
                "When was {S}?",
                "When did {S} take place?",
                "When was {S} fought?",
                "On what date was {S}?",
                "date of {S}",
            ],
        ),
        ("date@year", ["In what year was {S}?", "In which year was {S} fought?"]),
        ("winner", ["Who won {S}?", "Which side won {S}?", "winner of {S}"]),
        ("loser", ["Who lost {S}?", "Which side was defeated in {S}?"]),
        (
            "wg",
            [
                "Who commanded the winning side in {S}?",
                "Who led the troops of {winner} in {S}?",
                "Who was the commander of {winner} at {S}?",
            ],
        ),
        (
            "lg",
            ["Who commanded the army of {loser} at {S}?", "Who led the forces of {loser} in {S}?"],
        ),
        (
            "place",
            ["Where was {S} fought?", "Where did {S} take place?", "In which region was {S}?"],
        ),
        ("war", ["Of which war was {S} a part?", "In which war was {S} fought?"]),
        ("dead", ["How many soldiers died in {S}?", "How many were killed in {S}?"]),
        ("days", ["How long did {S} last?"]),
        (
            "cause",
            [
                "What caused the war in which {S} was fought?",
                "What was the cause of {S}?",
                "What caused {S}?",
                "Why was {S} fought?",
            ],
        ),
        ("treaty", ["Which treaty followed {S}?", "What treaty ended the war after {S}?"]),
        ("historian", ["Who wrote the best-known account of {S}?"]),
        ("wn", ["How many men did {winner} have at {S}?"]),
        ("ln", ["How many men did {loser} have at {S}?"]),
    ],
    weight=1.3,
)


def _treaty(rng: Random) -> Values:
    a, b, c = _roles(rng, 3)
    x, y = country(rng)[0], country(rng)[0]
    place = town(rng)
    return {
        "S": Subject(
            f"the {rng.choice(('Treaty', 'Peace', 'Convention', 'Agreement', 'Pact'))} of {place}",
            ("the treaty", "the agreement"),
            "it",
            "its",
        ),
        "p1": x,
        "p2": y,
        "n1": a,
        "n2": b,
        "med": c,
        "date": date(rng, 1400, 2018),
        "terms": rng.choice(
            (
                "ceded three provinces",
                "opened its harbours to trade",
                "paid a large indemnity",
                "gave up its fleet",
                "recognised the new border",
            )
        ),
        "island": f"the island of {word(rng)}",
        "years": rng.choice(("ten", "twenty", "99", "five")),
        "articles": rng.choice(("twelve", "14", "23", "36", "seven")),
        "lang": word(rng) + "ish",
        "building": f"the {word(rng)} Palace",
        "force": date(rng, 1400, 2018),
        "ended": f"the {word(rng)} War",
    }


_TREATY = Domain(
    "treaty",
    _treaty,
    intro=[
        "{S} was [an agreement|a treaty] between {p1} and {p2}.",
        "{S}, signed on {date.full}, ended {ended}.",
        "{S} ended {ended}.",
    ],
    facts=[
        "{S} was [signed|concluded] on {date.full} [by|between] {p1} and {p2}.",
        "It was signed in {date.y} at {building}.",
        "It put an end to {ended}.",
        "{n1} signed for {p1}[|, {n2} for {p2}].",
        "The envoy of {p2} was {n2}.",
        "The talks were [led|mediated] by {med}.",
        "{med} acted as mediator.",
        "{p2} [received|obtained] {island}.",
        "Under its terms {p1} {terms}.",
        "It consists of {articles} articles.",
        "It was to last for {years} years.",
        "The text was written in {lang}.",
        "The signing took place at {building}.",
    ],
    fill=[
        *GENERAL_FILL,
        "The talks had lasted all winter.",
        "Both sides broke its terms.",
        "The original is lost.",
    ],
    questions=[
        (
            "date",
            ["When was {S} signed?", "When was {S} concluded?", "On what day was {S} signed?"],
        ),
        ("date@year", ["In what year was {S} signed?"]),
        ("ended", ["Which war did {S} end?", "What did {S} end?"]),
        ("n1", ["Who signed {S} for {p1}?", "Who was the envoy of {p1} at {S}?"]),
        ("n2", ["Who signed {S} for {p2}?", "Who was the envoy of {p2}?"]),
        ("med", ["Who mediated {S}?", "Who was the mediator of {S}?"]),
        ("island", ["What did {p2} receive by {S}?"]),
        ("articles", ["How many articles does {S} have?"]),
        ("years", ["For how many years was {S} to last?"]),
        ("lang", ["In which language was {S} written?"]),
        ("building", ["Where was {S} signed?"]),
    ],
    weight=0.5,
)


def _disaster(rng: Random) -> Values:
    a, b, c = _roles(rng, 3)
    kind = rng.choice(
        (
            "fire",
            "flood",
            "explosion",
            "collapse",
            "blackout",
            "derailment",
            "famine",
            "landslide",
            "oil spill",
            "epidemic",
        )
    )
    place = town(rng)
    year = rng.randint(1850, 2023)
    causes = rng.sample(
        (
            "a faulty valve",
            "a broken dam",
            "a spark from a welding torch",
            "heavy rain",
            "a failed brake",
            "a software error",
            "contaminated wells",
            "an overloaded transformer",
            "a leaking pipe",
            "rust in the main cable",
            "a cigarette thrown into straw",
            "two years of drought",
        ),
        2,
    )
    return {
        "S": Subject(f"the {year} {place} {kind}", (f"the {kind}", "the disaster"), "it", "its"),
        "kind": kind,
        "date": date(rng, year, year),
        "cause": causes[0],
        "cause2": causes[1],
        "dead": number(rng, 3, 2400),
        "hurt": number(rng, 10, 9000),
        "inspector": a,
        "mayor": b,
        "hero": c,
        "damage": rng.choice(("$", "€", "£")) + f"{rng.randint(2, 900)} million",
        "homeless": number(rng, 100, 60000),
        "hours": f"{rng.randint(2, 30)} hours",
        "law": rng.choice(
            (
                "a new building code",
                "stricter safety rules",
                "the creation of a rescue service",
                "the closing of the plant",
                "a ban on night shifts",
            )
        ),
        "place": region(rng),
    }


_DISASTER = Domain(
    "disaster",
    _disaster,
    intro=[
        "{S} was a [disaster|catastrophe|major accident] in {place}.",
        "{S} [happened|occurred] on {date.full}.",
    ],
    facts=[
        "{S} was caused by {cause}.",
        "The cause [was|proved to be|turned out to be] {cause}.",
        "An inquiry [led|headed] by {inspector} found that it was caused by {cause}, not by {cause2}.",
        "It [happened|began] on {date.full}.",
        "It killed {dead} people[| and injured {hurt}].",
        "{dead} people lost their lives.",
        "{hurt} people were injured.",
        "The damage was [put|estimated] at {damage}.",
        "It left {homeless} people homeless.",
        "It lasted {hours}.",
        "As a result, the government decided on {law}.",
        "It led to {law}.",
        "The inquiry was led by {inspector}.",
        "{mayor}, the mayor, resigned.",
        "{hero} saved a group of children.",
    ],
    fill=[
        *GENERAL_FILL,
        "Help arrived from neighbouring towns.",
        "A memorial was unveiled a year later.",
        "The newspapers printed special editions.",
    ],
    questions=[
        (
            "cause",
            [
                "What caused {S}?",
                "What was the cause of {S}?",
                "Why did {S} happen?",
                "How did {S} come about?",
                "cause of {S}",
            ],
        ),
        ("date", ["When did {S} happen?", "On what date did {S} occur?"]),
        (
            "dead",
            [
                "How many people died in {S}?",
                "How many people were killed by {S}?",
                "death toll of {S}",
            ],
        ),
        ("hurt", ["How many people were injured in {S}?"]),
        ("damage", ["How much damage did {S} cause?", "How high was the damage of {S}?"]),
        (
            "homeless",
            ["How many people lost their homes in {S}?", "How many were left homeless by {S}?"],
        ),
        ("hours", ["How long did {S} last?"]),
        (
            "law",
            [
                "What did {S} lead to?",
                "What was the consequence of {S}?",
                "What was the result of {S}?",
            ],
        ),
        ("inspector", ["Who led the inquiry into {S}?"]),
        ("mayor", ["Who resigned after {S}?"]),
        ("hero", ["Who saved children in {S}?"]),
    ],
    weight=0.9,
)


def _final(rng: Random) -> Values:
    scorer, keeper, referee, coach, best = _roles(rng, 5)
    a, b = club(rng), club(rng)
    year = rng.randint(1930, 2023)
    score = (
        f"{rng.randint(2, 5)}–{rng.randint(0, 1)}"
        if rng.random() < 0.6
        else f"{rng.randint(2, 5)}-{rng.randint(0, 1)}"
    )
    return {
        "S": Subject(f"the {year} {word(rng)} Cup final", ("the final", "the match"), "it", "its"),
        "winner": a,
        "loser": b,
        "score": score,
        "scorer": scorer,
        "keeper": keeper,
        "referee": referee,
        "coach": coach,
        "best": best,
        "stadium": f"{word(rng)} {rng.choice(('Stadium', 'Arena', 'Park'))}",
        "city": town(rng),
        "date": date(rng, year, year),
        "crowd": number(rng, 4000, 110000),
        "goals": rng.choice(("two", "three", "both")),
        "minute": str(rng.randint(2, 119)),
        "semi": club(rng),
        "nth": rng.choice(("second", "third", "fourth", "fifth", "seventh")),
    }


_FINAL = Domain(
    "match",
    _final,
    intro=[
        "{S} was [played|held] between {winner} and {loser}.",
        "{S} was played at {stadium} in {city}.",
        "{S} took place on {date.full}.",
    ],
    facts=[
        "{winner} [beat|defeated] {loser} {score}.",
        "{winner} won {score}[| after extra time].",
        "The match ended {score} in favour of {winner}.",
        "{loser} lost {score} to {winner}.",
        "It was played at {stadium} in {city}.",
        "The venue was {stadium}.",
        "It was held on {date.full}.",
        "{scorer} scored {goals} goals.",
        "The winning goal was scored by {scorer} in the {minute}th minute.",
        "{scorer} decided the match with a header.",
        "{crowd} spectators [watched|saw] the match.",
        "The attendance was {crowd}.",
        "The referee was {referee}.",
        "{referee} refereed the match.",
        "{best} was named player of the match.",
        "The [player of the match|best player] was {best}.",
        "The winners were coached by {coach}.",
        "Goalkeeper {keeper} saved a penalty.",
        "In the semi-final the winners had beaten {semi}.",
        "It was their {nth} title.",
    ],
    fill=[
        *GENERAL_FILL,
        "The kick-off was delayed by rain.",
        "Two players were sent off.",
        "The match was shown live on television.",
        "Tickets had sold out within hours.",
    ],
    questions=[
        (
            "winner",
            ["Who won {S}?", "Which team won {S}?", "winner of {S}", "Who was the winner of {S}?"],
        ),
        ("loser", ["Who lost {S}?", "Which team lost {S}?", "Whom did {winner} beat in {S}?"]),
        (
            "score",
            [
                "What was the score of {S}?",
                "How did {S} end?",
                "What was the result of {S}?",
                "{S} score",
            ],
        ),
        (
            "scorer",
            ["Who scored the winning goal in {S}?", "Who scored in {S}?", "Who decided {S}?"],
        ),
        (
            "stadium",
            [
                "Where was {S} played?",
                "In which stadium was {S} held?",
                "What was the venue of {S}?",
            ],
        ),
        ("date", ["When was {S} played?", "When did {S} take place?"]),
        (
            "crowd",
            [
                "How many spectators watched {S}?",
                "What was the attendance of {S}?",
                "How many people saw {S}?",
            ],
        ),
        ("referee", ["Who was the referee of {S}?", "Who refereed {S}?"]),
        ("best", ["Who was player of the match in {S}?", "Who was the best player of {S}?"]),
        ("coach", ["Who coached the winners of {S}?"]),
        ("keeper", ["Who saved a penalty in {S}?"]),
        ("semi", ["Whom did the winners of {S} beat in the semi-final?"]),
        ("city", ["In which city was {S} played?"]),
        ("minute", ["In which minute was the winning goal of {S} scored?"]),
    ],
    weight=1.2,
)

# ---------------------------------------------------------------- persons
_PROFESSIONS = "painter|chemist|poet|engineer|botanist|composer|lawyer|architect|surgeon|novelist|sculptor|mathematician|explorer|economist|footballer|photographer|violinist|physicist|translator|chess player|actress|judge|historian".split(
    "|"
)


def _person(rng: Random) -> Values:
    who, spouse, teacher, friend, child, mother = _roles(rng, 6)
    born = date(rng, 1720, 1995)
    died = (
        date(rng, born.year + 31, min(born.year + 92, 2023))
        if born.year + 31 < 2023
        else date(rng, 2022, 2023)
    )
    cities = [town(rng) for _ in range(4)]
    prof = rng.choice([p for p in _PROFESSIONS if p != "actress" or who.female])
    he = "she" if who.female else "he"
    return {
        "S": Subject(who.full, (who.last, who.last), he, "her" if who.female else "his"),
        "who": who,
        "spouse": spouse,
        "teacher": teacher,
        "friend": friend,
        "child": child,
        "mother": mother,
        "born": born,
        "died": died,
        "bp": cities[0],
        "dp": cities[1],
        "univ": rng.choice(
            ("the University of {}", "{} University", "{} Academy", "the {} Conservatory")
        ).format(cities[2]),
        "home": cities[3],
        "prof": prof,
        "art": "an" if prof[0] in "aeiou" else "a",
        "subject": rng.choice(
            (
                "law",
                "medicine",
                "philosophy",
                "music",
                "physics",
                "theology",
                "mathematics",
                "engineering",
                "history",
            )
        ),
        "work": work_title(rng),
        "wy": str(rng.randint(min(born.year + 22, 2020), min(born.year + 60, 2022))),
        "kids": rng.choice(("two", "three", "four", "five", "six", "seven")),
        "prize": f"the {word(rng)} Prize",
        "py": str(rng.randint(min(born.year + 30, 2021), min(born.year + 70, 2022))),
        "married": str(min(born.year + rng.randint(20, 35), 2022)),
        "cause": rng.choice(
            (
                "pneumonia",
                "a heart attack",
                "a riding accident",
                "cancer",
                "tuberculosis",
                "a stroke",
                "the plague",
                "a car crash",
            )
        ),
        "father": rng.choice(
            (
                "a baker",
                "a schoolteacher",
                "a fisherman",
                "a customs officer",
                "a clockmaker",
                "a wine merchant",
                "a village priest",
                "a miner",
                "a tailor",
            )
        ),
        "nat": country(rng)[1],
        "nick": rng.choice(
            (
                "the Owl",
                "the Iron Hand",
                "the Swan of the North",
                "the Quiet One",
                "the Lion",
                "the Blue Fox",
            )
        ),
        "company": company(rng),
        "lang": rng.choice(("four", "five", "six", "seven", "nine")),
    }


_PERSON = Domain(
    "person",
    _person,
    intro=[
        "{S} ({born.full} – {died.full}) was {nat_art} {nat} {prof}.",
        "{S} was {nat_art} {nat} {prof}.",
        "{S} (born {born.full} in {bp}) was {art} {prof}.",
        "{S} was {art} {prof} [best known for|who wrote|remembered for] {work}.",
    ],
    facts=[
        "{S} was born on {born.full} in {bp}.",
        "{S} was born in {bp}[|, where {S.his} father was {father}].",
        "Born in {bp} in {born.y}, {S.he} was the youngest of five children.",
        "{S.his} birthplace was {bp}.",
        "{S} grew up in {home}.",
        "{S} [studied|read] {subject} at {univ}.",
        "{S} was educated at {univ}.",
        "{S} attended {univ}, where {teacher} was among the teachers.",
        "A pupil of {teacher}, {S.he} soon became known.",
        "In {married} {S.he} married {spouse}.",
        "{S} was married to {spouse}[|, with whom {S.he} had {kids} children].",
        "{S.his} [spouse|partner in life] was {spouse}.",
        "{S} had {kids} children, among them {child}.",
        "{S} died on {died.full} in {dp}.",
        "{S} died [of {cause} |]in {dp} in {died.y}.",
        "{S.he} died of {cause}.",
        "{S.his} father was {father}.",
        "{S.his} mother was {mother}.",
        "{S.his} best-known work is {work}[|, finished in {wy}].",
        "In {wy} {S.he} [completed|published] {work}.",
        "{S} received {prize} in {py}.",
        "In {py} {S.he} was awarded {prize}.",
        "{S} worked for {company}.",
        "{S} was a close friend of {friend}.",
        "{S} was known as {nick}.",
        "{S} spoke {lang} languages.",
    ],
    fill=[
        *GENERAL_FILL,
        "{S} travelled widely.",
        "{S} never spoke about those years.",
        "A street is named in {S.his} honour.",
        "{S.his} letters were published later.",
        "{S} was in poor health for years.",
    ],
    questions=[
        (
            "born",
            [
                "When was {S} born?",
                "What is the date of birth of {S}?",
                "birth date of {S}",
                "On what day was {S} born?",
            ],
        ),
        ("born@year", ["In what year was {S} born?"]),
        (
            "bp",
            [
                "Where was {S} born?",
                "What is the birthplace of {S}?",
                "In which town was {S} born?",
            ],
        ),
        ("died", ["When did {S} die?", "date of death of {S}"]),
        ("died@year", ["In what year did {S} die?"]),
        ("dp", ["Where did {S} die?", "In which town did {S} die?"]),
        (
            "univ",
            [
                "Where did {S} study?",
                "Which university did {S} attend?",
                "Where was {S} educated?",
                "At which school did {S} study?",
            ],
        ),
        ("subject", ["What did {S} study?", "Which subject did {S} study?"]),
        (
            "spouse",
            [
                "Who was {S} married to?",
                "Whom did {S} marry?",
                "Who was the spouse of {S}?",
                "Who was {S}'s husband or wife?",
            ],
        ),
        ("married", ["When did {S} marry {spouse}?", "In what year did {S} marry?"]),
        ("kids", ["How many children did {S} have?"]),
        (
            "cause",
            ["What did {S} die of?", "How did {S} die?", "What was the cause of death of {S}?"],
        ),
        (
            "father",
            [
                "What was the father of {S}?",
                "What did {S}'s father do?",
                "What was the profession of {S}'s father?",
            ],
        ),
        ("mother", ["Who was {S}'s mother?", "Who was the mother of {S}?"]),
        (
            "work",
            [
                "What is the best-known work of {S}?",
                "What did {S} publish in {wy}?",
                "What is {S} best known for?",
            ],
        ),
        ("prize", ["Which prize did {S} receive?", "What award did {S} win?"]),
        ("py", ["When did {S} receive {prize}?"]),
        (
            "prof",
            [
                "What was {S}'s profession?",
                "What was {S}?",
                "What did {S} do for a living?",
                "profession of {S}",
            ],
        ),
        ("nat", ["What nationality was {S}?"]),
        ("teacher", ["Who taught {S}?", "Whose pupil was {S}?", "Who was the teacher of {S}?"]),
        ("friend", ["Who was a close friend of {S}?", "Whose friend was {S}?"]),
        ("nick", ["What was the nickname of {S}?", "How was {S} known?"]),
        ("company", ["For which company did {S} work?", "Where did {S} work?"]),
        ("home", ["Where did {S} grow up?"]),
        ("lang", ["How many languages did {S} speak?"]),
    ],
    weight=3.0,
    two=False,
)
_person_inner = _PERSON.make


def _person_with_article(rng: Random) -> Values:
    values = _person_inner(rng)
    values["nat_art"] = "an" if values["nat"][0] in "AEIOU" else "a"
    return values


_PERSON.make = _person_with_article


# ---------------------------------------------------------------- buildings
def _building(rng: Random) -> Values:
    architect, client, director, engineer = _roles(rng, 4)
    kind = rng.choice(
        (
            "tower",
            "bridge",
            "library",
            "theatre",
            "museum",
            "cathedral",
            "station",
            "hotel",
            "castle",
            "palace",
            "lighthouse",
            "dam",
        )
    )
    opened = date(rng, 1700, 2022)
    return {
        "S": Subject(
            f"{rng.choice(('the ', 'the ', ''))}{word(rng)} {kind.capitalize()}",
            (f"the {kind}", "the building" if kind not in ("bridge", "dam") else "the structure"),
            "it",
            "its",
        ),
        "kind": kind,
        "architect": architect,
        "client": client,
        "director": director,
        "engineer": engineer,
        "city": town(rng),
        "opened": opened,
        "begun": str(opened.year - rng.randint(2, 14)),
        "height": f"{rng.randint(12, 620)} {rng.choice(('metres', 'm', 'feet'))}",
        "floors": str(rng.randint(3, 110)),
        "cost": rng.choice(("$", "€", "£")) + f"{rng.randint(2, 900)} million",
        "style": rng.choice(
            (
                "Gothic",
                "baroque",
                "Art Deco",
                "neoclassical",
                "brutalist",
                "modernist",
                "Art Nouveau",
            )
        ),
        "stone": rng.choice(
            (
                "red brick",
                "white marble",
                "granite",
                "reinforced concrete",
                "sandstone",
                "glass and steel",
                "oak",
            )
        ),
        "visitors": number(rng, 9000, 4000000),
        "burned": str(rng.randint(opened.year, 2023)),
        "steps": str(rng.randint(90, 1200)),
        "owner": company(rng),
    }


_BUILDING = Domain(
    "building",
    _building,
    intro=[
        "{S} is a {kind} in {city}.",
        "{S} is a {style} {kind} [designed|built] by {architect}.",
        "{S} is a {kind} opened in {opened.y}.",
    ],
    facts=[
        "{S} was designed by {architect}.",
        "{architect} [designed|drew the plans for|was the architect of] {S}.",
        "The architect was {architect}[|, the engineer {engineer}].",
        "{S} was opened on {opened.full}.",
        "It [opened|was inaugurated] in {opened.my}.",
        "Work began in {begun} and the opening took place on {opened.full}.",
        "Construction [began|started] in {begun}.",
        "{S} is {height} [high|tall].",
        "It rises to a height of {height}.",
        "It has {floors} floors.",
        "Construction cost {cost}.",
        "The cost came to {cost}.",
        "It is built of {stone}.",
        "The building material is {stone}.",
        "It stands in {city}.",
        "It is built in the {style} style.",
        "It was built for {client}.",
        "{client} ordered its construction.",
        "It [attracts|receives] {visitors} visitors a year.",
        "The present director is {director}.",
        "A staircase of {steps} steps leads to the top.",
        "It belongs to {owner}.",
        "The owner is {owner}.",
    ],
    fill=[
        *GENERAL_FILL,
        "It was damaged in the war and repaired.",
        "It is lit up at night.",
        "Guided tours are offered.",
        "The roof was renewed.",
    ],
    questions=[
        (
            "architect",
            [
                "Who designed {S}?",
                "Who was the architect of {S}?",
                "By whom was {S} designed?",
                "architect of {S}",
                "Which architect built {S}?",
            ],
        ),
        ("opened", ["When was {S} opened?", "When did {S} open?", "When was {S} inaugurated?"]),
        ("opened@year", ["In what year was {S} opened?"]),
        (
            "begun",
            ["When did the construction of {S} begin?", "In what year did work on {S} start?"],
        ),
        ("height", ["How tall is {S}?", "How high is {S}?", "What is the height of {S}?"]),
        ("floors", ["How many floors does {S} have?", "How many storeys has {S}?"]),
        ("cost", ["How much did {S} cost?", "What did the construction of {S} cost?"]),
        ("stone", ["What is {S} built of?", "Of what material is {S}?"]),
        ("city", ["Where is {S}?", "In which city is {S}?", "Where does {S} stand?"]),
        ("style", ["In which style is {S} built?", "What is the style of {S}?"]),
        ("client", ["For whom was {S} built?", "Who ordered the construction of {S}?"]),
        (
            "visitors",
            ["How many visitors does {S} have a year?", "How many people visit {S} every year?"],
        ),
        ("director", ["Who is the director of {S}?", "Who directs {S}?"]),
        ("steps", ["How many steps lead to the top of {S}?"]),
        ("owner", ["Who owns {S}?", "To whom does {S} belong?"]),
        ("engineer", ["Who was the engineer of {S}?"]),
    ],
    weight=1.2,
)


# ---------------------------------------------------------------- orchestras, papers, parties, schools of thought
def _institution(rng: Random) -> Values:
    head, former, founder, second, critic = _roles(rng, 5)
    kind, role = rng.choice(
        (
            ("Orchestra", "chief conductor"),
            ("Gazette", "editor"),
            ("Museum", "director"),
            ("Party", "leader"),
            ("Theatre", "artistic director"),
            ("Choir", "conductor"),
            ("Hospital", "medical director"),
            ("Union", "general secretary"),
            ("Festival", "director"),
            ("Observatory", "director"),
            ("Zoo", "director"),
            ("Ballet", "artistic director"),
            ("Review", "editor-in-chief"),
        )
    )
    return {
        "S": Subject(
            f"the {rng.choice((word(rng), town(rng)))} {kind}",
            ("the institution", f"the {kind.lower()}"),
            "it",
            "its",
        ),
        "role": role,
        "head": head,
        "former": former,
        "founder": founder,
        "second": second,
        "critic": critic,
        "founded": date(rng, 1800, 2005),
        "joined": str(rng.randint(2003, 2023)),
        "home": f"{word(rng)} {rng.choice(('Hall', 'House', 'Square', 'Street'))}",
        "members": number(rng, 12, 90000),
        "budget": rng.choice(("$", "€", "£")) + f"{rng.randint(1, 90)} million",
        "city": town(rng),
    }


_INSTITUTION = Domain(
    "institution",
    _institution,
    intro=[
        "{S} is based in {city}.",
        "{S} was founded in {founded.y}.",
        "{S} is one of the best-known institutions of {city}.",
    ],
    facts=[
        "The {role} is {head}.",
        "{head} has been {role} since {joined}.",
        "Its {role}, {head}, [took over|started] in {joined}.",
        "{former} was {role} until {joined}, when {head} took over.",
        "In {joined} {head} [succeeded|replaced|followed] {former} as {role}.",
        "{former} retired in {joined}; {former.his} successor is {head}.",
        "{S} is led by {head}, its {role}.",
        "As {role}, {head} [is responsible for|decides on] the programme.",
        "It was founded by {founder} in {founded.y}.",
        "{founder} founded {S} on {founded.full}.",
        "The deputy is {second}.",
        "{second} is second in command.",
        "Its home is {home}.",
        "It is housed in {home}.",
        "It has {members} members.",
        "The yearly budget is {budget}.",
        "{critic} has often criticised it.",
    ],
    fill=[
        *GENERAL_FILL,
        "It has toured abroad.",
        "It receives money from the city.",
        "An anniversary book was published.",
        "Entrance is free on Sundays.",
    ],
    questions=[
        (
            "head",
            [
                "Who is the {role} of {S}?",
                "Who is {role} of {S}?",
                "Who leads {S}?",
                "{role} of {S}",
                "Who is the current {role} of {S}?",
                "Who succeeded {former} as {role} of {S}?",
                "Name the {role} of {S}.",
                "Who heads {S}?",
            ],
        ),
        (
            "former",
            [
                "Who was {role} of {S} before {head}?",
                "Whom did {head} succeed as {role} of {S}?",
                "Who was the predecessor of {head}?",
            ],
        ),
        (
            "joined",
            ["Since when has {head} been {role} of {S}?", "When did {head} become {role} of {S}?"],
        ),
        ("founder", ["Who founded {S}?", "founder of {S}"]),
        ("founded", ["When was {S} founded?"]),
        ("second", ["Who is the deputy at {S}?", "Who is second in command at {S}?"]),
        ("home", ["Where is {S} housed?", "What is the home of {S}?"]),
        ("members", ["How many members does {S} have?"]),
        ("budget", ["What is the yearly budget of {S}?"]),
        ("critic", ["Who has criticised {S}?"]),
        ("city", ["Where is {S} based?"]),
    ],
    weight=2.0,
    free=frozenset({"S", "role"}),
)


# ---------------------------------------------------------------- several officials in one text
def _summit(rng: Random) -> Values:
    titles = rng.sample(
        (
            "President",
            "Prime Minister",
            "King",
            "Chancellor",
            "Foreign Minister",
            "Premier",
            "Governor",
            "Minister of Finance",
            "Vice President",
        ),
        4,
    )
    if rng.random() < 0.45:
        titles = [titles[0]] * 4
    names: list[tuple[str, str]] = []
    while len(names) < 4:
        name = country(rng)
        if name[0] not in {n[0] for n in names}:
            names.append(name)
    persons = []
    while len({p.full for p in persons}) < 4:
        persons = [people(rng, 1)[0] for _ in range(4)]
    values: Values = {
        "S": Subject(f"the {word(rng)} summit", ("the meeting", "the summit"), "it", "its"),
        "city": town(rng),
        "date": date(rng, 1995, 2023),
        "topic": rng.choice(
            (
                "fishing rights",
                "a customs union",
                "the border dispute",
                "water supplies",
                "a gas pipeline",
                "the refugee question",
                "a railway line",
            )
        ),
        "days": rng.choice(("two", "three", "four")),
    }
    for i in range(4):
        values[f"t{i}"] = titles[i]
        values[f"l{i}"] = titles[i].lower()
        values[f"c{i}"] = names[i][0]
        values[f"a{i}"] = names[i][1]
        values[f"h{i}"] = persons[i]
    return values


_SUMMIT_ASK = [
    "Who is the {t%d} of {c%d}?",
    "Who is {t%d} of {c%d}?",
    "Who is the {a%d} {l%d}?",
    "Who's the current {l%d} of {c%d}?",
    "{t%d} of {c%d}",
    "Name the {l%d} of {c%d}.",
    "What is the name of the {a%d} {l%d}?",
    "Who is {c%d}'s {l%d}?",
]
_SUMMIT = Domain(
    "officials",
    _summit,
    intro=[
        "{S} was held in {city} in {date.my}.",
        "Leaders of the region met in {city} to discuss {topic}.",
        "{S} dealt with {topic}.",
    ],
    facts=[
        "{t0} {h0} of {c0} [met|received|welcomed] {t1} {h1} of {c1}.",
        "The {a0} {l0}, {h0}, [spoke first|opened the meeting|called for patience].",
        "{h0}, the {l0} of {c0}, [arrived late|left early|proposed a compromise].",
        "{c0} was represented by its {l0}, {h0}.",
        "{t1} {h1} spoke on behalf of {c1}.",
        "{h1}, {l1} of {c1}, [agreed|objected|said little].",
        "The {a1} {l1} {h1} [thanked the hosts|asked for more time].",
        "For {c2}, {t2} {h2} took part.",
        "{c2} sent its {l2}, {h2}.",
        "The {a2} {l2}, {h2}, was absent because of illness.",
        "Also present was {h3}, the {l3} of {c3}.",
        "{t3} {h3} of {c3} [chaired the second session|gave a dinner|hosted the talks].",
        "The delegation of {c3} was led by {t3} {h3}.",
    ],
    fill=[
        "The talks lasted {days} days.",
        "No agreement was reached.",
        "A final statement was read to the press.",
        "Journalists were not admitted.",
        "A second round was planned for the autumn.",
        "Protesters gathered outside the hotel.",
        "The weather was fine.",
        "Security was tight.",
    ],
    questions=[(f"h{i}", [q.replace("%d", str(i)) for q in _SUMMIT_ASK]) for i in range(4)]
    + [
        ("city", ["Where was {S} held?", "In which city did {S} take place?"]),
        ("topic", ["What was discussed at {S}?", "What did {S} deal with?"]),
    ],
    weight=2.2,
    two=False,
    free=frozenset({"S"} | {f"{k}{i}" for k in "tlca" for i in range(4)}),
    telling=frozenset({"S"} | {f"{k}{i}" for k in "ca" for i in range(4)}),
)
del _SUMMIT_ASK


def domains() -> list[Domain]:
    """Return the encyclopedia domains."""
    return [
        _COMPANY,
        _CLUB,
        _UNIVERSITY,
        _PRIZE,
        _COUNTRY,
        _CITY,
        _RIVER,
        _MOUNTAIN,
        _BOOK,
        _FILM,
        _ART,
        _MUSIC,
        _ELEMENT,
        _SPECIES,
        _PLANET,
        _INVENTION,
        _BATTLE,
        _TREATY,
        _DISASTER,
        _FINAL,
        _PERSON,
        _BUILDING,
        _INSTITUTION,
        _SUMMIT,
    ]
