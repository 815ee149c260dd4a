"""What a sentence rules out, in the many words for it."""

import re
from functools import lru_cache

from frame_agent.terms import terms_of
from wording.choice import Choice, ChoiceKind, choices

COMPARING = re.compile(r"(?:instead|rather|avoid)", re.IGNORECASE)
"""A comparison rules out nothing by itself."""

LEAST_LISTED = 2
_GONE = (
    r"(?:out|withdrawn|dead|gone|excluded|dropped|ruled out|finished|off the table|shelved|cancell?ed|rejected|scrapped"
    r"|abandoned|discarded|over|struck|history)"
)
PASSIVE = re.compile(
    rf"(?:^|[,.;:]\s|\b(?:so|then|and|but|that|agreed,?)\s)(?P<thing>[^,.;:]{{2,60}}?) (?:is|are|goes|stays?|remains?)"
    rf"(?: (?:therefore|now|then|also|hereby|all|both|still|entirely))? {_GONE}\b(?! of (?!scope|the)| to\b)",
    re.IGNORECASE,
)
GOES = re.compile(r"(?:^|[.;:]\s)(?P<thing>[^,.;:]{2,40}?) goes(?=[:.;]|$)", re.IGNORECASE)
ACTIVE = re.compile(
    r"(?:^|[,.;:]\s|\b(?:so|then|and|please|we|i|fine,?)\s)(?:kill|strike|scrap|bin|ditch|forget|withdraw|shelve|axe"
    r"|veto|rule out|drop)\s(?P<thing>(?:the |that |any )?[^,.;:]{2,50})",
    re.IGNORECASE,
)
ANSWERED_NO = re.compile(r"(?:^|[,.;:]\s)(?P<thing>[\w ./'-]{3,40}?) no(?=[,.;]|$)", re.IGNORECASE)
FORBIDDEN = re.compile(
    r"(?:^|[,.;:]\s|\b(?:and|but) )no (?P<thing>(?!matter|idea|problem|doubt)[^,.;:]{3,60})", re.IGNORECASE
)
VERBLESS = re.compile(
    r"(?:^|[,.;:]\s)(?P<thing>[\w ./'-]{2,40}?) out(?=[,.;]|$| because| since| on | for )", re.IGNORECASE
)
STRUCK = re.compile(
    r"(?:^|[.;]\s)(?P<thing>[^,.;:]{2,40})(?::|,)[^.;]*"
    r"\b(?:strike|kill|drop|scrap|bin|forget|leave) (?:it|that|them)\b",
    re.IGNORECASE,
)
FALLS = re.compile(r"\s*(?:a lot|a bit|by|to|from|off|sharply|below|under|\d|$|[.,;)])", re.IGNORECASE)
FORMS = (PASSIVE, VERBLESS, STRUCK, GOES, ACTIVE, ANSWERED_NO, FORBIDDEN)


def _falls(choice: Choice, text: str) -> bool:
    """Whether something drops by an amount instead of being dropped."""
    return choice.text.lower().startswith("drop") and FALLS.match(text, choice.span.end) is not None


@lru_cache(maxsize=8192)
def ruled_out(text: str) -> tuple[frozenset[str], ...]:
    """The terms of each thing that a sentence rules out; none when it rules out nothing."""
    acts = [
        choice
        for choice in choices(text)
        if choice.kind is ChoiceKind.REJECTED and not COMPARING.match(choice.text) and not _falls(choice, text)
    ]
    found = [terms_of(" ".join(sorted(choice.object_words))) for choice in acts]
    found += [terms_of(match["thing"]) for form in FORMS for match in form.finditer(text)]
    if acts and not any(found):
        found += [terms for terms in map(terms_of, re.split(r"[,;:]", text)) if len(terms) >= LEAST_LISTED]
    return tuple(dict.fromkeys(terms for terms in found if terms))
