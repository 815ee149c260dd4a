"""Wording of what somebody has promised, planned or been bound to and has yet to do.

A commitment in plain knowledge is soon forgotten, so it must be told from a fact by its words alone: verbs of promising
and planning, things that are fixed for a time, and acts in the present with a time to come ("the plumber comes
tomorrow"). A date alone does not tell: much of what is told in the present is long past. So the line is drawn at
wording by which somebody has set the time: "the audit takes place on 3 June" is an appointment that people keep free,
"the audit begins on 3 June" and "the entry is on 3 June" only tell when something is, and stand in KNOWN unless a
family votes them into DECIDED.
"""

import re

from dissolution.temporal import TemporalClass
from wording.hedges import is_hedged
from wording.modality import Modality
from wording.temporal import classify
from wording.tense import Tense, tense

PROMISES = re.compile(
    r"\b(?:I|we|he|she|they|user|team) (?:will|shall)\b|\b(?:I|we|he|she|they|you|it)'ll\b"
    r"|(?<!\bnot )(?<!never )\b(?:promis(?:es?|ed)|pledg(?:es?|ed)|undertakes?|undertook|vow(?:s|ed)?|guarantees?"
    r"|commit(?:s|ted)?|volunteer(?:s|ed)?|intends?|plans?|owes?)"
    r" (?:to\b|that\b|(?:me|us|him|her|them|you|[A-Z]\w+) (?:to\b|the\b|a\b)|(?:it|him|her|them)sel(?:f|ves) to\b)"
    r"|\b(?:has|have|had) promised\b|\bpromised (?:by|for)\b"
    r"|\b(?:decided|settled) (?:on|to|that)\b|\bagree[sd]? (?:on|to (?!be\b|disagree\b)\w+|that)\b"
    r"|\b(?:is|are) (?:promised|committed|scheduled|planned|due|booked|slated|to be|set for|fixed for|going to)\b"
    r"|\b(?:is|are|am) to (?!the\b|a\b|an\b|be (?:seen|found|expected)\b)[a-z]+ (?:on|in|at|by|from|the|a|an|no)\b"
    r"|\bgo(?:es)? (?:live|with|ahead)\b|\b(?:I|we) owe\b|\bmust (?:be (?:in|ready|done|sent|paid|filed)|\w+) by\b",
    re.IGNORECASE,
)
"""A promise, a plan, or a thing fixed for a time."""

OWED = re.compile(
    r"\b(?:sends?|brings?|delivers?|files?|pays?|returns?|finish(?:es)?|submits?|hands? (?:in|over)|reports?|answers?"
    r"|provides?|writes?|ships?|prepares?|checks?|signs?|decides?|replies|calls?) [^.;]{0,60}\b(?:by|before) "
    r"(?:noon|midnight|tomorrow|tonight|next|the end of|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec|\d)",
    re.IGNORECASE,
)
"""An act with a deadline: "Dana sends the contract by Friday"."""

AHEAD = re.compile(
    r"\b(?:tomorrow|tonight|next (?:week|month|quarter|year|spring|summer|autumn|winter|sprint|term|season|monday"
    r"|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|(?<!since )(?<!last )\bon (?:this |the coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!'s)"
    r"|\bdeadline (?:is|falls)\b",
    re.IGNORECASE,
)
"""A time to come, whenever it is said. "On Mondays" repeats and promises nothing."""


DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}-\d\d-\d\d)\b"
)
APPOINTED = re.compile(
    r"\b(?:takes? place|(?:is|are) (?:being )?held|convenes?|we (?:meet|hold)\b[^.;,]{0,40}) (?:again )?(?:on|in) "
    rf"{DAY}",
    re.IGNORECASE,
)
"""An appointment: what takes place or is held on a day is kept free by those who set it."""


def commits(text: str, modality: Modality) -> bool:
    """Whether the words of a claim promise, plan or forbid something; a guess about what is to come does not.

    Args:
        text: The claim.
        modality: How it is meant.
    """
    if modality in {Modality.PLAN, Modality.PROHIBITION}:
        return True
    if modality is Modality.GUESS or is_hedged(text):
        return False
    if PROMISES.search(text) or OWED.search(text) or APPOINTED.search(text):
        return True
    return AHEAD.search(text) is not None and tense(text) is Tense.PRESENT


def is_deferred(text: str) -> bool:
    """Whether a claim is about a time to come as far as its words tell; one told of the past by its date may be too."""
    return classify(text).temporal_class is TemporalClass.DEFERRED
