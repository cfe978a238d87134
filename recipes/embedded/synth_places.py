# ruff: noqa: E501
"""Invented countries, towns, firms and titles of works, and lists of real regions."""

from __future__ import annotations

from random import Random

from synth_engine import NOISE
from synth_names import person

_STEMS = (
    "Var Kel Mor Tas Zem Bal Dor Lor Quin Sar Tol Ver Wen Xan Yar Zor Bren Cal Dren Esk Fal Gor Hal "
    "Ist Jor Kar Lum Mel Nor Ost Pel Ral Sel Tam Ul Vel Wal Zan Ard Bor Cor Dal El Fen Gal Hor Ill "
    "Jal Kor Lan Mar Nav Or Pol Ros Sul Tor Um Vis Win Yel Zel Aur Bel Cas Der Erm Fer Glen Hest "
    "Ilv Jun Kast Lys Myr Nym Ond Pry Rhen Stry Thal Urs Vand Wyr Zhul Mak Nda Oko Tshi Mba Kwa "
    "Aba Ruk Suk Teng Phar Nak Chom Bat Lua Tua Vai Nuku Fara Raka Hira Saka Tara Mito Quil Chan "
    "Tupa Guai Itza Anka Xoch Ohr Skel Brix Dunn Tref Aber Kil Loch"
).split()
_MIDDLES = (
    "und ov al an is ar en or ut im ad el on ir am eb ol ask est arv ind ont urg esh ich oss ab ed "
    "ul av er ant all orn ist ith arr om ok ak uk"
).split()
_COUNTRY_ENDS = (
    "ia ia ia ia onia avia aria esia istan land land ova ana eria uria ambia eba iya ador ua ea "
    "mark uay ovina inea olia atia"
).split()
_TOWN_ENDS = (
    "burg ville ton ford stad grad polis bridge haven mouth field port bury wick ham dorf heim by "
    "borg minster ovo itsa ino ara ona ena abad pur kot gaon nagar shan zhou kawa machi saki ung "
    "bang thap buri tana kro wayo pane huasi tepec lán gue ac ège ières mont fontaine sur au bach "
    "tal berg bruck hofen ele eni oara ești iște järvi salmi lahti vik nes fjord dal sund holm"
).split()
_REAL = set(
    "Albania Armenia Georgia Romania Moldova Estonia Bolivia Colombia Slovenia Croatia Serbia Latvia "
    "Lithuania Bulgaria Macedonia Malaysia Indonesia Mongolia Namibia Zambia Gambia Nigeria Algeria "
    "Liberia Ethiopia Somalia Tanzania Tunisia Syria Austria Russia Australia India Cambodia Guinea "
    "Uruguay Paraguay Ghana Botswana Guyana Finland Poland Ireland Iceland Thailand Switzerland "
    "Eswatini Denmark Pakistan Afghanistan Kazakhstan Uzbekistan Tajikistan Kyrgyzstan Turkmenistan "
    "Kenya Libya Angola Rwanda Uganda Malawi Ecuador Salvador Tuvalu Nauru Samoa Tonga Jordan Mali "
    "Chad Togo Benin Niger Gabon Sudan Oman Qatar Yemen Iraq Iran Israel Korea China Japan Vietnam "
    "Laos Nepal Bhutan Malta Monaco Andorra Norway Sweden Spain France Italy Greece Turkey Cyprus "
    "Belarus Ukraine Hungary Slovakia Netherlands Belgium Luxembourg Scotland Palau Estova Saudi".split()
)

