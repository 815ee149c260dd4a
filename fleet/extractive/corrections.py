"""What a later turn takes back: values denied or replaced, plans withdrawn. The earlier statement is dropped."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fleet.extractive import cue_words as cue
from fleet.extractive import talk_words as talk
from fleet.extractive.discourse import Read
from fleet.extractive.sections import Kind
from fleet.extractive.segments import Sentence
from fleet.extractive.terms import VALUE, Slot, names, slots, terms, values
from wording.words import stem

SHARED_TERMS = 2  # content words two sentences share to be about the same thing when a cue says "replaced"
NEAR = 60  # characters between a word of denial and the value it denies

# Words of denial before the value ("not 54", "instead of r419", "kill the 49") and after it ("1.2 million is gone").
DENIED_AFTER = re.compile(
    r"(?i)\b(?:not|isn't|isn’t|wasn't|wasn’t|never|instead of|rather than|no longer|kill(?:s|ed)? the"
    r"|drop(?:s|ped)? the|scrap the|forget(?: about)? the|withdraw(?:ing|s)?|than the|replac(?:es|ing|e)"
    r"|supersed\w+)\s+(?:the\s|a\s|at\s|to\s|on\s|in\s|by\s|about\s|just\s)*"
)
DENIED_BEFORE = re.compile(
    r"(?i)^[^.;!?]{0,30}?\b(?:(?:is|are|was|were|has|have|'s|’s)\s+(?:now\s|therefore\s|also\s)?(?:gone|dead|off"
    r"|out\b|withdrawn|cancelled|canceled|obsolete|wrong|history|ruled out|superseded|no longer|a mistake|a typo"
    r"|an error|impossible|not (?:right|true|correct|possible))"
    r"|(?:you|i|we) (?:gave|quoted|said|told|had|used|mentioned|wrote)\b"
    r"|(?:does not|doesn't|cannot|can't|won't) (?:hold|stand|work))"
)


# "New window: Sunday": the noun says which earlier value goes.
NEW = re.compile(r"(?i)\bnew (?:\w+ )?(\w{4,})(?: of [\w ]{1,30})?(?::| is| are| stays)")
# What is out, withdrawn or dead: the name or code in front.
DEAD = re.compile(
    r"\b([A-Z][\w-]+(?: [A-Z][\w-]*)*|\w*\d\w*)(?:'s|’s| is| are| was| has been| goes) (?:now |therefore "
    r"|also )?(?:out|withdrawn|dead|gone|off|cancelled|canceled|dropped|scrapped|ruled out|rejected)\b"
)
PLANS = frozenset({Kind.DECISION, Kind.PROPOSAL})


def dead_names(text: str) -> frozenset[str]:
    """Names and codes, lower case, that `text` says are out, withdrawn or dead."""
    return frozenset(match.group(1).lower() for match in DEAD.finditer(text))


# A plan turned round or moved: one shared word is enough to say which.
TURNED = re.compile(
    r"(?i)\b(?:revers\w+|changed (?:my|our) mind|moved?|moves|postponed?|brought forward|pushed back|instead)\b"
)
# "Moved again: Sunday": says no subject, so it moves what was moved or newly set last.
_MOVED = r"(?:moved|postponed|pushed back|shifted|changed|delayed|rescheduled|brought forward)"
AGAIN = re.compile(
    rf"(?i)^\W*(?:and |so |then |but |now )*{_MOVED} (?:it )?(?:yet )?(?:again|once more|a (?:second|third) time)\b"
)
SET_BEFORE = re.compile(rf"(?i)\bnew (?:\w+ )?\w{{4,}}\s?(?::| is\b| are\b)|\bmoves to\b|\b{_MOVED}\b")
# "R = 32", "p < 0.05": what stands before the sign is the slot, what stands behind it the value.
ASSIGNED = re.compile(r"(?<![\w=<>])([A-Za-z][\w.]*)\s*(?:=|<|>|≤|≥|:=)\s*(-?[\d.,]*\d)")


def withdrawn(reads: Sequence[Read]) -> frozenset[tuple[int, int]]:
    """(turn, index) of the sentences that a later turn corrects.

    A later sentence that is no question and no guess takes an earlier one back when it

    - denies a value the earlier one states, and shares a content word with it (neighbours count);
    - says "moved again" and no more: the value that was set or moved last goes (`moved_again`);
    - says that a name or code is out, and the earlier one plans with it;
    - announces a new value for a noun of the earlier one ("new window: …"), or assigns another value to the same
      symbol ("R = 64");
    - has correction wording, states another value of the same unit and shares `SHARED_TERMS` content words with it
      (one, when it turns round or moves a decision).

    Quoted material takes back nothing that was said, save other quoted material.
    """
    killed: set[tuple[int, int]] = set()
    for place, later in enumerate(reads):
        killed.update(moved_again(reads, place))
        if later.kind in {Kind.QUESTION, Kind.GUESS, Kind.PROPOSAL}:
            continue
        change = _change(reads, place)
        if change is None:
            continue
        for earlier in reads[:place]:
            old = earlier.sentence
            if old.turn < later.sentence.turn and (old.quoted or not later.sentence.quoted) and change.hits(earlier):
                killed.add((old.turn, old.index))
    return frozenset(killed)


def moved_again(reads: Sequence[Read], place: int) -> frozenset[tuple[int, int]]:
    """(turn, index) of what the sentence at `place` moves when it only says "moved again": the last thing that moved.

    That is the nearest earlier sentence of another turn that sets or moves a value of the same unit; and every other
    one between the two turns that states the same value of that unit.
    """
    sentence = reads[place].sentence
    if sentence.quoted or not AGAIN.match(sentence.quote):
        return frozenset()
    units = {slot.unit for slot in slots(sentence.quote)} - {"number"}
    before = [read.sentence for read in reads[:place] if read.sentence.turn < sentence.turn]
    for old in reversed(before):
        gone = {slot.value for slot in slots(old.quote) if slot.unit in units} - sentence.values
        if gone and not old.quoted and SET_BEFORE.search(old.quote):
            return frozenset(
                (other.turn, other.index) for other in before if other.turn >= old.turn and gone <= other.values
            )
    return frozenset()


@dataclass(frozen=True)
class Change:
    """What one sentence takes back."""

    sentence: Sentence
    denied: frozenset[str]
    dead: frozenset[str]
    announced: frozenset[str]
    assigned: dict[str, str]
    fresh: tuple[Slot, ...]
    context: frozenset[str]
    cued: bool
    turned: bool

    def hits(self, earlier: Read) -> bool:
        """Whether it takes back this earlier sentence."""
        old = earlier.sentence
        if (
            self.dead & (names(old.quote) | old.values)
            and earlier.kind in PLANS
            and not cue.RULED_OUT.search(old.quote)
        ):
            return True
        if any(slot.value in old.values for slot in self.fresh):
            return False
        return self._denies(old) or self._assigns(old) or self._replaces(earlier)

    def _denies(self, old: Sentence) -> bool:
        hit = {value for value in old.values if any(_same_day(value, denied) for denied in self.denied)}
        own = set(old.terms) - set(terms(" ".join(old.values)))
        return bool(hit and own & self.context)

    def _assigns(self, old: Sentence) -> bool:
        before: dict[str, str] = dict(ASSIGNED.findall(old.quote))
        return any(symbol in before and before[symbol] != value for symbol, value in self.assigned.items())

    def _replaces(self, earlier: Read) -> bool:
        old = earlier.sentence
        units = ({slot.unit for slot in self.fresh} - {"number"}) & {slot.unit for slot in slots(old.quote)}
        if not units:
            return False
        if self.announced & set(old.terms):
            return True
        stated = values(self.sentence.quote) | old.values
        shared = {term for term in set(old.terms) & set(self.sentence.terms) if term not in stated} - units
        needed = 1 if self.turned and earlier.kind in PLANS else SHARED_TERMS
        return self.cued and len(shared) >= needed


def _change(reads: Sequence[Read], place: int) -> Change | None:
    sentence = reads[place].sentence
    text = sentence.quote
    denied = denied_values(text)
    context = _context(reads, place)
    turn_text = " ".join(
        read.sentence.quote for read in reads[max(0, place - 1) : place + 1] if read.sentence.turn == sentence.turn
    )
    change = Change(
        sentence=sentence,
        denied=denied,
        dead=dead_names(text) if reads[place].kind is Kind.RULED_OUT else frozenset(),
        announced=frozenset(stem(match.group(1).lower()) for match in NEW.finditer(text)),
        assigned={} if sentence.quoted else dict(ASSIGNED.findall(text)),
        fresh=tuple(slot for slot in slots(text) if slot.value not in denied),
        context=context,
        cued=talk.CORRECTION.search(text) is not None,
        turned=TURNED.search(turn_text) is not None,
    )
    found = change.denied or change.dead or change.announced or change.assigned or change.cued
    return change if found else None


def _same_day(value: str, denied: str) -> bool:
    """Whether two values are equal, or one is a bare day ("20th") of the other's date ("20 march")."""
    if value == denied:
        return True
    bare = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", denied)
    return bare is not None and re.match(rf"{bare.group(1)}(?:st|nd|rd|th)?\s", value) is not None


def denied_values(text: str) -> frozenset[str]:
    """The values `text` says are not, or no longer, so."""
    found: set[str] = set()
    for match in VALUE.finditer(text):
        value = match.group().rstrip(" .,:;/").lower()
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
