# ruff: noqa: E501
"""Text from outside the encyclopedia: manuals, notices, mail, minutes, recipes, contracts, logs.

The values are small facts of daily use (a port, a price, a deadline); every domain is told in the
plain style of its kind of document.
"""

from __future__ import annotations

from random import Random
from typing import Any

from synth_engine import Domain, Subject, date
from synth_names import people
from synth_places import CITIES, MONTHS, company, number, town, word

Values = dict[str, Any]
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONEY = ("$", "€", "£", "CHF ", "US$")


def _time(rng: Random, low: int = 6, high: int = 22) -> str:
    hour, minute = rng.randint(low, high), rng.choice((0, 0, 15, 30, 45))
    if rng.random() < 0.5:
        return f"{hour:02d}:{minute:02d}"
    suffix = "a.m." if hour < 12 else "p.m."
    shown = hour if hour <= 12 else hour - 12
    return f"{shown}:{minute:02d} {suffix}" if minute else f"{shown} {suffix}"


def _times(rng: Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        value = _time(rng)
        if value not in found:
            found.append(value)
    return found


def _price(rng: Random, low: int = 2, high: int = 900) -> str:
    cents = rng.choice(("", "", ".50", ".99", ".20"))
    return f"{rng.choice(_MONEY)}{rng.randint(low, high)}{cents}"


def _prices(rng: Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        value = _price(rng)
        if value not in found:
            found.append(value)
    return found


def _names(rng: Random, count: int) -> list[Any]:
    return people(rng, count)


def _span(rng: Random) -> str:
    unit = rng.choice(("days", "days", "working days", "weeks", "weeks", "months"))
    return f"{rng.choice((2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 20, 28, 30))} {unit}"


def _spans(rng: Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        value = _span(rng)
        if value not in found:
            found.append(value)
    return found


def _mail(rng: Random, host: str) -> str:
    box = rng.choice(("support", "info", "help", "office", "orders", "service", "contact", "hello"))
    return f"{box}@{host}"


def _phone(rng: Random) -> str:
    return rng.choice(
        (
            f"+{rng.randint(20, 99)} {rng.randint(10, 99)} {rng.randint(100, 999)} {rng.randint(10, 99)} {rng.randint(10, 99)}",
            f"555-{rng.randint(1000, 9999)}",
            f"0{rng.randint(20, 99)}-{rng.randint(100000, 999999)}",
            f"({rng.randint(200, 999)}) 555-{rng.randint(1000, 9999)}",
        )
    )


# ---------------------------------------------------------------- software manuals
def _software(rng: Random) -> Values:
    name = rng.choice(
        (
            word(rng),
            word(rng).lower() + rng.choice(("d", "ctl", "sync", "db", "-server", "cache", "proxy")),
        )
    )
    low = name.lower().split("-")[0]
    (author,) = _names(rng, 1)
    options = rng.sample(
        (
            "--verbose",
            "--dry-run",
            "--force",
            "--config",
            "--output",
            "--quiet",
            "--recursive",
            "--watch",
            "--limit",
            "--no-color",
            "--all",
            "-n",
            "-f",
            "-q",
        ),
        3,
    )
    ports = rng.sample(range(1024, 65000), 2)
    sizes = rng.sample((64, 128, 256, 512, 1024, 2048, 4096), 2)
    return {
        "S": Subject(name, ("the program", "the service", "the tool"), "it", "its"),
        "author": author,
        "port": str(ports[0]),
        "admin": str(ports[1]),
        "start": f"{low} {rng.choice(('start', 'run', 'serve', 'up'))}",
        "stop": f"{low} {rng.choice(('stop', 'down', 'halt', 'kill'))}",
        "conf": f"/etc/{low}/{rng.choice(('config.yml', 'main.conf', 'settings.toml', low + '.ini'))}",
        "log": f"/var/log/{low}.log",
        "opt1": options[0],
        "opt2": options[1],
        "ver": f"{rng.randint(0, 12)}.{rng.randint(0, 20)}.{rng.randint(0, 9)}",
        "lang": rng.choice(
            ("Python", "Go", "Rust", "C++", "Java", "Erlang", "C", "OCaml", "TypeScript")
        ),
        "license": rng.choice(
            (
                "the MIT licence",
                "the Apache 2.0 licence",
                "GPLv3",
                "the BSD licence",
                "a commercial licence",
            )
        ),
        "mem": f"{sizes[0]} MB",
        "maxsize": f"{sizes[1]} KB",
        "timeout": f"{rng.choice((5, 10, 15, 30, 45, 60, 90, 120))} seconds",
        "retries": rng.choice(("three", "four", "five", "eight", "ten")),
        "err": f"E{rng.randint(100, 999)}",
        "means": rng.choice(
            (
                "the disk is full",
                "the licence has expired",
                "the password is wrong",
                "the server cannot be reached",
                "the file is locked by another process",
                "the certificate is out of date",
                "the index is corrupt",
            )
        ),
        "err2": f"E{rng.randint(1000, 1999)}",
        "fix": rng.choice(
            (
                "restart the service",
                "delete the lock file",
                "renew the certificate",
                "run the repair command",
                "increase the memory limit",
                "log in again",
            )
        ),
        "user": rng.choice(("admin", "root", "guest", "operator", "demo")),
        "pw": word(rng).lower() + str(rng.randint(10, 99)),
        "db": rng.choice(("PostgreSQL", "SQLite", "MySQL", "Redis", "MongoDB", "MariaDB")),
        "env": f"{low.upper()}_{rng.choice(('TOKEN', 'HOME', 'LEVEL', 'CACHE', 'HOST'))}",
    }


_SOFTWARE = Domain(
    "manual",
    _software,
    intro=[
        "{S} is a [small|fast|free] [server|command-line tool|program] written in {lang}.",
        "This [page|manual|guide] describes {S}.",
        "Welcome to the {S.name} user guide.",
    ],
    facts=[
        "By default {S} listens on port {port}.",
        "The default port is {port}; the admin interface uses port {admin}.",
        "TCP port {port} is used unless another one is set.",
        "The admin interface is reached on port {admin}.",
        "To start {S.name}, [run|type|enter] `{start}`.",
        "Start the service with `{start}` and stop it with `{stop}`.",
        "To stop it, use `{stop}`.",
        "The configuration [file is|is stored in|is read from] {conf}.",
        "Settings are kept in {conf}.",
        "Log messages are written to {log}.",
        "Logs go to {log}.",
        "Use {opt1} to print more messages.",
        "With {opt2} nothing is changed on disk.",
        "The current version is {ver}.",
        "Version {ver} was released by {author}.",
        "{S} is distributed under {license}.",
        "It needs at least {mem} of memory.",
        "At least {mem} of RAM are required.",
        "Requests time out after {timeout}.",
        "The timeout is {timeout}.",
        "After {retries} failed attempts the account is locked.",
        "Error {err} means that {means}.",
        "If you see {err}, {means}; in that case {fix}.",
        "When {err2} appears, {fix}.",
        "The default user is {user} and the password is {pw}.",
        "Log in as {user} with the password {pw}.",
        "Data are stored in {db}.",
        "It requires {db}.",
        "Set the variable {env} before starting.",
        "Files larger than {maxsize} are rejected.",
        "The maximum file size is {maxsize}.",
        "{S} was written by {author}.",
        "The maintainer is {author}.",
    ],
    fill=[
        "Read the release notes before upgrading.",
        "Make a backup first.",
        "On Windows the steps are the same.",
        "See the next section for examples.",
        "Most users need not change this.",
        "The settings are read once, at start.",
        "Pull requests are welcome.",
        "This feature is experimental.",
        "Restart for the change to take effect.",
        "Ask {x_person} for access.",
        "Tested with {x_num} clients.",
    ],
    questions=[
        (
            "port",
            [
                "What port does {S} use by default?",
                "What is the default port of {S}?",
                "On which port does {S} listen?",
                "default port {S}",
            ],
        ),
        ("admin", ["Which port does the admin interface of {S} use?", "What is the admin port?"]),
        (
            "start",
            [
                "How do I start {S}?",
                "What command starts {S}?",
                "Which command do I use to start {S}?",
            ],
        ),
        ("stop", ["How do I stop {S}?", "What command stops {S}?"]),
        (
            "conf",
            [
                "Where is the configuration file of {S}?",
                "Where are the settings of {S} stored?",
                "Which file holds the configuration?",
            ],
        ),
        ("log", ["Where are the logs of {S}?", "Where does {S} write its log?"]),
        ("opt1", ["Which option prints more messages?"]),
        ("opt2", ["Which option changes nothing on disk?"]),
        ("ver", ["What is the current version of {S}?", "Which version of {S} is current?"]),
        ("license", ["Under which licence is {S} distributed?", "What is the license of {S}?"]),
        ("mem", ["How much memory does {S} need?", "How much RAM is required?"]),
        ("timeout", ["What is the timeout of {S}?", "After how long do requests time out?"]),
        ("retries", ["After how many failed attempts is the account locked?"]),
        ("means", ["What does error {err} mean?", "What is the meaning of {err}?", "error {err}"]),
        ("fix", ["What should I do when {err2} appears?", "How do I fix {err2}?"]),
        ("user", ["What is the default user of {S}?"]),
        ("pw", ["What is the default password of {S}?", "What is the password?"]),
        ("db", ["Which database does {S} use?", "Where does {S} store its data?"]),
        ("env", ["Which variable must be set before starting {S}?"]),
        ("maxsize", ["What is the maximum file size for {S}?"]),
        ("author", ["Who wrote {S}?", "Who maintains {S}?"]),
        ("lang", ["In which language is {S} written?", "What is {S} written in?"]),
    ],
    weight=1.6,
    linked=False,
)


# ---------------------------------------------------------------- appliances
def _product(rng: Random) -> Values:
    kind = rng.choice(
        (
            "washing machine",
            "drill",
            "coffee maker",
            "bicycle",
            "headphones",
            "vacuum cleaner",
            "camera",
            "tent",
            "smart watch",
            "printer",
            "lawn mower",
            "e-reader",
            "blender",
            "baby seat",
            "speaker",
            "heater",
        )
    )
    name = f"{rng.choice(('', 'the '))}{word(rng)} {rng.choice(('X', 'Pro ', 'T', 'Mini ', 'S', 'Plus ', 'GT-', ''))}{rng.randint(2, 990)}"
    prices = _prices(rng, 2)
    spans = _spans(rng, 2)
    colours = rng.sample(("red", "black", "white", "grey", "green", "blue", "silver"), 2)
    host = word(rng).lower() + ".example"
    return {
        "S": Subject(name, (f"the {kind}", "the device", "the appliance"), "it", "its"),
        "kind": kind,
        "warranty": rng.choice(
            (
                "two years",
                "three years",
                "five years",
                "ten years",
                "12 months",
                "18 months",
                "24 months",
                "36 months",
            )
        ),
        "battery": f"{rng.randint(3, 72)} hours",
        "charge": f"{rng.randint(20, 240)} minutes",
        "weight": f"{rng.randint(1, 60)}.{rng.randint(1, 9)} {rng.choice(('kg', 'kilograms', 'pounds'))}",
        "max": f"{rng.randint(5, 180)} {rng.choice(('kg', 'kilograms', 'lbs'))}",
        "price": prices[0],
        "ship": prices[1],
        "return": spans[0],
        "deliver": spans[1],
        "power": f"{rng.randint(4, 3000)} watts",
        "noise": f"{rng.randint(28, 95)} dB",
        "made": town(rng),
        "maker": company(rng),
        "light": rng.choice(
            (
                "the water tank is empty",
                "the battery is low",
                "the filter must be changed",
                "the lid is open",
                "the motor is too hot",
                "no connection was found",
            )
        ),
        "colour": rng.choice(("red", "orange", "yellow", "blue", "green")),
        "clean": rng.choice(
            (
                "once a week",
                "after every use",
                "every three months",
                "once a month",
                "every 50 hours",
            )
        ),
        "mat": rng.choice(
            ("vinegar and water", "a dry cloth", "a soft brush", "warm soapy water", "alcohol")
        ),
        "mail": _mail(rng, host),
        "phone": _phone(rng),
        "temp": f"{rng.randint(5, 90)} °C",
        "button": rng.choice(
            (
                "the power button",
                "the reset button",
                "both side keys",
                "the small hole at the back",
                "the round key",
            )
        ),
        "secs": f"{rng.randint(2, 20)} seconds",
        "age": f"{rng.choice((3, 6, 8, 12, 14))} years",
        "c1": colours[0],
        "cap": f"{rng.randint(1, 60)} litres",
        "screen": f"{rng.randint(1, 14)}.{rng.randint(1, 9)} inches",
    }


_PRODUCT = Domain(
    "product",
    _product,
    intro=[
        "Thank you for buying {S}.",
        "{S} is a {kind} made by {maker}.",
        "{S} is our [new|lightest|most popular] {kind}.",
        "Please read this manual before using {S}.",
    ],
    facts=[
        "{S} [comes with|has|carries] a warranty of {warranty}.",
        "The warranty [lasts|period is|covers] {warranty}.",
        "The battery [lasts|holds out] [up to |]{battery}[| and charges in {charge}].",
        "A full charge takes {charge}.",
        "Battery life: {battery}.",
        "{S} weighs {weight}.",
        "Weight: {weight}. Maximum load: {max}.",
        "Do not load it with more than {max}.",
        "The maximum load is {max}.",
        "The [price is|recommended price is] {price}.",
        "{S} costs {price}; shipping is {ship}.",
        "Shipping costs {ship}.",
        "It can be returned within {return}.",
        "You may send it back within {return} of purchase for a full refund.",
        "Delivery takes {deliver}.",
        "Your order will arrive within {deliver}.",
        "It uses {power}.",
        "Power consumption: {power}.",
        "The noise level is {noise}.",
        "{S} is [made|manufactured|assembled] in {made}.",
        "If the {colour} light is on, {light}.",
        "A {colour} light means that {light}.",
        "Clean it {clean} with {mat}.",
        "It should be cleaned {clean}.",
        "Use only {mat} for cleaning.",
        "Questions? Write to {mail} or call {phone}.",
        "Customer service: {mail}.",
        "Our hotline is {phone}.",
        "Do not use it above {temp}.",
        "To reset the device, hold down {button} for {secs}.",
        "Press {button} for {secs} to reset it.",
        "Not suitable for children under {age}.",
        "The tank holds {cap}.",
        "The display measures {screen}.",
        "The maker is {maker}.",
    ],
    fill=[
        "Keep this manual for later use.",
        "Do not open the housing.",
        "Unplug the device before cleaning.",
        "Spare parts can be ordered online.",
        "Read the safety advice on page {x_num}.",
        "Accessories are sold separately.",
        "Keep away from water.",
        "The serial number is on the back.",
        "Many customers, such as {x_person} from {x_town}, are happy with it.",
        "Colours may differ from the picture.",
    ],
    questions=[
        (
            "warranty",
            [
                "How long is the warranty of {S}?",
                "What is the warranty period of {S}?",
                "How long does the warranty last?",
                "warranty {S}",
            ],
        ),
        ("battery", ["How long does the battery of {S} last?", "What is the battery life of {S}?"]),
        ("charge", ["How long does charging take?", "How long does it take to charge {S}?"]),
        ("weight", ["How much does {S} weigh?", "What is the weight of {S}?"]),
        (
            "max",
            [
                "What is the maximum load of {S}?",
                "How much weight can {S} carry?",
                "What is the weight limit?",
            ],
        ),
        ("price", ["How much does {S} cost?", "What is the price of {S}?", "price of {S}"]),
        ("ship", ["How much is shipping?", "What does shipping of {S} cost?"]),
        (
            "return",
            [
                "Within what time can {S} be returned?",
                "How long do I have to return {S}?",
                "What is the return period?",
            ],
        ),
        ("deliver", ["How long does delivery take?", "When will {S} arrive?"]),
        ("power", ["How much power does {S} use?", "What is the power consumption of {S}?"]),
        ("noise", ["How loud is {S}?"]),
        ("made", ["Where is {S} made?", "Where is {S} manufactured?"]),
        (
            "light",
            [
                "What does the {colour} light mean?",
                "What does it mean when the {colour} light is on?",
            ],
        ),
        ("colour", ["What colour is the light when {light}?"]),
        ("clean", ["How often should {S} be cleaned?"]),
        ("mat", ["What should be used to clean {S}?", "With what should I clean {S}?"]),
        (
            "mail",
            [
                "What is the e-mail address of customer service?",
                "Where can I write with questions about {S}?",
            ],
        ),
        ("phone", ["What number can I call about {S}?", "What is the hotline number?"]),
        ("temp", ["Above what temperature should {S} not be used?"]),
        ("button", ["How do I reset {S}?", "Which button resets {S}?"]),
        ("secs", ["How long must I press to reset {S}?"]),
        ("age", ["For children under what age is {S} not suitable?"]),
        ("maker", ["Who makes {S}?", "Which company makes {S}?"]),
        ("cap", ["How much does the tank of {S} hold?"]),
    ],
    weight=1.8,
    linked=False,
)


# ---------------------------------------------------------------- recipes
def _recipe(rng: Random) -> Values:
    dish = rng.choice(
        (
            "apple cake",
            "lentil soup",
            "fish stew",
            "potato gratin",
            "lemon tart",
            "rye bread",
            "chicken curry",
            "mushroom risotto",
            "plum dumplings",
            "carrot salad",
            "nut biscuits",
            "onion pie",
            "bean chili",
            "cheese soufflé",
            "rice pudding",
        )
    )
    (cook,) = _names(rng, 1)
    words = ("two", "three", "four", "five", "six", "eight")
    return {
        "S": Subject(
            f"{word(rng)} {dish}" if rng.random() < 0.5 else dish, ("the dish",), "it", "its"
        ),
        "cook": cook,
        "eggs": rng.choice(words),
        "flour": f"{rng.randint(5, 90) * 10} {rng.choice(('g', 'grams'))}",
        "sugar": f"{rng.randint(2, 30) * 10 + 5} {rng.choice(('g', 'grams'))}",
        "milk": f"{rng.randint(5, 95) * 10} ml",
        "bake": f"{rng.randint(12, 95)} minutes",
        "temp": f"{rng.choice((150, 160, 170, 175, 180, 190, 200, 210, 220))} {rng.choice(('°C', 'degrees'))}",
        "rest": rng.choice(
            ("one hour", "half an hour", "two hours", "overnight", "20 minutes", "ten minutes")
        ),
        "serves": rng.choice(("four", "six", "eight", "two", "ten")) + " people",
        "spice": rng.choice(
            ("cinnamon", "nutmeg", "cumin", "saffron", "paprika", "thyme", "cardamom", "ginger")
        ),
        "salt": rng.choice(("a pinch", "one teaspoon", "half a teaspoon")),
        "with": rng.choice(
            (
                "whipped cream",
                "a green salad",
                "fresh bread",
                "yoghurt",
                "boiled rice",
                "apple sauce",
            )
        ),
        "keep": f"{rng.randint(2, 9)} days",
        "onions": rng.choice(("two", "three", "four")) + " onions",
        "pan": f"{rng.randint(18, 30)} cm",
        "kcal": f"{rng.randint(150, 900)} kcal",
        "stir": f"{rng.randint(2, 9)} minutes",
    }


_RECIPE = Domain(
    "recipe",
    _recipe,
    intro=[
        "{S}: this recipe serves {serves}.",
        "Here is how to make {S}.",
        "{S} is a recipe by {cook}.",
    ],
    facts=[
        "You need {flour} of flour, {sugar} of sugar and {eggs} eggs.",
        "Ingredients: {eggs} eggs, {flour} of flour, {milk} of milk.",
        "Take {milk} of milk and {onions}.",
        "Beat {eggs} eggs with {sugar} of sugar.",
        "Chop {onions} finely and fry them for {stir}.",
        "Add {salt} of salt and some {spice}.",
        "Season with {spice}.",
        "Let it rest for {rest}.",
        "Leave the dough for {rest}.",
        "Bake for {bake} at {temp}.",
        "Cook it in the oven at {temp} for {bake}.",
        "Heat the oven to {temp}.",
        "It must be in the oven for {bake}.",
        "Stir for {stir}.",
        "Serve with {with}.",
        "It goes well with {with}.",
        "It serves {serves}.",
        "Enough for {serves}.",
        "It keeps for {keep} in the fridge.",
        "Use a pan of {pan}.",
        "One portion has {kcal}.",
        "The recipe comes from {cook}.",
    ],
    fill=[
        "Wash your hands first.",
        "Taste and add pepper if needed.",
        "Children like it very much.",
        "Do not open the door of the oven.",
        "My grandmother in {x_town} made it every Sunday.",
        "You can also use oil.",
        "The dough should be soft.",
        "Enjoy!",
    ],
    questions=[
        (
            "bake",
            [
                "How long does {S} have to bake?",
                "How long must {S} be in the oven?",
                "How many minutes should I bake {S}?",
                "baking time",
            ],
        ),
        (
            "temp",
            [
                "At what temperature is {S} baked?",
                "How hot should the oven be?",
                "What temperature for {S}?",
            ],
        ),
        ("eggs", ["How many eggs are needed for {S}?", "How many eggs do I need?"]),
        ("flour", ["How much flour is needed for {S}?", "How much flour do I need?"]),
        ("sugar", ["How much sugar goes into {S}?"]),
        ("milk", ["How much milk is needed?"]),
        ("rest", ["How long should it rest?", "For how long must the dough for {S} rest?"]),
        ("serves", ["How many people does {S} serve?", "For how many people is the recipe?"]),
        ("spice", ["Which spice is used in {S}?", "What is {S} seasoned with?"]),
        ("with", ["What is {S} served with?", "What goes well with {S}?"]),
        ("keep", ["How long does {S} keep?"]),
        ("salt", ["How much salt is needed?"]),
        ("pan", ["How large should the pan be?"]),
        ("kcal", ["How many calories does one portion of {S} have?"]),
        ("cook", ["Whose recipe is {S}?", "Who is the recipe for {S} by?"]),
        ("onions", ["How many onions are needed?"]),
    ],
    weight=1.0,
    two=False,
    linked=False,
    keep_order=True,
)


# ---------------------------------------------------------------- company policy
def _policy(rng: Random) -> Values:
    hr, boss, it, nurse = _names(rng, 4)
    firm = company(rng)
    spans = _spans(rng, 4)
    money = _prices(rng, 3)
    host = word(rng).lower() + ".example"
    return {
        "S": Subject(firm, ("the company", "our company"), "it", "its"),
        "hr": hr,
        "boss": boss,
        "it": it,
        "nurse": nurse,
        "vac": f"{rng.randint(18, 36)} {rng.choice(('days', 'working days'))}",
        "sick": f"{rng.randint(5, 40)} days" if rng.random() < 0.5 else spans[3],
        "notice": spans[0],
        "prob": spans[1],
        "hours": f"{rng.randint(30, 42)}.5 hours",
        "home": rng.choice(("one day", "two days", "three days", "four days")),
        "meal": money[0],
        "hotel": money[1],
        "limit": money[2],
        "pay": f"the {rng.choice(('15th', '20th', '25th', '27th', '28th', 'last day'))} of each month",
        "parental": spans[2],
        "mail": _mail(rng, host),
        "dress": rng.choice(
            ("business casual", "a dark suit", "safety shoes", "a white coat", "casual clothes")
        ),
        "start": _time(rng, 6, 9),
        "lunch": rng.choice(("30 minutes", "45 minutes", "one hour")),
        "pw": rng.choice(("every 60 days", "every 90 days", "twice a year", "once a year")),
        "chars": rng.choice(("eight", "ten", "twelve", "14", "16")),
        "bonus": f"{rng.randint(2, 20)} percent",
        "train": f"{rng.randint(2, 9)} days",
        "gift": f"{rng.choice(_MONEY)}{rng.randint(10, 99)}",
        "km": f"{rng.choice(_MONEY)}0.{rng.randint(20, 70)}",
    }


_POLICY = Domain(
    "policy",
    _policy,
    intro=[
        "This handbook applies to all employees of {S.name}.",
        "Staff rules of {S.name}.",
        "Welcome to {S.name}!",
    ],
    facts=[
        "[Every employee|Full-time staff|Each member of staff] [is entitled to|gets|receives] {vac} of [paid holiday|vacation|annual leave] a year.",
        "Annual leave: {vac}.",
        "Employees who are ill continue to be paid for {sick}.",
        "Sick pay is granted for up to {sick}.",
        "The notice period is {notice}.",
        "Either side may end the contract with a notice of {notice}.",
        "The probation period lasts {prob}.",
        "New staff are on probation for {prob}.",
        "The working week has {hours}.",
        "Employees work {hours} a week.",
        "You may work from home {home} a week.",
        "Remote work is allowed {home} a week.",
        "On business trips, meals are refunded up to {meal} a day.",
        "Hotel rooms may cost at most {hotel} a night.",
        "Purchases above {limit} must be approved by {boss}.",
        "{boss} must sign for everything above {limit}.",
        "Salaries are paid on {pay}.",
        "Parental leave is {parental}.",
        "Parents may take {parental} of leave.",
        "Questions about pay should be sent to {hr}.",
        "The head of personnel is {hr}.",
        "For computer problems, ask {it}.",
        "{it} is responsible for computers and telephones.",
        "The first-aid officer is {nurse}.",
        "Write to {mail} to report problems.",
        "The dress code is {dress}.",
        "Work starts at {start}.",
        "The lunch break is {lunch}.",
        "Passwords must be changed {pw}.",
        "A password must have at least {chars} characters.",
        "The yearly bonus is {bonus} of the salary.",
        "Each employee has {train} of training a year.",
        "Gifts worth more than {gift} must be refused.",
        "For the use of a private car {km} per kilometre is paid.",
    ],
    fill=[
        "Please read these rules carefully.",
        "Exceptions must be agreed in writing.",
        "The rules were last changed on {x_date}.",
        "Smoking is allowed in the yard only.",
        "Lost keys must be reported at once.",
        "The works council, chaired by {x_person}, agreed to the rules.",
        "Doors are locked in the evening.",
        "Overtime is to be avoided.",
        "The branch in {x_town} has its own rules.",
    ],
    questions=[
        (
            "vac",
            [
                "How many vacation days do employees get?",
                "How many days of annual leave does {S} give?",
                "How much paid holiday do employees of {S} have?",
                "vacation days",
            ],
        ),
        ("sick", ["For how long is sick pay granted?", "How long are ill employees paid?"]),
        ("notice", ["What is the notice period?", "How long is the notice period at {S}?"]),
        ("prob", ["How long is the probation period?", "How long does probation last at {S}?"]),
        (
            "hours",
            ["How long is the working week?", "How many hours do employees of {S} work a week?"],
        ),
        (
            "home",
            [
                "How often may employees work from home?",
                "How many days a week is remote work allowed?",
            ],
        ),
        ("meal", ["How much is refunded for meals?", "What is the daily limit for meals?"]),
        ("hotel", ["How much may a hotel room cost?", "What is the limit for hotel rooms?"]),
        ("limit", ["Above what amount must purchases be approved?"]),
        ("boss", ["Who must approve purchases?", "Who has to approve purchases above {limit}?"]),
        ("pay", ["When are salaries paid?", "On what day do employees of {S} get paid?"]),
        ("parental", ["How long is parental leave?"]),
        ("hr", ["Who is the head of personnel?", "Whom should I ask about pay?"]),
        ("it", ["Who helps with computer problems?", "Whom do I ask about computers?"]),
        ("nurse", ["Who is the first-aid officer?"]),
        (
            "mail",
            [
                "Where should problems be reported?",
                "What address do I write to in order to report problems?",
            ],
        ),
        ("dress", ["What is the dress code?", "What is the dress code at {S}?"]),
        ("start", ["When does work start?", "At what time does work begin at {S}?"]),
        ("lunch", ["How long is the lunch break?"]),
        ("pw", ["How often must passwords be changed?"]),
        ("chars", ["How many characters must a password have?"]),
        ("bonus", ["How high is the yearly bonus?"]),
        ("train", ["How many days of training does each employee have?"]),
        ("gift", ["Above what value must gifts be refused?"]),
        ("km", ["How much is paid per kilometre?"]),
    ],
    weight=1.6,
    two=False,
    linked=False,
    title="{S.bare} staff handbook",
)


# ---------------------------------------------------------------- opening hours, tickets, travel
def _venue(rng: Random) -> Values:
    name = rng.choice(
        (
            "the {} Swimming Pool",
            "{} Library",
            "the {} Museum",
            "Café {}",
            "the {} Gallery",
            "{} Castle",
            "the {} Cinema",
            "{} Sports Centre",
            "Hotel {}",
            "the {} Restaurant",
            "the {} Botanical Garden",
            "{} Pharmacy",
        )
    ).format(word(rng))
    times = _times(rng, 4)
    prices = _prices(rng, 4)
    day, day2 = rng.sample(_DAYS, 2)
    boss, guide = _names(rng, 2)
    host = word(rng).lower() + ".example"
    return {
        "S": Subject(name, ("the house", "the place"), "it", "its"),
        "open": times[0],
        "close": times[1],
        "sun": times[2],
        "tour": times[3],
        "closed": f"{day}s",
        "free": f"{day2}s",
        "adult": prices[0],
        "child": prices[1],
        "group": prices[2],
        "park": prices[3],
        "bus": str(rng.randint(1, 99)),
        "tram": str(rng.randint(100, 199)),
        "stop": f"{word(rng)} {rng.choice(('Square', 'Street', 'Bridge', 'Gate'))}",
        "street": f"{rng.randint(1, 240)} {word(rng)} {rng.choice(('Street', 'Road', 'Lane', 'Avenue'))}",
        "boss": boss,
        "guide": guide,
        "mail": _mail(rng, host),
        "phone": _phone(rng),
        "age": rng.choice(("six", "seven", "ten", "twelve", "14")),
        "seats": str(rng.randint(30, 900)),
        "wifi": word(rng).lower() + str(rng.randint(1, 99)),
        "dog": rng.choice(("on a lead only", "in the garden only", "not allowed")),
        "renov": f"{rng.choice(MONTHS)} {rng.randint(2019, 2026)}",
        "breakfast": _price(rng, 5, 30),
    }


_VENUE = Domain(
    "hours",
    _venue,
    intro=["{S} welcomes you.", "Visitor information for {S.name}.", "{S} is at {street}."],
    facts=[
        "{S} opens at {open} and closes at {close}.",
        "Opening hours: {open} to {close}; Sundays from {sun}.",
        "We are open from {open} to {close}.",
        "It closes at {close}.",
        "On Sundays it opens at {sun}.",
        "It is closed on {closed}.",
        "{S} is not open on {closed}.",
        "Entrance is free on {free}.",
        "A ticket costs {adult} for adults and {child} for children.",
        "Adults pay {adult}.",
        "Admission: adults {adult}, children {child}, groups {group}.",
        "Children under {age} enter free.",
        "Groups pay {group} a person.",
        "The car park costs {park} a day.",
        "Parking is {park}.",
        "Guided tours start at {tour}[| with {guide}].",
        "{guide} leads the guided tours.",
        "Take bus {bus} to {stop}.",
        "Tram {tram} and bus {bus} stop nearby.",
        "The nearest stop is {stop}.",
        "The address is {street}.",
        "The director is {boss}.",
        "It is run by {boss}.",
        "For bookings write to {mail}.",
        "Tickets can be ordered by telephone: {phone}.",
        "There are {seats} seats.",
        "The password of the wireless network is {wifi}.",
        "Dogs: {dog}.",
        "It will be closed for repairs until {renov}.",
        "Breakfast costs {breakfast}.",
    ],
    fill=[
        "Photography is allowed.",
        "Lockers are in the basement.",
        "The café serves snacks.",
        "Please keep your ticket.",
        "Large bags are not allowed.",
        "The staff will be glad to help you.",
        "There is a lift.",
        "A concert with {x_person} takes place on {x_date}.",
        "Gift vouchers are sold at the desk.",
    ],
    questions=[
        (
            "open",
            ["When does {S} open?", "At what time does {S} open?", "What time does {S} open?"],
        ),
        ("close", ["When does {S} close?", "Until when is {S} open?", "What time does {S} close?"]),
        ("sun", ["When does {S} open on Sundays?"]),
        ("closed", ["On which day is {S} closed?", "When is {S} closed?"]),
        ("free", ["On what day is entrance to {S} free?", "When is admission free?"]),
        (
            "adult",
            [
                "How much does a ticket for adults cost?",
                "What do adults pay at {S}?",
                "How much is admission to {S}?",
            ],
        ),
        ("child", ["How much does a ticket for children cost?", "What is the price for children?"]),
        ("group", ["How much do groups pay?"]),
        ("park", ["How much is parking at {S}?", "What does the car park cost?"]),
        ("tour", ["When do guided tours start?"]),
        ("guide", ["Who leads the guided tours?"]),
        ("bus", ["Which bus goes to {S}?", "What bus should I take to {S}?"]),
        ("tram", ["Which tram goes to {S}?"]),
        ("stop", ["What is the nearest stop to {S}?", "Where should I get off for {S}?"]),
        ("street", ["What is the address of {S}?", "Where is {S}?"]),
        ("boss", ["Who runs {S}?", "Who is the director of {S}?"]),
        ("mail", ["Where can I book for {S}?", "What is the e-mail address for bookings?"]),
        ("phone", ["What is the telephone number of {S}?"]),
        ("age", ["Up to what age do children enter free?"]),
        ("seats", ["How many seats does {S} have?"]),
        ("wifi", ["What is the wifi password?", "What is the password of the wireless network?"]),
        ("renov", ["Until when is {S} closed for repairs?"]),
        ("breakfast", ["How much is breakfast at {S}?"]),
    ],
    weight=1.3,
    linked=False,
)


def _travel(rng: Random) -> Values:
    a, b, c, d = (town(rng) for _ in range(4))
    times = _times(rng, 4)
    prices = _prices(rng, 2)
    code = rng.choice("ABCDEFGHKLMNPRSTVX") + rng.choice("ABCDEFGHKLMNPRSTVX")
    return {
        "S": Subject(
            rng.choice(
                (
                    f"train {code} {rng.randint(10, 999)}",
                    f"flight {code}{rng.randint(100, 9999)}",
                    f"the night train to {b}",
                    f"bus line {rng.randint(10, 99)}",
                    f"ferry {word(rng)}",
                )
            ),
            ("it",),
            "it",
            "its",
        ),
        "from": a,
        "to": b,
        "via": c,
        "change": d,
        "dep": times[0],
        "arr": times[1],
        "late": times[2],
        "board": times[3],
        "plat": str(rng.randint(1, 24)),
        "gate": rng.choice("ABCDEF") + str(rng.randint(1, 60)),
        "dur": f"{rng.randint(1, 11)} hours and {rng.randint(5, 55)} minutes",
        "price": prices[0],
        "bike": prices[1],
        "bag": f"{rng.randint(8, 32)} kg",
        "line": rng.choice(
            (
                f"line {rng.randint(1, 14)}",
                f"the {rng.choice(('red', 'green', 'blue', 'yellow'))} line",
            )
        ),
        "delay": f"{rng.randint(5, 180)} minutes",
        "why": rng.choice(
            (
                "a signal failure",
                "fog",
                "a strike",
                "a fallen tree",
                "repairs on the track",
                "a technical fault",
                "strong wind",
            )
        ),
        "coach": str(rng.randint(1, 16)),
        "op": company(rng),
        "dist": f"{rng.randint(12, 900)} km",
    }


_TRAVEL = Domain(
    "travel",
    _travel,
    intro=[
        "Travel information for {S.name}.",
        "{S} runs from {from} to {to}.",
        "{S} is operated by {op}.",
    ],
    facts=[
        "{S} leaves {from} at {dep} and [arrives in|reaches] {to} at {arr}.",
        "Departure: {dep} from {from}. Arrival: {arr}.",
        "It arrives in {to} at {arr}.",
        "It departs at {dep}.",
        "It leaves from platform {plat}.",
        "Platform {plat}, coach {coach}.",
        "Boarding begins at {board} at gate {gate}.",
        "Please go to gate {gate}.",
        "The journey takes {dur}.",
        "Travel time is {dur}.",
        "It runs via {via}.",
        "It stops in {via}.",
        "Change in {change} to {line}.",
        "Take {line} from {change}.",
        "A ticket costs {price}[|; bicycles cost {bike} extra].",
        "The fare is {price}.",
        "For a bicycle {bike} is charged.",
        "Baggage is limited to {bag}.",
        "Each passenger may take {bag} of baggage.",
        "It is delayed by {delay} because of {why}.",
        "Owing to {why} there is a delay of {delay}.",
        "The new departure time is {late}.",
        "The line is operated by {op}.",
        "The distance is {dist}.",
    ],
    fill=[
        "Seats must be reserved.",
        "There is a restaurant car.",
        "Please be on time.",
        "We apologise for the trouble.",
        "Tickets are checked on board.",
        "Children travel at half price.",
        "The station at {x_town} is being rebuilt.",
        "Masks are no longer required.",
    ],
    questions=[
        (
            "dep",
            [
                "When does {S} leave?",
                "At what time does {S} depart?",
                "What time does {S} leave {from}?",
            ],
        ),
        ("arr", ["When does {S} arrive?", "At what time does {S} arrive in {to}?"]),
        (
            "plat",
            [
                "From which platform does {S} leave?",
                "Which platform does {S} leave from?",
                "platform of {S}",
            ],
        ),
        ("gate", ["At which gate is {S}?", "Which gate is for {S}?"]),
        ("board", ["When does boarding begin?"]),
        ("dur", ["How long does the journey with {S} take?", "How long is the trip?"]),
        ("via", ["Where does {S} stop?", "Through which town does {S} run?"]),
        ("change", ["Where must I change?"]),
        ("line", ["Which line do I take from {change}?", "To which line do I change?"]),
        ("price", ["How much is a ticket for {S}?", "What does {S} cost?", "What is the fare?"]),
        ("bike", ["How much does it cost to take a bicycle?"]),
        ("bag", ["How much baggage may a passenger take?", "What is the baggage limit?"]),
        ("delay", ["How late is {S}?", "By how much is {S} delayed?"]),
        ("why", ["Why is {S} late?", "What is the reason for the delay?", "Why is {S} delayed?"]),
        ("late", ["What is the new departure time of {S}?"]),
        ("op", ["Who operates {S}?", "Which company operates {S}?"]),
        ("dist", ["What is the distance covered by {S}?"]),
        ("coach", ["In which coach is the seat?"]),
        ("from", ["Where does {S} start?", "From where does {S} leave?"]),
    ],
    weight=1.2,
    linked=False,
)


# ---------------------------------------------------------------- meetings and mail
def _meeting(rng: Random) -> Values:
    chair, clerk, absent, a, b, guest = _names(rng, 6)
    tasks = rng.sample(
        (
            "the new website",
            "the summer party",
            "the budget",
            "the roof repairs",
            "the hiring of a nurse",
            "the contract with the cleaners",
            "the training course",
            "the customer survey",
            "the move to the new office",
            "the safety report",
        ),
        4,
    )
    times = _times(rng, 2)
    when = date(rng, 2015, 2026)
    deadline = f"{rng.randint(1, 28)} {rng.choice(MONTHS)}"
    nextday = f"{rng.randint(1, 28)} {rng.choice(MONTHS)}"
    return {
        "S": Subject(
            f"the {rng.choice(('board', 'staff', 'project', 'council', 'committee', 'team'))} meeting",
            ("the meeting",),
            "it",
            "its",
        ),
        "chair": chair,
        "clerk": clerk,
        "absent": absent,
        "a": a,
        "b": b,
        "guest": guest,
        "t1": tasks[0],
        "t2": tasks[1],
        "t3": tasks[2],
        "date": when,
        "room": f"room {rng.randint(1, 400)}",
        "start": times[0],
        "end": times[1],
        "deadline": deadline,
        "next": nextday,
        "cost": f"{rng.choice(_MONEY)}{rng.randint(2, 90)},000",
        "votes": f"{rng.randint(4, 15)} votes to {rng.randint(0, 3)}",
        "why": rng.choice(
            (
                "lack of money",
                "missing documents",
                "illness",
                "open legal questions",
                "bad weather",
                "a pending court case",
            )
        ),
        "firm": company(rng),
        "n": rng.choice(("nine", "eleven", "twelve", "14", "17", "23")),
    }


_MEETING = Domain(
    "minutes",
    _meeting,
    intro=[
        "Minutes of {S.name} of {date.full}.",
        "{S} took place on {date.full} in {room}.",
        "Present at {S.name}: {n} members.",
    ],
    facts=[
        "{chair} was in the chair.",
        "{chair} opened the meeting at {start}.",
        "The meeting was chaired by {chair}; {clerk} took the minutes.",
        "Minutes: {clerk}.",
        "{clerk} kept the minutes.",
        "{absent} sent apologies.",
        "{absent} was absent.",
        "{a} will take care of {t1} by {deadline}.",
        "It was agreed that {a} is responsible for {t1}.",
        "{a} reported on {t1}; the deadline is {deadline}.",
        "{b} presented {t2}.",
        "Action: {b} to prepare {t2}.",
        "The decision on {t3} was postponed because of {why}.",
        "Owing to {why}, {t3} was put off.",
        "The members approved a sum of {cost} by {votes}.",
        "{cost} was approved.",
        "The order goes to {firm}.",
        "The contract was given to {firm}.",
        "{guest} attended as a guest.",
        "The next meeting is on {next}.",
        "The members will meet again on {next}.",
        "The meeting was closed at {end}.",
        "It ended at {end}.",
        "It was held in {room}.",
    ],
    fill=[
        "There were no questions.",
        "The minutes of the last meeting were accepted.",
        "A short break followed.",
        "Coffee was served.",
        "The agenda was accepted without changes.",
        "A letter from {x_person} was read.",
        "{x_person} thanked the volunteers.",
        "Members are asked to reply by e-mail.",
    ],
    questions=[
        ("chair", ["Who chaired {S}?", "Who was in the chair?", "Who opened the meeting?"]),
        ("clerk", ["Who took the minutes?", "Who wrote the minutes of {S}?"]),
        ("absent", ["Who was absent?", "Who did not attend {S}?", "Who sent apologies?"]),
        ("a", ["Who is responsible for {t1}?", "Who will take care of {t1}?"]),
        ("t1", ["What is {a} responsible for?", "What will {a} take care of?"]),
        ("b", ["Who presented {t2}?", "Who is to prepare {t2}?"]),
        ("t3", ["What was postponed?", "Which decision was put off?"]),
        ("why", ["Why was the decision on {t3} postponed?", "Why was {t3} put off?"]),
        ("cost", ["How much money was approved?", "What sum was approved at {S}?"]),
        ("votes", ["What was the result of the vote?"]),
        ("firm", ["Who got the contract?", "To which company does the order go?"]),
        ("guest", ["Who attended as a guest?"]),
        ("next", ["When is the next meeting?", "When will the members meet again?"]),
        ("deadline", ["What is the deadline for {t1}?", "By when must {t1} be done?"]),
        ("start", ["When did the meeting begin?", "At what time was the meeting opened?"]),
        ("end", ["When did {S} end?", "At what time was the meeting closed?"]),
        ("room", ["Where was the meeting held?", "In which room was {S}?"]),
        ("date", ["When was {S}?", "On what date did the meeting take place?"]),
        ("n", ["How many members were present?"]),
    ],
    weight=1.2,
    two=False,
    keep_order=True,
)


def _email(rng: Random) -> Values:
    sender, to, boss, client, driver = _names(rng, 5)
    firm, firm2 = company(rng), company(rng)
    times = _times(rng, 2)
    prices = _prices(rng, 2)
    return {
        "S": Subject(
            rng.choice(
                (
                    "the order",
                    "the delivery",
                    "the interview",
                    "the workshop",
                    "the visit",
                    "the party",
                )
            ),
            ("it",),
            "it",
            "its",
        ),
        "sender": sender,
        "to": to,
        "boss": boss,
        "client": client,
        "driver": driver,
        "firm": firm,
        "firm2": firm2,
        "day": f"{rng.choice(_DAYS)}, {rng.randint(1, 28)} {rng.choice(MONTHS)}",
        "old": f"{rng.choice(_DAYS)}",
        "time": times[0],
        "time2": times[1],
        "place": rng.choice(
            (
                f"the {word(rng)} Hotel",
                f"Café {word(rng)}",
                f"our office in {rng.choice(CITIES)}",
                f"room {rng.randint(1, 300)}",
                f"the {word(rng)} Centre",
            )
        ),
        "bring": rng.choice(
            (
                "a passport",
                "the signed contract",
                "a laptop",
                "your certificates",
                "warm clothes",
                "two photographs",
                "a sleeping bag",
            )
        ),
        "num": f"{rng.choice('ABKNRT')}-{rng.randint(1000, 99999)}",
        "price": prices[0],
        "fee": prices[1],
        "reply": f"{rng.randint(1, 28)} {rng.choice(MONTHS)}",
        "phone": _phone(rng),
        "why": rng.choice(
            (
                "the lorry broke down",
                "the hall is flooded",
                "the manager is ill",
                "of a public holiday",
                "the samples are late",
                "the lift is out of order",
            )
        ),
        "qty": str(rng.randint(3, 900)),
        "thing": rng.choice(
            (
                "office chairs",
                "boxes of paper",
                "screens",
                "helmets",
                "brochures",
                "filters",
                "lamps",
            )
        ),
    }


_EMAIL = Domain(
    "email",
    _email,
    intro=[
        "Dear {to.first}, this is about {S.name}.",
        "From: {sender}. To: {to}.",
        "Hi {to.first}, a short note about {S.name}.",
    ],
    facts=[
        "{S} has been moved from {old} to {day}.",
        "{S} will be on {day} at {time}.",
        "We meet at {time} at {place}.",
        "The place is {place}.",
        "Please come to {place}.",
        "Please bring {bring}.",
        "Do not forget to bring {bring}.",
        "Your reference number is {num}.",
        "Please quote {num} in all letters.",
        "The total is {price}, of which {fee} is the fee.",
        "Please transfer {price} to our account.",
        "The fee is {fee}.",
        "Please answer by {reply}.",
        "We need your reply by {reply}.",
        "If you have questions, call {boss} at {phone}.",
        "Your contact is {boss}.",
        "{boss} from {firm} will be there too.",
        "{client} of {firm2} asked for a quotation.",
        "The change was necessary because {why}.",
        "It was put off because {why}.",
        "We ordered {qty} {thing}.",
        "{qty} {thing} are missing.",
        "{driver} will drive you.",
        "{driver} will pick you up at {time2}.",
        "Best regards, {sender}",
        "Regards, {sender}, {firm}",
    ],
    fill=[
        "I hope you are well.",
        "Thank you for your patience.",
        "The weather is awful here.",
        "I attach the documents.",
        "Let me know what you think.",
        "Sorry for the late answer.",
        "Please print this page.",
        "{x_person} sends greetings.",
        "Last week I was in {x_town}.",
    ],
    questions=[
        ("day", ["When is {S}?", "On what day will {S} be?", "To which day has {S} been moved?"]),
        ("old", ["From which day was {S} moved?"]),
        ("time", ["At what time is {S}?", "What time do we meet?"]),
        ("place", ["Where do we meet?", "Where will {S} be?", "Where is {S}?"]),
        (
            "bring",
            [
                "What should be brought to {S}?",
                "What do I have to bring?",
                "What must {to.first} bring?",
            ],
        ),
        ("num", ["What is the reference number?", "Which number should be quoted?"]),
        ("price", ["How much has to be paid?", "What is the total?"]),
        ("fee", ["How much is the fee?"]),
        ("reply", ["By when is an answer needed?", "What is the deadline for the reply?"]),
        ("boss", ["Who is the contact person?", "Whom should {to.first} call?"]),
        ("phone", ["What is the phone number of {boss}?"]),
        ("why", ["Why was {S} put off?", "Why was the change necessary?"]),
        ("qty", ["How many {thing} are there?", "How many {thing} were ordered or are missing?"]),
        ("driver", ["Who will drive?", "Who will pick up {to.first}?"]),
        ("sender", ["Who wrote the e-mail?", "Who sent this message?"]),
        ("client", ["Who asked for a quotation?"]),
        ("time2", ["When will {to.first} be picked up?"]),
    ],
    weight=1.2,
    two=False,
    keep_order=True,
    linked=False,
    title="{S.bare}",
    free=frozenset({"S", "to"}),
)


# ---------------------------------------------------------------- contracts, medicine, logs, courses, notices
def _contract(rng: Random) -> Values:
    tenant, owner, agent = _names(rng, 3)
    prices = _prices(rng, 3)
    spans = _spans(rng, 3)
    return {
        "S": Subject(
            rng.choice(("the lease", "the contract", "the agreement", "the insurance policy")),
            ("it",),
            "it",
            "its",
        ),
        "tenant": tenant,
        "owner": owner,
        "agent": agent,
        "rent": prices[0],
        "deposit": prices[1],
        "penalty": prices[2],
        "notice": spans[0],
        "term": spans[1],
        "repair": spans[2],
        "begin": date(rng, 2015, 2026),
        "address": f"{rng.randint(1, 200)} {word(rng)} Street, {town(rng)}",
        "due": f"the {rng.choice(('first', 'third', 'fifth', 'tenth', '15th'))} day of each month",
        "court": f"the courts of {town(rng)}",
        "law": rng.choice(
            (
                "Swiss law",
                "the law of England",
                "German law",
                "the laws of the State of Ohio",
                "French law",
            )
        ),
        "pets": rng.choice(("one cat", "small birds", "two dogs", "no animals")),
        "rate": f"{rng.randint(1, 12)}.{rng.randint(1, 9)} percent",
        "file": f"{rng.randint(100, 999)}/{rng.randint(10, 99)}",
    }


_CONTRACT = Domain(
    "contract",
    _contract,
    intro=[
        "{S} is made between {owner} and {tenant}.",
        "{S} begins on {begin.full}.",
        "{S} (file {file}) concerns the property at {address}.",
    ],
    facts=[
        "The tenant is {tenant}.",
        "The landlord is {owner}.",
        "{owner} lets the property to {tenant}.",
        "The monthly rent is {rent}.",
        "The tenant shall pay {rent} a month, due on {due}.",
        "Rent is due on {due}.",
        "A deposit of {deposit} is to be paid.",
        "The deposit is {deposit}.",
        "It may be ended with a notice of {notice}.",
        "The notice period is {notice}.",
        "It runs for {term}.",
        "The term is {term}.",
        "It takes effect on {begin.full}.",
        "The property is at {address}.",
        "In case of late payment a penalty of {penalty} is due.",
        "The penalty for late payment is {penalty}.",
        "Repairs must be done within {repair}.",
        "Disputes are settled by {court}.",
        "It is governed by {law}.",
        "The tenant may keep {pets}.",
        "Interest of {rate} is charged.",
        "{agent} acted as agent.",
        "The agent is {agent}.",
    ],
    fill=[
        "Changes must be made in writing.",
        "Both parties receive a copy.",
        "The tenant has seen the rooms.",
        "Should one clause be void, the others remain valid.",
        "Heating is included.",
        "The keys were handed over in the presence of {x_person}.",
        "Signed in {x_town}.",
    ],
    questions=[
        ("tenant", ["Who is the tenant?", "To whom is the property let?"]),
        ("owner", ["Who is the landlord?", "Who lets the property?"]),
        (
            "rent",
            [
                "How much is the rent?",
                "What is the monthly rent?",
                "How much must be paid each month?",
            ],
        ),
        ("due", ["When is the rent due?"]),
        ("deposit", ["How high is the deposit?", "How much is the deposit?"]),
        ("notice", ["What is the notice period?", "With what notice may {S} be ended?"]),
        ("term", ["How long does {S} run?", "What is the term of {S}?"]),
        ("begin", ["When does {S} begin?", "When does {S} take effect?"]),
        ("address", ["Where is the property?", "What is the address of the property?"]),
        ("penalty", ["What is the penalty for late payment?"]),
        ("repair", ["Within what time must repairs be done?"]),
        ("court", ["Who settles disputes?"]),
        ("law", ["Which law governs {S}?"]),
        ("pets", ["Which animals may the tenant keep?"]),
        ("rate", ["What interest is charged?"]),
        ("agent", ["Who acted as agent?"]),
        ("file", ["What is the file number?"]),
    ],
    weight=0.9,
    two=False,
    linked=False,
)


def _medicine(rng: Random) -> Values:
    (doctor,) = _names(rng, 1)
    doses = rng.sample((5, 10, 20, 25, 50, 100, 200, 250, 400, 500), 3)
    effects = rng.sample(
        (
            "headache",
            "dizziness",
            "a dry mouth",
            "nausea",
            "a skin rash",
            "tiredness",
            "loss of appetite",
        ),
        2,
    )
    return {
        "S": Subject(
            word(rng) + rng.choice(("ol", "in", "ax", "ium", "al")),
            ("the medicine", "the drug"),
            "it",
            "its",
        ),
        "doctor": doctor,
        "adult": f"{doses[0]} mg",
        "child": f"{doses[1]} mg",
        "max": f"{doses[2] * 10} mg",
        "times": rng.choice(
            (
                "twice a day",
                "three times a day",
                "once a day",
                "every eight hours",
                "every four hours",
            )
        ),
        "when": rng.choice(
            ("before meals", "after meals", "at bedtime", "in the morning", "with a glass of water")
        ),
        "for": rng.choice(
            (
                "high blood pressure",
                "hay fever",
                "migraine",
                "stomach pain",
                "a cough",
                "infections of the ear",
                "sleeplessness",
                "back pain",
            )
        ),
        "effect": effects[0],
        "effect2": effects[1],
        "days": f"{rng.randint(3, 21)} days",
        "temp": f"{rng.choice((5, 8, 15, 20, 25, 30))} °C",
        "avoid": rng.choice(("alcohol", "grapefruit juice", "milk", "aspirin", "strong sunlight")),
        "life": f"{rng.randint(6, 48)} months",
        "maker": company(rng),
        "age": rng.choice(("two", "six", "twelve", "16")),
        "over": rng.choice(
            ("call a doctor at once", "drink plenty of water", "go to the nearest hospital")
        ),
        "sub": word(rng).lower() + "ine",
        "pack": f"{rng.choice((10, 14, 20, 28, 30, 50, 100))} tablets",
    }


_MEDICINE = Domain(
    "medicine",
    _medicine,
    intro=["{S} is a medicine against {for}.", "Package leaflet: {S.name}.", "{S} contains {sub}."],
    facts=[
        "{S} is used to treat {for}.",
        "It helps against {for}.",
        "Adults take {adult} {times}.",
        "The dose for adults is {adult}, for children {child}.",
        "Children take {child}.",
        "The recommended dose is {adult} for adults.",
        "Take it {times} {when}.",
        "It should be taken {when}.",
        "Do not take more than {max} a day.",
        "The maximum daily dose is {max}.",
        "Do not take it for longer than {days}.",
        "A common side effect is {effect}; {effect2} is rare.",
        "It may cause {effect}.",
        "Store below {temp}.",
        "Keep it at a temperature below {temp}.",
        "Avoid {avoid} during the treatment.",
        "It must not be taken with {avoid}.",
        "It keeps for {life}.",
        "It is made by {maker}.",
        "Not for children under {age}.",
        "In case of an overdose, {over}.",
        "The active substance is {sub}.",
        "One pack holds {pack}.",
        "The studies were led by {doctor}.",
    ],
    fill=[
        "Keep out of the reach of children.",
        "Ask your doctor if you are pregnant.",
        "Do not drive.",
        "Read the leaflet carefully.",
        "If you forget a dose, go on as usual.",
        "Studies were done in {x_town} with {x_num} patients.",
    ],
    questions=[
        ("for", ["What is {S} used for?", "Against what does {S} help?", "What does {S} treat?"]),
        ("adult", ["What is the dose of {S} for adults?", "How much {S} should adults take?"]),
        ("child", ["What is the dose of {S} for children?"]),
        ("times", ["How often should {S} be taken?", "How many times a day is {S} taken?"]),
        ("when", ["When should {S} be taken?"]),
        (
            "max",
            ["What is the maximum daily dose of {S}?", "How much {S} may be taken a day at most?"],
        ),
        ("days", ["How long may {S} be taken?"]),
        ("effect", ["What is a common side effect of {S}?", "What side effect may {S} cause?"]),
        ("effect2", ["Which side effect of {S} is rare?"]),
        ("temp", ["Below what temperature should {S} be stored?", "How should {S} be stored?"]),
        ("avoid", ["What should be avoided while taking {S}?", "What must not be taken with {S}?"]),
        ("life", ["How long does {S} keep?"]),
        ("maker", ["Who makes {S}?"]),
        ("age", ["For children under what age is {S} not suitable?"]),
        ("over", ["What should one do after an overdose of {S}?"]),
        ("sub", ["What is the active substance of {S}?", "What does {S} contain?"]),
        ("pack", ["How many tablets are in a pack of {S}?"]),
        ("doctor", ["Who led the studies of {S}?"]),
    ],
    weight=0.9,
    linked=False,
)


def _log(rng: Random) -> Values:
    user, admin = _names(rng, 2)
    times = [
        f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"
        for _ in range(4)
    ]
    host = word(rng).lower() + str(rng.randint(1, 99))
    return {
        "S": Subject(f"server {host}", ("it",), "it", "its"),
        "user": user,
        "admin": admin,
        "t1": times[0],
        "t2": times[1],
        "t3": times[2],
        "t4": times[3],
        "ip": ".".join(str(rng.randint(1, 254)) for _ in range(4)),
        "file": rng.choice(("backup", "orders", "users", "index", "report"))
        + rng.choice((".db", ".csv", ".log", ".tar.gz")),
        "code": str(rng.choice((401, 403, 404, 409, 418, 500, 502, 503))),
        "cause": rng.choice(
            (
                "disk full",
                "connection refused",
                "out of memory",
                "permission denied",
                "certificate expired",
                "timeout",
            )
        ),
        "job": rng.choice(
            ("nightly backup", "mail queue", "index rebuild", "billing run", "cleanup")
        ),
        "rows": number(rng, 20, 90000),
        "cpu": f"{rng.randint(60, 99)}%",
        "dur": f"{rng.randint(2, 900)} s",
        "svc": word(rng).lower() + "d",
    }


_LOG = Domain(
    "log",
    _log,
    intro=["Log of {S.name}.", "Incident report for {S.name}, prepared by {admin}."],
    facts=[
        "{t1} ERROR {svc}: {cause} (code {code}).",
        "{t1} {svc} stopped: {cause}.",
        "{t2} INFO {job} started.",
        "{t2} {job} started by {user}.",
        "{t3} INFO {job} finished, {rows} rows, {dur}.",
        "{t4} WARN cpu at {cpu}.",
        "{t4} login failed from {ip}.",
        "{t3} {admin} restarted {svc}.",
        "File {file} could not be read.",
        "{t1} cannot open {file}: {cause}.",
    ],
    fill=[
        "{x_num} INFO heartbeat ok.",
        "DEBUG cache hit.",
        "INFO connection closed.",
        "INFO health check passed.",
        "DEBUG queue length {x_num}.",
    ],
    questions=[
        (
            "cause",
            ["Why did {svc} stop?", "What was the cause of the error?", "What was the error?"],
        ),
        ("code", ["What was the error code?"]),
        ("rows", ["How many rows did the {job} process?"]),
        ("user", ["Who started the {job}?"]),
        ("t2", ["When did the {job} start?"]),
        ("dur", ["How long did the {job} take?"]),
        ("cpu", ["How high was the cpu load?"]),
        ("ip", ["From which address did the login fail?", "Where did the failed login come from?"]),
        ("admin", ["Who restarted {svc}?"]),
        ("file", ["Which file could not be read?", "Which file could not be opened?"]),
    ],
    weight=0.5,
    two=False,
    linked=False,
    free=frozenset({"S"}),
)


def _course(rng: Random) -> Values:
    teacher, tutor, dean = _names(rng, 3)
    days = rng.sample(_DAYS[:5], 2)
    return {
        "S": Subject(
            rng.choice(
                ("Introduction to {}", "Advanced {}", "{} for Beginners", "{} II", "the {} course")
            ).format(
                rng.choice(
                    (
                        "Statistics",
                        "Botany",
                        "Swimming",
                        "Welding",
                        "Spanish",
                        "Pottery",
                        "Programming",
                        "Law",
                        "Geology",
                        "First Aid",
                        "Photography",
                        "Bookkeeping",
                    )
                )
            ),
            ("the course", "the class"),
            "it",
            "its",
        ),
        "teacher": teacher,
        "tutor": tutor,
        "dean": dean,
        "room": f"room {rng.choice('ABCDEF')}{rng.randint(1, 400)}",
        "day": days[0],
        "exam": date(rng, 2018, 2026),
        "time": _time(rng, 8, 19),
        "credits": rng.choice(("three", "four", "five", "six", "eight", "ten")),
        "fee": _price(rng, 20, 900),
        "weeks": rng.choice(("six", "eight", "ten", "twelve", "14", "15")),
        "max": str(rng.randint(8, 60)),
        "book": f'"{word(rng)} on {rng.choice(("Method", "Practice", "Theory"))}"',
        "pass": f"{rng.randint(40, 80)} percent",
        "due": f"{rng.randint(1, 28)} {rng.choice(MONTHS)}",
        "lang": rng.choice(("English", "French", "German", "Spanish")),
        "need": rng.choice(
            (
                "a medical certificate",
                "basic mathematics",
                "a laptop",
                "a driving licence",
                "two years of Latin",
            )
        ),
        "hours": f"{rng.choice(_DAYS[:5])}s at {_time(rng, 8, 19)}",
    }


_COURSE = Domain(
    "course",
    _course,
    intro=[
        "{S} is taught by {teacher}.",
        "{S} meets every {day} at {time}.",
        "{S} is a course of {weeks} weeks.",
    ],
    facts=[
        "The teacher is {teacher}[|, assisted by {tutor}].",
        "{teacher} teaches {S}.",
        "The assistant is {tutor}.",
        "Classes are held on {day}s at {time}.",
        "It meets in {room}.",
        "Classes take place in {room}.",
        "The final exam is on {exam.full}.",
        "The exam takes place on {exam.full}.",
        "{S} gives {credits} credits.",
        "The fee is {fee}.",
        "It costs {fee}.",
        "It lasts {weeks} weeks.",
        "At most {max} students are admitted.",
        "The number of places is limited to {max}.",
        "The textbook is {book}.",
        "To pass, {pass} of the points are needed.",
        "Homework is due on {due}.",
        "The essay must be handed in by {due}.",
        "It is taught in {lang}.",
        "Students need {need}.",
        "The requirement is {need}.",
        "Office hours are {hours}.",
        "Complaints go to {dean}, the dean.",
    ],
    fill=[
        "Attendance is required.",
        "Please register online.",
        "Phones must be switched off.",
        "A waiting list is kept.",
        "Slides are put online afterwards.",
        "Last year's course was given by {x_person}.",
        "An excursion to {x_town} is planned.",
    ],
    questions=[
        ("teacher", ["Who teaches {S}?", "Who is the teacher of {S}?"]),
        ("tutor", ["Who is the assistant in {S}?", "Who assists {teacher}?"]),
        ("room", ["Where does {S} meet?", "In which room is {S}?"]),
        ("day", ["On which day is {S}?"]),
        ("time", ["At what time is {S}?"]),
        ("exam", ["When is the exam of {S}?", "When is the final exam?"]),
        ("credits", ["How many credits does {S} give?"]),
        ("fee", ["How much does {S} cost?", "What is the fee for {S}?"]),
        ("weeks", ["How many weeks does {S} last?"]),
        ("max", ["How many students are admitted to {S}?"]),
        ("book", ["What is the textbook for {S}?"]),
        ("pass", ["How many points are needed to pass {S}?"]),
        ("due", ["When must homework be handed in?", "What is the deadline?"]),
        ("lang", ["In which language is {S} taught?"]),
        ("need", ["What do students of {S} need?", "What is required for {S}?"]),
        ("hours", ["When are the office hours?"]),
        ("dean", ["To whom do complaints go?", "Who is the dean?"]),
    ],
    weight=0.9,
    linked=False,
)


def _news(rng: Random) -> Values:
    chief, victim, witness, judge, lawyer, owner = _names(rng, 6)
    place = town(rng)
    what = rng.choice(
        (
            "the robbery of a jeweller's shop",
            "a fire in a warehouse",
            "a strike at the port",
            "the opening of a new bridge",
            "a bus accident",
            "the theft of a painting",
            "a power cut",
            "a protest in front of the town hall",
        )
    )
    return {
        "S": Subject(f"{what} in {place}", ("the incident", "the event"), "it", "its"),
        "chief": chief,
        "victim": victim,
        "witness": witness,
        "judge": judge,
        "lawyer": lawyer,
        "owner": owner,
        "place": place,
        "day": rng.choice(_DAYS),
        "time": _time(rng),
        "hurt": rng.choice(("two", "three", "five", "eleven", "17", "40")),
        "loss": f"{rng.choice(_MONEY)}{rng.randint(2, 900)},000",
        "cause": rng.choice(
            (
                "a short circuit",
                "a gas leak",
                "low wages",
                "brake failure",
                "a drunken driver",
                "a quarrel over money",
                "careless welding",
                "plans to close the hospital",
            )
        ),
        "street": f"{word(rng)} Street",
        "car": rng.choice(("a white van", "a grey motorcycle", "a stolen taxi", "a blue lorry")),
        "years": rng.choice(("two", "four", "six", "nine", "twelve")) + " years",
        "crew": str(rng.randint(12, 200)),
        "min": f"{rng.randint(10, 300)} minutes",
        "mp": _names(rng, 1)[0],
        "paper": rng.choice(("{} Herald", "{} Post", "{} News")).format(place),
    }


_NEWS = Domain(
    "news",
    _news,
    intro=[
        "{S} caused a stir on {day}.",
        "The police are looking into {S.name}.",
        "{paper} reports on {S.name}.",
    ],
    facts=[
        "It happened on {day} at {time} in {street}.",
        "The scene was {street}.",
        "The incident took place at {time}.",
        "{hurt} people were injured.",
        "The damage is put at {loss}.",
        "The loss comes to {loss}.",
        "The police chief, {chief}, [asked for help|spoke of a serious case|warned against rumours].",
        '"We are looking for witnesses," said police chief {chief}.',
        "Police say the cause was {cause}.",
        "It was caused by {cause}, according to the fire brigade.",
        "An eyewitness, {witness}, saw {car} leave.",
        "{witness}, who lives nearby, called the police.",
        "The owner, {owner}, was not at home.",
        "The building belongs to {owner}.",
        "The case will be heard by Judge {judge}.",
        "Judge {judge} set the trial for next month.",
        "The lawyer {lawyer} defends the suspect.",
        "The suspect faces up to {years} in prison.",
        "{crew} firefighters and police were on duty.",
        "Traffic stopped for {min}.",
        "The mayor, {mp}, visited the place.",
    ],
    fill=[
        "Nobody wished to comment.",
        "The street was closed.",
        "Neighbours were shocked.",
        "The weather made the work harder.",
        "More details are expected soon.",
        "A similar case occurred in {x_town} in {x_recent}.",
        "{x_person}, a shopkeeper, shook his head.",
    ],
    questions=[
        ("day", ["On which day was {S}?"]),
        ("time", ["At what time did it happen?", "When did the incident take place?"]),
        ("hurt", ["How many people were injured?", "How many people were hurt in {S}?"]),
        ("loss", ["How high is the damage?", "How much is the loss?"]),
        (
            "chief",
            [
                "Who is the police chief?",
                "Who is the chief of police?",
                "What is the name of the police chief?",
            ],
        ),
        ("cause", ["What caused {S}?", "What was the cause?", "What was the reason for {S}?"]),
        ("witness", ["Who was the eyewitness?", "Who called the police or saw it happen?"]),
        ("car", ["What did the witness see leaving?", "What vehicle was seen?"]),
        ("owner", ["Who owns the building?", "Who is the owner?"]),
        ("judge", ["Which judge will hear the case?", "Who is the judge?"]),
        ("lawyer", ["Who defends the suspect?", "Who is the suspect's lawyer?"]),
        ("years", ["How long a sentence does the suspect face?"]),
        ("crew", ["How many firefighters and police were on duty?"]),
        ("min", ["How long did traffic stop?"]),
        ("mp", ["Who is the mayor?", "Who is the mayor of {place}?"]),
        ("street", ["Where did it happen?", "In which street did it happen?"]),
    ],
    weight=1.2,
    two=False,
    free=frozenset({"S", "place"}),
)


def domains() -> list[Domain]:
    """Return the plain-style domains."""
    return [
        _SOFTWARE,
        _PRODUCT,
        _RECIPE,
        _POLICY,
        _VENUE,
        _TRAVEL,
        _MEETING,
        _EMAIL,
        _CONTRACT,
        _MEDICINE,
        _LOG,
        _COURSE,
        _NEWS,
    ]