REAL_COUNTRIES: tuple[tuple[str, str], ...] = tuple(
    tuple(pair.split("/"))  # type: ignore[misc]
    for pair in (
        "Portugal/Portuguese Norway/Norwegian Sweden/Swedish Finland/Finnish Denmark/Danish Poland/Polish "
        "Hungary/Hungarian Romania/Romanian Bulgaria/Bulgarian Greece/Greek Turkey/Turkish Egypt/Egyptian "
        "Kenya/Kenyan Ghana/Ghanaian Nigeria/Nigerian Chile/Chilean Peru/Peruvian Bolivia/Bolivian "
        "Uruguay/Uruguayan Japan/Japanese Thailand/Thai Nepal/Nepalese Jordan/Jordanian Iceland/Icelandic "
        "Ireland/Irish Estonia/Estonian Latvia/Latvian Lithuania/Lithuanian Croatia/Croatian Serbia/Serbian "
        "Georgia/Georgian Armenia/Armenian Mongolia/Mongolian Samoa/Samoan Tonga/Tongan Fiji/Fijian "
        "Jamaica/Jamaican Barbados/Barbadian Belize/Belizean Panama/Panamanian Cuba/Cuban Mali/Malian "
        "Senegal/Senegalese Togo/Togolese Benin/Beninese Gabon/Gabonese Zambia/Zambian Malawi/Malawian "
        "Namibia/Namibian Botswana/Botswanan Uganda/Ugandan Rwanda/Rwandan Ethiopia/Ethiopian "
        "Tunisia/Tunisian Morocco/Moroccan Algeria/Algerian Lebanon/Lebanese Israel/Israeli Iran/Iranian "
        "Pakistan/Pakistani India/Indian Vietnam/Vietnamese Cambodia/Cambodian Malaysia/Malaysian "
        "Indonesia/Indonesian Australia/Australian Canada/Canadian Brazil/Brazilian Argentina/Argentine "
        "Mexico/Mexican Spain/Spanish France/French Germany/German Italy/Italian Austria/Austrian "
        "Belgium/Belgian Luxembourg/Luxembourgish Malta/Maltese Cyprus/Cypriot Slovenia/Slovenian"
    ).split()
)

REGIONS = (
    "Bavaria|Saxony|Hesse|Thuringia|Lower Saxony|Brandenburg|Tyrol|Styria|Carinthia|Burgundy|Brittany|"
    "Normandy|Alsace|Provence|Tuscany|Lombardy|Piedmont|Umbria|Calabria|Sardinia|Sicily|Andalusia|"
    "Catalonia|Galicia|Extremadura|Navarre|Madeira|the Azores|Silesia|Masovia|Moravia|Transylvania|"
    "Vojvodina|Thessaly|Crete|Dalmatia|Istria|Karelia|Lapland|Uusimaa|Skåne|Dalarna|Jutland|Zeeland|"
    "Friesland|Limburg|Flanders|Wallonia|Cornwall|Yorkshire|Kent|Northumberland|Devon|Ulster|Connacht|"
    "Ohio|Oregon|Nebraska|Vermont|Montana|Kansas|Idaho|Nevada|Wyoming|Maine|Alabama|Arkansas|Utah|"
    "Delaware|Wisconsin|Iowa|Tennessee|New Mexico|North Dakota|Rhode Island|Hawaii|Alaska|Guam|"
    "American Samoa|the Northern Mariana Islands|Ontario|Manitoba|Nova Scotia|Saskatchewan|Alberta|"
    "Quebec|Yukon|Nunavut|Newfoundland and Labrador|Jalisco|Oaxaca|Sonora|Chiapas|Yucatán|Puebla|"
    "Antioquia|Boyacá|Cusco|Arequipa|Mendoza|Córdoba Province|Santa Fe Province|Bahia|Paraná|Minas Gerais|"
    "Pernambuco|Ceará|Queensland|Tasmania|Victoria|New South Wales|South Australia|Hokkaido|Okinawa|"
    "Kerala|Punjab|Gujarat|Odisha|Assam|Bihar|Goa|Nagaland|Sindh|Balochistan|West Java|Bali|Aceh|Papua|"
    "Sabah|Sarawak|Penang|Johor|Sichuan|Yunnan|Hunan|Guangdong|Tibet|Inner Mongolia|Gyeonggi|Jeju|"
    "Kano State|Lagos State|Rivers State|Enugu State|Ashanti|Volta Region|Gauteng|Limpopo|KwaZulu-Natal|"
    "Western Cape|Katanga|Kivu|Oromia|Tigray|Amhara|Darfur|Puntland|Somaliland|Zanzibar|Kurdistan|Basra|"
    "Nineveh|Fars|Isfahan|Khorasan|Kandahar|Herat|Anatolia|Tatarstan|Chechnya|Dagestan|Yakutia|Buryatia|"
    "Siberia|Crimea|Abkhazia|Adjara|Gagauzia|the Faroe Islands|Greenland|Åland|Jersey|Guernsey|"
    "the Isle of Man|Gibraltar|Bermuda|the Cayman Islands|Montserrat|Anguilla|Aruba|Curaçao|"
    "the Falkland Islands|Saint Helena|the Cook Islands|Niue|Tokelau|New Caledonia|French Polynesia|"
    "Martinique|Réunion|Mayotte|Bougainville|Rotuma|Nagorno|Corsica|Svalbard|Rodrigues|Tobago|Nevis|Pohnpei"
).split("|")

