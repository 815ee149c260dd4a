"""What a sentence rules out, in the many words for it."""

import re
from functools import lru_cache

from frame_agent import refusals
from frame_agent.terms import DIGITS, GROUPED, terms_of
from wording.choice import Choice, ChoiceKind, choices

COMPARING = re.compile(r"(?:instead|rather|avoid)", re.IGNORECASE)
"""A comparison rules out nothing by itself."""

LEAST_LISTED = 2
POINT = re.compile(r"(?<=\d)\.(?=\d)")
INNER = "\u00b7"
"""Stands for the point of a decimal number, which ends no clause."""

QUOTED = re.compile(r"[\"“](?:(?:that|it|this|i|we|they|he|she)\b[^\"”\n]{0,400}|[^\"”\n]{40,400})[\"”]", re.IGNORECASE)
AFTERWARDS = re.compile(
    r"\s(?:last|this|yesterday|today|tonight|in the|at the|for now|for good|altogether)\b.*$", re.IGNORECASE
)
"""When or where it was ruled out is no part of what was."""

_GONE = (
    r"(?:out|withdrawn|dead|gone|excluded|dropped|ruled out|finished|off the table|shelved|cancell?ed|rejected|scrapped"
    r"|abandoned|discarded|over|struck|history|forbidden|banned|killed|vetoed|declined|a non-starter|a no-go|no option"
    r"|not an option|not allowed|not part of|off limits|out of the question)"
)
PASSIVE = re.compile(
    rf"(?:^|[,.;:]\s|\b(?:so|then|and|but|that|agreed,?)\s)(?P<thing>[^,.;:]{{2,60}}?)"
    rf" (?:is|are|has been|goes|stays?|remains?)"
    rf"(?: (?:therefore|now|then|also|hereby|all|both|still|entirely))? {_GONE}\b"
    r"(?! of (?!scope|the)| to\b| by \d| at \d)",
    re.IGNORECASE,
)
GOES = re.compile(r"(?:^|[.;:]\s)(?P<thing>[^,.;:]{2,40}?) goes(?=[:.;]|$)", re.IGNORECASE)
ACTIVE = re.compile(
    r"(?:^|[,.;:]\s|\b(?:so|then|and|please|we|i|fine,?)\s)(?:kill|strike|scrap|bin|ditch|forget|withdraw|shelve|axe"
    r"|veto(?:ed)?|rule out|drop|leave out|shelved|scrapped|binned|ditched|said no to"
    r"|turned down)\s(?P<thing>(?:the |that |any )?[^,.;:]{2,50})",
    re.IGNORECASE,
)
REFUSED = re.compile(
    r"(?:\b(?:we're|i'm|they're|we are|i am|they are) (?:passing on|done with|against|skipping|dropping)"
    r"|\b(?:we|i)(?:'re|'m| are| am) not going to (?:use|have|build|do|make|buy|take|adopt|offer)"
    r"|\b(?:we|i) (?:will not|won't|do not want to|don't want to) (?:have|build|use|buy|offer|adopt)"
    r"|\b(?:we|i)(?:'ll| will) (?:do|manage|live) without)\s"
    r"(?P<thing>(?!to |me |them |him |her |it |you |us )(?:the |that |any |an? )?[^,.;:]{2,50})",
    re.IGNORECASE,
)
APART = re.compile(
    r"\b(?:rul(?:e|ed)|leav(?:e|es|ing)|left|str(?:ike|uck)|threw|throw|voted?)\s"
    r"(?P<thing>[^,.;:]{2,50}?)\sout\b(?! of| to)",
    re.IGNORECASE,
)
HAPPENS_NOT = re.compile(
    r"(?:^|[,.;:]\s)(?P<thing>[^,.;:]{2,50}?)\s(?:(?:is not|isn't) (?:going to happen|happening)"
    r"|(?:will not|won't) (?:happen|go ahead)|(?:does not|doesn't|did not|didn't) make the cut"
    r"|(?:has to|must) go(?=[,.;:]|$))",
    re.IGNORECASE,
)
SO_NOT = re.compile(
    r"(?:^|[.;:]\s)(?:we looked at\s)?(?P<thing>[^,.;:]{2,50}?)"
    r"(?:\s(?:would|failed|costs?|takes?|needs?|is too|was too)\s"
    r"[^.;:]*,\sso (?:no|we (?:leave|drop|skip) it)|\sand decided (?:not to|against it)"
    r"|:\s(?:rejected|declined|out)(?=[,.;]|$))",
    re.IGNORECASE,
)
ANSWERED_NO = re.compile(
    r"(?:^|[,.;:]\s)(?P<thing>(?:(?!told|said|says|you|him|her|me|them)[\w./'-]++ ){0,5}?"
    r"(?!told|said|says|you|him|her|me|them)[\w./'-]++) no(?=[,.;]|$)",
    re.IGNORECASE,
)
FORBIDDEN = re.compile(
    r"(?:^|[,.;:]\s|\b(?:and|but) )no "
    r"(?P<thing>(?!matter|idea|problem|doubt|(?:more|less|fewer|later|earlier) than)[^,.;:]{3,60})",
    re.IGNORECASE,
)
_VERB = r"(?:is|are|was|were|has|have|had|be|been|\w++(?<=ed)|\w++(?<=ing)) "
VERBLESS = re.compile(
    rf"(?:^|[,.;:]\s)(?P<thing>(?:(?!{_VERB})[\w./'-]++ ){{0,5}}?(?!{_VERB})[\w./'-]++)"
    r" out(?=[,.;]|$| because| since| on | for )",
    re.IGNORECASE,
)
STRUCK = re.compile(
    r"(?:^|[.;]\s)(?P<thing>[^,.;:]{2,40})(?::|,)[^.;]*"
    r"\b(?:strike|kill|drop|scrap|bin|forget|leave) (?:it|that|them)\b",
    re.IGNORECASE,
)
FALLS = re.compile(r"\s*(?:a lot|a bit|by|to|from|off|sharply|below|under|\d|$|[.,;)])", re.IGNORECASE)
ALSO = re.compile(
    r"\b(?:and|but|nor|neither)\s(?:so\s|nor\s|neither\s)?(?:is|are|does|do|will|goes)\s(?P<thing>[^,.;:]{2,50})"
    r"|\b(?:and|also)\s(?P<too>[^,.;:]{2,50}?),?\s(?:too|as well|likewise)(?=[,.;:]|$)",
    re.IGNORECASE,
)
"""What goes the same way as the thing named before it: "X is out, and so is Y"."""

