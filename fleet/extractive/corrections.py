"""What a later turn takes back: values denied or replaced, plans withdrawn. The earlier statement is dropped."""

import re
from collections.abc import Sequence

from fleet.extractive import cue_words as cue
from fleet.extractive.discourse import Read
from fleet.extractive.sections import Kind
from fleet.extractive.segments import Sentence
from fleet.extractive.terms import Slot, VALUE, names, slots, terms, values
from wording.words import stem

SHARED_TERMS = 2  # content words two sentences share to be about the same thing when a cue says "replaced"
NEAR = 60  # characters between a word of denial and the value it denies

# Words of denial before the value ("not 54", "instead of r419", "kill the 49") and after it ("1.2 million is gone").
DENIED_AFTER = re.compile(
    r"(?i)\b(?:not|isn't|isn’t|wasn't|wasn’t|never|instead of|rather than|no longer|kill(?:s|ed)? the|drop(?:s|ped)? the|scrap the|forget(?: about)? the|withdraw(?:ing|s)?|than the|replac(?:es|ing|e)|supersed\w+)\s+(?:the\s|a\s|at\s|to\s|on\s|in\s|by\s|about\s|just\s)*"
)
DENIED_BEFORE = re.compile(
    r"(?i)^[^.;!?]{0,30}?\b(?:(?:is|are|was|were|has|have|'s|’s)\s+(?:now\s|therefore\s|also\s)?(?:gone|dead|off|out\b|withdrawn|cancelled|canceled|obsolete|wrong|history|ruled out|superseded|no longer|a mistake|a typo|an error|impossible|not (?:right|true|correct|possible))|(?:you|i|we) (?:gave|quoted|said|told|had|used|mentioned|wrote)\b|(?:does not|doesn't|cannot|can't|won't) (?:hold|stand|work))"
)


# "New window: Sunday": the noun says which earlier value goes.
NEW = re.compile(r"(?i)\bnew (?:\w+ )?(\w{4,})(?: of [\w ]{1,30})?(?::| is| are| stays)")
# What is out, withdrawn or dead: the name or code in front.
DEAD = re.compile(
    r"\b([A-Z][\w-]+(?: [A-Z][\w-]*)*|\w*\d\w*)(?:'s|’s| is| are| was| has been| goes) (?:now |therefore |also )?(?:out|withdrawn|dead|gone|off|cancelled|canceled|dropped|scrapped|ruled out|rejected)\b"
)
PLANS = frozenset({Kind.DECISION, Kind.PROPOSAL})


def dead_names(text: str) -> frozenset[str]:
    """Names and codes, lower case, that `text` says are out, withdrawn or dead."""
    return frozenset(match.group(1).lower() for match in DEAD.finditer(text))


def _names_of(sentence: Sentence) -> frozenset[str]:
    return names(sentence.quote) | sentence.values


def withdrawn(reads: Sequence[Read]) -> frozenset[tuple[int, int]]:
    """(turn, index) of the sentences that a later turn corrects.

    A later sentence with correction wording kills an earlier one that (a) states a value it denies and shares a
    content word with it or its neighbours, or (b) states another value of the same unit and shares `SHARED_TERMS`
    content words with it. Quoted material is corrected but corrects nothing said, save other quoted material.
    """
    killed: set[tuple[int, int]] = set()
    for place, later in enumerate(reads):
        sentence = later.sentence
        denied = denied_values(sentence.quote)
        dead = dead_names(sentence.quote) if later.kind is Kind.RULED_OUT else frozenset[str]()
        cued = cue.CORRECTION.search(sentence.quote) is not None
        if later.kind in {Kind.QUESTION, Kind.GUESS} or not (cued or denied or dead):
            continue
        context = _context(reads, place)
        fresh = tuple(slot for slot in slots(sentence.quote) if slot.value not in denied)
        for earlier in reads[:place]:
            old = earlier.sentence
            if old.turn >= sentence.turn or (sentence.quoted and not old.quoted):
                continue
            if (
                _denied(old, denied, context, fresh)
                or (cued and _replaced(old, sentence, fresh))
                or (earlier.kind in PLANS and dead & _names_of(old) and not cue.RULED_OUT.search(old.quote))
            ):
                killed.add((old.turn, old.index))
    return frozenset(killed)


def denied_values(text: str) -> frozenset[str]:
    """The values `text` says are not, or no longer, so."""
    found: set[str] = set()
    for match in VALUE.finditer(text):
        value = match.group().strip(" .,:;/").lower()
        before = text[max(0, match.start() - NEAR) : match.start()]
        denied = [denial for denial in DENIED_AFTER.finditer(before) if denial.end() == len(before)]
        if denied or DENIED_BEFORE.match(text[match.end() :]):
            found.add(value)
    return frozenset(found)


def _context(reads: Sequence[Read], place: int) -> frozenset[str]:
    """Content words of the sentence and of its neighbours in the same turn."""
    turn = reads[place].sentence.turn
    near = (read.sentence for read in reads[max(0, place - 2) : place + 3] if read.sentence.turn == turn)
    return frozenset(term for sentence in near for term in sentence.terms)


def _denied(old: Sentence, denied: frozenset[str], context: frozenset[str], fresh: tuple[Slot, ...]) -> bool:
    hit = denied & old.values
    if not hit or any(slot.value in old.values for slot in fresh):
        return False
    own = set(old.terms) - set(terms(" ".join(old.values)))
    return bool(own & context)


def _replaced(old: Sentence, sentence: Sentence, fresh: tuple[Slot, ...]) -> bool:
    if not fresh or {slot.value for slot in fresh} & old.values:
        return False
    announced = {stem(match.group(1).lower()) for match in NEW.finditer(sentence.quote)}
    if announced & set(old.terms) and {slot.unit for slot in fresh} & {slot.unit for slot in slots(old.quote)}:
        return True
    units = {slot.unit for slot in fresh} - {"number"}
    if not any(slot.unit in units for slot in slots(old.quote)):
        return False
    stated = values(sentence.quote) | old.values
    shared = {term for term in set(old.terms) & set(sentence.terms) if term not in stated}
    return len(shared - units) >= SHARED_TERMS
