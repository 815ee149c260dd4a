"""A wording that stands alone, made by a few recorded rules; the quote stays word for word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fleet.extractive import talk_words as talk
from fleet.extractive.segments import Sentence
from wording.words import STOPWORDS

LONGEST = 60  # words; a longer text is not one claim
LONGEST_JOINED = 48  # words of a statement joined with the ones before it
JOINED = 2  # sentences that may be put before one that leans on them

FILLER = re.compile(
    r"(?i)(?<![\w'-])(?:u+m+|u+h+|e+r+m*|h+m+|m+h*m+|uh-huh|mm-hmm?|y'know|you know"
    r"|i mean)(?![\w'-])(?! (?:that|the|how|what|it|which)\b),?\s*"
)
SHORT = frozenset({"ad", "am", "go", "hi", "id", "if", "ok", "ox", "pa", "pi", "tv", "up", "us", "vs"})
STUTTER = re.compile(r"(?i)\b([^\W\d][\w'’]*(?: [^\W\d][\w'’]*){0,2})(?:,? \1\b)+")
# A word begun twice, "st stuff", "re recommend". Whole words stay: "no notice" and "we went" are none.
BROKEN_WORD = re.compile(r"(?<![\w'’-])([a-z]{1,2}|[b-df-hj-np-tv-xz]{3}) (?=\1\w{2,})")
OPENER = re.compile(
    r"(?i)^(?:[-–—*•>\s]*)(?:(?:so|and|but|then|also|plus|anyway|well then|okay then|ok then|and then|so then"
    r"|oh and|besides|meanwhile|however|therefore|thus|hence)\b,?\s+"
    r"|(?:okay|ok|right|well|oh|ah|yes|yeah|yep|no|nope|fine|alright|all right|now|good|great|perfect|cool|sure"
    r"|agreed|understood|noted|exactly|true|sorry|look|listen|actually|honestly|frankly|basically"
    r"|thanks|thank you|by the way|for the record|to be clear|as i said|as you know|in short|first|second|third"
    r"|firstly|secondly|finally|lastly|next|for your files|fyi|btw|done|damn|hm|wait|i see"
    r"|of course)\s*[,.:;!–—]+\s+(?:-\s+)?)+"
)
# A statement behind a verb of saying or a marker of nothing: the statement is what counts.
TAG = re.compile(
    r"(?i)[,;]?\s+(?:by the way|you know|i mean|as i said|as usual|right|okay|ok|yeah|for what it'?s worth)(?=[.!?]?$)"
)
MARKUP = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|`")
SPACE = re.compile(r"\s+")

DEICTIC = re.compile(
    r"(?i)\b(?:i|i'm|i'll|i've|i'd|me|my|mine|myself|you|you're|you'll|you've|you'd|your|yours|yourself)\b"
)
QUOTED_WORDS = re.compile(r"[\"“][^\"”]*[\"”]")

# Pronouns that need a noun before them in the same text.
LEANING = re.compile(
    r"(?i)\b(?:it|its|it's|itself|he|him|his|he's|she|her|hers|she's|they|them|their|theirs|they're|they've|they'll)\b"
)
# It rains, it takes, it is clear that, it is Monday: it stands for nothing.
PLEONASTIC = re.compile(
    r"(?i)\b(?:it's|it is|it was|it takes|it took|it seems|it looks|it rains|it will take|it would be|makes it"
    r"|find it|worth it)\b(?=\s+(?:\w+ ){0,2}(?:that|to|if|whether|when|like|as if|\d|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|today|morning|late|early)\b)"
)
# "That", "this" and their kin standing for something said before.
DEMONSTRATIVE = re.compile(
    r"(?i)(?:^|[.;:,!?(–—]\s*|\b(?:and|but|so|because|then|if|when|as|of|for|with|on|in|to|from|by|at|about|like"
    r"|after|before|than|is|was|do|does|did|see|know|say|said|put|take|make|use|mean|means|leave|keep|do)\s+)"
    r"(?:that|this|these|those)(?:'s|’s|'ll|'d)?(?=\s*(?:[.,;:!?)]|$"
    r"|\b(?:is|are|was|were|would|will|can|could|should|may|might|must|has|have|had|does|do|did|means?|meant"
    r"|makes?|made|gives?|leaves?|goes|went|comes?|came|says?|said|explains?|works?|needs?|looks?|sounds?|seems?"
    r"|turns?|also|still|only|never|always|just|alone|too|and|or|but|then|one|ones|thing|way|part|point|stuff|bit"
    r"|kind|case|number|idea|question|reason|rate|time)\b))"
)
ELLIPTIC = re.compile(
    r"(?i)\b(?:this one|that one|these ones|those ones"
    r"|the (?:first|second|third|other|former|latter|last|next|same|smaller|larger|bigger|cheaper) (?:one|ones|two"
    r"|of (?:the )?(?:two|them|those))|the (?:former|latter|others?|rest|same)(?=[\s.,;:!?]|$)(?! \w)"
    r"|the one(?:s)? (?:above|below|you|i|we)|(?:either|neither|both) of (?:them|those|these)|as above"
    r"|see (?:above|below)|so do i|me too|do so|did so|not so)\b"
    r"|^(?:both|neither|either|none|all|most|some|each|same|such|two|three)(?=[.,;:]|$| (?:is|are|was|were|will|would"
    r"|have|has|had|can|could|may|must|should|do|does|did|go|goes|of (?:them|these|those))\b)"
    r"|^(?:there|here|which|otherwise|else|likewise|like|hence)\b(?! (?:is|are|was|were|will|has|have)\b)"
)
# What a pronoun can stand for: a name, a code, or a noun with an article or a number in front.
ANTECEDENT = re.compile(
    r"(?:\b(?:[Tt]he|[Aa]n?|[Oo]ur|[Mm]y|[Yy]our|[Tt]heir|[Hh]is|[Hh]er|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose|[Ee]very"
    r"|[Ee]ach|[Nn]o|[Aa]ll|[Bb]oth|[Oo]ne|[Tt]wo|[Tt]hree|\d+) (?:[\w-]+ ){0,2}?[\w-]{3,}|(?<!^)\b[A-Z][\w-]+"
    r"|^[A-Z][\w-]{3,} (?:is|are|was|has|had|will|can|gets?|s\b)|\b\w+\d\w*|\b[a-z]+_\w+|^[A-Z][a-z]+s\b"
    r"|^(?!(?:It|He|She|They|That|This|These|Those|There|Here|What|Which|Who)\b)[A-Z][\w-]+ [a-z]+(?:s|ed)\b)"
)


@dataclass(frozen=True)
class Wording:
    """A claim's text with the sentences it is made of; `leaning` when a reference in it has nothing to stand for."""

    text: str
    parts: tuple[Sentence, ...]
    leaning: bool
    addressed: bool


