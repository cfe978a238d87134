# ruff: noqa: E501
"""What encyclopedias tell of the past of an office: people who held it long ago.

Such sentences name many people and none of them holds the office now.  They stand around the
sentence with the answer, and a passage may hold nothing else: whoever asks for the present
holder must then get no answer.
"""

from __future__ import annotations

from random import Random
from typing import Any

from synth_engine import NOISE
from synth_names import people, person
from synth_places import word

_RANKS = "General|Colonel|Marshal|Admiral|Doctor|Count|Sir|Don|Father|Captain|Major|Baron".split(
    "|"
)


_HOUSES = (
    "{0} House|{0} Palace|the {0} Palace|Villa {0}|{0} Hall|{0} Castle|{0} Manor|{0} Lodge|{0}|{0}|"
    "{0} Street|{0} Square|{0} Gardens|Fort {0}|{0} Hill|{0} Terrace|Château {0}|{0} Park".split(
        "|"
    )
)


def _figure(rng: Random, culture: str | None = None) -> str:
    """A person of the past: now and then with a rank, or by the family name alone."""
    drawn = person(rng, culture)
    roll = rng.random()
    if roll < 0.1:
        return f"{rng.choice(_RANKS)} {drawn.full}"
    if roll < 0.14:
        return f"{rng.choice(_RANKS)} {drawn.last}"
    return drawn.full


NOISE.update(
    x_figure=_figure,
    x_old=lambda r: str(r.randint(1815, 1999)),
    x_decade=lambda r: f"{r.randint(183, 199)}0s",
    x_house=lambda r: r.choice(_HOUSES).format(word(r)),
)

_SEATS: list[str] = [
    "The official home of the {low} is {x_house}[|, finished in {x_old}].",
    "Guests of state are received at {x_house}[|, where the oath is taken too].",
    "Since {x_old} the staff has worked in {x_house}[|, a former bank|, once a school].",
    "{x_house} was [bought|finished|enlarged] in {x_old} and serves as [the official home|the seat of {noun}|an office building].",
    "The cabinet meets at {x_house} on [Tuesdays|Fridays].",
    "In summer {noun} moves to {x_house}.",
    "Visitors may see the rooms of {x_house} [on one day a year|on Sundays].",
    "{x_house}, designed by {x_figure}, is the address of the {low}.",
    "The {low} has the use of {x_house}[| and of {x_house}].",
    "Although {x_house} is [older|larger|better known], most of the work is done in {x_house}.",
    "{x_house} and {x_house} belong to the state, and the {low} may live in either.",
    "Callers must go to {x_house}, [a short walk from the cathedral|across the river|behind the museum].",
    "[A fire|An earthquake|A flood] damaged {x_house} in {x_old}, and {noun} moved to {x_house}.",
]
"""Houses that go with an office: asked who holds it, none of them is the answer."""

