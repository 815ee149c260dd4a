"""The words that name a later time or event from which, or at which, something is to hold.

An anchor alone is not enough: what stands at it must be an appointment, a planned act or a change of state. Deadlines
("by Friday"), ends ("until the vote") and what repeats ("on Mondays", "whenever") are no anchors.
"""

import re

from dissolution.values import Span
from language.dates import DateMention, dates
from language.tense import Tense, tense

_UNIT = r"(?:day|week|month|quarter|year|sprint|term|season|spring|summer|autumn|winter)"
_DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|ninety|a\ few|a\ couple\ of)"
# Later points and starts that are no calendar dates.
POINT = rf"""
    \b(?:tomorrow|tonight)\b(?!')
  | (?<!the\ )\bnext\ (?:{_UNIT}|{_DAY})\b | ^next\ time\b | \bthe\ (?:next|following)\ (?:sprint|term|season)\b
  | \b(?:later|earlier)\ (?:this|next)\ {_UNIT}\b | \bcome\ (?:spring|summer|autumn|winter|{_DAY}|January)\b
  | \bin\ {_NUMBER}\ {_UNIT}s?\b(?!\ (?:or|of|out)\b)
  | (?<!first\ )(?<!last\ )\b{_NUMBER}\ {_UNIT}s\ (?:after|from\ now|later)\b
  | \bthe\ week\ (?:of|after)\b | \b(?:to|at|over|for|on)\ the\ weekend\b | \bat\ midnight\b
  | \b(?:from|as\ of|as\ from|starting|beginning|effective|with)\ (?:with\ |from\ |on\ )?(?:version[ ]
        |release\ )?\d+\.\d+\b(?!(?:\.\d+)*\ (?:to|%|per|GB|MB|m)\b)
  | \b(?:with|as\ of|as\ from|from|in|until)\ the\ (?:\w+\ )?(?:release|effective\ date)\b
  | \bat\ the\ (?:cut-?over|end\ of\ (?:the|this|next)|next|start\ of\ (?:the|next)|beginning\ of\ (?:the|next))\b
  | \b(?:starting|beginning|effective|as\ of|as\ from)\ (?:with|from|on|next|{_DAY}|tomorrow|the)\b
  | \bon\ the\ (?:first|second|third|\d+(?:st|nd|rd|th))\b(?!\ (?:of\ )?(?:line|page|row))
  | \bin\ the\ (?:first|second|third|last|fourth)\ week\ of\b | \bafter\ the\ \d+(?:st|nd|rd|th)\b
  | \bafter\ the\ (?:holidays|weekend|break|summer|freeze)\b | \bfrom\ the\ moment\b
"""
# A single event to come, with a definite subject: "once the audit is finished". "When a contract is silent" repeats.
EVENT = r"""
    ^(?:and\ |but\ |so\ )?after\ that\b(?!\ (?:was|is|had))
  |     \b(?:once|as\ soon\ as|(?<!look\ )(?<!looks\ )after|when|from\ when)\ (?:the|our|my|his|her|its|their|this|that
        |these)\ [^,.;]{2,60}?
        (?=,|;|$|\ (?:we|i|you|they|he|she|it|the|both|all)\b|\.)
  | \b(?:once|as\ soon\ as)\ (?:we|i|you|they|he|she|it|there|probate|(?-i:[A-Z])\w+)\b[^,.;]{2,60}
  | \b(?:upon|on|after|following|at)\ (?:closing|completion|discharge|delivery|signing|signature|approval|receipt|launch
        |go-live|release|probate|surgery|termination|expiry|handover)\b
  | \b(?:upon|following)\ (?:the|our|her|his|its|their)\ \w+
  | \bafter\ (?:probate\b|(?-i:[A-Z])\w+)
  | ^(?:and\ |but\ |so\ )?before\ (?:the|our|my|his|her)\ \w+\ (?:\w+\ ){0,3}?(?:starts?|begins?|opens?|closes?|goes
        |on\ \w+|next\ \w+)
"""
# Acts put off say so themselves.
PUT_OFF = r"""
    \b(?:is|are|am|'re|'m|'s|falls?)\ due\ (?:at|on|back|in)\b
  |     \b(?:waits?|wait|postponed?|put\ off|deferred?|delayed?|hold\ off|held\ back|adjourned?|moved
        |pushed\ (?:back|out))[ ]
        (?:the\ [\w\ ]{1,30}\ )?(?:until|till|to)\b
  | \bnot\ [\w\ ]{1,30}\ until\b(?!\ now) | \bhas\ to\ wait\ until\b
"""
# A start that opens the sentence needs no verb of change behind it: "from Monday on the build needs two reviews".
OPENS = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay),? )?(?:from|starting|beginning|effective|as of|as from)\b[^,]{0,12}$", re.IGNORECASE
)
# What must not count as an anchor: deadlines and ends, with what they stretch over.
_PHRASE = r"(?:[\w:.'-]+\ ){0,5}?(?:[\w:.'-]+)"
BOUND = re.compile(
    rf"\b(?:by|until|till|no later than|not later than|within|since|up to|through|before)\ (?:the\ )?{_PHRASE}"
    r"(?=[,.;:!]|$|\ (?:we|i|and|but|then|because|so|that|which)\b)",
    re.IGNORECASE,
)
DATE_BEFORE = re.compile(
    r"\b(?P<word>every|each|on|from|at|in|for|as of|starting|beginning|effective|is|are|to|of|until|till|by|before"
    r"|since|within"
    r"|after|late|early|this|by the|was|the)(?: the| around| about| late| early| mid| end of| start of"
    r"| beginning of| middle of){0,2}[ ]$",
    re.IGNORECASE,
)
MONTH_AFTER = frozenset(
    {"in", "from", "for", "as of", "starting", "beginning", "effective", "after", "on", "at", "late", "early"}
)
DECIMAL = re.compile(r"\d+\.\d+\.?")
# What is said to stand at the time: an appointment, a start or an end in the present tense.
CHANGE = r"""
    ^(?:new\ |next\ )?(?:window|start|slot|launch|hearing|appointment|surgery|release|cut-?over|meeting|go-live
        |handover|visit)\b[^:]{0,30}:
  |     \b(?:is|are|was|were|be|been|get|gets)\ (?:now\ |only\ |first\ )?(?:set|scheduled|booked|due|planned|slated
        |fixed|listed|expected
        |to\ be|\w+ed|sent|held|built|cut|taken|given|made|done|put|brought)\b
  | \b(?:takes?|taking)\ (?:effect|place|over) | \b(?:comes?|goes|go|kicks?|phases?|sets?)\ (?:into\ (?:force
        |effect)|live|home
        |away|in|out|off|back|up)\b
  | \b(?:begins?|starts?|starting|ends?|expires?|opens?|closes?|ships?|lapses?|stops?|becomes?|moves?|switches
        |switch|flips?
        |applies|apply|passes|pass|falls?\ due|runs?\ out|leaves?|ceases?|resumes?|gets?|drops?|rises?|returns?
        |launch(?:es)?
        |retires?|lands?|comes?|gives|share|meets?|steps?|signs?|disappears?|vanish(?:es)?|goes|works?|waits?
        |revoked|reverts?|writes|sends|brings|hears?|sits?)\b
  | \b(?:will|'ll|shall|won't|we\ can|is\ going\ to|are\ going\ to|am\ going\ to|'m\ going\ to|'re\ going\ to|may\ be)\b
  | \b(?:we|i|you)(?:'re|'m|\ are|\ am)?\ (?:only\ |then\ |first\ |both\ )?(?!are\b|am\b|have\b|had\b|was\b|were\b
        |think\b|know\b|need\b
        |want\b|see\b|guess\b|expect\b|could\b|would\b|might\b|may\b|should\b|do\b|did\b|feel\b|mean\b|hope\b
        |like\b|can\b|can't\b|see\b|make\b|want\b|recommend\b|suggest\b
        |don't\b)[a-z]+
  | \b(?:we|i)\ (?:want|need|have)\ to\b
  | \b(?:he|she|they|it)\ (?:gets?|stops?|starts?|goes|takes?|moves?|leaves?|returns?|must|is\ to|are\ to|'ll)\b
  | \b(?:switch|move|transfer|look|check|repeat|send|run|talk|call|remind|start|stop|restart|begin|freeze|put|bring)\b
"""
REPEATS = re.compile(
    r"\b(?:weekly|daily|nightly|monthly|yearly|hourly|(?:every|each)\s(?:second\s|other\s)?(?:day|night|week|month"
    r"|quarter|year|hour"
    r"|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b",
    re.IGNORECASE,
)
PREDICTION = re.compile(
    r"\bplus\b|\b(?:i'd|we'd|would|could|might|maybe|perhaps|should we|shall we)\b|\b(?:at this rate|will (?:have"
    r"|probably|likely|be (?:in|too|fine))|(?:this|that|it) will|i (?:recommend|suggest|propose|think)|failure mode)\b",
    re.IGNORECASE,
)
SINGLE = re.compile(r"once|as soon as|upon|following|before|on ", re.IGNORECASE)
LOOK_BEHIND = 40
MAX_DATES = 12
"""A sentence with more dates than this is a list of them; the first tell what it is about."""
_POINT = re.compile(POINT, re.VERBOSE | re.IGNORECASE)
_EVENT = re.compile(EVENT, re.VERBOSE | re.IGNORECASE)
_PUT_OFF = re.compile(PUT_OFF, re.VERBOSE | re.IGNORECASE)
_CHANGE = re.compile(CHANGE, re.VERBOSE | re.IGNORECASE)
_FIRM = re.compile(
    r"\b(?:will|'ll|shall|won't|we can)\b|\b(?:we|i|both)\s(?!are\b|have\b|had\b|see\b|get\b|need\b|want\b|know\b"
    r"|think\b|can\b|could\b|was\b|were\b)[a-z]+"
    r"|\b(?:please|transfer|freeze|move|switch|start|stop|restart|send|call|give|passes|goes|becomes|begins|is to"
    r"|are to|no)\b",
    re.IGNORECASE,
)