def tidy(quote: str) -> str:
    """`quote` without fillers, stutters, markup and discourse openers, its first letter capital."""
    text = SPACE.sub(" ", MARKUP.sub("", quote)).strip()
    text = FILLER.sub("", text)
    text = BROKEN_WORD.sub(lambda match: match[0] if match[1] in STOPWORDS | SHORT else "", text)
    text = STUTTER.sub(r"\1", text)
    text = OPENER.sub("", text)
    text = TAG.sub("", text).strip(" ,;–—")
    text = SPACE.sub(" ", text)
    return text[:1].upper() + text[1:]


def leans(text: str) -> bool:
    """Whether `text` holds a pronoun or "that" that nothing in the text stands for."""
    bare = QUOTED_WORDS.sub(" ", text)
    if ELLIPTIC.search(bare):
        return True
    for match in DEMONSTRATIVE.finditer(bare):
        if not ANTECEDENT.search(_before_clause(bare, match.start())):
            return True
    plain = PLEONASTIC.sub(" ", bare)
    return any(not ANTECEDENT.search(plain[: match.start()]) for match in LEANING.finditer(plain))


def _before_clause(text: str, end: int) -> str:
    """What stands before the sentence that holds `end`: a demonstrative points over its own sentence's edge."""
    return text[: max(text.rfind(mark, 0, end) for mark in ".!?;:") + 1]


def addressed(text: str) -> bool:
    """Whether who speaks to whom must be known: it says I, my, you or your outside quotation marks."""
    return DEICTIC.search(QUOTED_WORDS.sub(" ", text)) is not None


def stand_alone(sentence: Sentence, before: Sequence[Sentence], after: Sequence[Sentence] = ()) -> Wording:
    """`sentence` worded to stand alone.

    `before` are the sentences of the same breath before it, nearest last, that may be put in front when it leans on
    them; `after` follow it always (such as the hedge that qualifies it). Who says "I" or "you" is named.
    """
    parts: tuple[Sentence, ...] = (sentence, *after)
    text = _joined(parts)
    incomplete = talk.TAKES_BACK.match(sentence.quote) is not None
    for count in range(1, min(JOINED, len(before)) + 1):
        if not (leans(text) or (incomplete and count == 1)):
            break
        longer = (*before[len(before) - count :], sentence, *after)
        joined = _joined(longer)
        if len(joined.split()) > LONGEST_JOINED:
            break
        parts, text = longer, joined
    leaning = leans(text)
    if leaning and len(parts) > 1 + len(after):
        parts = (sentence, *after)
        text = _joined(parts)
    personal = addressed(text) and not sentence.quoted
    if personal:
        text = f"{_label(sentence.speaker)}: {text}"
    return Wording(text=text, parts=parts, leaning=leaning, addressed=personal)


def _label(speaker: str) -> str:
    return speaker[:1].upper() + speaker[1:]


def _joined(parts: Sequence[Sentence]) -> str:
    """One statement of several sentences: parted by semicolons, so that nobody takes its halves for two statements."""
    texts = [text for text in (tidy(part.quote) for part in parts) if text]
    joined = texts[0] if texts else ""
    for text in texts[1:]:
        first = text.split(maxsplit=1)[0]
        follows = (
            text[:1].lower() + text[1:] if first.lower() in STOPWORDS and first[:2] not in {"I", "I'", "I’"} else text
        )
        bare = joined.rstrip(".!…;, ")
        joined = f"{bare} {follows}" if bare.endswith(":") else f"{bare}; {follows}"
    return joined if joined[-1:] in ".!?:;…" else f"{joined}."
