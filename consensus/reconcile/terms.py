"""Words by what they do in a claim: words for one thing, for places on one scale, for roles, and words that say little.

Two claims are about the same thing only when neither names something that the other does not, so words that differ and
mean the same must be known. Meaning as vectors cannot tell: a landlord and a tenant, a left and a right knee, a hotel
and a restaurant lie as near each other as true synonyms. Each group below is plain English of its field, none is made
for single sentences.
"""

import re
from enum import StrEnum

from wording.verbs import word_set
from wording.words import stem

_SAME = {
    # travel and hospitality
    "lodging": "hotel accommodation lodging hostel inn room stay check-in checkin motel stayed guesthouse",
    "eating": "restaurant food cuisine cooking meal dinner lunch breakfast eat dine dining diner table supper "
    "eatery eats",
    "rail": "train rail railway",
    "cab": "taxi cab minicab",
    "flight": "flight plane airplane aircraft fly",
    "sight": "attraction sightseeing visit outing excursion",
    "people": "people person guest passenger traveller traveler party group attendee participant folks us",
    "night": "night",
    "star": "star rating rated",
    "parking": "carpark",
    "internet": "internet wifi wi-fi wlan",
    # work
    "budget": "budget spend spending",
    "cost": "cost price fee charge",
    "deadline": "deadline due",
    "meeting": "meeting call appointment session",
    "owner": "owner lead responsible owns leads charge",
    "staff": "employee staff headcount",
    # software
    "database": "database db",
    "release": "release deploy deployment rollout launch ship",
    "latency": "latency",
    "bug": "bug defect",
    "environment": "environment env",
    "retention": "retention retain retained keep kept",
    "timeout": "timeout",
    "replica": "replica copy",
    # clinic
    "dose": "dose dosage",
    "drug": "drug medication medicine",
    "surgery": "surgery operation procedure",
    "allergy": "allergy allergic",
    # law
    "rent": "rent",
    "agreement": "agreement contract",
    "hearing": "hearing",
    "notice": "notice",
}
"""Words for one thing, by its name."""

_SCALES = {
    "direction": "north south east west northern southern eastern western centre center central downtown northeast "
    "northwest southeast southwest middle",
    "price": "cheap cheaper inexpensive moderate moderately expensive pricey upmarket affordable luxury low-cost",
    "origin": "afghan african albanian algerian american arab arabic argentinian armenian asian australian austrian "
    "bangladeshi basque belgian bolivian bosnian brazilian british bulgarian burmese cambodian canadian cantonese "
    "caribbean catalan chilean chinese colombian corsica corsican creole croatian cuban czech danish dutch egyptian "
    "english eritrean estonian ethiopian european filipino finnish french georgian german ghanaian greek haitian "
    "hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish "
    "jordanian kenyan "
    "korean kurdish laotian latvian lebanese lithuanian malaysian maltese mediterranean mexican mongolian moroccan "
    "nepalese nigerian norwegian oriental pakistani persian peruvian polish polynesian portuguese romanian russian "
    "scandinavian scottish serbian sicilian singaporean slovak slovenian somali spanish swedish swiss syrian taiwanese "
    "thai tibetan tunisian turkish tuscan ukrainian venetian venezuelan vietnamese welsh yemeni international fusion "
    "halal kosher vegetarian vegan seafood barbecue barbeque gastropub steakhouse bistro unusual eclectic traditional",
    "side": "left right",
    "severity": "mild moderate severe critical minor major",
    "level": "low medium high",
    "size": "small medium large",
    "frequency": "hourly daily nightly weekly fortnightly monthly quarterly yearly annual annually",
    "daytime": "morning afternoon evening night noon midnight",
    "season": "spring summer autumn fall winter",
    "colour": "black white red green blue yellow orange purple grey gray brown pink",
    "ability": "enabled disabled",
    "access": "open closed public private internal external",
    "duty": "mandatory optional voluntary compulsory",
    "operation": "manual automatic automated",
    "route": "oral orally intravenous intravenously subcutaneous subcutaneously topical topically intramuscular",
    "time model": "synchronous asynchronous",
    "smoking": "smoking non-smoking",
    "payment": "cash card invoice transfer",
    "rank": "primary secondary tertiary",
}
"""Words that stand on one scale: what is at one place of it is at no other."""


class Role(StrEnum):
    """What a value is of the thing it is said of."""

    START = "start"
    END = "end"
    LEAST = "least"
    MOST = "most"
    UNTIL = "until"


_START = (
    r"starts?|starting|began|begins?|beginning|opens?|opening|leav(?:e|es|ing)|depart(?:s|ure|ing)?|set(?:s|ting)? off"
    r"|picks? (?:\w+ )?up|picked up|boards?|gets? on|collects?|not before|origin|get into"
)
_END = (
    r"ends?|ending|clos(?:es|ing)|finish(?:es|ed|ing)?|arriv(?:e|es|al|ing)|reach(?:es)?|due|expires?"
    r"|gets? (?:in|there)"
    r"|be there|drops?|dropped off|no later than|at the latest|heading|destination|deadline"
)
ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (Role.LEAST, re.compile(r"\b(?:at least|minimum|no less than|no fewer than|or more)\b", re.IGNORECASE)),
    (Role.MOST, re.compile(r"\b(?:at most|maximum|up to|no more than|or less|or fewer)\b", re.IGNORECASE)),
    (Role.START, re.compile(rf"\b(?:{_START})\b", re.IGNORECASE)),
    (Role.END, re.compile(rf"\b(?:{_END})\b", re.IGNORECASE)),
)
"""Wording that gives a value its role wherever it stands in the clause."""