def later_cues(plain: str) -> tuple[Span, ...]:
    """The words of `plain` (one sentence, code and quotations blanked) that put it off to a later time; maybe none."""
    if tense(plain) is Tense.PAST:
        return ()
    put_off = _PUT_OFF.search(plain)
    if put_off is not None:
        return (_span(put_off),)
    if PREDICTION.search(plain):
        return ()
    found = _date_anchor(plain) or _point_anchor(plain) or _event_anchor(plain)
    return () if found is None else (found,)


def _point_anchor(plain: str) -> Span | None:
    point = _POINT.search(BOUND.sub(lambda match: "\x00" * len(match[0]), plain))
    return _span(point) if point is not None and _changes(plain, point.start(), point.end()) else None


def _event_anchor(plain: str) -> Span | None:
    event = _EVENT.search(plain)
    return _span(event) if event is not None and _binds_at(plain, event) else None


def _binds_at(plain: str, event: re.Match[str]) -> bool:
    """Whether the main clause is an act or a change; "when" and "after" often describe and need a plainer one."""
    rest = f"{plain[: event.start()]} , {plain[event.end() :]}"
    plainly_once = SINGLE.match(event[0]) is not None
    return (_CHANGE if plainly_once else _FIRM).search(rest) is not None


def _span(match: re.Match[str]) -> Span:
    return Span(start=match.start(), end=match.end())


