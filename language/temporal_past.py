"""The words that put a state, practice or plan wholly into the past.

A past tense alone does not: the result of an event or a measurement stands. What closes is a past tense inside a frame
that is over ("back then", "before the reform", "when we were on Heroku"), or wording that says so itself ("used to").
"""

import re

from dissolution.values import Span
from language.tense import Tense, tense
from language.verbs import word_set

# "Used to" and a verb: a past habit after a subject; a purpose after "be"; a participle when another verb follows.
USED_TO = re.compile(r"\b(?P<before>[\w']+) (?P<cue>used to) (?P<verb>[a-z]+)", re.IGNORECASE)
PURPOSE = word_set(
    """
    is are was were be been being am not get gets got getting become became grown it's i'm we're you're they're isn't
    aren't wasn't quite well long now also still only mostly what
    """
)

# These close by themselves.
CLOSED = r"""
    \b(?:was|were)\ (?:originally\ |once\ )?going\ to\b | \b(?:the|our|my|his|her)\ (?:\w+\ )?(?:plan|idea
        |intention)\ had\ been\b
  | \b(?:had|were|was)\ (?:planned|meant|intended|supposed)\ to\b
  | \b(?:has|have)\ since\ (?:been|become|gone|left|moved|died|closed|expired|lapsed)\b
  | \bonce\ upon\ a\ time\b | \b(?:those|these)\ were\ the\ (?:days|times|years)\b | \bthere\ was\ a\ (?:time
        |period)\ when\b
  | \bin\ (?:those|these|the\ old|the\ early|the\ good\ old)\ (?:days|years|times)\b | \bback\ (?:then|when
        |in\ the\ day)\b
  | \bas\ (?:a|an)\ (?:child|boy|girl|teenager|toddler|baby|student|infant|young\ (?:man|woman))\b
  | \b(?:formerly|erstwhile)\b | \bdidn't\ use\ to\b
  | \band\ (?:then\ )?(?:pulled\ out|switched\ (?:it\ )?off|quit|gave\ (?:it\ )?up|was\ gone|closed|shut)\b
  | \b(?:the|our)\ (?:rule|policy|practice|custom|arrangement|idea)\ was\b | \b(?:that|which
        |it)\ (?:all\ )?ended\ (?:with|when|in)\b
"""
# These close a past tense of any verb.
FRAME = r"""
    \b(?:previously|originally|initially|at\ first|at\ one\ (?:point|time)|at\ th(?:e|at)\ (?:same\ )?time
        |long\ ago|for\ a\ while
        |for\ a\ time|in\ the\ past|earlier\ (?:in|on)\ the)\b
  | \btill\ (?=the\b|then\b|last\b|he\b|she\b|we\b|they\b|his\b|her\b|\d) | \b(?:until|up\ to|up\ until
        |prior\ to)\ (?!now\b|today\b|then\b\s*,?\ (?:we|i)\ will|this\b|further\b)
  | \bbefore\ (?:the|a|an|our|my|his|her|its|their|he|she|it|we|they|i|\w+ation|20\d\d|19\d\d|(?-i:[A-Z]))
  | \bwhen\ (?:i|we|he|she|it|they|you|there|the\ \w+(?:\ \w+)?|(?-i:[A-Z])\w+)\ (?:was|were|had|lived|ran|worked
        |used|had|started
        |still|first)\b
  | \b(?:under|in|with|on)\ (?:the|our|my|his|her)\ (?:old|previous|former|earlier|original|first|prior)\ \w+
  | \b(?:the|our|my|his|her|an?)\ (?:old|previous|former|earlier|original|prior)\ [a-z][\w-]+ | \b(?:our|my|his
        |her)\ first\ [a-z][\w-]+
  | \b(?:was|were)\ once\b | \bonce,\ long | \bas\ it\ stood\b | \bas\ long\ as\b | \bwhile\ (?:they|he|she|we
        |i)\ (?:lived|were|was)\b
  | \bby\ hand\b(?=.*\bwould\b) | \bago\b(?=.*\bwas\b)
"""
# Periods close only a state or a practice; an event in them is on record and its result stands.
PERIOD = r"""
    \b(?:back\ )?in\ (?:(?:the\ )?(?:spring|summer|autumn|winter|nineties|eighties|seventies|sixties|\d\ds|\d{4}s)
        |(?:19|20)\d\d
        |(?:January|February|March|April|May|June|July|August|September|October|November|December)(?:\ (?:19
        |20)\d\d)?)\b
  | \blast\ (?:year|month|week|winter|summer|spring|autumn|fall|season|quarter|century|June|July|March|May)\b
  | \bfor\ (?:\w+\ ){0,2}(?:years?|months?|weeks?|days?|hours?|decades?|most\ of|the\ first|a\ (?:month|year|week))\b
  | \bduring\ (?:the|her|his|our|my|that|those|their)\b | \bfrom\ [\w ]{2,20}\ (?:to|until|till)\ \w+
  | \bbetween\ \w+\ and\ \w+ | \bthat\ (?:year|summer|winter|spring|autumn|month)\b | \blasted\b | \bused\ by\ then\b
"""
STATE = re.compile(
    r"\b(?:was|were|wasn't|weren't|had|hadn't|ran|lived|kept|took|held|owned|traded|worked|served|stayed|lay|stood"
    r"|played"
    r"|rehearsed|employed|paid|charged|always|never|would|went|smoked|belonged|accepted|lasted|could|couldn't"
    r"|capped|hosted"
    r"|polled|carried|called|deployed|promised|weighed)\b",
    re.IGNORECASE,
)
# What a colon or semicolon parts has a tense of its own.
PIECE = re.compile(r"[^;:]+(?:[;:](?=\S)[^;:]*)*")
_CLOSED = re.compile(CLOSED, re.VERBOSE | re.IGNORECASE)
_FRAME = re.compile(FRAME, re.VERBOSE | re.IGNORECASE)
_PERIOD = re.compile(PERIOD, re.VERBOSE | re.IGNORECASE)


def past_cues(plain: str) -> tuple[Span, ...]:
    """The words of `plain` (one sentence, code and quotations blanked) that close its state; empty if none do."""
    used = _used_to(plain)
    if used is not None:
        return (used,)
    for piece in PIECE.finditer(plain):
        found = _closing(piece[0])
        if found is not None:
            return (Span(start=piece.start() + found.start(), end=piece.start() + found.end()),)
    return ()


def _closing(piece: str) -> re.Match[str] | None:
    """The words that close what a piece of a sentence tells in the past tense."""
    if tense(piece) is not Tense.PAST:
        return None
    found = _CLOSED.search(piece) or _FRAME.search(piece)
    if found is None and STATE.search(piece):
        found = _PERIOD.search(piece)
    return found


def _used_to(plain: str) -> Span | None:
    for match in USED_TO.finditer(plain):
        before = match["before"].lower()
        if before in PURPOSE or before.endswith(("ly", "'s", "'re", "'m")):
            continue
        return Span(start=match.start("cue"), end=match.end("cue"))
    return None
