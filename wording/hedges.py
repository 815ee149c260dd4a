"""Words that keep a statement from being asserted as fact."""

import re
from collections.abc import Sequence
from functools import lru_cache

from dissolution.values import Span
from wording.masks import code_spans, quotation_spans, straightened, touches

_WE = r"(?:i|we|they|he|she|people)"
# Where a cue that is a word may begin: asked once for a whole run of cues, since asking it of each is most of the time.
_AT = r"\b(?=['a-z])"
# Each group is one way of not vouching for a statement.
ATTITUDE = rf"""
    {_AT}(?:{_WE}(?:'d|\ would)?\ (?:(?:do|did)\ not\ |don't\ |just\ |only\ |also\ |still\ |rather\ |personally\ )?
        (?:think|thought|guess|guessed|suppose|supposed|believe|believed|suspect|suspected|assume|assumed
        |reckon|imagine|presume|gather)\b
        (?!\ (?:about(?!\ \d)|of|in|through|over|twice|aloud)\b)
  | (?:i'm|i\ am|we're|we\ are|they're|they\ are|(?:he|she|everyone|everybody|the\ \w+)\ is)
        \ (?:just\ |only\ |still\ |now\ )?
        (?:assuming|guessing|supposing|presuming|speculating)\b)
  | (?<![\w-])(?:he|she|[a-z][\w-]{{1,30}}+)\ (?:thinks|believes|suspects|reckons
            |guesses|assumes|supposes)\b(?!\ (?:about|of|in)\b)
  | {_AT}(?:I'd\ (?:say|bet|wager)\b(?!\ (?:no|yes|so)\b)
  | (?:i|we)\ doubt\b | I\ can'?t\ (?:prove|swear)\b)
"""
ADVERB = rf"""
    {_AT}(?:the\ (?:most\ )?(?:likely|probable)\ (?:cause|reason|explanation|culprit|source)\b | (?:probably
    |presumably|possibly|perhaps|maybe|apparently|allegedly|reportedly|supposedly|seemingly|conceivably|arguably|
        potentially|tentatively|provisionally)\b
  | (?:in\ all\ likelihood|chances\ are|most\ likely|very\ likely|quite\ likely|more\ than\ likely|in\ theory
  |it\ is\ possible\ that|it's\ possible\ that)\b
  | (?:is|are|was|were|be|it's|looks|seems|will|would|less|more|equally|not)\ (?:now\ |also\ |still\ |quite\
  |rather\ )?likely\b
  | (?:is|are|was|were|be|it's|looks|seems|highly|very)\ unlikely\b)
"""
KNOWLEDGE = rf"""
    {_AT}(?:(?:as|so)\ far\ as\ (?:i|we|anyone|anybody)\ (?:know|knows|can\ (?:see|tell)|could\ (?:see|tell)
    |am\ aware|are\ aware|remember|recall|understand)\b
  | to\ (?:my|our)\ knowledge\b | (?:afaik|iirc|imo|imho|tbc|tbd)\b
  | (?:if\ (?:i|we)\ (?:remember|recall)|if\ memory\ serves|as\ (?:i|we)\ (?:recall|remember)|from\ memory
  |off\ the\ top\ of\ (?:my|our|his|her)\ head)\b
  | (?:i'm|i\ am|we're|we\ are|am|are|is|'m)\ (?:not\ (?:at\ all\ |quite\ |entirely\ |really\ |so\
  |yet\ )?(?:sure|certain|convinced|clear)|unsure|uncertain)\b
  | not\ sure\b)
"""
UNCHECKED = rf"""
    {_AT}(?:(?:unverified|unconfirmed|untested|unproven|unmeasured|unchecked|unsubstantiated|hypothetical|provisional
    |tentative|to\ be\ (?:confirmed|verified|checked))\b
  | (?:not|never|isn't|wasn't|aren't|weren't|hasn't|haven't|n't)\ (?:(?:yet|been|ever|independently|actually
  |really|fully|formally)\ ){{0,3}}
        (?:confirmed|verified|checked|measured|proven|proved|validated|tested|substantiated)\b
  | (?:nobody|no\ one|nothing|none\ of\ us)\ (?:has\ |had\ )?(?:ever\ |yet\
  |actually\ )?(?:been\ )?(?:confirmed|verified|checked|measured|proven|tested|looked)\b
  | (?:has|have|had)\ yet\ to\ be\ (?:confirmed|verified|checked|measured|proven|tested)\b
  | remains?\ to\ be\ (?:confirmed|verified|checked|seen|measured|tested)\b)
"""
HEARSAY = rf"""
    {_AT}(?:(?:hearsay|rumou?rs?\ (?:has|have)\ it|rumou?r|word\ is|by\ all\ accounts)\b
  | (?:somebody|someone|people|they|a\ colleague)\ (?:once\ )?(?:told\ (?:me|us)|says?|said|claims?|claimed)\b
  | (?:i|we)\ (?:was|were|have\ been|'ve\ been)\ told\b | (?:i|we)'ve\ been\ told\b | I'm\ told\b
  | (?:i|we)(?:'ve|\ have)?\ (?:hear|heard)\ (?:that|it|from|say)\b
  | (?:is|are|was|were)\ (?:said|rumou?red|believed|thought|assumed|presumed|suspected|alleged
  |reported)\ (?:to|that)\b)
"""
APPEARANCE = rf"""
    {_AT}(?:seem(?:s|ed)?\b | appear(?:s|ed)?\ (?:to\ (?!date|end)|that|as\ if|not\ to)\b
  | looks?\ (?:like|as\ if|as\ though)\b
  | might\b | could\ (?:well\ |also\ |still\ |just\ |easily\ |even\ )?(?:be|have|mean|explain|come|turn)\b)
"""
NOUN = r"""
    \b(?:my|our|his|her|their|a|an|pure|wild|rough|best|only|just|educated|working|an\ unverified
    |the\ working)\ (?:wild\ |pure\ |best\ |rough\ |educated\ |working\ |mere\ )?
        (?:guess|guesses|assumption|assumptions|hunch|hunches|suspicion|suspicions|impression|speculation
        |conjecture|hypothesis)\b
  | (?:[,:(;–—]|\b(?:are|is|as|and|status|remains?))\ ?\*{0,2}(?:guess|guesses|assumption
  |assumptions|assumed|guesswork|hunch|speculation|guessed)\*{0,2}(?=\ ?(?:[,.;:)\]!?–—]|$|\ (?:only|and|but
  |not|for\ now)\b))
  | (?:^|[\n.;:(]\ ?(?:[-*]\ )?)\*{0,2}(?:guess(?:es)?|assumptions?|unverified|hearsay
  |hunch)(?:\ only)?\*{0,2}\ ?: | \bpure\ speculation\b
  | \b(?:under|on)\ the\ (?:working\ )?assumption\b
"""
CUES = re.compile(
    f"{ATTITUDE}|{ADVERB}|{KNOWLEDGE}|{UNCHECKED}|{HEARSAY}|{APPEARANCE}|{NOUN}", re.VERBOSE | re.IGNORECASE
)
# A cue that is itself denied or ruled on is no hedge: "this is not a guess", "never let a guess pass".
DENIED = re.compile(
    r"\b(?:not|never|no|isn't|wasn't|aren't|n't|no longer|without|every|any|each|let(?:s|ting)?(?: a)?|call(?:s"
    r"|ed)?|labelled?|mark(?:s|ed)?(?: it)? as)\s$",
    re.IGNORECASE,
)
NOUN_CUE = re.compile(
    r"(?:guess(?:es)?|assumptions?|hunch(?:es)?|impression|speculation|suspicions?)\W*$", re.IGNORECASE
)