CITIES = (
    "Toronto|Chicago|Seattle|Denver|Boston|Atlanta|Houston|Phoenix|Detroit|Portland|Baltimore|Vancouver|"
    "Calgary|Montreal|Winnipeg|Guadalajara|Monterrey|Medellín|Cali|Guayaquil|Arequipa|Rosario|Recife|"
    "Salvador|Curitiba|Manaus|Liverpool|Leeds|Bristol|Glasgow|Cardiff|Cork|Galway|Lyon|Marseille|Nantes|"
    "Lille|Bordeaux|Hamburg|Munich|Cologne|Leipzig|Dresden|Stuttgart|Bremen|Rotterdam|Utrecht|Antwerp|"
    "Ghent|Zurich|Basel|Geneva|Graz|Salzburg|Linz|Milan|Turin|Naples|Palermo|Genoa|Bologna|Venice|"
    "Barcelona|Valencia|Seville|Bilbao|Zaragoza|Porto|Braga|Gdańsk|Kraków|Wrocław|Poznań|Łódź|Brno|"
    "Ostrava|Košice|Debrecen|Szeged|Cluj-Napoca|Timișoara|Iași|Plovdiv|Varna|Thessaloniki|Patras|Split|"
    "Rijeka|Novi Sad|Niš|Maribor|Mostar|Gothenburg|Malmö|Bergen|Trondheim|Aarhus|Odense|Tampere|Turku|"
    "Tartu|Kaunas|Klaipėda|Daugavpils|Odesa|Kharkiv|Lviv|Saint Petersburg|Kazan|Novosibirsk|Samara|"
    "Istanbul|Izmir|Bursa|Haifa|Aleppo|Mosul|Basra|Tabriz|Shiraz|Mashhad|Karachi|Lahore|Peshawar|Mumbai|"
    "Kolkata|Chennai|Hyderabad|Pune|Jaipur|Lucknow|Chittagong|Kandy|Mandalay|Chiang Mai|Da Nang|Cebu|"
    "Davao|Surabaya|Bandung|Medan|Osaka|Nagoya|Sapporo|Kyoto|Fukuoka|Busan|Daegu|Incheon|Shanghai|"
    "Shenzhen|Chengdu|Wuhan|Nanjing|Tianjin|Kaohsiung|Taichung|Sydney|Melbourne|Brisbane|Perth|Adelaide|"
    "Auckland|Christchurch|Suva|Lagos|Kano|Ibadan|Kumasi|Abidjan|Douala|Mombasa|Kisumu|Arusha|Durban|"
    "Johannesburg|Bulawayo|Lubumbashi|Casablanca|Fez|Oran|Sfax|Alexandria|Port Said"
).split("|")

