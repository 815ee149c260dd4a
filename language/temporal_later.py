"""The words that name a later time or event from which, or at which, something is to hold.

An anchor alone is not enough: what stands at it must be an appointment, a planned act or a change of state. Deadlines
("by Friday"), ends ("until the vote") and what repeats ("on Mondays", "whenever") are no anchors.
"""

import re

from dissolution.values import Span
from language.dates import DateMention, dates
from language.temporal_cues import pattern, spans
from language.tense import Tense, tense

_UNIT = r"(?:day|week|month|quarter|year|sprint|term|season|spring|summer|autumn|winter)"
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|ten|twelve|thirty|ninety|a few)"
# Later points and starts that are no calendar dates.
POINT = pattern(rf"""
    \b(?:tomorrow|tonight|at midnight)\b(?!')
    (?<!the )\bnext (?:{_UNIT}|{_DAY}|time)\b
    \b(?:later|earlier) (?:this|next) {_UNIT}\b
    \b(?:in {_NUMBER} {_UNIT}s?(?! (?:or|of|out)\b)|come {_DAY})\b
    (?<!first )(?<!last )\b{_NUMBER} {_UNIT}s (?:after|from now|later)\b
    \b(?:the week (?:of|after)|(?:to|at|over|for|on) the weekend)\b
    \b(?:from|as of|as from|starting|beginning|effective|with) (?:with |on )?(?:version |
        release )?\d+\.\d+\b(?!(?:\.\d+)* (?:to|%|per|GB|MB|m)\b)
    \b(?:with|as of|as from|from|in|until) the (?:\w+ )?(?:release|effective date)\b|\bthe (?:next|
        following) (?:sprint|term|season)\b
    \b(?:at the (?:cut-?over|(?:end|start|beginning) of|next)|from the moment)\b
    \b(?:starting|beginning|effective|as of|as from) (?:with|from|on|next|{_DAY}|the)\b
    \bon the (?:first|second|third|\d+(?:st|nd|rd|th))\b(?! (?:of )?(?:line|page|row))
    \b(?:in the (?:\w+) week of|after the (?:\d+(?:st|nd|rd|th)|holidays|weekend|break|summer|freeze))\b
""")
# A single event to come, with a definite subject: "once the audit is finished". "When a contract is silent" repeats.
EVENT = pattern(r"""
    ^(?:and |but |so )?after that\b(?! (?:was|is|had))
    \b(?:once|as soon as|(?<!look )(?<!looks )after|when|from when) (?:the|our|my|his|her|its|their|this|that|
        these) [^,.;]{2,60}?(?=,|;|$| (?:we|i|you|they|he|she|it|the|both|all)\b|\.)
    \b(?:once|as soon as) (?:we|i|you|they|he|she|it|there|(?-i:[A-Z])\w+)\b[^,.;]{2,60}
    \b(?:upon|on|after|following|at) (?:closing|completion|discharge|delivery|signing|signature|approval|receipt|
        launch|release|expiry|handover)\b
    \b(?:upon|following) (?:the|our|her|his|its|their) \w+
    \bafter (?-i:[A-Z])\w+
    ^(?:and |but |so )?before (?:the|our|my|his|her) \w+ (?:\w+ ){0,3}?(?:(?:start|begin|open|close|goe)s?\b|on \w+|
        next \w+)
""")
# Deadlines and ends, with what they stretch over: no anchor stands in them.
BOUND = pattern(r"""
    \b(?:by|until|till|no later than|within|since|up to|through|before) (?:[\w:.'-]+ ){0,6}?[\w:.'-]+(?=[,.;:!]|
        $| (?:we|i|and|but|then|because|so|that|which)\b)
""")
# What leads a month or a weekday that is a date.
LEADS = pattern(r"""
    \b(?:on|from|at|in|for|as of|starting|beginning|effective|after|late|early|this|is|are|of)(?: (?:the|around|
        about|late|early|mid|end of|start of)){0,2} $
""")
# What is said to stand at the time: an appointment, an act or a change.
_PLAIN = (
    r"(?!(?:are|am|is|ha(?:ve|s|d)|was|were|can|could|would|might|may|should|do|did|see|get|need|want|know|think|feel"
    r"|mean|hope)\b)"
)
ACT = pattern(rf"""
    \b(?:will|'ll|shall|won't|(?:is|are|am|'m|'re) going to|we can)\b
    \b(?:we|i|you)(?:'re|'m)? (?:only |then |first )?{_PLAIN}[a-z]+
    \b(?:please|(?:is|are) to|goes|passes|becomes|begins|no)\b
    \b(?:transfer|freeze|move|switch|start|restart|stop|send|call|give)\b
""")
CHANGE = pattern(r"""
    \b(?:is|are|be|been|gets?) (?:\w+ )?(?:set|due|to be|\w+ed|sent|held|built|cut|taken|given|made|done|put|
        brought|torn)\b
    \b(?:begin|start|end|expire|open|close|ship|lapse|stop|become|move|switch|flip|appl(?:y|ie)|take|leave|resume|
        drop|rise|return|launch|retire|com|go|meet|sign|land|wait|send|bring|sit|revert|disappear|get|pass|ceas|
        step|vanish|writ|give|hear|fall|put|look|check|repeat|talk|remind|transfer|freez)(?:e?s?|ing)\b
    ^(?:new |next )?(?:window|slot|hearing|appointment|surgery|release|meeting|visit|freeze)\b[^:]{0,30}:
""")
# A start that opens the sentence needs no verb of change behind it: "from Monday on the build needs two reviews".
OPENS = re.compile(r"^\W*(?:\w+,? )?(?:from|starting|beginning|effective|as of|as from)\b[^,]{0,12}$", re.IGNORECASE)
PREDICTION = pattern(r"""
    \b(?:i'd|we'd|would|could|might|maybe|perhaps|should we|shall we|at this rate|plus|failure mode)\b
    \b(?:will (?:have|probably|likely)|(?:this|that|it) will|i (?:recommend|suggest|propose|think))\b
""")
DECIMAL = re.compile(r"\d+\.\d+\.?")
LOOK_BEHIND = 40
MAX_DATES = 12
"""A sentence with more dates than this is a list of them; the first tell what it is about."""


