"""What one text says besides its words: figures, names, polarity, modality. Read once, compared many times."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from consensus.lexical import parts, root
from dissolution.values import Span
from wording.choice import ChoiceKind, choices
from wording.dates import DateMention, dates
from wording.hedges import is_hedged
from wording.identifiers import identifiers
from wording.modality import Modality, modality
from wording.names import names
from wording.negation import is_negated, negation_cues
from wording.numbers import Quantity, quantities
from wording.words import content_words

NOT_REJECTED = re.compile(
    r"\b(?:not|never|cannot be|can't be|isn't|aren't|wasn't)\W+(?:\w+\W+)?"
    r"(?:ruled out|rejected|excluded|discarded|off the table|out of the question)\b",
    re.IGNORECASE,
)
"""A rejection that is undone."""

BOUND = re.compile(r"(?<!\w)(?P<symbol>[^\W\d]{1,3}) ?(?P<sign>[<>≤≥])=? ?$")
LONGEST_SYMBOL = 8  # characters of symbol, sign and spaces
SIZE = re.compile(r"\d+[a-z]{1,2}")
DECIMAL = re.compile(r"\d+\.\d+")
CLAUSE_END = re.compile(r"[;:.!?)]\s|,\s|\s(?:and|but|so|because|while|or)\s")
AGAINST = frozenset({ChoiceKind.REJECTED})
FORBIDS = frozenset({Modality.PROHIBITION})
OPEN = re.compile(
    r"\b(?:is|are|was|were|remains?|stays?|still|left) (?:still )?(?:an? )?"
    r"(?:open|undecided|unanswered|unresolved|unsettled|unknown|unclear)\b(?! (?:to|for|until)\b)"
    r"|\b(?:open (?:question|point|issue)|to be decided|remains to be seen|yet to be|has yet to)\b"
    r"|\b(?:nobody|no one|no-one|none of us) (?:has |have )?(?:yet )?"
    r"(?:knows?|known|answered|established|checked|said|decided)\b"
    r"|^(?:whether|open)\b",
    re.IGNORECASE,
)
"""Wording of a question that is told instead of asked."""

SUPPOSED = re.compile(
    r"\b(?:is|are|was|were|remains?|stays?|comes?) (?:only |just |still |merely |purely )?"
    r"(?:from )?(?:an? |my |the user's )?"
    r"(?:memory|hearsay|guess(?:es|work)?|estimate|assumption|opinion|hunch|impression|rumou?r)\b",
    re.IGNORECASE,
)
"""Wording that calls a statement a guess by a noun: "the share is a guess"."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, date part or identifier.

    Attributes:
        key: Equal for equal figures written alike.
        kind: "number", "date" or "identifier".
        group: What it can be compared with: the unit, the date part, or the identifier's shape.
        wants: A text has this figure when one of these is among the text's `holds`.
        holds: What this figure adds to its own text's `holds`.
        hard: Whether it is written with digits or is an identifier; "two" and "once" are soft.
        at: Where it begins in its text.
        end: Where it ends.
    """

    key: str
    kind: str
    group: str
    wants: frozenset[str]
    holds: frozenset[str]
    hard: bool
    at: int
    end: int


@dataclass(frozen=True)
class Profile:
    """What one text says. Each part is read when it is first asked for: most of a conversation is never asked for all.

    Attributes:
        text: The text itself.
    """

    text: str

    def __hash__(self) -> int:
        """The text's own hash, which is kept: what is known of a profile is looked up often."""
        return hash(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of its content words and the parts of its identifiers."""
        return _terms(self.text)

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """Its dates and times."""
        return dates(self.text)

    @cached_property
    def marks(self) -> tuple[Figure, ...]:
        """Its figures, each key once."""
        return tuple({mark.key: mark for mark in self.mentions}.values())

    @cached_property
    def mentions(self) -> tuple[Figure, ...]:
        """Its figures, as often as they are said."""
        return (
            *(_quantity(found) for found in quantities(self.text)),
            *(mark for mention in self.dates for mark in _date(mention)),
            *(_identifier(found.normalised, found.span) for found in identifiers(self.text)),
        )

    @cached_property
    def figures(self) -> frozenset[str]:
        """Keys of its figures."""
        return frozenset(mark.key for mark in self.marks)

    @cached_property
    def holds(self) -> frozenset[str]:
        """What a figure of another text may be found by."""
        return frozenset[str]().union(*(mark.holds for mark in self.marks))

    @cached_property
    def names(self) -> frozenset[str]:
        """Proper names in lower case."""
        return frozenset(name.casefold() for name in names(self.text))

    @cached_property
    def modality(self) -> Modality:
        """How it is meant."""
        return modality(self.text)

    @cached_property
    def rejects(self) -> bool:
        """Whether it denies by a word of rejection that no negation undoes."""
        if NOT_REJECTED.search(self.text):
            return False
        return any(choice.kind in AGAINST for choice in choices(self.text))

    @cached_property
    def negative(self) -> bool:
        """Whether it denies, forbids or rejects something. "Not ruled out" does none of these."""
        if self.rejects or self.modality in FORBIDS:
            return True
        return is_negated(self.text) and NOT_REJECTED.search(self.text) is None

    @cached_property
    def hedged(self) -> bool:
        """Whether it is not vouched for."""
        return is_hedged(self.text) or SUPPOSED.search(self.text) is not None

    @cached_property
    def open(self) -> bool:
        """Whether it is a question, asked or told."""
        return self.modality is Modality.QUESTION or OPEN.search(self.text) is not None

    @cached_property
    def owners(self) -> dict[str, frozenset[str]]:
        """For each figure, by key, the content words between the figure before it and itself."""
        found: dict[str, frozenset[str]] = {}
        start = 0
        for mark in sorted(self.marks, key=lambda mark: mark.at):
            found[mark.key] = frozenset(w for w in content_words(self.text[start : mark.at]) if not w[0].isdigit())
            start = mark.at
        return found

    @cached_property
    def bound(self) -> dict[str, frozenset[str]]:
        """For each figure, by key, the roots of the words said with it: in its clause, up to the figures beside it."""
        found: dict[str, frozenset[str]] = {}
        marks = sorted(self.mentions, key=lambda mark: mark.at)
        for place, mark in enumerate(marks):
            start = marks[place - 1].end if place else 0
            end = marks[place + 1].at if place + 1 < len(marks) else len(self.text)
            before = CLAUSE_END.split(self.text[start : mark.at])[-1]
            after = CLAUSE_END.split(self.text[mark.end : end])[0]
            words = frozenset(root(word) for word in content_words(f"{before} {after}") if not word[0].isdigit())
            found[mark.key] = found.get(mark.key, frozenset[str]()) | words
        return found

    @cached_property
    def slots(self) -> dict[str, frozenset[str]]:
        """The bounds of its symbols: figure keys by symbol and sign."""
        found: dict[str, frozenset[str]] = {}
        for mark in self.mentions:
            bound = BOUND.search(self.text[max(0, mark.at - LONGEST_SYMBOL) : mark.at])
            if bound and mark.kind == "number":
                name = f"{bound['symbol']}{bound['sign']}"
                found[name] = found.get(name, frozenset[str]()) | {mark.key}
        return found

    @cached_property
    def denies(self) -> bool:
        """Whether anything in it, not only its main clause, denies or rejects."""
        return self.negative or self.rejects or bool(negation_cues(self.text))

    def has(self, figure: Figure) -> bool:
        """Whether `figure` stands in this text, written this way or another."""
        return not figure.wants.isdisjoint(self.holds)

    def lacking(self, other: "Profile") -> tuple[Figure, ...]:
        """Hard figures of this text that `other` has not."""
        return tuple(mark for mark in self.marks if mark.hard and mark.wants.isdisjoint(other.holds))


@lru_cache(maxsize=4096)
def profile_of(text: str) -> Profile:
    """The profile of one text; the 4,096 used last are remembered, since claims and stretches come again."""
    return Profile(text)


def _terms(text: str) -> frozenset[str]:
    """Content words, and the parts of those that are joined: `ll_session` shares "session" with "the session"."""
    whole = content_words(text)
    return whole.union(*map(parts, whole))


def _quantity(found: Quantity) -> Figure:
    """A number is the same as another when value and unit are, or when the one leaves out what the other says.

    "120" may be "120 s", and "9,000 a month" or "9,000 USD" may be "9,000 USD per month"; "9,000 USD a year" is not.
    """
    amount, hard = f"{found.amount.normalize():f}", any(character.isdigit() for character in found.text)
    bare, any_unit, at, end = f"bare:{amount}", f"any:{amount}", found.span.start, found.span.end
    if found.unit is None:
        name = {f"id:{found.text.casefold()}"} if hard and not found.text[-1].isdigit() else set[str]()
        wants, holds = frozenset({any_unit, *name}), frozenset({bare, any_unit, *name})  # "34B" of "Marlow-34B"
        return Figure(amount, "number", "", wants, holds, hard, at, end)
    value, unit = f"{found.value.normalize():f}", found.unit
    full = f"{value} {unit}"
    wants, holds = {full, bare}, {full, any_unit}
    over, _, per = unit.partition("/")
    if per and over not in {"", "1"}:
        wants |= {f"only:{value} {over}", f"only:{value} /{per}"}
        holds |= {f"part:{value} {over}", f"part:{value} /{per}"}
    else:
        side = f"/{per}" if per else unit
        wants.add(f"part:{value} {side}")
        holds.add(f"only:{value} {side}")
    return Figure(full, "number", unit, frozenset(wants), frozenset(holds), hard, at, end)


def _date(mention: DateMention) -> list[Figure]:
    """Day, clock and year apart: one turn may give the day and another the hour."""
    parts: list[tuple[str, str]] = []
    if mention.day is not None:
        parts.append(("day", f"{mention.month or '?'}-{mention.day}"))
    elif mention.month is not None:
        parts.append(("month", str(mention.month)))
    elif mention.weekday is not None:
        parts.append(("weekday", str(mention.weekday)))
    if mention.hour is not None:
        parts.append(("clock", f"{mention.hour}:{mention.minute or 0:02d}"))
    if mention.year is not None:
        parts.append(("year", str(mention.year)))
    return [_date_part(kind, value, mention) for kind, value in parts]


def _date_part(kind: str, value: str, mention: DateMention) -> Figure:
    key = f"{kind}:{value}"
    holds = {key}
    if kind == "day":
        holds |= {f"month:{mention.month}", f"weekday:{mention.weekday}"}
    if kind == "year":
        holds |= {f"bare:{value}", f"any:{value}"}  # a reader may take a bare year for a number
    return Figure(
        key, "date", kind, frozenset({key}), frozenset(holds), kind != "weekday", mention.span.start, mention.span.end
    )


def _identifier(normalised: str, span: Span) -> Figure:
    """Found by itself, by its last path segment and without a port; its shape has letters as a and digits as 0."""
    bare = re.sub(r":\d+$", "", normalised)
    forms = {f"id:{form}" for form in (normalised, bare, bare.rsplit("/", 1)[-1]) if form}
    if DECIMAL.fullmatch(bare):  # "Redis 7.0" is a version and "Chaoborus 0.03" is none: both readings may meet
        forms |= {f"any:{bare}", f"bare:{bare}"}
    last = bare.rsplit("-", 1)[-1]
    tail = {f"id:{last}"} if SIZE.fullmatch(last) else set[str]()  # "34B" may stand for "Marlow-34B"
    shape = re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", bare))
    wants, holds = frozenset(forms), frozenset(forms | tail)
    return Figure(f"id:{normalised}", "identifier", shape, wants, holds, hard=True, at=span.start, end=span.end)


def rounded_forms(profile: Profile) -> set[str]:
    """Forms by which its decimal numbers are found when a claim rounds them: 70.9 percent as 71 percent."""
    found: set[str] = set()
    for mark in profile.marks:
        value, _, unit = mark.key.partition(" ")
        whole, _, places = value.partition(".")
        if mark.kind == "number" and places:
            short = [f"{Decimal(value):.{kept}f}" for kept in range(len(places)) if len(whole.lstrip("-0")) + kept > 1]
            found.update(
                form for one in short for form in ((f"{one} {unit}",) if unit else (f"any:{one}", f"bare:{one}"))
            )
    return found