PEOPLES = (
    "Ashanti|Zulu|Maori|Navajo|Cherokee|Mohawk|Sioux|Inuit|Sámi|Yoruba|Buganda|Herero|Lozi|Barotse|"
    "Toro|Bunyoro|Bafokeng|Kuna|Mapuche|Choctaw|Chickasaw|Hopi|Lakota|Ojibwe|Cree|Haida|Seminole|Ho-Chunk"
).split("|")

_ADJ = (
    "Northern Southern Eastern Western Central United National Royal Global Pacific Atlantic Nordic "
    "Alpine Golden Silver Blue Red Green Bright Summit Pioneer Apex Crystal Iron Solar Harbour River "
    "Coastal Metro First Premier General Continental Highland Sterling Liberty Phoenix Falcon Granite"
).split()
_NOUN = (
    "Bridge Stone Wave Light Tree Field Gate Star Forge Peak Rock Wind Cloud Leaf Arrow Anchor Tower "
    "Lantern Compass Harbor Meadow Spring Canyon Orchard Beacon Raven Heron Otter Lynx Badger Cedar "
    "Maple Willow Ember Frost Quill Loom Kettle Mill Wheel Prism Orbit Delta Sigma Vector Pixel"
).split()


def word(rng: Random) -> str:
    """Return an invented proper noun of two or three syllables."""
    roll = rng.random()
    text = rng.choice(_STEMS)
    if roll < 0.6:
        text += rng.choice(_MIDDLES)
    if roll < 0.15:
        text += rng.choice(_MIDDLES)
    if roll >= 0.6 or rng.random() < 0.4:
        text += rng.choice(
            ("a", "o", "is", "e", "us", "ek", "an", "in", "ar", "on", "ix", "ent", "und")
        )
    return text


def adjective(name: str) -> str:
    """Return the adjective of an invented country."""
    if name.endswith("land"):
        return name + "ic"
    if name.endswith("stan"):
        return name + "i"
    if name.endswith("mark"):
        return name + "ian"
    if name.endswith("uay"):
        return name + "an"
    if name.endswith("ador"):
        return name + "ian"
    if name.endswith("a"):
        return name + "n"
    return name + "ese"


def country(rng: Random) -> tuple[str, str]:
    """Return an invented country and its adjective."""
    while True:
        roll = rng.random()
        stem = rng.choice(_STEMS)
        if rng.random() < 0.55:
            stem += rng.choice(_MIDDLES)
        if roll < 0.06:
            name = f"the {stem}{rng.choice(('a', 'o', 'i', 'u'))} Islands"
            return name, name[4:-8] + "n"
        if roll < 0.1:
            name = f"{rng.choice(('North', 'South', 'East', 'West', 'New', 'Upper'))} {stem}ia"
            return name, name + "n"
        if roll < 0.13:
            base = stem + rng.choice(("ia", "ana", "ova"))
            return (
                f"the {rng.choice(('United Provinces', 'Federation', 'Republic', 'Commonwealth'))} of {base}",
                base + "n",
            )
        if roll < 0.15:
            base = stem + "ia"
            return f"{base} and {rng.choice(_STEMS)}ova", base + "n"
        if roll < 0.17:
            base = f"{rng.choice(('Saint', 'Santa', 'Puerto', 'Costa', 'Monte'))} {stem}o"
            return base, base + "an"
        ending = rng.choice(_COUNTRY_ENDS)
        if stem[-1] in "aeiou" and ending[0] in "aeiou":
            stem = stem[:-1]
        name = stem + ending
        if name in _REAL or len(name) > 14:
            continue
        return name, adjective(name)


