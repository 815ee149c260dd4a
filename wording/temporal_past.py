"""The words that put a state, practice or plan wholly into the past.

A past tense alone does not: the result of an event or a measurement stands. What closes is a past tense inside a frame
that is over ("back then", "before the reform", "when we were on Heroku"), or wording that says so itself ("used to").
"""

import re

from dissolution.values import Span
from wording.grammar import DETERMINERS, PREPOSITIONS, PRESENT_AUX
from wording.tense import Tense, tense
from wording.verbs import base_of_third_person, word_set

# "Used to" and a verb: a past habit after a subject; a purpose after "be"; a participle when another verb follows.
USED_TO = re.compile(r"\b(?P<before>[\w']+) (?P<cue>used to) (?P<verb>[a-z]+)", re.IGNORECASE)
PURPOSE = word_set(
    """
    is are was were be been being am not get gets got getting become became grown it's i'm we're you're they're isn't
    aren't wasn't quite well long now also still only mostly what
    """
)
SURE_SUBJECTS = word_set(
    """
    i we you they he she it there that this who which and never always but
    """
)
CLAUSE_END = re.compile(r"[,;:.]|\b(?:and|but|until|when|before|because|which|who|that|if)\b", re.IGNORECASE)

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
# A result told in the past tense: what was found, shown or done, passive events included.
EVENT = re.compile(
    r"\b(?:was|were|had been|has been) (?:admitted|changed|found|made|sent|signed|posted|promised|restarted"
    r"|released|moved"
    r"|complete|booked|filed|merged|run|measured|done|given|told)\b|\b(?:was|were) (?:in|on|at) (?:the )?(?:\d|[A-Z])",
)
# Verbs whose past looks like their present, behind a word that makes them past.
PREVIOUSLY = re.compile(
    r"\b(?:previously|formerly|originally) (?:cost|set|put|cut|read|let|hit|was|were|had|ran)\b", re.IGNORECASE
)
# What stays until then holds now.
STILL = re.compile(r"\b(?:stays?|remains?|keeps?|must|shall)\b[^,.;]{0,60}\b(?:until|till|up to)\b", re.IGNORECASE)
# What a colon or semicolon parts has a tense of its own.
PIECE = re.compile(r"[^;:]+(?:[;:](?=\S)[^;:]*)*")
_CLOSED = re.compile(CLOSED, re.VERBOSE | re.IGNORECASE)
_FRAME = re.compile(FRAME, re.VERBOSE | re.IGNORECASE)
_PERIOD = re.compile(PERIOD, re.VERBOSE | re.IGNORECASE)
_PERFECT = re.compile(r"\bhad (?:already |always |never |long )?been\b", re.IGNORECASE)
_HABIT = re.compile(r"\b(?:always|never) [a-z]+(?:ed|pt|ught|ent|ook|ad|ave|an)\b", re.IGNORECASE)
_TO_NOW = re.compile(r"\b(?:until|till|up to) (?:now|today|this)\b|\bso far\b", re.IGNORECASE)


def past_cues(plain: str) -> tuple[Span, ...]:
    """The words of `plain` (one sentence, code and quotations blanked) that close its state; empty if none do."""
    used = _used_to(plain)
    if used is not None:
        return (used,)
    plainly = PREVIOUSLY.search(plain)
    if plainly is not None:
        return (Span(start=plainly.start(), end=plainly.end()),)
    for piece in PIECE.finditer(plain):
        found = _closing(piece[0])
        if found is not None:
            return (Span(start=piece.start() + found.start(), end=piece.start() + found.end()),)
    return ()


def _closing(piece: str) -> re.Match[str] | None:
    """The words that close what a piece of a sentence tells in the past tense."""
    if tense(piece) is not Tense.PAST or STILL.search(piece) or _TO_NOW.search(piece):
        return None
    found = _CLOSED.search(piece) or _FRAME.search(piece) or _PERFECT.search(piece) or _HABIT.search(piece)
    if found is None and STATE.search(piece) and not EVENT.search(piece):
        found = _PERIOD.search(piece)
    return found


def _used_to(plain: str) -> Span | None:
    for match in USED_TO.finditer(plain):
        before = match["before"].lower()
        if before in PURPOSE or before.endswith(("ly", "'s", "'re", "'m")):
            continue
        if before in SURE_SUBJECTS or not _verb_follows(plain[match.end() :]):
            return Span(start=match.start("cue"), end=match.end("cue"))
    return None


def _verb_follows(rest: str) -> bool:
    """Whether the clause has another finite verb; "used to" is a participle then: "the token used to sign expires"."""
    clause = CLAUSE_END.split(rest, maxsplit=1)[0]
    words = clause.lower().split()
    for index, word in enumerate(words):
        after = words[index + 1] if index + 1 < len(words) else ""
        if word in PRESENT_AUX:
            return True
        # An -s form right behind the infinitive is its plural object unless an object of its own follows.
        follows = DETERMINERS if index == 0 else DETERMINERS | PREPOSITIONS | {""}
        behind_determiner = index > 0 and words[index - 1] in DETERMINERS
        if base_of_third_person(word) is not None and after in follows and not behind_determiner:
            return True
    return False
