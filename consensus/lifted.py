"""Standing instructions that a later turn lifts, though it may share no word with them.

"Replies under 200 words" ends with "drop the length limit": the one names an amount, the other what the amount is of.
So both are read for what they are about: a kind of instruction (length, language, layout), or the very thing asked for.
"""

import re

from consensus.lexical import root
from consensus.profile import CLAUSE_END, Profile
from consensus.promotion import ONCE
from wording.words import content_words, stem

ANSWERS = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?)\b(?! (?:queue|time|rate|form|code)s?\b)"
    r"|^I (?:always |only |never )?(?:keep|use|give|add|end|close|open|start|sign|put|call)\b"
    r"|^(?:I|we) (?:always |only |never )?(?:write|answer|reply|respond|speak|format|summari[sz]e|explain)\b",
    re.IGNORECASE,
)
"""Wording of an instruction about answers; nothing else is lifted by what is said of "the limit" alone. What "we" keep,
use, add or open is mostly no answer."""

UNITS = re.compile(r"\b(word|sentence|line|paragraph|character|page|bullet)s?\b", re.IGNORECASE)

AMOUNT = r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|few|fewer|single)"
MEASURE = r"(?:words?|sentences?|lines?|paragraphs?|characters?)"
BOUND_BEFORE = (
    r"(?:under|below|within|in|to|of|at|most|least|than|about|around|roughly|exactly|only|just|maximum|max|are|is|be"
    r"|have|has|a|every|each)"
)
BOUND_AFTER = r"(?:at most|or (?:less|fewer|so)|max(?:imum)?|tops|long|each|per|and no more|an answer|a reply)"
KINDS = (
    (
        re.compile(
            rf"(?<!\bthe )(?<!\bthose )(?<!\bthese )\b\d[\d,.]* (?:\w+ )?{MEASURE}\b"
            rf"|\b{BOUND_BEFORE} {AMOUNT} (?:\w+ )?{MEASURE}\b"
            rf"|\b{AMOUNT} (?:\w+ )?{MEASURE} {BOUND_AFTER}\b"
            r"|\b(?:keep|are|is|stay|be|write|answer|reply|speak)s?\b[^,;:.]{0,30}"
            r"\b(?:brief|short|concise|terse|succinct)(?:ly)?\b(?!-| of\b)",
            re.IGNORECASE,
        ),
        re.compile(
            r"\blength\b|\bbrevity\b"
            r"|\b(?:word|sentence|line|paragraph|character)s?[ -](?:limit|cap|count|maximum|rule)\b"
            r"|\b(?:brief|short|concise|terse|succinct)\b|\blonger (?:answers?|repl(?:y|ies))\b|\bat (?:full )?length\b"
            r"|\bas long as (?:you (?:like|want|need|wish|please)|it (?:takes|needs)|(?:is )?necessary)\b"
            r"|\bthe full (?:thing|version|answer|text|story|detail)\b|\bin full\b"
            r"|\b(?:all|as much) (?:the )?(?:space|room|words)\b",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(r"\b(?:bullets?|bullet points|tables?|lists?|headings?|markdown|numbered)\b", re.IGNORECASE),
        re.compile(r"\b(?:prose|running text|plain text|free form|whole sentences)\b", re.IGNORECASE),
    ),
)
"""What instructions for answers are about: how such an instruction is worded, and how its end is.

A length is a figure or an amount with a bound: "the one word the client hates" is none.
"""

LENGTH_LIMIT = re.compile(
    r"\b(?:word|sentence|line|paragraph|character)s?[ -](?:limit|cap|count|maximum)s?\b", re.IGNORECASE
)
"""A name for a length, not for the words that an instruction is about."""

LANGUAGE = (
    r"(English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Russian|Ukrainian|Turkish|Arabic|Hebrew|Hindi"
    r"|Chinese|Mandarin|Japanese|Korean|Swedish|Danish|Norwegian|Finnish|Greek|Czech|Irish|Welsh)"
)
ASKED_LANGUAGE = re.compile(
    rf"\b(?:in|use|speak|write) (?:plain |simple )?{LANGUAGE}\b"
    r"(?! (?!and|or|only|unless|from|for|to|as|at|by|with|when|even)[a-z])"
)
SAID_LANGUAGE = re.compile(rf"\b{LANGUAGE}\b")

LIFTS = re.compile(
    r"\b(?:drop|lift|remove|scrap|forget|waive|cancel|relax|ditch|abandon|suspend|retire|skip|lose|omit|ignore|revoke)"
    r" (?:the|that|this|my|your|our|all|those|these|any)\b"
    r"|\b(?:leave out|do away with|get rid of|never mind|no more|(?:can|may|should|please) stop"
    r"|stop (?:using|adding|giving|writing|ending|putting))\b"
    r"|\bno longer (?:need|want|require)|\bno (?:need|reason) to\b.{0,60}\b(?:any ?more|any longer|from now on|now)\b"
    r"|(?:\bnot|n't) (?:need|have to|want)\b.{0,60}\b(?:any ?more|any longer|from now on|now)\b",
    re.IGNORECASE,
)
"""Wording that ends what is named after it."""

LIFTED = re.compile(
    r"\b(?:limit|cap|rule|restriction|constraint|instruction|requirement|format|maximum)s?"
    r" (?:(?:is|are|was|has been|have been|no longer) )?(?:now )?"
    r"(?:lifted|gone|off|over|history|dropped|removed|waived|cancelled|void|moot|applies|apply|holds?)\b"
    r"|\b(?:is|are) (?:no longer|not) (?:needed|necessary|required|wanted)\b",
    re.IGNORECASE,
)
"""Wording that ends what is named before it."""

RESUMES = re.compile(
    r"\bback to (?:normal|usual|full|the (?:usual|full|normal|long)|prose|running|plain|whole)"
    r"|\bback to (?=[A-Z])|\b(?:prose|running text|plain text|[A-Z]\w+) again\b|\bagain\b\W*$"
    r"|\b(?:give|show|send|write|let)\b.{0,20}\b(?:the full|in full|at length|full length)\b"
    r"|\bas long as (?:you|it|is)\b"
    r"|\b(?:from now on|from here on|from today)\b|\bas usual\b",
    re.IGNORECASE,
)
"""Wording that returns to how it was before an instruction."""

STAYS = re.compile(
    r"\b(?:do not|don't|never(?! mind)|must not|mustn't|should not|shouldn't|won't|will not|cannot|can't)"
    r"\W+(?:\w+\W+){0,2}?(?:drop|lift|remove|scrap|forget|waive|cancel|relax|ditch|abandon|suspend|retire|skip|lose|omit|ignore|revoke"
    r"|leave out|do away|get rid|stop|go back)\b|\b(?:keep|stays?|remains?|still (?:applies|holds))\b"
    r"|\b(?:would|could|might|if|unless|suppose|should we|shall we)\b|\?",
    re.IGNORECASE,
)
"""Wording that keeps an instruction, or only weighs its end."""

_NO_THING = """
    limit cap rule restriction constraint instruction requirement format maximum length need end day today please
    answer answers reply replies use using add adding give giving write longer anymore more mind way now drop lift
    remove scrap forget skip stop leave lifted gone require want necessary needed no not never have
"""
NO_THING = frozenset(root(stem(word)) for word in _NO_THING.split())
"""Words that say that something ends, not what."""

SPAN = 8  # words after the wording of an end among which what ends is named
NAMED = 0.6  # share of them that the instruction must have


def wordings(claim: Profile) -> tuple[re.Pattern[str], ...]:
    """What a sentence needs one of to lift a claim by `lifts`; none for a claim that is no instruction."""
    return (LIFTS, LIFTED, RESUMES) if ANSWERS.search(claim.text) else ()


def lifts(claim: Profile, said: Profile) -> bool:
    """Whether `said` ends the standing instruction that `claim` states.

    Only instructions about answers are ended; what keeps them, asks, supposes or speaks of one answer ends nothing.

    Args:
        claim: A claim.
        said: A sentence of a later turn.
    """
    if not ANSWERS.search(claim.text) or STAYS.search(said.text) or ONCE.search(said.text):
        return False
    after, before = LIFTS.search(said.text), LIFTED.search(said.text)
    named = ("" if after is None else said.text[after.start() :], "" if before is None else said.text[: before.end()])
    if any(named) and (_of_kind(claim, said) or any(_asks_for(claim, text) for text in named)):
        return True
    return RESUMES.search(said.text) is not None and (_of_kind(claim, said) or _other_language(claim, said))


def _of_kind(claim: Profile, said: Profile) -> bool:
    """Whether both are about one kind of instruction, and `said` about nothing else that has a limit."""
    mine, theirs = (frozenset(match[1].casefold() for match in UNITS.finditer(p.text)) for p in (claim, said))
    if theirs and not mine & theirs:
        return False
    return any(asks.search(claim.text) and ends.search(said.text) for asks, ends in KINDS)


def _asks_for(claim: Profile, named: str) -> bool:
    """Whether the thing that ends, the first clause of `named`, is what the claim asks for."""
    mine = frozenset(root(word) for word in claim.terms)
    clause = LENGTH_LIMIT.sub("", CLAUSE_END.split(named)[0])
    things = [root(word) for word in content_words(" ".join(clause.split()[:SPAN]))]
    things = [word for word in things if word not in NO_THING]
    return bool(things) and sum(word in mine for word in things) >= NAMED * len(things)


def _other_language(claim: Profile, said: Profile) -> bool:
    mine, theirs = set(ASKED_LANGUAGE.findall(claim.text)), set(SAID_LANGUAGE.findall(said.text))
    return bool(mine and theirs) and not mine & theirs