INDEFINITE = terms_of(
    "anything everything something everyone anybody others rest idea plan notion thought option proposal"
)
"""Terms that name nothing by themselves: "so is anything under ten litres"."""

FORMS = (
    *refusals.FORMS,
    PASSIVE,
    VERBLESS,
    STRUCK,
    GOES,
    ACTIVE,
    REFUSED,
    APART,
    HAPPENS_NOT,
    SO_NOT,
    ANSWERED_NO,
    FORBIDDEN,
)
OUTRIGHT = (PASSIVE, VERBLESS, STRUCK, GOES, APART, HAPPENS_NOT, ANSWERED_NO)


PERMITTED = re.compile(
    r"\b(?:may|might|can|could|would|should)\s(?:\w+ly\s)?$|\b(?:he|she|they)\s(?:may|can|must)\snot\s$", re.IGNORECASE
)
"""Before a verb of ruling out: who may or should do it has not done it; what one person may not do is not ruled out."""

COUNT = re.compile(r"\W*(?:and\s)?[\d.,]+(?:\s\w+n't)?\W*")
"""So many of something, and no thing by itself: "9,150 don't go"."""

DESCRIBES = re.compile(r"\b(?:has|have|had|with|shows?)\s(?:\w+\s)?no\s[^,.;:]*$", re.IGNORECASE)
"""Before "and no …": tells what something lacks."""


def _falls(choice: Choice, text: str) -> bool:
    """Whether something drops by an amount instead of being dropped."""
    return choice.text.lower().startswith("drop") and FALLS.match(text, choice.span.end) is not None


@lru_cache(maxsize=8192)
def outright(text: str) -> bool:
    """Whether a sentence rules something out in so many words; "no exclusivity" may only describe."""
    acts = any(one.kind is ChoiceKind.REJECTED and not COMPARING.match(one.text) for one in choices(text))
    return acts or any(form.search(text) for form in OUTRIGHT)


@lru_cache(maxsize=8192)
def refuses(text: str) -> bool:
    """Whether turning something down is what a sentence does, rather than something it says besides."""
    plain = QUOTED.sub("x", text)
    return any(terms_of(match["thing"]) for form in refusals.FORMS for match in form.finditer(plain))


def _terms(thing: str) -> frozenset[str]:
    return terms_of(thing.replace(INNER, "."))


def _clauses_of(acts: list[Choice], text: str) -> list[str]:
    """What stands between the commas around each act: its object when it has no words for it."""
    found: list[str] = []
    for act in acts:
        start = max((match.end() for match in STOP.finditer(text, 0, act.span.start)), default=0)
        end = STOP.search(text, act.span.end)
        found.append(text[start : end.start() if end else len(text)])
    return found


STOP = re.compile(r"[,;:]")


@lru_cache(maxsize=8192)
def ruled_out(text: str) -> tuple[frozenset[str], ...]:
    """The terms of each thing that a sentence rules out; none when it rules out nothing, as quotations do."""
    text = POINT.sub(INNER, GROUPED.sub("", QUOTED.sub("x", text)))  # "£2,150" and "3.3" are one thing
    acts = [
        choice
        for choice in choices(text)
        if choice.kind is ChoiceKind.REJECTED
        and not COMPARING.match(choice.text)
        and not _falls(choice, text)
        and not PERMITTED.search(text, 0, choice.span.start)
    ]
    found = [_terms(" ".join(sorted(choice.object_words))) for choice in acts]
    found += [
        _terms(AFTERWARDS.sub("", match["thing"]))
        for form in FORMS
        for match in form.finditer(text)
        if not (form in refusals.PREDICATES and COUNT.fullmatch(match["thing"]))
        and not (form is FORBIDDEN and DESCRIBES.search(text, 0, match.start()))
    ]
    beside = [
        _terms(match["thing"])
        for form in refusals.CONTRASTS
        for match in form.finditer(text)
        if not DESCRIBES.search(text, 0, match.start())
    ]
    found += [terms for terms in beside if len(terms) >= LEAST_LISTED or any(DIGITS.search(term) for term in terms)]
    if acts and not any(found[: len(acts)]):
        said = [terms for terms in map(_terms, _clauses_of(acts, text)) if len(terms) >= LEAST_LISTED]
        listed = (terms for terms in map(_terms, STOP.split(text)) if len(terms) >= LEAST_LISTED)
        found += said or listed
    if any(found):
        found += [_terms(match["thing"] or match["too"]) for match in ALSO.finditer(text)]
    return tuple(dict.fromkeys(terms - INDEFINITE for terms in found if terms - INDEFINITE))
