"""Dates and times of day as they are said, part by part."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from dissolution.values import Frozen, Span

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tues tue",
            "wednesday wed",
            "thursday thurs thur thu",
            "friday fri",
            "saturday sat",
            "sunday sun",
        ),
        start=1,
    )
    for name in names.split()
}
QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
# Months in small letters count only in full and beside a day; "march" and "may" are verbs, so they never do alone.
_MONTH_SMALL = r"(?:january|february|march|april|june|july|august|september|october|november|december)"
_MONTH_ANY = rf"(?:{_MONTH}|{_MONTH_SMALL}|{_MONTH_SMALL.upper()})"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:19|20|21)\d\d"
_END = r"(?![\w])(?!\.\d)(?!,\d\d\d(?!\d))"

# Each alternative is one kind of atom; atoms that stand side by side are joined into one mention afterwards.
ATOM = re.compile(
    rf"""(?:(?<![\w.#])|(?<=\dT))(?<!\d[:,/-])(?:
      (?P<iso>(?P<iy>{_YEAR})-(?P<im>0[1-9]|1[0-2])-(?P<id>0[1-9]|[12]\d|3[01]))(?=T\d\d:|(?!\w))
    | (?P<slash>(?P<s1>\d{{1,2}})[/.](?P<s2>\d{{1,2}})[/.](?P<sy>{_YEAR}|\d\d)){_END}
    | (?P<dots>(?P<d1>{_DAY})\.(?P<d2>0?[1-9]|1[0-2])\.)(?=[\s,;:)"”]|$)
    | (?P<daymonth>(?P<dd>{_DAY})(?:st|nd|rd|th
    |\.)?[ \u00a0]+(?:of[ ]+)?(?P<dm>{_MONTH_ANY})\.?(?:,?[ \u00a0]+(?P<dy>{_YEAR})(?!-\d))?){_END}
    | (?P<monthday>(?P<mm>{_MONTH_ANY})\.?[ \u00a0]+(?:the[ ]+)?(?P<md>{_DAY})(?:st|nd|rd
    |th)?(?:,?[ \u00a0]+(?P<my>{_YEAR})(?!-\d))?){_END}(?!:\d)(?![ ]?(?:%|per[ ]?cent))
    | (?P<monthyear>(?P<ym>{_MONTH_ANY})\.?,?[ \u00a0]+(?P<yy>{_YEAR})){_END}
    | (?P<quarter>Q(?P<q>[1-4])(?:[ \u00a0/-]*(?P<qy>{_YEAR}))?|(?P<yq>{_YEAR})[ \u00a0-]?Q(?P<q2>[1-4])){_END}
    | (?P<quarterword>(?P<qw>first|second|third|fourth|[1-4](?:st|nd|rd
    |th))[ ]quarter(?:[ ](?:of[ ])?(?P<qwy>{_YEAR}))?)(?!\w)
    | (?P<clock>(?P<ch>[01]?\d
    |2[0-4]):(?P<cm>[0-5]\d)(?::[0-5]\d(?:[.,]\d{{1,9}})?)?(?:[ \u00a0]?(?P<cap>[AaPp]\.?[Mm])(?![\w])\.?)?)(?!:?\d)
    | (?P<hour>(?P<hh>1[0-2]|0?[1-9])[ \u00a0]?(?P<hap>[AaPp]\.?[Mm])(?![\w])\.?)
    | (?P<oclock>(?P<oh>\d{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ ]o['’]clock)
    | (?P<named>[Nn]oon|[Mm]idday|[Mm]idnight)(?!\w)
    | (?P<weekday>(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)day|MONDAY|TUESDAY|WEDNESDAY
    |THURSDAY|FRIDAY|SATURDAY|SUNDAY)(?!\w)
    | (?P<weekdayshort>Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)(?=[.,]?[ ](?:{_DAY}[ ]|{_MONTH}[ ]|\d\d?:\d\d))
    | (?P<theday>(?<=\bthe[ ])(?P<td>{_DAY})(?:st|nd|rd|th))(?!\w)(?![ ][a-z]{{3}})
    | (?P<month>{_MONTH})(?!\w)(?![ ]\d)
    | (?P<year>{_YEAR})(?![\w%])(?![.,:/-]\d)
    )""",
    re.VERBOSE,
)
ZONE = re.compile(r"[ \u00a0]?(?P<zone>Z|UTC|GMT|[A-Z]{1,3}S?T|[+-]\d\d:?\d\d|local(?: time)?)(?!\w)")
# What may stand between two atoms of one mention.
GLUE = re.compile(r"(?:,?[ \u00a0]+(?:at|on|of|the|in|around|about)?[ \u00a0]*|T|,)")
GLUE_LIMIT = 12
# A bare year is a date after these words, or beside another year; otherwise 2000 may count anything.
BEFORE_YEAR = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|before|after|during|through|throughout|mid|early|late|year|spring"
    r"|summer|autumn|fall|"
    r"winter|of|to|and|the|last|next|this)[ -]|[(\[]|[–-]|\.\.)$",
    re.IGNORECASE,
)
# … unless what follows shows that things are counted.
AFTER_COUNT = re.compile(
    r"[ \u00a0]?(?:%|[€$£]|(?:per|[a-z]{2,}s|people|[kMG]B|ms|s|kg|km|m|ha|euros?|dollars?|times|percent)(?!\w))"
)
# A month name alone is a date only where a date can stand: "in March", "March was", never "May I".
BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|from|before|after|during|through|early|mid|late|last|next|this|every|of|end"
    r"|to|and|or|for|a|the|and)[ -]$",
    re.IGNORECASE,
)
# The first day of a range takes its month from the second: "16 to 18 January"; and the reverse, "March 15-17".
RANGE_BEFORE = re.compile(
    rf"(?<![\w.:/-])(?P<day>{_DAY})(?:st|nd|rd|th)?(?:[ ]?[–—-][ ]?|[ ](?:to|until|and"
    rf"|or)[ ])$"
)
RANGE_AFTER = re.compile(rf"[ ]?(?:[–—-]|to|until)[ ]?(?P<day>{_DAY})(?:st|nd|rd|th)?(?![\w:.]|[ ]{_MONTH})")
YEAR_AFTER = re.compile(rf"(?:[–-]|\.\.|[ ](?:to|and)[ ]){_YEAR}(?!\w)")
NOON = 12


class DateMention(Frozen):
    """A date or time of day as said; a part that was not said is None.

    Months are 1-12, days 1-31, weekdays 1 (Monday) to 7, quarters 1-4, hours 0-24, minutes 0-59.
    `zone` is the time zone as said ("UTC" for Z and GMT).
    """

    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    hour: int | None = None
    minute: int | None = None
    zone: str | None = None
    span: Span
    text: str


PARTS = ("year", "quarter", "month", "day", "weekday", "hour", "minute")


class _Atom(NamedTuple):
    start: int
    end: int
    parts: dict[str, int]
    zone: str | None


@lru_cache(maxsize=64)  # the readers of numbers ask for the same text right after each other
def dates(text: str) -> tuple[DateMention, ...]:
    """Every date and time of day in `text`, in order, without overlap.

    Parts that stand together are one mention ("Wednesday 12 June, 07:30"). A range gives two mentions. Dates written
    with slashes keep only the year where day and month cannot be told apart.
    """
    mentions: list[DateMention] = []
    for atom in _joined(text, _atoms(text)):
        mentions.extend(_with_range(text, atom, mentions[-1].span.end if mentions else 0))
    return tuple(mentions)


def conflict(a: DateMention, b: DateMention) -> bool:
    """Whether both give a part and the parts differ.

    Hours and minutes are compared only when both mentions name the same zone or at most one names any. A month lies in
    its quarter. Two mentions that share no part do not conflict.
    """
    comparable_clock = a.zone is None or b.zone is None or a.zone == b.zone
    for part in PARTS if comparable_clock else PARTS[:-2]:
        left, right = getattr(a, part), getattr(b, part)
        if left is not None and right is not None and left != right:
            return True
    return _outside(a.month, b.quarter) or _outside(b.month, a.quarter)


def _outside(month: int | None, quarter: int | None) -> bool:
    """Whether a month is given that does not lie in the quarter that is given."""
    return month is not None and quarter is not None and (month + 2) // 3 != quarter


def _atoms(text: str) -> Iterator[_Atom]:
    for match in ATOM.finditer(text):
        parts = _parts(match, text)
        if parts is None:
            continue
        end = match.end()
        zone = None
        if "hour" in parts:
            said = ZONE.match(text, end)
            if said:
                end, zone = said.end(), _zone(said["zone"])
        yield _Atom(match.start(), end, parts, zone)


def _zone(said: str) -> str:
    return "UTC" if said in {"Z", "UTC", "GMT", "+00:00", "+0000"} else said.removesuffix(" time")


def _parts(match: re.Match[str], text: str) -> dict[str, int] | None:
    """The parts an atom gives, or None when its surroundings show that it is no date."""
    for kind, read in READERS.items():
        if match[kind] is not None:
            return read(match, text)
    return None


def _given(**parts: str | int | None) -> dict[str, int]:
    return {name: int(value) for name, value in parts.items() if value is not None}


def _month(name: str) -> int:
    return MONTHS[name.lower()]


def _read_slash(match: re.Match[str], _text: str) -> dict[str, int] | None:
    first, second, year = int(match["s1"]), int(match["s2"]), match["sy"]
    dotted = match["slash"][len(match["s1"])] == "."
    full = int(year) if len(year) > 2 else None  # noqa: PLR2004 - two digits name no century
    if dotted and full is None:
        return None  # a version or section number
    if dotted or first > NOON:
        day, month = first, second
    elif second > NOON:
        day, month = second, first
    else:
        return _given(year=full, day=first, month=second) if first == second else _given(year=full)
    if not (1 <= month <= NOON and 1 <= day <= 31):  # noqa: PLR2004 - days of a month
        return None
    return _given(year=full, month=month, day=day)


def _clock(hour: int, minute: int | None, half: str | None) -> dict[str, int]:
    if half:
        hour = hour % NOON + (NOON if half[0] in "Pp" else 0)
    return _given(hour=hour, minute=minute)


def _read_month(match: re.Match[str], text: str) -> dict[str, int] | None:
    name = match["month"]
    ambiguous = name in {"May", "March", "Mar", "Jan", "June", "April", "August", "Jun", "Dec", "Sep"}
    if ambiguous and not BEFORE_MONTH.search(text, max(0, match.start() - 12), match.start()):
        return None
    return _given(month=_month(name))


def _read_year(match: re.Match[str], text: str) -> dict[str, int] | None:
    before = BEFORE_YEAR.search(text, max(0, match.start() - 12), match.start())
    if before is None or AFTER_COUNT.match(text, match.end()):
        following = YEAR_AFTER.match(text, match.end())
        possessive = text.startswith(("'s", "’s"), match.end())
        if following is None and not possessive:
            return None
    return _given(year=match["year"])


HOURS = {
    name: number
    for number, name in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}


READERS: dict[str, Callable[[re.Match[str], str], dict[str, int] | None]] = {
    "iso": lambda m, _t: _given(year=m["iy"], month=m["im"], day=m["id"]),
    "slash": _read_slash,
    "dots": lambda m, _t: _given(day=m["d1"], month=m["d2"]),
    "daymonth": lambda m, _t: _given(day=m["dd"], month=_month(m["dm"]), year=m["dy"]),
    "monthday": lambda m, _t: _given(day=m["md"], month=_month(m["mm"]), year=m["my"]),
    "monthyear": lambda m, _t: _given(month=_month(m["ym"]), year=m["yy"]),
    "quarter": lambda m, _t: _given(quarter=m["q"] or m["q2"], year=m["qy"] or m["yq"]),
    "quarterword": lambda m, _t: _given(quarter=QUARTERS[m["qw"]], year=m["qwy"]),
    "clock": lambda m, _t: _clock(int(m["ch"]), int(m["cm"]), m["cap"]),
    "hour": lambda m, _t: _clock(int(m["hh"]), 0, m["hap"]),
    "oclock": lambda m, _t: _given(hour=HOURS.get(m["oh"]) or m["oh"]),
    "named": lambda m, _t: _given(hour=0 if m["named"].lower() == "midnight" else NOON, minute=0),
    "weekday": lambda m, _t: _given(weekday=WEEKDAYS[m["weekday"].lower()]),
    "weekdayshort": lambda m, _t: _given(weekday=WEEKDAYS[m["weekdayshort"].lower()]),
    "theday": lambda m, _t: _given(day=m["td"]),
    "month": _read_month,
    "year": _read_year,
}


def _joined(text: str, atoms: Iterator[_Atom]) -> Iterator[_Atom]:
    """Atoms with those that stand together and complete each other made one."""
    current: _Atom | None = None
    for atom in atoms:
        if current is None:
            current = atom
        elif _together(text, current, atom):
            current = _Atom(current.start, atom.end, current.parts | atom.parts, current.zone or atom.zone)
        else:
            yield current
            current = atom
    if current is not None:
        yield current


def _together(text: str, left: _Atom, right: _Atom) -> bool:
    if left.parts.keys() & right.parts.keys() or right.start - left.end > GLUE_LIMIT:
        return False
    both = left.parts | right.parts
    if _outside(both.get("month"), both.get("quarter")):
        return False  # "March 1 Q2" is of two dates
    return GLUE.fullmatch(text, left.end, right.start) is not None


def _with_range(text: str, atom: _Atom, taken: int) -> Iterator[DateMention]:
    if "day" in atom.parts and "month" in atom.parts:
        outer = {name: atom.parts[name] for name in ("year", "month") if name in atom.parts}
        before = RANGE_BEFORE.search(text, max(taken, atom.start - 16), atom.start)
        if before:
            yield _mention(text, before.start("day"), before.end("day"), {**outer, "day": int(before["day"])})
        yield _mention(text, atom.start, atom.end, atom.parts, atom.zone)
        after = RANGE_AFTER.match(text, atom.end)
        if after:
            yield _mention(text, after.start("day"), after.end("day"), {**outer, "day": int(after["day"])})
    else:
        yield _mention(text, atom.start, atom.end, atom.parts, atom.zone)


def _mention(text: str, start: int, end: int, parts: dict[str, int], zone: str | None = None) -> DateMention:
    return DateMention(**parts, zone=zone, span=Span(start=start, end=end), text=text[start:end])