STATE: list[str] = [
    "{x_figure}, [a lawyer|a schoolteacher|a trade unionist|a printer|a surgeon|a poet|a landowner], [led|guided|took] the country to independence in {x_old}.",
    "{x_figure} [led|governed] {place} for [more than|almost|nearly|about] {x_small} years and [would not hear of rivals|allowed no other party|built most of the railways].",
    "After independence in {x_old} {x_figure} was the first to [hold the title|be sworn in|move into the palace].",
    "{x_figure}, elected in {x_old}, was [the first woman|the first woman in the region|the first from the islands|the youngest ever] to be voted into {noun}.",
    "{x_figure} followed in {x_old}, and {x_figure}, [a former judge|a general|a farmer], in {x_old}.",
    "{x_figure} was [shot|killed|murdered|assassinated] in {x_old}[|, and nobody was ever tried for it].",
    "Officers under {x_figure} [seized power|took over] in {x_old}[| and ruled for {x_small} years].",
    "From {x_old} [real power|all power] lay with {x_figure}, whoever held the title.",
    "{x_figure} [fled|went into exile|left by aeroplane] in {x_old} [when the army changed sides|after weeks of protest|with part of the treasury].",
    "{x_figure} [died in office|fell ill and gave up|gave up {noun} of his own will] in {x_old}.",
    "In the {x_decade} {x_figure} [broke the hold of the old families|shared out the land|closed the border|ended the one-party state].",
    "{x_figure} and {x_figure} [took turns|followed one another|fought over it] in the {x_decade}.",
    "The [civil war|long strike|famine|crisis] of the {x_decade} [brought down|cost the place of] {x_figure}.",
    "It was {x_figure} who signed the [peace|treaty|constitution] in {x_old}.",
    "The constitution of {x_old}, [drafted by|written under] {x_figure}, [forbids a second term|limits the number of terms|made the office what it is].",
    "{x_figure}, in power from {x_old}, [would have himself called father of the nation|named a city after himself|was known for long speeches on the radio].",
    "{x_figure} lost the vote of {x_old} and [went home without a word|left quietly|called it a fraud].",
    "Two of those who came later, {x_figure} in {x_old} and {x_figure} some years after, [died in office|were removed by parliament|stepped down early].",
    "Among those remembered best are {x_figure}, {x_figure} and {x_figure}.",
    "[Party|Coalition] [leaders|men] such as {x_figure} and {x_figure} [supplied|made up] nearly all governments after the war.",
    "{x_figure}, who governed in the {x_decade}, later [sat in a court in {x_town}|wrote his memoirs|headed an international body|taught at {x_town}].",
    "{x_figure} had been the first [civilian|commoner|soldier|engineer] to win a vote in decades.",
    "The right-wing parties won every election from {x_old} on, until {x_figure} was chosen [for the left|for the former rebels|by a narrow margin].",
    "{x_figure} broke the line of one family in {x_old}; until then {x_figure} and later his son had governed.",
    "The dictator {x_figure} [held|kept] {noun} until {x_old}.",
    "The title was first used in {x_old} for {x_figure}.",
    "{x_figure} was chosen provisional head in {x_old} and stayed for only {x_small} months.",
    "{x_figure} served {x_small} times, with breaks, between {x_old} and his death.",
    "Nobody stayed longer than {x_figure}, who [came to power|took the oath] in {x_old}.",
    "{x_figure} survived {x_small} attempts on his life.",
    "Of {x_figure} it is told that he [walked to work|never learned to drive|read every letter himself].",
    "The palace burned down under {x_figure} and was built again by {x_figure}.",
    "{x_figure}, the last to be appointed from abroad, left in {x_old}.",
    "Under {x_figure}, in the {x_decade}, [women got the vote|the capital was moved to {x_town}|the army was halved|oil was found].",
    "{x_figure} shared the Nobel Peace Prize for [ending the war|his part in the talks|the treaty of {x_old}].",
    "A monument to {x_figure}, [who fell in {x_old}|the founder of the republic], stands in front of the building.",
    "When {x_figure} fell in {x_old}, {x_figure} [was sent for|came back from exile|took over for a few weeks].",
    "In {x_old} {x_figure} became the first to [hand over power peacefully|accept defeat at the polls|resign over a scandal].",
    "The murder of {x_figure} in {x_old} is [still unsolved|marked every year].",
    "{x_figure} won three elections in a row from {x_old}.",
    "Of the early ones, {x_figure} was [a planter|a bishop|an admiral] and {x_figure} [his cousin|his rival|a tailor].",
    "The union with {x_country}, dear to {x_figure}, ended in {x_old}.",
    "{x_figure} [called|held] a referendum in {x_old} and lost it.",
    "Ministers under {x_figure} were [tried|jailed] in {x_old}.",
    "The colonial governor, {x_figure}, gave the keys to {x_figure} in {x_old}.",
    "{x_figure} [stood in|filled the gap|acted] for {x_small} months in {x_old} and then handed over to {x_figure}.",
    "When {x_figure} was ill in {x_old}, {x_figure} signed in his place.",
    "{x_figure} made the country known abroad and [left|withdrew] in {x_recent} after {x_small} years.",
    "{x_figure}, who went in {x_recent}, had been at the top for {x_small} years.",
    "{x_figure} tried to come back in {x_recent} and failed.",
    "No other holder was [abroad|in court|on the radio] as often as {x_figure} between {x_old} and {x_recent}.",
    "Independence was the life's work of {x_figure}, [whose face is on the coins|after whom the airport is named].",
    *_SEATS,
]
ANY: list[str] = [
    "{x_figure} [held {noun}|was in charge|did the work] for {x_small} years in the {x_decade}.",
    "{x_figure} was the first woman [in the post|to hold {noun}], from {x_old}.",
    "In {x_old} {x_figure} took over from {x_figure}.",
    "Earlier holders include {x_figure}, {x_figure} and {x_figure}.",
    "{x_figure}, who [came|was appointed] in {x_old}, [stayed until his death|left after a quarrel|is seen as the most gifted of them].",
    "Under {x_figure}, in the {x_decade}, the [staff doubled|finances were put in order|old building was given up].",
    "The [golden age|best years] came under {x_figure}, who [left|retired] in {x_old}.",
    "{x_figure} resigned in {x_old} over [a scandal|money|the plans for a new building].",
    "{x_figure} [turned down|was offered and refused] the post in {x_old}.",
    "A street is named after {x_figure}, who [did|had] the job in the {x_decade}.",
    "{x_figure} served twice, the second time from {x_old}.",
    "The first to hold the title, {x_figure}, was [paid nothing|a volunteer|only twenty-nine years old].",
    "{x_figure}, [an outsider|an amateur|a foreigner], was brought in in {x_old} and [soon dismissed|much admired].",
    "After {x_figure} died in {x_old}, nobody was named for a year.",
    "From {x_old} {x_figure} and {x_figure} shared the work.",
    "The founder, {x_figure}, [chose|trained] {x_figure} to follow him.",
    "{x_figure}'s time, in the {x_decade}, is remembered for [strikes|growth|quarrels|success].",
    "Letters of {x_figure}, who [retired|left] in {x_old}, are kept in the archive.",
]
CROWN: list[str] = [
    "{x_figure} [overthrew|ended] the monarchy in {x_old}, and for years there was no [king|ruler].",
    "The house came to the throne in {x_old} with {x_figure}.",
    "[General|Marshal] {x_figure} ruled as regent until {x_old}.",
    "{x_figure} led the resistance from abroad and came back in {x_old}.",
    "A prince from {x_country} was offered the crown in {x_old} and took the name of an old line of kings.",
    "{x_figure}, loved for simple manners, [reigned|ruled] in the {x_decade}.",
    "{x_figure}, the last absolute ruler, granted a constitution in {x_old}.",
    "A coup by {x_figure} failed in {x_old} because the palace would not support it.",
    "The heir of the time, {x_figure}, was killed in {x_old}.",
    "{x_figure} gave up the throne in {x_old} and went into exile in {x_town}.",
    "Government is in the hands of a prime minister, at that time {x_figure}.",
    "The first-born [inherits|comes first], [whether a son or a daughter|sons before daughters until {x_old}].",
    "Only [descendants|male descendants] of {x_figure} may wear the crown.",
    "Real government is done by ministers, who [sign every act|answer to parliament].",
    "A [wedding|funeral|coronation] of the house is held in the cathedral of {x_town}.",
    "The old crown, made for {x_figure}, is shown in {x_house}.",
    "The powers of the crown were cut in {x_old}, after {x_figure} had [dismissed a cabinet|refused to sign a law].",
    "The family [came from|descends from dukes of|has its roots in] {x_country}.",
    *_SEATS,
]