LEADING_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (Role.UNTIL, re.compile(r"\b(?:until|till|through)(?: (?:the|a|an))?\W*$", re.IGNORECASE)),
    (
        Role.START,
        re.compile(
            r"\b(?:from|since|(?<!not )after|not before|(?:no|not) earlier than)(?: (?:the|a|an))?\W*$", re.IGNORECASE
        ),
    ),
    (
        Role.END,
        re.compile(
            r"\b(?:(?:go(?:es|ing)?|takes?|train|taxi|bus|ride|trip|journey|head(?:s|ing)?) (?:\w+ ){0,3}?to"
            r"|by|(?<!not )before|not after|(?:no|not) later than)(?: (?:the|a|an))?\W*$",
            re.IGNORECASE,
        ),
    ),
)
"""Wording that gives a role to the value right behind it."""

_LITTLE = """
    user assistant speaker customer client team everybody everyone somebody thing something somewhere anything kind
    sort type way part side area region district place spot location city town range band day date time hour moment
    point length want wants wanted need needs needed wish wishes like likes prefer prefers preferred look looks
    looking search searches seek ask asks require requires required seem settle settled settles choose chooses
    chosen chose pick picks picked select go goes going gone went come comes coming get gets take takes taken took
    make makes made set sets put book books booked booking reserve reserves reserved reservation order orders
    ordered plan plans planned schedule scheduled schedules agree agreed decide decided decides decision fix fixed
    use uses used using run runs running have has had be is are was were being been do does done should would must
    shall will can could may might belong belongs lie lies stand stands sit fall falls ready last lasts hold holds
    held keep stay remain remains total amount number count figure value current currently now new today exactly
    approximately about around only just free still also as well instead actually then search fit fits serve serves
    served serving offer offers provide provides give gives given mean means say says said state stated travel
    travels trip journey ride ticket start starts starting begin begins beginning end ends ending leave leaves
    depart departs departure arrive arrives arrival reach reaches destination board boards drop drops dropped pickup
    heading set off latest later before after due open opens close closes seat rate rated find aim intend intends
    expect expects happen happens take takes place occur occurs move moves moved shift shifted change changed
    changes increase increased reduce reduced lowered raised raise raises cut lower become becomes became switch
    switched replace replaced replaces actual correct right confirmed everywhere always again first second whole
    overall first-person it's fancy fancies fancied desire desires desired hope hopes hoping crave craves request
    requests requested insist insists demand demands keen suit suits tonight tomorrow long
"""


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(part) for word in text.split() for part in (word, *word.split("-")))


CONCEPT: dict[str, str] = {stem(word): name for name, group in _SAME.items() for word in group.split()}
"""The thing that a stem names, for stems of the groups above."""

RIVALS = tuple(
    word_set(group)
    for group in (
        "breakfast",
        "lunch",
        "dinner supper",
        "check-in checkin",
        "check-out checkout",
        "deposit",
        "rent",
        "refund",
    )
)
"""Words for one thing in the wide sense that are two in the narrow: a lunch is no dinner."""

THINGS = frozenset(CONCEPT.values())
"""Names of things: claims that name different ones are about different things."""

SCALES: dict[str, frozenset[str]] = {
    word: frozenset(name for name, group in _SCALES.items() if word in group.split())
    for group in _SCALES.values()
    for word in group.split()
}
"""The scales that a word in lower case stands on."""

PLACES = frozenset(_SCALES["direction"].split())
"""Words of direction: before a word of its own such a word is part of a name, "North Street"."""

KINDS_OF_PLACE = word_set("gastropub steakhouse bistro seafood barbecue barbeque fusion")
"""Words of a scale that end names: "Backstreet Bistro"."""

SAY_LITTLE = _stems(_LITTLE) - CONCEPT.keys()
"""Stems of words that tell neither what a claim is about nor what it says of it."""

PHRASES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\bplaces? to stay\b|\bstay(?:s|ing)? (?:at|in)\b|\bcheck(?:s|ed|ing)?[ -]in\b", re.IGNORECASE),
        "hotel",
    ),
    (
        re.compile(r"\barriv(?:e|es|ing|al) at (?:the |their |our |a )?(?=hotel|hostel|inn\b|motel)", re.IGNORECASE),
        "hotel",
    ),
    (re.compile(r"\bplaces? to (?:eat|dine)\b|\b(?:eat|eats|dine|dining|meal) out\b", re.IGNORECASE), "restaurant"),
    (re.compile(r"\bplaces? to (?:visit|see)\b|\b(?:wants?|going|like|hoping) to see\b", re.IGNORECASE), "attraction"),
    (re.compile(r"\bparking\b|\b(?:to|can|may) park\b", re.IGNORECASE), "carpark"),
    (re.compile(r"\b(?:per|a) head\b", re.IGNORECASE), "person"),
    (re.compile(r"\bguest ?houses?\b", re.IGNORECASE), "guesthouse"),
)
"""Several words for one."""