# "may" is a hedge before a verb unless it permits: "you may deploy", "only Ilse may change nginx", "who may say no".
MAY = re.compile(r"\bmay\b(?= +(?P<next>[a-z']+))")
PERMITTED = re.compile(
    r"(?:\b(?:you|one|anyone|anybody|everyone|everybody|nobody|no one|who|whoever|only\s[\w' -]{1,40}"
    r"|none of \w+)\s(?:\w+\s)?)$",
    re.IGNORECASE,
)
NOT_A_VERB = frozenset(["and", "or", "i", "we", "the", "a", "of", "in", "on", "at", "to", "for", "is", "was"])
LOOK_BEHIND = 60


def hedge_spans(text: str) -> tuple[Span, ...]:
    """The words that hedge, in order, without overlap; cues inside code or double quotation marks are left out."""
    plain = straightened(text)
    hidden = sorted((*code_spans(text), *quotation_spans(text)), key=lambda span: span.start)
    spans = [
        _trimmed(match)
        for match in CUES.finditer(plain)
        if not touches(hidden, match.start(), match.end()) and not _is_denied(plain, match)
    ]
    cues = tuple(spans)
    spans.extend(span for span in _epistemic_may(plain, hidden) if not touches(cues, span.start, span.end))
    return tuple(sorted(spans, key=lambda span: span.start))


@lru_cache(maxsize=4096)  # asked for by itself and as part of how a text is meant
def is_hedged(text: str) -> bool:
    """Whether anything in `text` hedges."""
    return bool(hedge_spans(text))


def _trimmed(match: re.Match[str]) -> Span:
    said = match[0]
    start = match.start() + len(said) - len(said.lstrip(" ,;:.(–—-*\n"))
    return Span(start=start, end=match.start() + len(said.rstrip(" *")))


def _is_denied(text: str, match: re.Match[str]) -> bool:
    if not NOUN_CUE.search(match[0]):
        return False
    return DENIED.search(text, max(0, match.start() - LOOK_BEHIND), match.start()) is not None


def _epistemic_may(text: str, hidden: Sequence[Span]) -> list[Span]:
    spans: list[Span] = []
    for match in MAY.finditer(text):
        following = match["next"]
        if touches(hidden, match.start(), match.end()) or following in NOT_A_VERB or following == "only":
            continue
        permitted = PERMITTED.search(text, max(0, match.start() - LOOK_BEHIND), match.start())
        if permitted is None or following in {"be", "have", "well"}:
            spans.append(Span(start=match.start(), end=match.end()))
    return spans