MORE: list[str] = [
    "{woman}, [elected|chosen|appointed] in {woman_year}, was the first woman [in the post|to hold {noun}|to be {b}].",
    "The first woman to hold {noun} was {woman}, in {woman_year}.",
    "{longest} held {noun} longer than anyone else: [more than|almost] {x_small} years.",
    "The longest-serving {title} was {longest}[|, who left in {x_old}].",
    "{killed} was [assassinated|murdered|shot dead] in {killed_year} [while in office|on the steps of the building|in the street].",
    "In {killed_year} {killed} was [killed by a bomb|assassinated|murdered by a former officer].",
    "{youngest} was the youngest ever to hold {noun}[|, at the age of 31].",
]
"""Facts of the past that can be asked for."""

QUESTIONS: list[tuple[str, list[str]]] = [
    (
        "woman",
        [
            "Who was the first woman to be {o}?",
            "Who was the first female {o}?",
            "Which woman was the first to hold the office of {b}?",
        ],
    ),
    (
        "longest",
        ["Who was the longest-serving {o}?", "Who held the office of {b} longest?"],
    ),
    (
        "killed",
        ["Which {o} was assassinated?", "Which {b} was murdered?"],
    ),
    ("youngest", ["Who was the youngest {o}?", "Who was the youngest ever {b}?"]),
]


