"""Guards on values: what a figure becomes, what is called wrong, what is no limit any more, and whose a figure is."""

import re
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from consensus.figures import one_measure
from consensus.lexical import root
from consensus.profile import Figure, Profile
from consensus.veto import COUNTED, Guard, Veto, lead_words, other_thing, shared_words, subject
from wording.negation import negation_cues
from wording.synonyms import canonical
from wording.words import content_words

BECOMES = re.compile(r"\bfrom\b[^.;]{0,20}$", re.IGNORECASE)
TO = re.compile(r"^\W*(?:[\w/%]+\W+){0,3}?(?:to|→|->)\W*(?:[\w$€£]+\W+){0,1}$", re.IGNORECASE)
BY = re.compile(
    r"\b(?:by|down|up|a (?:drop|fall|rise|cut|decrease|increase|reduction|loss|gain) of|(?:drops?|falls?|rises?|fell"
    r"|rose|dropped|grew|grows?|sank|sinks?|shrinks?|shrank) by)\s+(?:about |around |roughly |some |nearly )?$",
    re.IGNORECASE,
)
PERCENT = frozenset({"%", "percent", "per cent"})
CLOSE_ENOUGH = Decimal("1.0")  # percentage points that rounding may leave between two ways to tell one change
LOOK_BACK = 40

WRONG = re.compile(
    r"\b(?:is|are|was|were|as)\s+(?:(?:now|also|simply|just|only|plainly|an?|the|my|our)\s+){0,3}"
    r"(?:wrong|mistaken|mistake|error|typo|misprint|slip|(?:digit |number )?swap(?:ped)?|misread\w*|mix-?up|outdated"
    r"|obsolete|false|invalid|withdrawn|replaced|corrected|superseded|retracted"
    r"|no longer (?:true|right|valid|current))\b"
    r"|\b(?:wrong|mistaken|outdated|obsolete|false)\s+(?:figure|number|value|date|name|claim|count|reading)\b",
    re.IGNORECASE,
)
"""Wording that takes a value back."""

WAS_BEFORE = re.compile(
    r"\b(?:was|were|had|came|stood|ran)\b.{0,60}"
    r"\b(?:before|earlier|then|previously|originally|at first|formerly)\b(?! the\b)"
    r"|\bused to\b|^(?=.*\b(?:was|were|had)\b).*\bin (?:19|20)\d\d\b",
    re.IGNORECASE,
)
"""Wording of what was and is no more."""

NO_LIMIT = re.compile(
    r"\bno\s+(?:\w+\s+){0,2}(?:limit|cap|ceiling|maximum|restriction|bound)\b(?!\s+(?:was|is) (?:set|given|known))"
    r"|\b(?:limit|cap|ceiling|restriction|bound)s?\b[^.;]{0,30}\b(?:is|are|was|were|has been|have been)\s+"
    r"(?:now\s+)?(?:lifted|gone|dropped|removed|abolished|withdrawn|over|off|waived)\b|\b(?:unlimited|uncapped)\b",
    re.IGNORECASE,
)
BOUNDED = re.compile(
    r"\b(?:under|below|at most|no more than|not more than|up to|within|maximum of|max(?:imum)?|fewer than|less than"
    r"|limited to|capped at|not exceed\w*|as far as)\W+(?:the\s+)?(?:\w+\s+)?\d",
    re.IGNORECASE,
)
MOST = 0.6  # share of what "none of it" is said about that the other claim must have
TELLING_DIGITS = 3  # significant digits from which on a figure is nobody else's by accident


def changed(a: Profile, b: Profile) -> list[Veto]:
    """One gives both ends of a change, the other its share: "from 94 to 54" is not "by 52 per cent"."""
    for one, two in ((a, b), (b, a)):
        ends, shares = _ends(one), _shares(two)
        if ends is None or not shares:
            continue
        start, end = ends
        computed = abs(end - start) / abs(start) * 100
        if all(abs(computed - share) > CLOSE_ENOUGH for share in shares):
            detail = f"from {start:f} to {end:f} is {computed:.1f} per cent, not {shares[0]:f}"
            one_thing = bool(lead_words(a) & lead_words(b)) and not other_thing(a, b)
            return [Veto(Guard.NUMBER, detail, opposed=True, certain=one_thing)]
    return []


@lru_cache(maxsize=8192)
def _ends(profile: Profile) -> tuple[Decimal, Decimal] | None:
    """The numbers of "from x to y"; None unless exactly one pair is there and x is not 0."""
    marks = sorted((mark for mark in profile.mentions if mark.kind == "number"), key=lambda mark: mark.at)
    found = [
        (first, second)
        for first, second in pairwise(marks)
        if BECOMES.search(profile.text[max(0, first.at - LOOK_BACK) : first.at])
        and TO.search(profile.text[first.end : second.at])
    ]
    if len(found) != 1:
        return None
    start, end = (_amount(mark) for mark in found[0])
    return (start, end) if start else None