def later_cues(plain: str) -> tuple[Span, ...]:
    """What puts `plain` (one sentence, code and quotations blanked) off to a later time; empty if nothing does."""
    if tense(plain) is Tense.PAST or PREDICTION.search(plain):
        return ()
    bounds = [(one.start(), one.end()) for one in BOUND.finditer(plain)]
    named = (one.span for one in dates(plain)[:MAX_DATES] if _is_anchor(plain, one))
    anchors = [*named, *spans(*POINT.finditer(plain))]
    found = [one for one in anchors if not any(start <= one.start < end for start, end in bounds)]
    changing = [one for one in found if OPENS.search(plain[: one.start]) or _says(plain, one, ACT, CHANGE)]
    for event in EVENT.finditer(plain):
        recurs = event[0].lower().startswith(("when", "after", "from when"))
        changing += [one for one in spans(event) if _says(plain, one, ACT, *([] if recurs else [CHANGE]))]
    return tuple(changing[:1])


def _says(plain: str, anchor: Span, *cues: re.Pattern[str]) -> bool:
    """Whether something that is done or changes is said outside the anchor."""
    rest = f"{plain[: anchor.start]} , {plain[anchor.end :]}"
    return any(one.search(rest) for one in cues)


def _is_anchor(plain: str, mention: DateMention) -> bool:
    """Whether a date is one from which something can hold; a month that stands for itself, a time of day are none."""
    start, end = mention.span.start, mention.span.end
    if plain[end : end + 2] in {"'s", "-s"} or DECIMAL.fullmatch(mention.text):
        return False
    if mention.day is not None:
        return True
    is_point = any(part is not None for part in (mention.year, mention.quarter, mention.month, mention.weekday))
    return is_point and LEADS.search(plain, max(0, start - LOOK_BEHIND), start) is not None