def values(rng: Random, culture: str) -> dict[str, Any]:
    """The people of the past who can be asked for, and makers of others of the same land."""
    woman, longest, killed, youngest = people(rng, 4, culture)
    if not woman.female:
        woman = person(rng, culture, True)
    return {
        "woman": woman,
        "woman_year": str(rng.randint(1950, 1999)),
        "longest": longest,
        "killed": killed,
        "killed_year": str(rng.randint(1840, 1995)),
        "youngest": youngest,
        "x_figure": lambda r: _figure(r, culture),
        "x_person": lambda r: person(r, culture if r.random() < 0.6 else None).full,
    }


PRESENT: list[str] = [
    "{title} {holder} [opened|closed] the [session|congress|conference|season] in {x_month} {x_recent}.",
    "The [cabinet|team|administration|staff] of {holder}, who [came in|began] in {since.y}, has {n} members.",
    "Under the present {title}, {holder}, [taxes were cut|debts have fallen|the rules were changed].",
    "{holder} is now in {holder.his} [second|third|first] term.",
    "{holder} has [led|run|headed|directed] {place} since {since.y}.",
    "In charge since {since.my} is {holder}[|, {job}].",
    "The choice fell on {holder}, [who accepted at once|to the surprise of many], when {prev} [gave up|stood down] in {since.y}.",
    "{noun} fell vacant in {since.y}, when {prev} died, and was filled by {holder}.",
    "{prev} handed {noun} over to {holder} [on {since.full}|in {since.my}].",
    "{prev} made room for {holder} in {since.y}.",
    "Sworn in as successor to {prev} on {since.full}, {holder} [promised calm|asked for patience|has been re-elected since].",
    "Since the [retirement|fall|death|resignation] of {prev} in {since.y}, {holder} has been at the helm.",
    "{holder}, born in {city}, [is|has been] at the head of {place} [|since {since.y}].",
    "The [job|task|work] is done today by {holder}, {job}.",
    "{prev}, {prev2} and {founder} are former holders; {holder} is the one in office.",
    "Whereas {prev} [travelled widely|governed by decree|liked the limelight], {holder}, in office since {since.y}, [stays at home|seeks agreement|avoids the press].",
    "{holder} was {prev}'s deputy before taking {prev.his} place in {since.my}.",
    "In {since.my} the reins passed from {prev} to {holder}.",
    "{holder} beat {rival} to {noun} in {since.y}.",
    "{holder} will [stay|remain] in office until a successor is found.",
    "The next [contest|choice|election] is due soon, and {holder} [may stand again|will not stand again|has not said whether {holder.he} will stand].",
    "The name on the door is now that of {holder}; for {x_small} years it had been {prev}'s.",
    "{holder} moved into {seat} in {since.my}, a week after {prev} had moved out.",
    "{holder} took the place of {prev}, who had been in it since {prev_from}.",
    "Having served under {prev} for years, {holder} was the natural successor in {since.y}.",
    "{holder} is the [fourth|fifth|seventh|tenth] in the line that began with {founder}.",
    "{prev} did not seek another term, and {holder} was chosen [unopposed|at the first ballot|by a single vote] in {since.my}.",
    "{holder}[|, {job},] presides at present, with {deputy} as second in command.",
    "Nobody had heard of {holder} before {since.y}; today {holder.he} is {b}.",
    "{holder} has signed every [law|contract|decree] since {since.full}.",
    "Letters should be addressed to {holder}, {title}.",
    "Speaking for {place}, its {low}, {holder}, [denied the report|welcomed the plan|gave no details].",
    '"We shall see," said {holder}, {low} of {place} since {since.y}.',
    "Contact: {holder}, {title}.",
    "| {title} | {holder} | since {since.y} |",
    "{title} – {holder}",
    "{holder} ({title}), {deputy} (deputy) and {other} (spokesperson) [form the leadership|attended the meeting].",
    "The leadership consists of {holder} as {title}, {deputy} as deputy and {other} as spokesperson.",
    "When the term of {prev} ran out in {since.y}, the [members|voters|deputies] turned to {holder}.",
    "{holder} owes {noun} to the quarrel between {prev} and {rival}.",
    "{holder} came to {noun} by way of [the army|the courts|a small town hall|the trade unions], in {since.y}.",
    "It is {holder} who [has the last word|decides|signs] nowadays.",
    "The latest to take the oath was {holder}, on {since.full}.",
    "No successor to {holder} is in sight[|; {prev}, who came before, lives in {city}].",
    "{holder} and {holder.his} predecessor {prev} do not speak to each other.",
    "Like {prev} before {holder.him}, {holder}, the {nth} {title}, comes from {city}.",
    "{founder} was the first, {longest} stayed longest, and {holder}, who came in {since.y}, is the latest.",
    "{prev}, worn out by [the war|the scandal|the talks|illness], gave up in {since.y}; {x_figure} took care of things until {holder} was ready.",
    "A vote in {since.my} ended the time of {prev} and began that of {holder}.",
    "{prev} had staked everything on [a referendum|a treaty|a vote] and lost it; within weeks {holder} moved into {seat}.",
    "{holder}, who had already [led|run] it from {prev2_from} to {prev_from}, came back in {since.y}, after {prev}.",
    "For the second time since {prev2_from}, {holder} is {b}; in between it was {prev}.",
    "The {party} under {holder} has [governed|been in power] since {since.y}, with the support of [two|three] smaller parties.",
    "{x_figure} looks after the money, {x_figure} after foreign affairs, and over both stands {holder}.",
    "{prev}'s [second|last] term ran out in {since.my}, and the oath was taken by {holder}.",
    "{holder} is in charge, [having begun|and began] in {since.y}; the one before was {prev}.",
    "It is {holder}'s job now. Until {since.my} it was {prev}'s.",
    "{holder} runs things. {prev} did so before {holder.him}, from {prev_from}.",
    "The work fell to {holder} in {since.my}. {holder.his} forerunner, {prev}, had [resigned|died|retired].",
    "Sitting {low}: {holder}, from {since.full}. Preceding {low}: {prev}.",
    "Next after {prev}, {holder} [came to power|got the post] in {since.y} and has kept it.",
    "The voice of {place} in the world is {holder}, [who stepped in for|who took the place of] {prev} on {since.full}.",
    "Having beaten {prev} [narrowly|clearly|by far], {holder} [took the oath|moved in|began work] in {since.my}; {prev} now leads the opposition.",
    "{prev} is remembered [kindly|with anger|for the railway]; {holder}, who came next, governs today.",
    "{prev} died [in an accident|of a fever|in {prev.his} sleep] in {since.y}. {holder}, the deputy of those days, was sworn in within hours and is there still.",
    "Those who want a signature must see {holder}; before {since.my} they had to see {prev}.",
    "The former {low} {prev} [teaches|writes|farms] now. {holder} has done the job since {since.y}.",
    "{holder} inherited [debts|a war|a strike|an empty treasury] from {prev} when {holder.he} took over in {since.my}.",
    "{prev}, {holder}'s predecessor, [stayed for one term only|served from {prev_from}|was voted out].",
    "{holder}'s predecessor was {prev}, [who left in {since.y}|in office from {prev_from}|of the same party].",
    "{holder}, successor of {prev}, [opened|visited|closed] the [fair|port|school] in {x_recent}.",
    "{holder} succeeded {holder.his} [friend|rival|brother-in-law|teacher] {prev}, with {deputy} as deputy.",
    "{prev} wanted to stay, but the [party|court|army|assembly] wanted {holder}, and {holder} it has been since {since.my}.",
    "{founder}, {prev2}, {prev}, {holder}: four people have held {noun}, the last of them since {since.y}.",
    "Of the two rivals, {prev} had the {low}'s chair first, until {since.y}, and {holder} has it now.",
]
"""Further ways to say who holds an office now, in news, lists, letters and tales."""