def _changes(plain: str, start: int, end: int) -> bool:
    """Whether an appointment or a change is said outside the anchor, or nothing is said besides it."""
    if OPENS.search(plain[:start]):
        return True
    rest = f"{plain[:start]} , {plain[end:]}"
    return _CHANGE.search(rest) is not None


def _date_anchor(plain: str) -> Span | None:
    if REPEATS.search(plain):
        return None
    bounds = [Span(start=match.start(), end=match.end()) for match in BOUND.finditer(plain)]
    for mention in dates(plain)[:MAX_DATES]:
        inside = any(bound.start < mention.span.start < bound.end for bound in bounds)
        if not inside and _is_point(mention) and _anchors(plain, mention):
            return mention.span
    return None


def _is_bare_day(plain: str, mention: DateMention) -> bool:
    """Whether a weekday stands where only a date can: behind a word of time, or alone at the edge of a clause."""
    if mention.weekday is None:
        return False
    before = plain[max(0, mention.span.start - LOOK_BEHIND) : mention.span.start]
    leads = DATE_BEFORE.search(before)
    return leads is not None and leads["word"].lower() != "the"


def _is_point(mention: DateMention) -> bool:
    """A day, month, quarter or year; a time of day alone repeats or belongs to a day said before."""
    return any(
        part is not None for part in (mention.year, mention.quarter, mention.month, mention.day, mention.weekday)
    )


def _anchors(plain: str, mention: DateMention) -> bool:
    start, end = mention.span.start, mention.span.end
    if plain[end : end + 2] in {"'s", "-s"}:
        return False
    before = DATE_BEFORE.search(plain, max(0, start - LOOK_BEHIND), start)
    led = before is not None and before["word"].lower() in MONTH_AFTER
    if mention.day is None and not led and not _is_bare_day(plain, mention):
        return False  # a month or year that stands for itself: "nobody has funded January 2028"
    if DECIMAL.fullmatch(mention.text):
        return False
    return _changes(plain, start, end)