@lru_cache(maxsize=8192)
def _shares(profile: Profile) -> tuple[Decimal, ...]:
    """The percentages that something changes by."""
    return tuple(
        _amount(mark)
        for mark in profile.mentions
        if mark.group in PERCENT and BY.search(profile.text[max(0, mark.at - LOOK_BACK) : mark.at])
    )


def _amount(mark: Figure) -> Decimal:
    return Decimal(mark.key.split(" ")[0])


def taken_back(a: Profile, b: Profile) -> list[Veto]:
    """One calls a figure wrong that the other gives: "the figure of 54 was a typo"."""
    for one, two in ((a, b), (b, a)):
        if not calls_wrong(one) or calls_wrong(two):
            continue
        values = (mark for mark in one.marks if mark.hard and mark.kind != "identifier" and two.has(mark))
        wrong = next((mark for mark in values if _before_verdict(one, mark)), None)
        if wrong is not None and shared_words(subject(one), subject(two)):
            detail = f"{wrong.key} is called wrong"
            return [Veto(Guard.NUMBER, detail, opposed=True, certain=True)]
    return []


@lru_cache(maxsize=8192)
def calls_wrong(profile: Profile) -> bool:
    """Whether a text takes a value back."""
    return WRONG.search(profile.text) is not None


@lru_cache(maxsize=8192)
def _limit(profile: Profile) -> tuple[bool, bool]:
    """Whether a text lifts a limit, and whether it sets one."""
    return NO_LIMIT.search(profile.text) is not None, BOUNDED.search(profile.text) is not None


@lru_cache(maxsize=8192)
def _zero(profile: Profile) -> "re.Match[str] | None":
    return ZERO.search(profile.text)


@lru_cache(maxsize=8192)
def told_of_before(profile: Profile) -> bool:
    """Whether a text tells of a value that was before: "it was at 512 MB before"."""
    return WAS_BEFORE.search(profile.text) is not None


def _before_verdict(profile: Profile, mark: Figure) -> bool:
    """Whether a figure is what the first verdict is about: it stands before it."""
    found = WRONG.search(profile.text)
    return found is not None and mark.at < found.start()


def unlimited(a: Profile, b: Profile) -> list[Veto]:
    """One sets a bound that the other lifts: "under 200 words" against "no length limit any more"."""
    for one, two in ((a, b), (b, a)):
        lifted = _limit(one)[0] and _limit(two)[1] and not one.lacking(two)
        if lifted and shared_words(subject(one), subject(two)):
            return [Veto(Guard.NUMBER, f"{one.text!r} lifts a limit", opposed=True, certain=True)]
    return []


def owned_twice(a: Profile, b: Profile) -> list[Veto]:
    """One telling figure said of two things of one kind: 18,204 evictions of rds-sess-01 and of rds-cache-01."""
    for mark in a.marks:
        if mark.kind != "number" or len(mark.key.split(" ")[0].replace(".", "").strip("0")) < TELLING_DIGITS:
            continue
        same = [other for other in b.marks if not mark.wants.isdisjoint(other.holds)]
        event = same and any(a.bound[mark.key] & b.bound[other.key] for other in same)
        mine = [m for m in a.lacking(b) if m.kind == "identifier"]
        theirs = [m for m in b.lacking(a) if m.kind == "identifier"]
        if event and len(mine) == 1 and len(theirs) == 1 and _one_kind(mine[0], theirs[0]):
            detail = f"{mark.key} of {_bare(mine[0])} and of {_bare(theirs[0])}"
            return [Veto(Guard.IDENTIFIER, detail, opposed=True, certain=True)]
    return []


ZERO = re.compile(r"\b(?:0|zero)\s+(?P<what>[\w-]+(?:\s[\w-]+)?)", re.IGNORECASE)


def none_of(a: Profile, b: Profile) -> list[Veto]:
    """One counts none of what the other says there is: "0 evictions" against "it evicts keys"."""
    for one, two in ((a, b), (b, a)):
        found = _zero(one)
        if found is None or _zero(two) or negation_cues(two.text) or two.hedged or two.open:
            continue
        what = frozenset(root(canonical(term)) for term in content_words(found["what"])) - COUNTED
        rest = subject(one) - what
        if what and what <= subject(two) and rest and shared_words(rest, subject(two)) >= MOST * len(rest):
            return [Veto(Guard.NUMBER, f"{found[0]} against some", opposed=True, certain=True)]
    return []


def _bare(mark: Figure) -> str:
    return mark.key.removeprefix("id:")


def _one_kind(left: Figure, right: Figure) -> bool:
    """Whether two identifiers name things of one kind: one shape, one first part."""
    first = re.split(r"[\W_]+", _bare(left))[0] == re.split(r"[\W_]+", _bare(right))[0]
    return first and one_measure(left.group, right.group)