def town(rng: Random) -> str:
    """Return an invented (or, one time in six, a real) town."""
    roll = rng.random()
    if roll < 0.16:
        return rng.choice(CITIES)
    stem = rng.choice(_STEMS)
    if roll < 0.45:
        stem += rng.choice(_MIDDLES)
    ending = rng.choice(_TOWN_ENDS)
    if stem[-1] in "aeiou" and ending[0] in "aeiouèâ":
        stem = stem[:-1]
    name = stem + ending
    if roll > 0.93:
        lead = rng.choice(
            ("San ", "Port ", "Saint ", "New ", "Bad ", "Villa ", "Old ", "Upper ", "Fort ", "Al-")
        )
        name = lead + name
    elif roll > 0.9:
        tail = rng.choice(
            (" Falls", " Springs", "-on-Sea", " Bay", " Heights", " Hill", " Lake", " Beach")
        )
        name += tail
    return name


def region(rng: Random) -> str:
    """Return a real or invented region."""
    roll = rng.random()
    if roll < 0.6:
        return rng.choice(REGIONS)
    base = word(rng)
    if roll < 0.7:
        return base + " Province"
    if roll < 0.78:
        return base + " County"
    if roll < 0.86:
        return f"the {base} Valley"
    return base


def company(rng: Random) -> str:
    """Return an invented company."""
    roll = rng.random()
    if roll < 0.25:
        return f"{word(rng)} {rng.choice(('Group', 'Industries', 'Holdings', 'Motors', 'Foods', 'Bank', 'Energy', 'Systems', 'Pharma', 'Steel', 'Airlines', 'Software', 'Logistics', 'Electronics', 'Textiles', 'Breweries'))}"
    if roll < 0.45:
        return f"{rng.choice(_NOUN)}{rng.choice(_NOUN).lower()}"
    if roll < 0.6:
        return f"{rng.choice(_ADJ)} {rng.choice(_NOUN)} {rng.choice(('Ltd', 'Inc.', 'Corporation', 'Company', 'plc', 'Partners', 'Labs'))}"
    if roll < 0.7:
        return f"{word(rng)} {rng.choice(('AG', 'SA', 'AB', 'Oyj', 'GmbH', 'S.p.A.', 'NV', 'A/S', 'SE', 'Pty Ltd'))}"
    if roll < 0.8:
        return f"{word(rng)} & {rng.choice(('Sons', 'Co.', 'Brothers', word(rng)))}"
    if roll < 0.9:
        return word(rng) + rng.choice(
            ("tech", "soft", "net", "gen", "bank", "air", "oil", "works", "ly", "io")
        )
    return f"{rng.choice(_NOUN)} {rng.choice(_NOUN)}"


def club(rng: Random) -> str:
    """Return an invented sports club."""
    place = town(rng)
    roll = rng.random()
    if roll < 0.4:
        return f"{place} {rng.choice(('United', 'City', 'Rovers', 'Athletic', 'Wanderers', 'Town', 'Rangers', 'Albion', 'Hotspurs', 'Eagles', 'Bears', 'Tigers', 'Sharks', 'Giants', 'Hawks', 'Pirates'))}"
    if roll < 0.75:
        return f"{rng.choice(('FC', 'SC', 'FK', 'AC', 'Real', 'Sporting', 'Dinamo', 'Lokomotiv', 'Atlético', 'Deportivo', 'SV', 'RC', 'Racing', 'Spartak', 'Olympique', 'HC', 'BC'))} {place}"
    return f"{place} {rng.choice(('FC', 'SC', 'AFC', 'FF', 'IF', 'RFC'))}"


