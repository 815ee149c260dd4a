"""The words that decide against something: rejecting, stopping, taking back. A closed list of verbs."""

import re

from dissolution.values import Span
from language.masks import blanked, code_spans, straightened
from language.words import word_set

VERBS = word_set("""
    reject discard exclude drop decline veto scrap dismiss abandon stop retire remove disable deprecate discontinue
    revert undo reverse overturn withdraw rescind retract cancel ditch forbid
""")
FORMS = {
    form
    for verb in VERBS
    for stem in {verb, verb.removesuffix("e")}
    for form in {verb, verb + "s", stem + "ed", stem + "ing", stem + stem[-1] + "ed", stem + stem[-1] + "ing"}
} | {"undid", "undone", "withdrew", "withdrawn", "vetoes"}
WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])", re.IGNORECASE)
PAIR = re.compile(
    r"(?<![\w-])(?:(?:(?:rul|phas|le[af]|strik)\w*|struck) out|(?:turn|switch)\w* off|(?:turn|shut)\w* down"
    r"|set\w* aside|roll\w* back|decided against|no longer \w+)(?![\w-])",
    re.IGNORECASE,
)
OUT = re.compile(
    r"(?<=(?: is|are|ays|ins) )(?:out of scope|out(?=\s*(?:[.,;:!)]|$|because|since|too|for|entirely)))", re.IGNORECASE
)
# What makes a passive of it, which is told as a whole: "is now ruled out".
BE = r"(?:is|are|was|were|be|been|gets?|got|remains?|stays?|'s|'re)"
PASSIVE = re.compile(rf"(?<![\w-]){BE}(?: (?:now|also|still|been|\w+ly))* $", re.IGNORECASE)
STATED = re.compile(rf"{BE} ", re.IGNORECASE)
DENIED_OR_NOUN = re.compile(r"(?:\b(?:not(?: yet)?|never|the|an?|this|that|any|no|its|our|my)|n't) $", re.IGNORECASE)
LOOK_BEHIND = 60


def refusals(text: str) -> tuple[Span, ...]:
    """Where `text` decides against something, in order, without overlap; what is denied is none, nor is code."""
    plain = blanked(straightened(text), code_spans(text), "x")
    found = [one for cues in (PAIR, OUT) for one in cues.finditer(plain)]
    found += [one for one in WORD.finditer(plain) if one[0].lower() in FORMS]
    kept: list[Span] = []
    for one in sorted(found, key=lambda one: (one.start(), -one.end())):
        passive = PASSIVE.search(plain, max(0, one.start() - LOOK_BEHIND), one.start())
        start = one.start() if passive is None else passive.start()
        free = not kept or start >= kept[-1].end
        if free and not DENIED_OR_NOUN.search(plain, max(0, start - 6), start):
            kept.append(Span(start=start, end=one.end()))
    return tuple(kept)


def is_stated(refusal: str) -> bool:
    """Whether the words of a refusal state it as made, behind what it is about: "EKS is ruled out"."""
    return STATED.match(refusal) is not None