_T_ADJ = (
    "Silent Broken Golden Last Hidden Distant Burning Crooked Forgotten Winter Second Empty Paper Glass "
    "Crimson Quiet Endless Lonely Restless Secret Ancient Little Wandering Stolen Frozen Bitter Blue "
    "Hollow Long Invisible Sleeping Salt Borrowed Northern Velvet Wooden Midnight"
).split()
_T_NOUN = (
    "River Garden House Mirror Harvest Clock Shore Lantern Orchard Kingdom Station Window Letter Island "
    "Forest Voyage Summer Crown Bridge Sky Stranger Daughter Soldier Tailor Fisherman Gardener Merchant "
    "Song Dance Shadow Harbour Mountain Storm Road City Well Tower Rain Machine Horse Sparrow Wolf Fox "
    "Stone Feast Map Door Ladder Sea Moon Road Painter Clockmaker Lighthouse"
).split()
_T_THING = (
    "Dust Ashes Silence Sand Snow Water Fire Light Glass Honey Salt Iron Stars Bones Roses Sorrow "
    "Memory Winter Thunder Silk Smoke Strangers Kings Exile"
).split()


def work_title(rng: Random) -> str:
    """Return an invented title of a book, film or other work."""
    roll = rng.random()
    a, n, n2 = rng.choice(_T_ADJ), rng.choice(_T_NOUN), rng.choice(_T_NOUN)
    if roll < 0.28:
        return f"The {a} {n}"
    if roll < 0.42:
        return f"The {n} of {rng.choice(_T_THING)}"
    if roll < 0.52:
        return f"{rng.choice(_T_THING)} and {rng.choice(_T_THING)}"
    if roll < 0.6:
        return f"A {n} in {town(rng)}"
    if roll < 0.68:
        return f"{a} {n}"
    if roll < 0.76:
        return f"The {n} and the {n2}"
    if roll < 0.82:
        return f"{rng.choice(('Beyond', 'Under', 'Before', 'After', 'Across', 'Beneath'))} the {n}"
    if roll < 0.88:
        return f"{rng.choice(('Letters', 'Songs', 'Tales', 'Notes', 'Postcards'))} from {town(rng)}"
    if roll < 0.94:
        return f"{word(rng)}'s {n}"
    return word(rng)


def number(rng: Random, low: int, high: int) -> str:
    """Return a number with thousands separators, more or less rounded."""
    value = rng.randint(low, high)
    if value > 2000 and rng.random() < 0.5:
        value = round(value, -2 if value < 100_000 else -3)
    return f"{value:,}"


def _organisation(rng: Random) -> str:
    return rng.choice(
        (
            f"{word(rng)} Institute",
            f"Ministry of {rng.choice(('Culture', 'Trade', 'Health', 'Transport'))}",
            f"{word(rng)} Society",
            f"{town(rng)} Chamber of Commerce",
            f"{word(rng)} Foundation",
            f"{adjective(word(rng) + 'ia')} Academy",
            f"University of {town(rng)}",
            f"{word(rng)} Commission",
        )
    )


def _day(rng: Random) -> str:
    day, month, year = rng.randint(1, 28), rng.choice(MONTHS), rng.randint(1900, 2023)
    return f"{day} {month} {year}" if rng.random() < 0.6 else f"{month} {day}, {year}"


MONTHS = (
    "January February March April May June July August September October November December"
).split()
NOISE.update(
    x_person=lambda r: person(r).full,
    x_town=town,
    x_region=region,
    x_country=lambda r: country(r)[0],
    x_adj=lambda r: country(r)[1],
    x_org=_organisation,
    x_company=company,
    x_club=club,
    x_work=work_title,
    x_year=lambda r: str(r.randint(1850, 2022)),
    x_recent=lambda r: str(r.randint(2005, 2023)),
    x_month=lambda r: r.choice(MONTHS),
    x_date=_day,
    x_num=lambda r: number(r, 3, 9000),
    x_small=lambda r: r.choice(
        "two three four five six seven eight nine ten a\u00a0dozen".split(" ")
    ).replace("\u00a0", " "),
    x_money=lambda r: r.choice(("$", "€", "£")) + number(r, 100, 90000),
    x_paper=lambda r: r.choice(
        ("the {} Gazette", "the {} Times", "the {} Herald", "the Daily {}")
    ).format(town(r)),
)
